"""A corpus file that sources are imported into, and what it then holds, read past the program."""

import json
import sqlite3
import zipfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from frugal.call import Client
from frugal_modes.evidence.importers.all_formats import read_items
from frugal_modes.evidence.importers.detection import detect
from frugal_modes.evidence.importers.reading import Reading
from frugal_modes.evidence.importers.sources import open_source
from frugal_modes.evidence.records import Item, Message, Reject

STORED = """
    SELECT m.text, m.text_raw, m.sent_at, m.zone_known, m.edited_at, m.subtype, m.reply_to, m.line, m.seq,
        c.id AS conversation, c.name AS conversation_name, c.type AS conversation_type,
        s.id AS sender, s.name AS sender_name, s.type AS sender_type, s.organization,
        coalesce(t.id, '') AS thread, coalesce(w.name, '') AS workspace
    FROM message AS m JOIN conversation AS c ON c.number = m.conversation JOIN sender AS s ON s.number = m.sender
        LEFT JOIN thread AS t ON t.number = m.thread LEFT JOIN workspace AS w ON w.number = m.workspace
    ORDER BY m.sent_at, m.seq, m.number
"""


class Desk:
    """One corpus file and the command that imports into it."""

    def __init__(self, shell: Any, path: Path) -> None:
        self.shell = shell
        self.path = path

    def reply(self, source: Path, **options: object) -> Any:
        """Import *source* and return the reply, whatever it is."""
        arguments = {"source": str(source), **options}
        return self.shell.workspace.call(Client(), "evidence_import", arguments, from_shell=True)

    def take(self, source: Path, **options: object) -> Mapping[str, Any]:
        """Import *source* and return the counts."""
        reply = self.reply(source, **options)
        assert not reply.is_error, reply.text
        return dict(reply.answer.counts)

    def refused(self, source: Path, **options: object) -> str:
        """Return the text of a refusal, which ends with exit code 2."""
        reply = self.reply(source, **options)
        assert reply.is_error, reply.text
        assert reply.answer.exit_code == 2
        return str(reply.text)

    def messages(self) -> list[dict[str, Any]]:
        """Return the messages in order of time."""
        with closing(sqlite3.connect(self.path)) as db:
            db.row_factory = sqlite3.Row
            return [dict(row) for row in db.execute(STORED)]

    def texts(self) -> list[str]:
        """Return the texts in order of time."""
        return [message["text"] for message in self.messages()]

    def one(self, text: str) -> dict[str, Any]:
        """Return the message with this text."""
        (found,) = [message for message in self.messages() if message["text"] == text]
        return found

    def revisions(self) -> list[str]:
        """Return the earlier texts that are kept."""
        with closing(sqlite3.connect(self.path)) as db:
            return [row[0] for row in db.execute("SELECT text FROM revision ORDER BY number")]


def read(path: Path, *, format: str = "", **options: Any) -> list[Item]:  # noqa: A002 - as the option calls it
    """Return what the importers make of *path*, without a corpus."""
    reading = Reading(**options)
    with open_source(path) as source:
        return list(read_items(source, detect(source, reading.mapping, wanted=format), reading))


def messages_in(path: Path, **options: Any) -> list[Message]:
    """Return the messages in *path*."""
    return [item for item in read(path, **options) if isinstance(item, Message)]


def rejects_in(path: Path, **options: Any) -> list[tuple[int, str]]:
    """Return line and reason of what cannot be read in *path*."""
    return [(item.place.line, item.reason) for item in read(path, **options) if isinstance(item, Reject)]


def write_lines(path: Path, *records: object) -> Path:
    """Write *records* as JSON Lines, texts as they are."""
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def write_json(path: Path, document: object) -> Path:
    """Write a document the way exporters do, over many lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, ensure_ascii=False, indent=2), encoding="utf-8")
    return path


def zip_folder(folder: Path, path: Path) -> Path:
    """Pack *folder*."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(folder).as_posix())
    return path
