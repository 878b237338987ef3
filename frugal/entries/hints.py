"""What the answer of remember points out: length, a chronicle, likely credentials, drifting tags, similar entries.

Every hint reads what is stored already. One that fails says so in its line and never undoes or hides the storing.
"""

import re
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from frugal.budget import Room, total
from frugal.call import Call
from frugal.entries import caps
from frugal.entries.headlines import same_headline
from frugal.entries.lines import WIDTHS, Width, hit_line, line_cost
from frugal.entries.remember import Draft, Outcome
from frugal.entries.second_look import notes_on
from frugal.entries.storage import Entry, fetch, texts_of
from frugal.entries.tag_notices import tag_notices
from frugal.errors import FrugalError, Refusal
from frugal.model import resolve
from frugal.search import LIVE_DOCUMENTS, similar
from frugal.shellwords import ShellWords
from frugal.store import Connection
from frugal.surface import Surface
from frugal.text import credentials
from frugal.text.credentials import Credential
from frugal.text.numbers import changed
from frugal.text.titles import one_line, title

TYPICAL_CHARACTERS = 600
CHRONICLE_CHARACTERS = 400
CHRONICLE = re.compile(r"\s*\**\s*20\d\d-\d\d-\d\d(?!\d)")
SHOWN_CREDENTIALS = 5
SIMILAR_FLOOR = 0.55
SIMILAR_LINES = 3
SUPERSEDED_LINES = 3
NUMBERS_CHARACTERS = 120


@dataclass(frozen=True)
class Similar:
    """One live entry that says nearly the same: its share, the numbers that changed, what else is to be said."""

    entry: Entry
    share: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hints:
    """What is to be said besides what was done: *notices* before the supersession, *changes* behind it.

    *headline* is an entry under the same bold headline that is not similar.
    """

    notices: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    similar: tuple[Similar, ...] = ()
    failures: tuple[str, ...] = ()
    headline: Entry | None = None


# Likely credentials


def secret_policy(call: Call) -> str:
    """Return `warn`, `refuse` or `off`; an unknown value of MEMORY_SECRETS acts as `refuse`."""
    return call.settings.secret_policy


def refuse_credentials(call: Call, draft: Draft) -> None:
    """Raise `Refusal` if the policy is to store no likely credential and the draft holds one."""
    if secret_policy(call) == "refuse" and (places := _places(call, draft)):
        raise Refusal("secret_refused", places=places)


def credential_notice(call: Call, draft: Draft, outcome: Outcome) -> list[str]:
    """Return the notice about likely credentials: class and place, never a character of one."""
    if secret_policy(call) == "off" or not (places := _places(call, draft)):
        return []
    entry = call.surface.id_argument([outcome.entry.id])
    # There is no such tool, so clients are told the line too.
    shell = call.surface.shell or ShellWords(call.mode)
    command = shell.line("erase", [entry], {}, call.surface.catalogue)
    forget = call.surface.tool_name("forget")
    return [call.surface.text("hints.credential", places=places, forget=forget, command=command)]


def _places(call: Call, draft: Draft) -> str:
    """Return where the draft holds likely credentials, "" if nowhere."""
    surface = call.surface
    shown = [_place(surface, item) for item in credentials.scan(draft.text)]
    for name, text in (("tags", " ".join(draft.tags)), ("also", draft.also)):
        parameter = surface.parameter_word("remember", name)
        shown += [f"{parameter}: {_place(surface, item)}" for item in credentials.scan(text)]
    rest = len(shown) - SHOWN_CREDENTIALS
    return ", ".join([*shown[:SHOWN_CREDENTIALS], *([f"+{rest}"] if rest > 0 else [])])


def credential_places(call: Call, text: str) -> str:
    """Return where a text beside the entries (a reason) holds likely credentials, "" if nowhere."""
    return ", ".join(_place(call.surface, item) for item in credentials.scan(text)[:SHOWN_CREDENTIALS])


def _place(surface: Surface, found: Credential) -> str:
    columns = {"first": found.column, "last": found.end_column}
    return surface.text("hints.credential_place", kind=found.kind, line=found.line, **columns)


def masked(call: Call, entry: Entry, text: str) -> Entry:
    """Return *entry* as a line may show it: the title and the tags without a character of a likely credential."""
    if secret_policy(call) == "off":
        return entry
    tags = tuple(_mask(tag) for tag in entry.tags)
    shown = _mask(text)
    if shown != text:
        entry = replace(entry, title=title(shown), title_references=())
    return replace(entry, tags=tags)


