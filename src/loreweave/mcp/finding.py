"""Tools that find and read what the notes say, each passage with its address."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from loreweave.mcp.arguments import FLAG, TEXT, TEXTS, WHOLE, WORDS, Argument
from loreweave.mcp.tool import COUNT, COUNT_OR_NOT, FACTS, LIMIT, SAYS, THING, THINGS, WORD, Tool, gives, listed, shown
from loreweave.mcp.wording import for_agents
from loreweave.reports.budget import LEAST
from loreweave.reports.pack import CHARACTERS
from loreweave.search.found import LIMIT as RESULTS

if TYPE_CHECKING:
    from loreweave.library import Lore
    from loreweave.reports.reading import NoteText
    from loreweave.search.found import Result

_LEAN = 320
"""Characters of a passage that a lean result shows."""

_COPIES = 5


def _search(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    wordings, full = given.pop("queries"), given.pop("full", False)
    found = lore.search(*wordings, **given)
    results = [_result(result, full=full) for result in found.results]
    is_all = len(results) < given.get("limit", RESULTS)
    made: dict[str, Any] = {
        "results": results,
        "shown": len(results),
        "of": len(results) if is_all else None,
        "facts": shown(found.facts),
        "exhausted": found.exhausted,
    }
    if not is_all:
        made["more"] = "there may be more: set a higher limit"
    if found.undated:
        made["undated"] = found.undated
    if found.degraded:
        made["degraded"] = list(found.degraded)
    if not results:
        made["advice"] = for_agents(lore.search_advice(*wordings, **given))
    return made


def _result(result: Result, *, full: bool) -> dict[str, Any]:
    """Give a passage: lean, with what answers the question, or whole, with why it was found."""
    if not full:
        return {"address": result.address, "text": _around(result.text, result.words)}
    return {
        "address": result.address,
        "text": result.text,
        "score": result.score,
        "why": list(result.why),
        "also": list(result.also[:_COPIES]),
        "copies": len(result.also),
    }


def _around(text: str, words: tuple[str, ...]) -> str:
    """Give of a text the stretch that begins a little before the first of the words."""
    plain = re.sub(r"\s+", " ", text).strip()
    if len(plain) <= _LEAN:
        return plain
    places = [place for place in map(plain.find, words) if place >= 0]
    first = max(0, min(min(places, default=0) - _LEAN // 4, len(plain) - _LEAN))
    start = plain.find(" ", first) + 1 if first else 0
    ending = "…" if start + _LEAN < len(plain) else ""
    return f"{'…' if start else ''}{plain[start : start + _LEAN]}{ending}"


def _pack(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    pack: dict[str, Any] = {**lore.context_pack(given.get("topic"), budget=given["budget"])}
    return pack


def _note(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    found = lore.read_note(given.pop("address"), **given)
    more = [goes_on(found)] if found.cut else []
    more += [f"{found.rest} is the address of the rest"] if found.rest else []
    return {**shown(found), **({"more": "; ".join(more)} if more else {})}


def goes_on(found: NoteText) -> str:
    """Say how to read on in a line that is longer than what may be given."""
    line, path = found.start_line, found.path.replace("'", "''")
    sql = f"select text from spans where path = '{path}' and start_line = {line} order by span_id"  # noqa: S608 - told, not run
    return f"line {line} goes on after {len(found.text):,} characters: lore_query_sql has it in pieces, {sql}"


SEARCH = Tool(
    name="lore_search",
    title="Search the notes",
    told=(
        "Passages of the notes that answer a question. Use it before you say that something is not known, and give"
        " several wordings in one call: synonyms, names, the other language. A low score is not absence."
    ),
    run=_search,
    arguments=(
        Argument("queries", TEXTS, "The question in one wording or several.", required=True, longest=10_000),
        Argument("limit", WHOLE, f"{LIMIT} Else {RESULTS}.", least=1),
        Argument("tags", WORDS, "Only of notes with all of these; -tag leaves out."),
        Argument("folder", TEXT, "Only below this folder."),
        Argument("since", TEXT, "Only about this date or later."),
        Argument("until", TEXT, "Only about before this date."),
        Argument("full", FLAG, "Whole passages, and why each was found."),
    ),
    answer=listed("results", THINGS, of=COUNT_OR_NOT, facts=FACTS, exhausted=SAYS),
    more="set a lower limit, narrow with folder, tags or dates, or read an address with lore_read_note",
)

CONTEXT_PACK = Tool(
    name="lore_context_pack",
    title="Begin a session",
    told=(
        "One call to begin a session: current beliefs, passages on the topic, recent changes, what was used lately."
        " left_out names what did not fit, and how to get it."
    ),
    run=_pack,
    arguments=(
        Argument("topic", TEXTS, "What the session is about, in one wording or several."),
        Argument("budget", WHOLE, f"Characters at most; else {CHARACTERS:,}.", least=LEAST),
    ),
    answer=gives({"left_out": THING}),
    bound="budget",
    usual=CHARACTERS,
)

READ_NOTE = Tool(
    name="lore_read_note",
    title="Read a note",
    told=(
        "The text of a note, or what of it an address names: path, path#heading, path:line or path:start-end, as other"
        " tools give them. Long ones come in parts: rest is the address of what follows."
    ),
    run=_note,
    arguments=(
        Argument("address", required=True),
        Argument("offset", WHOLE, "Lines to pass over.", least=0),
        Argument("limit", WHOLE, "Lines at most.", least=1),
    ),
    answer=gives(
        {
            "path": WORD,
            "start_line": COUNT,
            "end_line": COUNT,
            "text": WORD,
            "shown": COUNT,
            "of": COUNT,
        }
    ),
    bound="characters",
)
