"""Commands of the shell alone: the owner's own reading and deleting, budgets of a session, schemas."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from frugal.api import Answer, Call, Connection
from frugal_modes.evidence.corpus import message_number
from frugal_modes.evidence.deleting import delete_corpus, delete_messages
from frugal_modes.evidence.desk import Desk, DeskTool, new_desk
from frugal_modes.evidence.errors import Denied, quoted
from frugal_modes.evidence.export import COLUMNS, ROWS, record_of
from frugal_modes.evidence.queryform import QUERY_SCHEMA
from frugal_modes.evidence.rows import moment_text
from frugal_modes.evidence.shelltext import account_lines, quoted_lines
from frugal_modes.evidence.tools import BUDGET

MOST_ACCOUNTS = 1_000

REVISIONS = """
    SELECT imported_at, edited_at, text FROM revision WHERE message = :number ORDER BY number
"""


def _budget(desk: Desk) -> Answer:
    """Show what the accounts of a session have spent and have left."""
    if not desk.has_session:
        raise Denied("bad_argument", key="bad_argument_no_session", field="session")
    ledger = desk.ledger
    accounts = [
        {"query_ref": asked.query_ref, "spent": account.spent, "left": account.left}
        for asked, account in ledger.newest(MOST_ACCOUNTS)
    ]
    surface = desk.call.surface
    counts: dict[str, object] = {"spent": ledger.total}
    total = surface.text("shell.total_free", spent=ledger.total)
    if ledger.total_left is not None:
        counts["total_left"] = ledger.total_left
        total = surface.text("shell.total", spent=ledger.total, left=ledger.total_left)
    lines = [*account_lines(surface, accounts), total]
    return Answer("\n".join(lines), items=tuple(accounts), counts=counts)


budget = DeskTool(_budget, BUDGET.parameters, ("session",), is_reading_session=True)


def corpora(call: Call) -> Answer:
    """List the corpora."""
    desk = new_desk(call)
    with desk.reading() as (_, scope):
        items = tuple(
            {
                "name": corpus.name,
                "format": corpus.format,
                "label": corpus.label,
                "messages": corpus.messages,
                "first_import": corpus.first_import,
                "last_import": corpus.last_import,
                "from": None if corpus.first_at is None else moment_text(corpus.first_at),
                "to": None if corpus.last_at is None else moment_text(corpus.last_at),
            }
            for corpus in scope.corpora
        )
        lines = [_corpus_line(call, item) for item in items]
        return Answer(
            "\n".join([*lines, scope.version]), items=items, counts={"corpus_version": scope.version}
        )


def _corpus_line(call: Call, item: Mapping[str, object]) -> str:
    label = next(quoted_lines(str(item["label"])))[2:]
    return call.surface.text(
        "shell.corpus",
        name=item["name"],
        count=item["messages"],
        first=item["from"] or "-",
        last=item["to"] or "-",
        format=item["format"],
        label=label,
        stamp=item["last_import"],
    )


def drop(call: Call, *, name: str, yes: bool) -> Answer:
    """Delete a corpus."""
    with new_desk(call).reading() as (_, scope):
        found = next((corpus for corpus in scope.corpora if corpus.name == name), None)
        known = ", ".join(corpus.name for corpus in scope.corpora)
    if found is None:
        raise Denied("no_corpus", key="no_corpus_named", value=quoted(name), known=quoted(known))
    if not yes:
        raise Denied("bad_argument", key="bad_argument_confirm_drop", name=name, count=found.messages)
    count = delete_corpus(call, name)
    return Answer(call.surface.text("shell.dropped", name=name, count=count), counts={"deleted": count})


def delete(call: Call, *, refs: tuple[str, ...], yes: bool) -> Answer:
    """Delete single messages."""
    desk = new_desk(call)
    with desk.reading() as (db, scope):
        for ref in refs:
            if message_number(db, ref, scope) is None:
                raise Denied("no_corpus", key="no_corpus_message", value=quoted(ref))
    if not yes:
        raise Denied("bad_argument", key="bad_argument_confirm")
    count = delete_messages(call, refs, desk.corpora)
    return Answer(call.surface.text("shell.deleted", count=count), counts={"deleted": count})


def show(call: Call, *, refs: tuple[str, ...], history: bool) -> Answer:
    """Print messages whole."""
    with new_desk(call).reading() as (db, scope):
        items: list[Mapping[str, object]] = []
        lines: list[str] = []
        for ref in refs:
            number = message_number(db, ref, scope)
            if number is None:
                raise Denied("no_corpus", key="no_corpus_message", value=quoted(ref))
            record = record_of(db.execute(ROWS, {"numbers": json.dumps([number])}).fetchone())
            earlier = list(_revisions(db, number)) if history else []
            items.append(record | ({"history": earlier} if history else {}))
            lines += _message_lines(call, record, earlier)
    return Answer("\n".join(lines), items=tuple(items))


def _revisions(db: Connection, number: int) -> Iterator[Mapping[str, Any]]:
    for imported_at, edited_at, text in db.execute(REVISIONS, {"number": number}):
        edited = "" if edited_at is None else moment_text(edited_at)
        yield {"imported_at": imported_at, "edited_at": edited, "text": text}


def _message_lines(
    call: Call, record: Mapping[str, object], earlier: list[Mapping[str, Any]]
) -> Iterator[str]:
    for name in COLUMNS:
        if name != "text" and record[name] not in ("", None):
            yield from (f"{name}: {line[2:]}" for line in quoted_lines(str(record[name])))
    yield from quoted_lines(str(record["text"]))
    for revision in earlier:
        yield call.surface.text("shell.earlier", moment=revision["imported_at"])
        yield from quoted_lines(str(revision["text"]))
    yield ""


def schema(call: Call, *, tool: str) -> Answer:
    """Print a schema."""
    from frugal_modes.evidence.schemas import ERROR, STRICT

    known: dict[str, Mapping[str, object]] = {"query": QUERY_SCHEMA, **STRICT, "error": ERROR}
    name = tool or "query"
    if name not in known:
        raise Denied(
            "bad_argument",
            key="bad_argument_word",
            parameter="tool",
            value=quoted(tool),
            known=", ".join(known),
        )
    return Answer(json.dumps(known[name], ensure_ascii=False, indent=2), counts={"schema": known[name]})