def mask_outcome(call: Call, draft: Draft, outcome: Outcome) -> None:
    """Make *outcome* fit to be shown: see `masked`."""
    outcome.entry = masked(call, outcome.entry, draft.text)
    if outcome.hidden_twin:
        outcome.hidden_twin = masked(call, outcome.hidden_twin, draft.text)
    if secret_policy(call) != "off":
        outcome.added_tags = tuple(_mask(tag) for tag in outcome.added_tags)


def _mask(text: str) -> str:
    return credentials.mask(text, credentials.scan(text))


# Everything together


def gather(call: Call, draft: Draft, outcome: Outcome) -> Hints:
    """Return what the store says about the fact that was just stored, in one snapshot; then ask about the similar."""
    notices: list[str] = []
    changes: list[str] = []
    found: list[Similar] = []
    failures: list[str] = []

    def attempt(what: str, into: list[str], hint: Callable[[], Iterable[str]]) -> None:
        try:
            into += hint()
        except Exception as error:  # whatever a hint does, the fact is stored
            failures.append(_failure(call, what, error))

    attempt("text", notices, lambda: length_notices(call, draft, outcome))
    attempt("text", notices, lambda: credential_notice(call, draft, outcome))
    texts: dict[int, str] = {}
    headline: Entry | None = None
    try:
        with call.store.read() as db:
            attempt("tags", notices, lambda: tag_notices(call, db, draft, outcome))
            attempt("mode", notices, lambda: _mode_notices(call, db, draft, outcome))
            attempt("similar", changes, lambda: changed_by_superseding(call, db, draft, outcome))
            found, texts = similar_entries(call, db, draft, outcome)
            headline = headline_twin(call, db, draft, outcome, found)
    except Exception as error:  # as above
        failures.append(_failure(call, "similar", error))
    try:
        notes = notes_on(call, draft.text, [(item.entry.id, texts[item.entry.id]) for item in found])
        found = [replace(item, notes=(*item.notes, *notes.get(item.entry.id, ()))) for item in found]
    except Exception as error:  # as above
        failures.append(_failure(call, "opinion", error))
    return Hints(tuple(notices), tuple(changes), tuple(found), tuple(dict.fromkeys(failures)), headline)


def _failure(call: Call, what: str, error: Exception) -> str:
    """Return the line of a hint that failed; of an exception only the store's short reason leaves the process."""
    if isinstance(error, FrugalError):
        reason = str(error.data.get("reason", "")) or call.surface.text(f"hints.reasons.{_reason(error)}")
    else:
        traceback.print_exception(error, file=sys.stderr)
        reason = call.surface.text("hints.reasons.internal")
    return call.surface.text(f"hints.failed.{what}", reason=one_line(reason, 80))


def _reason(error: FrugalError) -> str:
    return error.code if error.code in ("store_busy", "damaged_file", "disk_full") else "internal"


def _mode_notices(call: Call, db: Connection, draft: Draft, outcome: Outcome) -> list[str]:
    hook = call.mode.entry_rules.hint_hook
    return list(resolve(hook)(call, db, outcome.entry.id, draft.text)) if hook else []


def length_notices(call: Call, draft: Draft, outcome: Outcome) -> list[str]:
    """Return the notices about a long text and about a text that looks like a chronicle."""
    surface, rules = call.surface, call.mode.entry_rules
    lines: list[str] = []
    if len(draft.text) > rules.long_characters:
        lines.append(surface.text("hints.long", count=len(draft.text), typical=TYPICAL_CHARACTERS))
    is_dated = CHRONICLE.match(draft.text) and len(draft.text) > CHRONICLE_CHARACTERS
    hidden = surface.kinds.hidden
    if rules.has_chronicle_notice and is_dated and surface.kinds.stored(outcome.entry.kind) not in hidden:
        kinds = ", ".join(surface.kind(kind) for kind in hidden)
        lines.append(surface.text("hints.chronicle", kind=kinds))
    return lines


# Similar entries and changed numbers


