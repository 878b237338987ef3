"""What the answer of remember points out: length, a chronicle, likely credentials, drifting tags, similar entries.

Every hint reads what is stored already. One that fails says so in its line and never undoes the storing.
"""

import difflib
import re
from dataclasses import dataclass

from frugal.call import Call
from frugal.entries.lines import hit_line
from frugal.entries.remember import Draft, Outcome
from frugal.entries.storage import fetch, texts_of
from frugal.errors import Refusal
from frugal.model import KindVocabulary
from frugal.search import LIVE_DOCUMENTS, similar
from frugal.store import Connection
from frugal.text import credentials
from frugal.text.normalise import fold_tag
from frugal.text.numbers import changed
from frugal.text.titles import one_line

TYPICAL_CHARACTERS = 600
CHRONICLE_CHARACTERS = 400
CHRONICLE = re.compile(r"\s*\**\s*20\d\d-\d\d-\d\d")
SHOWN_CREDENTIALS = 5
FEW = 3
"""A tag on fewer live entries than this is looked at."""
TAG_NOTICES = 5
NEAR_TAGS = 3
TAG_RATIO = 0.8
SIMILAR_FLOOR = 0.55
SIMILAR_LINES = 3
SECRET_POLICIES = ("warn", "refuse", "off")


def secret_policy(call: Call) -> str:
    """Return `warn`, `refuse` or `off`; an unknown value of MEMORY_SECRETS acts as `refuse`."""
    policy = call.settings.value("MEMORY_SECRETS", "warn").lower()
    return policy if policy in SECRET_POLICIES else "refuse"


def refuse_credentials(call: Call, draft: Draft) -> None:
    """Raise `Refusal` if the policy is to store no likely credential and the draft holds one."""
    if secret_policy(call) != "refuse":
        return
    if found := credentials.scan(draft.text) or credentials.scan(draft.also):
        raise Refusal("secret_refused", places=_places(call, found))


def length_notices(call: Call, draft: Draft, _outcome: Outcome) -> list[str]:
    """Return the notices about a long text and about a text that looks like a chronicle."""
    surface, rules = call.surface, call.mode.entry_rules
    lines: list[str] = []
    if len(draft.text) > rules.long_characters:
        lines.append(surface.text("hints.long", count=len(draft.text), typical=TYPICAL_CHARACTERS))
    is_dated = CHRONICLE.match(draft.text) and len(draft.text) > CHRONICLE_CHARACTERS
    if rules.has_chronicle_notice and is_dated and not draft.kind.is_hidden:
        kinds = ", ".join(surface.kind(kind) for kind in surface.kinds.hidden)
        lines.append(surface.text("hints.chronicle", kind=kinds))
    return lines


def credential_notice(call: Call, draft: Draft, outcome: Outcome) -> list[str]:
    """Return the notice about likely credentials: class and place, never a character of one."""
    if secret_policy(call) == "off":
        return []
    found = credentials.scan(draft.text) or credentials.scan(draft.also)
    if not found:
        return []
    command = f"frugal-memory {call.mode.name} erase {outcome.entry.id}"
    places = _places(call, found)
    return [call.surface.text("hints.credential", places=places, command=command)]


def _places(call: Call, found: tuple[credentials.Credential, ...]) -> str:
    shown = [
        call.surface.text(
            "hints.credential_place",
            kind=item.kind,
            line=item.line,
            first=item.column,
            last=item.end_column,
        )
        for item in found[:SHOWN_CREDENTIALS]
    ]
    if len(found) > SHOWN_CREDENTIALS:
        shown.append(f"+{len(found) - SHOWN_CREDENTIALS}")
    return ", ".join(shown)


