"""The review gate as methods: what was proposed, and a person's word on it. No agent decides on proposals."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from loreweave.engine.asking import LONGEST
from loreweave.engine.writer import Writer
from loreweave.errors import BadRequest
from loreweave.events.likeness import looks
from loreweave.events.slots import key
from loreweave.notes.visible import excerpt

if TYPE_CHECKING:
    from loreweave.engine.deciding import Approved
    from loreweave.engine.mining import Mined
    from loreweave.engine.pending import Proposals
    from loreweave.engine.rejecting import Rejected
    from loreweave.store.session import Session

CANDIDATES, PROPOSALS = 50, 200
"""How many are given where nothing is said."""


class Gate(Writer, ABC):
    """Proposals of one vault, in one scope: those of other scopes are neither seen nor decided on."""

    @abstractmethod
    def asking(self) -> AbstractContextManager[Session]:
        """Give a session on the index, brought up to date first."""

    @abstractmethod
    def lines_named(self, session: Session, address: str) -> tuple[str, tuple[int, int] | None]:
        """Give the path and the lines that an address names, None for all; raise Refused for what is not there."""

    def propose_facts(
        self, note: str, *, submit: bool = False, limit: int = CANDIDATES, by: str | None = None
    ) -> Mined:
        """Give what a note states, in labels too, that neither the ledger nor anybody has on record; assert nothing.

        Where the address names a section or lines, only what stands there. With ``submit`` those given, ``limit`` at
        most, become proposals. Raises Refused for what is no note of the scope, or not in it.
        """
        from loreweave.engine import mining

        _refuse_no_number("limit", limit)
        by = self.signed(None if by is None else _name(by))
        with self.asking() as session:
            path, lines = self.lines_named(session, note)
            errand = mining.Errand(path, lines, self.scope, by, limit)
            if not submit:
                return mining.mine(self.engine, session.rows, errand)
        return mining.submit(self.engine, errand)

    def proposals(self, *, status: str = "pending", limit: int = PROPOSALS) -> Proposals:
        """Give the proposals that are ``pending``, ``approved``, ``rejected`` or ``all``, the oldest first.

        With each that is pending stands what its approval would come to now.
        """
        from loreweave.engine.pending import proposals

        _refuse_no_number("limit", limit)
        with self.asking() as session:
            return proposals(session, self.scope, status, limit)

    def approve(self, *ids: str, by: str | None = None, force: bool = False, dry_run: bool = False) -> Approved:
        """Write what proposals propose, all of them or none, each named by its id or four digits of it or more.

        ``by`` is who approves, and never who proposed. Raises Refused for what cannot be approved, and where a slot
        has changed since, unless by ``force``.
        """
        from loreweave.engine.deciding import Decision, approve

        self.refuse_agent("Approving")
        given = [_text("id", proposal_id) for proposal_id in ids]
        return approve(self.engine, given, Decision(self.scope, _decider(by), force, dry_run))

    def reject(self, *ids: str, because: str, by: str | None = None) -> Rejected:
        """Write that proposals are rejected, and why, all of them or none; each is named as for ``approve``.

        The same value is then not taken as a proposal again. Raises Refused for what is decided already.
        """
        from loreweave.engine.deciding import Decision
        from loreweave.engine.rejecting import reject

        self.refuse_agent("Rejecting")
        given = [_text("id", proposal_id) for proposal_id in ids]
        return reject(self.engine, given, _text("because", because), Decision(self.scope, _decider(by)))


def _decider(by: str | None) -> str:
    """Give the name of who decides; raise BadRequest where nobody is named."""
    if by is None:
        raise BadRequest("Who decides is not said.", "say it with by, --by or LORE_BY")
    return _name(by)


def _name(by: object) -> str:
    name = _text("by", by)
    if not key(name) or not looks(name)[0] or len(name) > LONGEST:
        raise BadRequest(f"by: {excerpt(name)} is no name.", "give the name of a person or a program")
    return name


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise BadRequest(f"{name}: {value!r} is not a text.", "give it as a str")
    return value


def _refuse_no_number(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise BadRequest(f"{name}: {value!r} is not a number from 1 on.", "give one such as 20")
