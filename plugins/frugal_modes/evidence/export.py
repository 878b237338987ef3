"""export_messages: every matching message in a file of the server's machine, whole or not at all."""

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frugal.api import PROGRAM_VERSION, Answer, Connection
from frugal_modes.evidence.budgets import cap_of
from frugal_modes.evidence.desk import Desk, DeskTool
from frugal_modes.evidence.envelope import Draft, fit
from frugal_modes.evidence.errors import Denied
from frugal_modes.evidence.exportfile import Folder, Step, no_step, opened_folder
from frugal_modes.evidence.inquiry import Inquiry, inquire, raw_query, read
from frugal_modes.evidence.measure import incomplete
from frugal_modes.evidence.refs import MESSAGE, THREAD, ref_of
from frugal_modes.evidence.rows import moment_text
from frugal_modes.evidence.scanning import Limits, Population
from frugal_modes.evidence.settings import EXPORT_SECONDS
from frugal_modes.evidence.shelltext import export as in_shell
from frugal_modes.evidence.tools import EXPORT, FLAG_NAMES

TOOL = EXPORT.name
CANDIDATES = 20_000_000
BLOCK = 500
LARGEST_MANIFEST = 1 << 20
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_WORST_BYTES = (1 << 50) - 1
_SHA = "f" * 64

COLUMNS = (
    "ref", "corpus", "conversation_id", "conversation", "conversation_type", "sender_id", "sender", "sender_type",
    "organization", "workspace", "thread", "reply_to", "sent_at", "zone_known", "edited_at", "subtype", "text",
)  # fmt: skip
ROWS = """
    SELECT m.mark, m.rest, m.ref_length, corpus.name AS corpus, c.id AS conversation_id, c.name AS conversation,
        c.type AS conversation_type, s.id AS sender_id, s.name AS sender, s.type AS sender_type, s.organization,
        coalesce(w.name, '') AS workspace, t.mark AS thread_mark, t.rest AS thread_rest, t.ref_length AS thread_length,
        m.reply_to, m.sent_at, m.zone_known, m.edited_at, m.subtype, m.text
    FROM message AS m JOIN corpus ON corpus.number = m.corpus JOIN conversation AS c ON c.number = m.conversation
        JOIN sender AS s ON s.number = m.sender LEFT JOIN workspace AS w ON w.number = m.workspace
        LEFT JOIN thread AS t ON t.number = m.thread
    WHERE m.number IN (SELECT value FROM json_each(:numbers)) ORDER BY m.sent_at, m.seq, m.mark, m.number
"""
TEXT_BYTES = """
    SELECT sum(length(CAST(text AS BLOB))) FROM message WHERE number IN (SELECT value FROM json_each(:numbers))
"""


@dataclass
class _Refs:
    """Hashes the refs on their way into the file."""

    def __post_init__(self) -> None:
        self._hashed = hashlib.sha256()

    def add(self, ref: str) -> None:
        """Take the next ref."""
        self._hashed.update(f"{ref}\n".encode())

    @property
    def sha256(self) -> str:
        """The hash of the refs in order, a line each."""
        return self._hashed.hexdigest()


def _export(
    desk: Desk,
    query: object,
    query_ref: str,
    format: str,  # noqa: A002 - the parameter's name
    max_bytes: int | None,
    *,
    step: Step = no_step,
) -> Answer:
    raw = raw_query(desk, query, query_ref)
    with desk.reading() as (db, scope):
        wanted = read(desk, db, raw)
        limits = Limits(CANDIDATES, EXPORT_SECONDS)
        inquiry = inquire(desk, db, scope, wanted, raw=raw, limits=limits, counts_occurrences=False)
        cap = cap_of(TOOL, max_bytes)
        if inquiry.population is None:
            return _send(desk, lambda _: incomplete(inquiry, "export"), cap)
        job = _Job(inquiry, inquiry.population, format, raw, step)
        with desk.ledger.turn():
            worst = fit(job.worst, _nothing, purse=desk.purse, cap=cap, is_brief=desk.given.is_brief)
            account, reserved = desk.account, worst.settled.size_bytes
            assert account is not None
            desk.ledger.reserve(account, reserved)
        try:
            done = job.run()
        except BaseException:
            with desk.ledger.turn():
                desk.ledger.release(desk.account or account, reserved)
            raise
        # One turn until the reply is charged, so that no other call spends what was kept for it.
        with desk.ledger.turn():
            desk.ledger.release(desk.account or account, reserved)
            return _send(desk, done, cap)


def _nothing() -> bool:
    """An export's reply has nothing to leave out."""
    return False


def _send(desk: Desk, build: Callable[[frozenset[str]], Draft], cap: int) -> Answer:
    with desk.ledger.turn():
        fitted = fit(build, _nothing, purse=desk.purse, cap=cap, is_brief=desk.given.is_brief)
        return desk.send(fitted, shown=in_shell)


