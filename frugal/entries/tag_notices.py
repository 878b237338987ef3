"""Tags that drift: kind words used as tags, new tags, and rare ones beside a busier tag that is nearly the same."""

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from frugal.call import Call
from frugal.entries.remember import Draft, Outcome
from frugal.entries.storage import fetch
from frugal.model import EVERY_KIND
from frugal.store import Connection
from frugal.text import credentials
from frugal.text.normalise import fold_tag
from frugal.text.titles import one_line

FEW = 3
"""A tag on fewer live entries than this is looked at."""
MOST_NOTICES = 5
NEAR_TAGS = 3
RATIO = 0.8
SHOWN_CHARACTERS = 40

TAG_COUNT = "SELECT live FROM tag_directory WHERE folded = :folded"
# A ratio of 0.8 allows half of the length more, or a third less; that much can be told without comparing letters.
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
    """A known tag close to a new one, and on how many live entries it was before."""

    spelling: str
    live: int


def tag_notices(call: Call, db: Connection, draft: Draft, outcome: Outcome) -> list[str]:
    """Return a notice for each tag that is a kind word, new, or rare beside a busier tag like it; at most five."""
    added = outcome.entry.tags if outcome.is_new else outcome.added_tags
    own = frozenset(fold_tag(tag) for tag in added)
    gone = _tags_of(db, outcome.superseded)
    lines: list[str] = []
    for tag in draft.tags:
        line = _kind_word_notice(call, tag)
        if line is None and fold_tag(tag) in own:
            line = _rare_tag_notice(call, db, tag, own, gone)
        lines += [line] if line else []
    return lines[:MOST_NOTICES]


def _kind_word_notice(call: Call, tag: str) -> str | None:
    kind = call.surface.kinds.find(tag)
    if kind is None or kind is EVERY_KIND:
        return None
    argument = call.surface.argument("remember", "kind", call.surface.kind(kind))
    return call.surface.text("hints.tag_is_kind", tag=_shown(tag), argument=argument)


def _tags_of(db: Connection, hidden: Sequence[int]) -> Counter[str]:
    """Return on how many of the entries that this call superseded each tag is: before it, they were live."""
    return Counter(fold_tag(tag) for entry in fetch(db, hidden).values() for tag in entry.tags)


def _rare_tag_notice(
    call: Call, db: Connection, tag: str, own: frozenset[str], gone: Counter[str]
) -> str | None:
    folded = fold_tag(tag)
    row = db.execute(TAG_COUNT, {"folded": folded}).fetchone()
    before = max((row[0] if row else 1) - 1, 0) + gone[folded]
    if before >= FEW:
        return None
    near = near_tags(db, folded, before, own=own, gone=gone)
    if not near:
        return None if before else call.surface.text("hints.tag_new", tag=_shown(tag))
    shown = ", ".join(f"{_shown(item.spelling)} ({item.live})" for item in near)
    key = "hints.tag_rare" if before else "hints.tag_unknown"
    return call.surface.text(key, tag=_shown(tag), count=before, near=shown)


def near_tags(
    db: Connection,
    folded: str,
    count: int,
    *,
    own: frozenset[str] = frozenset(),
    gone: Mapping[str, int] = MappingProxyType({}),
) -> list[NearTag]:
    """Return up to three tags that were on more than *count* live entries and continue *folded*, are continued by it,
    or are spelled like it (`difflib` ratio at least 0.8), busiest first.

    The tags *own* were given just now: that entry does not count for them. Those in *gone* were on as many live
    entries more.
    """
    near: list[NearTag] = []
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(folded)
    for other, spelling, live in db.execute(BUSIER_TAGS, {"folded": folded, "count": count}):
        before = live - (other in own) + gone.get(other, 0)
        if before <= count:
            continue
        if _continues(other, folded) or _continues(folded, other) or _is_like(matcher, other):
            near.append(NearTag(spelling, before))
            if len(near) == NEAR_TAGS:
                break
    return near


def _continues(longer: str, shorter: str) -> bool:
    return longer.startswith((shorter + "-", shorter + "/"))


def _is_like(matcher: "difflib.SequenceMatcher[str]", other: str) -> bool:
    matcher.set_seq1(other)
    return matcher.real_quick_ratio() >= RATIO and matcher.quick_ratio() >= RATIO and matcher.ratio() >= RATIO


def _shown(tag: str) -> str:
    """Return *tag* for a message: not too long, and no character of a likely credential."""
    return one_line(credentials.mask(tag, credentials.scan(tag)), SHOWN_CHARACTERS)
