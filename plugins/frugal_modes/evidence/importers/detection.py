"""Which format a source has, told from what its files hold; a name alone decides nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from frugal.api import Refusal, echo
from frugal_modes.evidence.importers.csvfile import dialect_of
from frugal_modes.evidence.importers.discord import KEYS as DISCORD_KEYS
from frugal_modes.evidence.importers.jsonstream import CutShort, Fault, NotJson, Walker, decode_line
from frugal_modes.evidence.importers.lines import start_of
from frugal_modes.evidence.importers.mailbox import is_from_line
from frugal_modes.evidence.importers.mapping import mapped
from frugal_modes.evidence.importers.mattermost import is_mattermost
from frugal_modes.evidence.importers.reading import SourceDamaged
from frugal_modes.evidence.importers.slack import is_slack
from frugal_modes.evidence.importers.sources import SNIFF_BYTES, Source, SourceFile
from frugal_modes.evidence.importers.telegram import LISTS, is_chat
from frugal_modes.evidence.importers.whatsappheads import style_of

FORMATS = ("jsonl", "csv", "slack", "mattermost", "discord", "whatsapp", "mbox", "telegram")
SNIFFED_LINES = 200
ENDINGS = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", ".mbox", ".mbx", "")
"""Files of a folder or an archive that are looked into; media lie beside them in thousands."""


@dataclass(frozen=True)
class Detected:
    """The format of a source and those of its files that are in it."""

    format: str
    files: tuple[SourceFile, ...]


def detect(source: Source, mapping: Mapping[str, str], *, wanted: str = "") -> Detected:
    """Return the format of *source*, or the files of it in the *wanted* one; raise `Refusal` if it is not decidable."""
    if wanted and wanted not in FORMATS:
        raise Refusal("import_format", value=echo(wanted), known=", ".join(FORMATS))
    if not source.is_archive and not source.is_folder:
        return Detected(wanted or _of_file(source, mapping), source.files)
    if wanted in ("", "slack") and is_slack(source.files):
        return Detected("slack", source.files)
    found: dict[str, list[SourceFile]] = {}
    damaged: list[SourceFile] = []
    for file in filter(_is_looked_into, source.files):
        try:
            for name in candidates(file, mapping):
                found.setdefault(name, []).append(file)
        except SourceDamaged:
            damaged.append(file)  # is named when it is read
    if wanted:
        files = found.get(wanted) or list(filter(_is_looked_into, source.files))
        return Detected(wanted, _in_order(files, damaged))
    decided = _decided(source.label, found)
    return Detected(decided.format, _in_order(decided.files, damaged))


def _in_order(files: Iterable[SourceFile], damaged: Iterable[SourceFile]) -> tuple[SourceFile, ...]:
    return tuple(sorted({*files, *damaged}, key=lambda file: file.name))


def _of_file(source: Source, mapping: Mapping[str, str]) -> str:
    try:
        found = candidates(source.files[0], mapping)
    except SourceDamaged as error:
        raise Refusal("import_unreadable", path=source.label, reason=echo(str(error))) from None
    return _decided(source.label, {name: [] for name in found}).format


def _decided(label: str, found: Mapping[str, list[SourceFile]]) -> Detected:
    if not found:
        raise Refusal("import_unknown", path=label, known=", ".join(FORMATS))
    if len(found) > 1:
        raise Refusal("import_ambiguous", path=label, known=", ".join(sorted(found)))
    name, files = next(iter(found.items()))
    return Detected(name, tuple(files))


def _is_looked_into(file: SourceFile) -> bool:
    return file.path.suffix.lower() in ENDINGS and not file.path.name.startswith(".")


def candidates(file: SourceFile, mapping: Mapping[str, str]) -> list[str]:
    """Return the formats that *file* may have, by its beginning."""
    head = file.head()
    start = start_of(head)
    data = head[len(start.mark) :]
    if start.encoding:
        data = data.decode(start.encoding, "replace").encode("utf-8", "surrogatepass")
    if not data.strip() or (b"\0" in data[:1024] and not start.encoding):
        return []
    if _is_whatsapp(data):  # a bracket may begin one of its heads too
        return ["whatsapp"]
    if data.lstrip()[:1] in (b"{", b"["):
        return _json_formats(data, mapping, is_whole=len(head) < SNIFF_BYTES)
    if _is_mbox(data):
        return ["mbox"]
    return ["csv"] if dialect_of(data.decode("utf-8", "replace"), mapping) is not None else []


def _is_mbox(data: bytes) -> bool:
    first = next((line for line in data.splitlines() if line.strip()), b"")
    return is_from_line(first)


def _is_whatsapp(data: bytes) -> bool:
    """Tell whether the first line is one with a head."""
    first = next((line for line in data.split(b"\n", SNIFFED_LINES) if line.strip()), b"")
    return bool(style_of(first.decode("utf-8", "replace").rstrip("\r")))


def _json_formats(data: bytes, mapping: Mapping[str, str], *, is_whole: bool) -> list[str]:
    lines = [line for line in data.split(b"\n", SNIFFED_LINES) if line.strip()]
    if not is_whole and len(lines) > 1:
        lines.pop()  # may be cut in the middle
    records = [found for found in map(decode_line, lines[:SNIFFED_LINES]) if not isinstance(found, Fault)]
    found: list[str] = []
    if is_mattermost(next(iter(records), None)):
        found.append("mattermost")
    elif any(_is_record(record, mapping) for record in records):
        found.append("jsonl")
    document = _document(data)
    if document.keys() >= DISCORD_KEYS and isinstance(document["channel"], dict):
        found.append("discord")
    if is_chat(document) or any(_has_list(document.get(key)) for key in LISTS):
        found.append("telegram")
    return found


def _is_record(record: Any, mapping: Mapping[str, str]) -> bool:
    if not isinstance(record, dict):
        return False
    plain = mapped(record, mapping) if mapping else record
    return ("text" in plain and "sent_at" in plain) or (plain.get("deleted") is True and "id" in plain)


def _has_list(found: Any) -> bool:
    return isinstance(found, dict) and "list" in found


def _document(data: bytes) -> dict[str, Any]:
    """Return the first keys of a document, small values with them."""
    found: dict[str, Any] = {}
    try:
        walker = Walker((data,))
        for key in walker.fields():
            if walker.peek() == "[":
                found[key] = []
                walker.skip()
            elif walker.peek() == "{":
                found[key] = {}
                for inner in walker.fields():
                    found[key][inner] = None
                    walker.skip()
            else:
                found[key] = walker.value()
    except (CutShort, NotJson):
        pass  # the beginning of a large document ends somewhere
    return found