def similar_entries(
    call: Call, db: Connection, draft: Draft, outcome: Outcome
) -> tuple[list[Similar], dict[int, str]]:
    """Return up to three live entries that say nearly the same, best first, and their texts."""
    left_out = {outcome.entry.id, *outcome.superseded}
    wanted = SIMILAR_LINES + len(left_out)
    scored = similar(db, draft.text, LIVE_DOCUMENTS, floor=SIMILAR_FLOOR, limit=wanted)
    best = [item for item in scored if item.id not in left_out][:SIMILAR_LINES]
    ids = [item.id for item in best]
    entries, texts = fetch(db, ids), dict(texts_of(db, ids))
    found = [
        Similar(
            masked(call, entries[item.id], texts[item.id]),
            item.score,
            tuple(_numbers(call, draft.text, texts[item.id])),
        )
        for item in best
    ]
    return found, texts


def headline_twin(
    call: Call, db: Connection, draft: Draft, outcome: Outcome, found: Sequence[Similar]
) -> Entry | None:
    """Return the live entry under the same bold headline, None if there is none or it is *found* already."""
    twin = same_headline(db, draft.text, {outcome.entry.id, *outcome.superseded})
    if twin is None or twin in {item.entry.id for item in found}:
        return None
    return masked(call, fetch(db, [twin])[twin], texts_of(db, [twin])[twin])


def changed_by_superseding(call: Call, db: Connection, draft: Draft, outcome: Outcome) -> list[str]:
    """Return the numbers that differ between the new text and those it superseded, a line each."""
    lines: list[str] = []
    texts = texts_of(db, outcome.superseded)
    for entry_id in outcome.superseded:
        lines += [
            f"{call.surface.id(entry_id)}: {note}" for note in _numbers(call, draft.text, texts[entry_id])
        ]
    return lines[:SUPERSEDED_LINES]


def _numbers(call: Call, new: str, old: str) -> list[str]:
    """Return `numbers 22 -> 49222`; a number inside a likely credential is part of it and not shown."""
    if secret_policy(call) != "off":
        new, old = _mask(new), _mask(old)
    change = changed(new, old)
    if change is None:
        return []
    return [call.surface.text("hints.numbers", change=one_line(str(change), NUMBERS_CHARACTERS))]


def _similar_line(item: Similar, surface: Surface, width: Width) -> str:
    line = f"{int(item.share * 100 + 1e-9)} % {hit_line(item.entry, surface, width)}"
    return "; ".join([line, *item.notes])


def _headline_lines(hints: Hints, surface: Surface, width: Width) -> list[str]:
    if hints.headline is None:
        return []
    return [surface.text("hints.headline", hit=hit_line(hints.headline, surface, width))]


def _ways_on(hints: Hints, surface: Surface) -> list[str]:
    """Return how the new entry replaces the one most like it, or else the one under the same headline."""
    alike = [*(item.entry for item in hints.similar), *([hints.headline] if hints.headline else [])]
    if not alike:
        return []
    argument = surface.argument("remember", "supersedes", surface.id_argument([alike[0].id]))
    return [surface.text("hints.replaces", id=surface.id(alike[0].id), argument=argument)]


def fit(front: Sequence[str], behind: Sequence[str], hints: Hints, surface: Surface) -> str:
    """Return the answer within its cap: lines in *front*, those about supersession *behind*, the similar entries.

    Titles and tags of these give way first, then how to replace one, then whole lines from the end, which are counted
    and, if entries, named.
    """
    room = Room(caps.REMEMBER)
    for width in WIDTHS:
        head = [*front, *behind, *hints.changes, *_headline_lines(hints, surface, width), *hints.failures]
        shown = [_similar_line(item, surface, width) for item in hints.similar]
        lines = [*head, *([surface.text("hints.similar")] if shown else []), *shown]
        whole = [*lines, *_ways_on(hints, surface)]
        if room.fits(total(whole)):
            return "\n".join(whole)
    if room.fits(total(lines)):
        return "\n".join(lines)
    for kept in range(len(lines) - 1, 0, -1):
        dropped = [item.entry.id for item in hints.similar[max(kept - len(head) - 1, 0) :]]
        tail = _left_out(surface, len(lines) - kept, dropped)
        if room.less(line_cost(tail)).fits(total(lines[:kept])):
            return "\n".join([*lines[:kept], tail])
    return lines[0]


def _left_out(surface: Surface, count: int, similar_ids: Sequence[int]) -> str:
    if not similar_ids:
        return surface.text("lines.left_out", count=count)
    return surface.text(
        "hints.left_out", count=count, call=surface.call("show", surface.id_argument(similar_ids))
    )
