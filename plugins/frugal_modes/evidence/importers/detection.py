"""Which format a source has, told from what its files hold; a name alone decides nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from frugal.api import Refusal, echo
from frugal_modes.evidence.importers.csvfile import dialect_of
from frugal_modes.evidence.importers.discord import KEYS as DISCORD_KEYS
from frugal_modes.evidence.importers.foreign import check_head, check_json, fault_of
from frugal_modes.evidence.importers.jsonstream import CutShort, Fault, NotJson, Walker, decode_line
from frugal_modes.evidence.importers.lines import start_of
from frugal_modes.evidence.importers.mailbox import is_from_line
from frugal_modes.evidence.importers.mapping import mapped
from frugal_modes.evidence.importers.mattermost import is_mattermost
from frugal_modes.evidence.importers.reading import SourceDamaged
from frugal_modes.evidence.importers.slack import has_days, is_slack
from frugal_modes.evidence.importers.sources import SNIFF_BYTES, Source, SourceFile
from frugal_modes.evidence.importers.telegram import LISTS, is_chat
from frugal_modes.evidence.importers.whatsappheads import style_of
from frugal_modes.evidence.vocabulary import FORMATS

SLACK = "slack"
SNIFFED_LINES = 200
ENDINGS = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", ".mbox", ".mbx", "")
"""Files of a folder or an archive that are looked into; media lie beside them in thousands."""


@dataclass(frozen=True)
class Detected:
    """The format of a source, those of its files that are in it, and the names of those *aside* that are not."""

    format: str
    files: tuple[SourceFile, ...]
    aside: tuple[str, ...] = ()


def detect(source: Source, mapping: Mapping[str, str], *, wanted: str = "") -> Detected:
    """Return the format of *source*, or the files of it in the *wanted* one; raise `Refusal` if it is not decidable."""
    if wanted and wanted not in FORMATS:
        raise Refusal("import_format", value=echo(wanted), known=", ".join(FORMATS))
    if not source.is_archive and not source.is_folder:
        return Detected(_of_file(source, mapping, wanted), source.files)
    looked_into = list(filter(_is_looked_into, source.files))
    if wanted in ("", SLACK) and (is_slack(source.files) or (wanted and has_days(source.files))):
        aside = tuple(file.name for file in looked_into if file.path.suffix.lower() != ".json")
        return Detected(SLACK, source.files, aside)
    if not looked_into:
        raise Refusal("import_no_files", path=source.label)
    found, damaged = _sorted_out(looked_into, mapping)
    if wanted and is_slack(source.files):
        found.setdefault(SLACK, [])
    name = _decided(source.label, found, wanted)
    files = found.get(name) or [file for file in looked_into if not _is_binary(file)]
    read = sorted({*files, *damaged}, key=lambda file: file.name)
    aside = tuple(file.name for file in looked_into if file not in read)
    return Detected(name, tuple(read), aside)


def _sorted_out(
    files: Iterable[SourceFile], mapping: Mapping[str, str]
) -> tuple[dict[str, list[SourceFile]], list[SourceFile]]:
    """Return the files by the formats they may have, and those that cannot be read, which are named when they are."""
    found: dict[str, list[SourceFile]] = {}
    damaged: list[SourceFile] = []
    for file in files:
        try:
            for name in candidates(file, mapping):
                found.setdefault(name, []).append(file)
        except SourceDamaged:
            damaged.append(file)
    return found, damaged


def _of_file(source: Source, mapping: Mapping[str, str], wanted: str) -> str:
    try:
        head = source.files[0].head()
        check_head(head.strip(), source.label)
        found = candidates(source.files[0], mapping)
        if not found and wanted in ("", "jsonl"):
            check_json(head, source.label)
    except SourceDamaged as error:
        raise Refusal("import_unreadable", path=source.label, reason=echo(str(error))) from None
    return _decided(source.label, found, wanted)


def _decided(label: str, found: Iterable[str], wanted: str) -> str:
    """Return the format of what may have the formats *found*: the *wanted* one, if nothing speaks against it."""
    found = sorted(found)
    if wanted and (wanted in found or (not found and wanted != SLACK)):
        return wanted
    known = ", ".join(found or FORMATS)
    if wanted and found:
        raise Refusal("import_other_format", path=label, known=known, wanted=wanted)
    if wanted:
        raise Refusal("import_no_slack", path=label)
    if not found:
        raise Refusal("import_unknown", path=label, known=known)
    if len(found) > 1:
        raise Refusal("import_ambiguous", path=label, known=known)
    return found[0]


def _is_binary(file: SourceFile) -> bool:
    try:
        return bool(fault_of(file.head())[0])
    except SourceDamaged:
        return False


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
