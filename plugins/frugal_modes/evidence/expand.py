"""expand_message_context: the thread or conversation around a message that an answer has shown."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from frugal.api import Answer, Connection
from frugal_modes.evidence.corpus import Scope, message_number, ref_of_key
from frugal_modes.evidence.desk import Desk, DeskTool, raise_problems
from frugal_modes.evidence.envelope import Draft
from frugal_modes.evidence.errors import Denied, quoted
from frugal_modes.evidence.inquiry import raw_query, read
from frugal_modes.evidence.items import SHORT_CHARACTERS, Quoting, hits_body
from frugal_modes.evidence.query import Query
from frugal_modes.evidence.rows import (
    Row,
    after,
    before,
    conversations_table,
    corpus_of,
    rows_of,
    senders_table,
)
from frugal_modes.evidence.scanning import examine
from frugal_modes.evidence.shelltext import context as in_shell
from frugal_modes.evidence.tools import EXPAND

TOOL = EXPAND.name
TEXT_CHARACTERS = 1_000

PASSING = "SELECT m.number FROM message AS m WHERE m.number IN (SELECT value FROM json_each(:numbers)) AND {conditions}"


@dataclass
class _Context:
    """What is sent of a context, made smaller step by step. *lines* hold the distance from the anchor, 0 the root's."""

    desk: Desk
    db: Connection
    scope: Scope
    query: Query
    query_ref: str
    is_changed: bool
    anchor: Row
    root: Row | None
    earlier: list[Row]
    later: list[Row]
    """Nearest first."""
    is_more_before: bool
    is_more_after: bool
    characters: int = TEXT_CHARACTERS
    passing: frozenset[int] = field(default_factory=frozenset)

    @cached_property
    def _quoting(self) -> Quoting:
        return Quoting(self.query, has_roles=False)

    @cached_property
    def _corpus(self) -> str:
        return corpus_of(self.db, self.anchor.number)

    def build(self, limits: frozenset[str]) -> Draft:
        """Return the draft."""
        rows = [*reversed(self.earlier), self.anchor, *self.later]
        if self.root is not None and self.root.number != self.anchor.number:
            rows.append(self.root)
            rows.sort(key=lambda row: (row.sent_at, row.seq, row.mark))
        messages = [self._message(row) for row in rows]
        reasons = set(limits)
        if self.is_more_before or self.is_more_after:
            reasons.add("window")
        if any("clipped" in message for message in messages):
            reasons.add("text_clipped")
        flags = {
            "root_missing": bool(self.anchor.thread) and not self.anchor.root,
            "clipped_before": self.is_more_before,
            "clipped_after": self.is_more_after,
        }
        fields: dict[str, object] = {
            "conversation": self.anchor.conversation_key,
            "scope": "thread" if self.anchor.thread else "conversation",
            "messages": messages,
            "senders": senders_table(self.db, rows),
            "conversations": conversations_table(self.db, [self.anchor]),
            **{name: True for name, is_so in flags.items() if is_so},
        }
        return Draft(
            "context",
            self.scope.version,
            fields,
            query_ref=self.query_ref,
            is_truncated=bool(reasons),
            stop_reasons=frozenset(reasons),
            is_untrusted=True,
            warnings=[{"code": "corpus_changed"}] if self.is_changed else [],
            refs=[row.ref for row in rows],
            brief=self.desk.text("brief.context", shown=len(rows), ref=self.anchor.ref),
        )

    def _message(self, row: Row) -> dict[str, object]:
        shown = self._quoting.cut(row, self.characters)
        body: dict[str, object] = {"ref": row.ref, "at": row.at, "sender": row.sender_key}
        if row.reply_to:
            body["reply_to"] = ref_of_key(self._corpus, row.reply_to)
        flags = {
            "anchor": row.number == self.anchor.number,
            "root": bool(row.root) and row.number == row.root,
            "matches": row.number in self.passing,
        }
        body |= {name: True for name, is_so in flags.items() if is_so}
        body["text"] = shown.text
        if shown.hits:
            body["hits"] = hits_body(shown.hits)
        return body | shown.extras

    def shrink(self) -> bool:
        """Take away the farthest message, the root after the others, then parts of the anchor's text."""
        if self.earlier or self.later:
            if len(self.earlier) > len(self.later):
                self.earlier.pop()
                self.is_more_before = True
            else:
                self.later.pop()
                self.is_more_after = True
        elif self.root is not None and self.root.number != self.anchor.number:
            self.root = None
            self.is_more_before = True
        elif self.characters > SHORT_CHARACTERS:
            self.characters = max(self.characters // 2, SHORT_CHARACTERS)
        else:
            return False
        return True


def _expand(desk: Desk, query_ref: str, message_ref: str, limit: int, max_bytes: int | None) -> Answer:
    if desk.call.is_from_shell and not desk.has_session:
        raise Denied("bad_argument", key="bad_argument_no_session", field="session")
    if not query_ref:
        raise_problems(desk.call)
    raw = raw_query(desk, None, query_ref)
    with desk.reading() as (db, scope):
        query = read(desk, db, raw)
        with desk.ledger.turn():
            account = desk.account
            is_shown = account is not None and message_ref in account.disclosed
            number = message_number(db, message_ref, scope) if is_shown else None
            if number is None:
                raise Denied("not_disclosed", field="message_ref", value=quoted(message_ref))
            asked = desk.ledger.find(query_ref)
            is_changed = asked is not None and asked.version != scope.version
            told = _context(desk, db, scope, query, query_ref=query_ref, number=number, limit=limit)
            told.is_changed = is_changed
            return desk.send(desk.fitted(told, tool=TOOL, max_bytes=max_bytes), shown=in_shell)


def _context(
    desk: Desk, db: Connection, scope: Scope, query: Query, *, query_ref: str, number: int, limit: int
) -> _Context:
    """Return the anchor, its root, and the nearest messages: half before, half after, unused slots to the other side."""
    anchor = rows_of(db, [number])[number]
    root = (
        rows_of(db, [anchor.root]).get(anchor.root) if anchor.thread and anchor.root and limit > 1 else None
    )
    fixed = {anchor.number, root.number if root else anchor.number}
    slots = max(limit - len(fixed), 0)
    earlier = [row for row in before(db, anchor, slots + 2) if row.number not in fixed]
    later = [row for row in after(db, anchor, slots + 2) if row.number not in fixed]
    first = min(slots // 2, len(earlier))
    last = min(slots - first, len(later))
    first = min(slots - last, len(earlier))
    rows = [anchor, *earlier, *later, *([root] if root else [])]
    return _Context(
        desk=desk,
        db=db,
        scope=scope,
        query=query,
        query_ref=query_ref,
        is_changed=False,
        anchor=anchor,
        root=root,
        earlier=earlier[:first],
        later=later[:last],
        is_more_before=len(earlier) > first,
        is_more_after=len(later) > last,
        passing=_passing(db, query, rows),
    )


def _passing(db: Connection, query: Query, rows: Sequence[Row]) -> frozenset[int]:
    """Return which of *rows* satisfy the query, filters included."""
    if query.filters.is_empty:
        return frozenset()
    conditions, values = query.filters.conditions()
    numbers = [row.number for row in rows if examine(row.text, query)[0]]
    statement = PASSING.format(conditions=conditions or "TRUE")
    found = db.execute(statement, {**values, "numbers": json.dumps(numbers)})
    return frozenset(int(number) for (number,) in found)


expand_message_context = DeskTool(_expand, EXPAND.parameters, ("session",))