TAG_COUNT = "SELECT live FROM tag_directory WHERE folded = :folded"
BUSIER_TAGS = """
    SELECT folded, spelling, live FROM tag_directory
    WHERE live > :count AND folded <> :folded
      AND (abs(length(folded) - length(:folded)) <= length(:folded) / 2
           OR substr(folded, 1, length(:folded) + 1) IN (:folded || '-', :folded || '/')
           OR substr(:folded, 1, length(folded) + 1) IN (folded || '-', folded || '/'))
    ORDER BY live DESC, folded LIMIT 2000
"""


@dataclass(frozen=True)
class NearTag:
    """A known tag close to a new one, and on how many live entries it is."""

    spelling: str
    live: int


def tag_notices(call: Call, db: Connection, outcome: Outcome) -> list[str]:
    """Return a notice for each tag that is a kind word, new, or rare beside a busier tag like it; at most five."""
    lines: list[str] = []
    added = outcome.entry.tags if outcome.is_new else outcome.added_tags
    for tag in added:
        line = _kind_word_notice(call, tag) or _rare_tag_notice(call, db, tag)
        lines += [line] if line else []
    return lines[:TAG_NOTICES]


def _kind_word_notice(call: Call, tag: str) -> str | None:
    kinds: KindVocabulary = call.surface.kinds
    kind = kinds.find(tag)
    if kind is None:
        return None
    name = call.surface.parameter_name("remember", "kind")
    return call.surface.text("hints.tag_is_kind", tag=tag, name=name, kind=call.surface.kind(kind))


def _rare_tag_notice(call: Call, db: Connection, tag: str) -> str | None:
    folded = fold_tag(tag)
    row = db.execute(TAG_COUNT, {"folded": folded}).fetchone()
    before = (row[0] if row else 1) - 1
    if before >= FEW:
        return None
    near = near_tags(db, folded, before)
    if not near:
        return None if before else call.surface.text("hints.tag_new", tag=tag)
    shown = ", ".join(f"{item.spelling} ({item.live})" for item in near)
    key = "hints.tag_rare" if before else "hints.tag_unknown"
    return call.surface.text(key, tag=tag, count=before, near=shown)


def near_tags(db: Connection, folded: str, count: int) -> list[NearTag]:
    """Return up to three tags on more than *count* live entries that continue *folded*, are continued by it, or are
    spelled like it (`difflib` ratio at least 0.8), busiest first."""
    near: list[NearTag] = []
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(folded)
    for other, spelling, live in db.execute(BUSIER_TAGS, {"folded": folded, "count": count}):
        if _continues(other, folded) or _continues(folded, other) or _is_like(matcher, other):
            near.append(NearTag(spelling, live))
            if len(near) == NEAR_TAGS:
                break
    return near


def _continues(longer: str, shorter: str) -> bool:
    return longer.startswith((shorter + "-", shorter + "/"))


def _is_like(matcher: "difflib.SequenceMatcher[str]", other: str) -> bool:
    matcher.set_seq1(other)
    return (
        matcher.real_quick_ratio() >= TAG_RATIO
        and matcher.quick_ratio() >= TAG_RATIO
        and matcher.ratio() >= TAG_RATIO
    )


def similar_lines(call: Call, db: Connection, draft: Draft, outcome: Outcome) -> list[str]:
    """Return up to three live entries that say nearly the same, with the numbers that changed."""
    left_out = {outcome.entry.id, *draft.supersedes}
    found = [
        item
        for item in similar(
            db, draft.text, LIVE_DOCUMENTS, floor=SIMILAR_FLOOR, limit=SIMILAR_LINES + len(left_out)
        )
        if item.id not in left_out
    ][:SIMILAR_LINES]
    if not found:
        return []
    ids = [item.id for item in found]
    entries, texts = fetch(db, ids), texts_of(db, ids)
    lines = [call.surface.text("hints.similar")]
    for item in found:
        line = f"{item.score * 100:.0f} % {hit_line(entries[item.id], call.surface)}"
        if change := changed(draft.text, texts[item.id]):
            line += " " + call.surface.text("hints.numbers", change=one_line(str(change), 120))
        lines.append(line)
    return lines
