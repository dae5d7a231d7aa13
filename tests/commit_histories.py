"""Histories of repositories of notes, made of what the notes are to say: whoever made them knows the values."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import attrs

from repositories import Repository

FIRST = datetime(2024, 1, 10, 9, tzinfo=UTC)
SUBJECTS = ("Atlas", "Vendor", "Ledger Format", "Überblick", "C++", "Desk")
OBJECTS = ("draft", "in review", "final", "Priya", "Ana", "1.10", "NO", "a :: b")
MEMBERS = ("Ana", "Bo", "Priya", "Tom")

Fact = tuple[str, str, str]
"""Subject, predicate, object."""


@attrs.define
class Page:
    """A note by what it says: single values, members of a list, and prose that says nothing."""

    subject: str
    path: str
    values: dict[str, str]
    members: list[str]
    prose: int = 0

    def text(self) -> str:
        front = [f'status: "{self.values["status"]}"'] if "status" in self.values else []
        front += [f"members: [{', '.join(self.members)}]"] if self.members else []
        fields = [f"- {name}:: {value}" for name, value in self.values.items() if name != "status"]
        head = ["---", *front, "---"] if front else []
        return "\n".join([*head, f"# {self.subject}", "", *fields, "", f"Prose, {self.prose} times.", ""])

    def facts(self) -> set[Fact]:
        return {(self.subject, name, value) for name, value in self.values.items()} | {
            (self.subject, "members", member) for member in self.members
        }


@attrs.frozen
class Told:
    """A commit: its hash, when it was made, and all that its notes say."""

    hash: str
    at: str
    facts: frozenset[Fact]


class History:
    """Commits made one after another in a folder of a repository."""

    def __init__(self, repository: Repository, chance: Random, folder: str = "") -> None:
        self.repository, self._chance, self._folder = repository, chance, folder
        self._pages: dict[str, Page] = {}
        self._number = 0

    def commit(self) -> Told:
        """Change a few notes and commit, some hours after the last commit; at times within the same second."""
        files: dict[str, str | None] = {}
        for _ in range(self._chance.randrange(1, 4)):
            self._change(self._chance.choice(SUBJECTS), files)
        files["ledger.txt"] = f"{self._number}"
        self._number += self._chance.choice((0, 1, 1, 5))
        at = (FIRST + timedelta(hours=7 * self._number)).isoformat().replace("+00:00", "Z")
        said = frozenset(fact for page in self._pages.values() for fact in page.facts())
        placed = {f"{self._folder}{path}": text for path, text in files.items()}
        return Told(self.repository.commit(placed, at), at, said)

    def _change(self, subject: str, files: dict[str, str | None]) -> None:
        page = self._pages.get(subject)
        if page is None:
            page = self._pages[subject] = Page(subject, f"{subject}.md", {"status": "draft"}, [])
        elif self._chance.random() < 0.1:
            files[self._pages.pop(subject).path] = None
            return
        elif self._chance.random() < 0.15:
            files[page.path] = None
            page.path = f"{self._chance.choice(('archive', 'desk/old'))}/{self._chance.randrange(9)}/{subject}.md"
        self._say(page)
        files[page.path] = page.text()

    def _say(self, page: Page) -> None:
        name = self._chance.choice(("status", "owner", "phase", "members", "prose", "prose"))
        if name == "prose":
            page.prose += 1
        elif name == "members":
            page.members = sorted(self._chance.sample(MEMBERS, self._chance.randrange(4)))
        elif name in page.values and self._chance.random() < 0.3:
            del page.values[name]
        else:
            page.values[name] = self._chance.choice(OBJECTS)