@dataclass
class _Job:
    """One export: what is written where, and what is said about it."""

    inquiry: Inquiry
    population: Population
    format: str
    raw: Mapping[str, object]
    step: Step

    @property
    def folder(self) -> Path:
        """Where the file goes."""
        return self.inquiry.desk.given.export_folder

    @property
    def name(self) -> str:
        """The name of the file: equal for equal content."""
        canonical = self.inquiry.query.canonical.encode("utf-8", "backslashreplace")
        return f"{self.inquiry.scope.version}-{hashlib.sha256(canonical).hexdigest()[:16]}.{self.format}"

    @property
    def manifest_name(self) -> str:
        """The name of what describes the file."""
        return f"{self.name}.manifest.json"

    def worst(self, _limits: frozenset[str]) -> Draft:
        """Return the longest reply there can be."""
        return self._draft(_WORST_BYTES, _SHA, _SHA, is_unchanged=True)

    def _draft(self, size_bytes: int, sha256: str, ids_sha256: str, *, is_unchanged: bool) -> Draft:
        fields: dict[str, object] = {
            "path": str(self.folder / self.name),
            "manifest": str(self.folder / self.manifest_name),
            "rows": len(self.population),
            "bytes": size_bytes,
            "sha256": sha256,
            "ids_sha256": ids_sha256,
            "unchanged": True if is_unchanged else None,
        }
        brief = self.inquiry.desk.text("brief.export", rows=len(self.population))
        return self.inquiry.draft("export", fields, brief=brief)

    def run(self) -> Callable[[frozenset[str]], Draft]:
        """Write the file and its manifest; return what builds the reply."""
        most = self.inquiry.desk.given.export_bytes
        refs = _Refs()
        with opened_folder(self.folder, step=self.step) as folder:
            for name in (self.name, self.manifest_name):
                folder.check_target(name)
            self._check_size(folder, most)
            written = folder.write(self.name, self._chunks(refs), most_bytes=most)
            told = {
                "query": dict(self.raw),
                "canonical": self.inquiry.query.canonical,
                "corpus_version": self.inquiry.scope.version,
                "format": self.format,
                "rows": len(self.population),
                "bytes": written.size_bytes,
                "sha256": written.sha256,
                "ids_sha256": refs.sha256,
                "program": f"frugal-memory {PROGRAM_VERSION}",
            }
            is_same = written.is_unchanged and self._is_described(folder, told)
            if not is_same:
                told["written_at"] = self.inquiry.desk.call.stamp()
                data = (
                    json.dumps(told, ensure_ascii=False, indent=2).encode("utf-8", "backslashreplace") + b"\n"
                )
                folder.write(self.manifest_name, [data], most_bytes=max(most, LARGEST_MANIFEST))
        return lambda _limits: self._draft(
            written.size_bytes, written.sha256, refs.sha256, is_unchanged=written.is_unchanged
        )

    def _is_described(self, folder: Folder, told: Mapping[str, object]) -> bool:
        """Tell whether the manifest that is there says the same of the same content."""
        try:
            found = json.loads(folder.read(self.manifest_name, LARGEST_MANIFEST))
        except ValueError:
            return False
        kept = ("corpus_version", "canonical", "rows", "bytes", "sha256", "ids_sha256")
        return isinstance(found, dict) and all(found.get(key) == told[key] for key in kept)

    def _check_size(self, folder: Folder, most: int) -> None:
        """Raise `Denied` if the texts alone are too large for the limit or for the disk."""
        needed = 0
        for block in _blocks(self.population.numbers):
            (found,) = self.inquiry.db.execute(TEXT_BYTES, {"numbers": json.dumps(list(block))}).fetchone()
            needed += found or 0
            if needed > most:
                raise Denied("export_too_large", most=most)
        free = folder.free_bytes
        if needed > free:
            raise Denied("no_space", path=str(self.folder), free=free, needed=needed)

    def _chunks(self, refs: _Refs) -> Iterator[bytes]:
        """Yield the content in order, a block of rows at a time."""
        line = _csv_line if self.format == "csv" else _json_line
        if self.format == "csv":
            yield _csv_line(dict(zip(COLUMNS, COLUMNS, strict=True)))
        for block in in_order(self.population):
            rows = [record_of(row) for row in _rows(self.inquiry.db, block)]
            for row in rows:
                refs.add(str(row["ref"]))
            yield b"".join(map(line, rows))


def _rows(db: Connection, numbers: Sequence[int]) -> Iterator[Mapping[str, Any]]:
    yield from db.execute(ROWS, {"numbers": json.dumps(list(numbers))})


def in_order(population: Population) -> Iterator[list[int]]:
    """Yield the messages by time in blocks; those of one moment stay in one block, which orders them further."""
    times, numbers = population.sent_at, population.numbers
    block: list[int] = []
    before: int | None = None
    for place in sorted(range(len(numbers)), key=times.__getitem__):
        if len(block) >= BLOCK and times[place] != before:
            yield block
            block = []
        block.append(numbers[place])
        before = times[place]
    if block:
        yield block


def _blocks(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(numbers), 4_096):
        yield numbers[start : start + 4_096]


def record_of(row: Mapping[str, Any]) -> dict[str, object]:
    """Return one message with all its columns, nothing cut and nothing cleaned."""
    thread = (
        ""
        if row["thread_mark"] is None
        else ref_of(THREAD, row["thread_mark"], row["thread_rest"], row["thread_length"])
    )
    edited = row["edited_at"]
    told: dict[str, object] = {
        "ref": ref_of(MESSAGE, row["mark"], row["rest"], row["ref_length"]),
        "thread": thread,
        "sent_at": moment_text(row["sent_at"]),
        "zone_known": bool(row["zone_known"]),
        "edited_at": "" if edited is None else moment_text(edited),
    }
    return {name: told[name] if name in told else row[name] for name in COLUMNS}


def _json_line(record: Mapping[str, object]) -> bytes:
    return (
        json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
        + b"\n"
    )


def _csv_line(record: Mapping[str, object]) -> bytes:
    """Return a line of CSV; a cell that a spreadsheet would compute gets a quote mark.

    Only characters of the line's end make the writer quote a cell, and readers end a row at either of these two.
    """
    file = io.StringIO()
    cells = [str(record[name]) for name in COLUMNS]
    csv.writer(file, lineterminator="\r\n").writerow(
        f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in cells
    )
    return file.getvalue().encode("utf-8", "backslashreplace")


export_messages = DeskTool(_export, EXPORT.parameters, FLAG_NAMES)
