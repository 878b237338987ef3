"""evidence import: a source is recognised, read record by record, and loaded into a corpus; what it came to is told."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from pathlib import Path
from typing import TextIO

from frugal.api import Answer, Call, Refusal, echo
from frugal_modes.evidence.corpus import is_name
from frugal_modes.evidence.importers.all_formats import read_items
from frugal_modes.evidence.importers.detection import Detected, detect
from frugal_modes.evidence.importers.mapping import read_mapping
from frugal_modes.evidence.importers.reading import Reading
from frugal_modes.evidence.importers.rules import Rule, labelled, read_rules
from frugal_modes.evidence.importers.sources import Source
from frugal_modes.evidence.importers.standardinput import STDIN, check_given, open_given
from frugal_modes.evidence.loading import Prune, load
from frugal_modes.evidence.moments import zone_of
from frugal_modes.evidence.records import Item, Reject
from frugal_modes.evidence.report import LoadReport

SHOWN_REJECTS = 20
SHOWN_ASIDE = 5
FAILED, PARTIAL = 1, 3
KEYED_BY_CORPUS = frozenset({"jsonl", "csv"})
"""Formats whose ids mean one message in a corpus, whatever the source: another source may overwrite it."""


@dataclass
class Rejects:
    """What could not be read: the first of it, and all of it in a file if one is wanted."""

    file: TextIO | None = None
    first: list[Reject] = field(default_factory=list)
    count: int = 0

    def watch(self, items: Iterator[Item]) -> Iterator[Item]:
        """Yield *items* and note the rejects among them."""
        for item in items:
            if isinstance(item, Reject):
                self._take(item)
            yield item

    def _take(self, reject: Reject) -> None:
        self.count += 1
        if len(self.first) < SHOWN_REJECTS:
            self.first.append(reject)
        if self.file is not None:
            self.file.write(json.dumps(reject_record(reject), ensure_ascii=False) + "\n")


def reject_record(reject: Reject) -> dict[str, object]:
    """Return a reject as it is told to programs."""
    place = reject.place
    return {"file": place.file, "line": place.line, "reason": reject.reason, "detail": reject.detail}


@dataclass(frozen=True)
class Wishes:
    """What the command line asks of an import."""

    source: str
    format: str
    corpus: str
    reading: Callable[[], Reading]
    rules: tuple[Rule, ...]
    rejects: Path | None
    zone: str
    progress: str
    is_dry: bool


def import_source(  # noqa: PLR0913 - the options of the command
    call: Call,
    *,
    source: str,
    format: str,  # noqa: A002 - the name of the parameter
    corpus: str,
    map: str,  # noqa: A002 - the name of the parameter
    timezone: str,
    date_order: str,
    rules: str,
    rejects: str,
    dry_run: bool,
    prune: bool,
    yes: bool,
    progress: str,
) -> Answer:
    """Load *source* into *corpus* (without a name, that of its format) and return what changed."""
    zone, mapping = read_zone(timezone), read_mapping(map)
    if corpus and not is_name(corpus):
        raise Refusal("import_corpus", value=echo(corpus))
    wishes = Wishes(
        source=source,
        format=format,
        corpus=corpus,
        reading=lambda: Reading(zone=zone, date_order=date_order, mapping=mapping),
        rules=read_rules(Path(rules).expanduser()) if rules else (),
        rejects=Path(rejects).expanduser() if rejects else None,
        zone=timezone or "UTC",
        progress=progress,
        is_dry=dry_run,
    )
    with open_given(source) as found:
        detected = detect(found, mapping, wanted=format)
        check_given(source, detected)
        first = Prune.COUNT if prune else Prune.NO
        report, refused = _load(call, found, detected, wishes, prune=first)
        if prune and yes and report.prunable and not dry_run:
            report = _prune(call, found, detected, wishes, report)
    return _answer(call, found, detected, wishes, report, refused)


def read_zone(name: str) -> tzinfo:
    """Return the time zone called *name*, UTC without a name."""
    if not name:
        return UTC
    zone = zone_of(name)
    if zone is None:
        raise Refusal("import_timezone", value=echo(name))
    return zone


def _load(
    call: Call, source: Source, detected: Detected, wishes: Wishes, *, prune: Prune
) -> tuple[LoadReport, Rejects]:
    reading = wishes.reading()
    items = labelled(read_items(source, detected, reading), wishes.rules)
    with ExitStack() as stack:
        place = wishes.rejects
        refused = Rejects(stack.enter_context(_reject_file(wishes.source, place)) if place else None)
        told = stack.enter_context(_progress(call, reading, source, wishes.progress))
        report = load(
            call,
            wishes.corpus or detected.format,
            refused.watch(items),
            source=source.label,
            format=detected.format,
            progress=told,
            has_rules=bool(wishes.rules),
            prune=prune,
            is_dry=wishes.is_dry,
        )
    return report, refused


def _prune(call: Call, source: Source, detected: Detected, wishes: Wishes, report: LoadReport) -> LoadReport:
    """Take away what the source has no more. What could not be read is still there: then nothing is taken away."""
    if report.rejected:
        return report
    second, _ = _load(call, source, detected, wishes, prune=Prune.YES)
    report.pruned, report.version_after = second.pruned, second.version_after
    report.seconds += second.seconds
    return report


@contextmanager
def _reject_file(source: str, path: Path) -> Iterator[TextIO]:
    """Open the file for rejects; the source itself is none."""
    try:
        if source != STDIN and path.exists() and path.samefile(Path(source).expanduser()):
            raise Refusal("import_rejects", path=str(path))
        with path.open("w", encoding="utf-8") as file:
            yield file
    except OSError as error:
        raise Refusal("import_unreadable", path=str(path), reason=error.strerror or str(error)) from None


@contextmanager
def _progress(call: Call, reading: Reading, source: Source, wanted: str) -> Iterator[Callable[[int], None]]:
    """Give what is told the number of records: a bar on a terminal, or a line of JSON for a program."""
    size, done = max(source.size, 1), [0]

    def count(more: int) -> None:
        done[0] += more

    reading.told = count
    if wanted == "json":

        def tell(records: int) -> None:
            found = {"records": records, "bytes": done[0], "of_bytes": size}
            sys.stderr.write(json.dumps(found) + "\n")
            sys.stderr.flush()

        yield tell
        return
    with call.progress(call.surface.text("import.progress")) as report:
        yield lambda _records: report(min(done[0], size), size)


def _answer(
    call: Call, source: Source, detected: Detected, wishes: Wishes, report: LoadReport, refused: Rejects
) -> Answer:
    corpus = wishes.corpus or detected.format
    text = "\n".join(_lines(call, source.label, detected, wishes, report))
    is_shared = detected.format in KEYED_BY_CORPUS and report.label_before not in ("", source.label)
    if is_shared and not wishes.corpus:
        text += "\n" + call.surface.text("import.joined", corpus=corpus, label=echo(report.label_before))
    shown = [
        call.surface.text(
            "import.reject", **{**reject_record(reject), "file": echo(reject.place.file)}
        ).rstrip()
        for reject in refused.first
    ]
    more = refused.count - len(shown)
    if more > 0:
        shown.append(call.surface.text("import.more_rejects", count=more))
    return Answer(
        text,
        items=tuple(map(reject_record, refused.first)),
        counts={"corpus": corpus, "format": detected.format, **record_of(report)},
        is_refusal=not report.read,
        exit_code=FAILED if not report.read else PARTIAL if report.rejected else 0,
        notes=tuple(shown),
        code="nothing_read",
    )


def record_of(report: LoadReport) -> dict[str, object]:
    """Return the counts of an import by name."""
    return {
        "read": report.read,
        "inserted": report.inserted,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "ignored": report.ignored,
        "repeated": report.repeated,
        "deleted": report.deleted,
        "pruned": report.pruned,
        "prunable": report.prunable,
        "rejected": dict(sorted(report.rejected.items())),
        "repaired": dict(sorted(report.repaired.items())),
        "unknown_fields": sorted(report.unknown),
        "zone_unknown": report.zoneless,
        "seconds": round(report.seconds, 1),
        "version_before": report.version_before,
        "version_after": report.version_after,
        "dry_run": report.is_dry,
    }


def _lines(call: Call, label: str, detected: Detected, wishes: Wishes, report: LoadReport) -> Iterator[str]:
    """Yield the report, a line for what happened and none for what did not."""
    text, corpus = call.surface.text, wishes.corpus or detected.format
    if not report.read:
        yield text("import.nothing", source=echo(label), format=detected.format)
        yield from _left_out(call, detected, report)
        return
    if report.is_dry:
        yield text("import.dry_run")
    yield text("import.read", count=report.read, source=echo(label), format=detected.format, corpus=corpus)
    yield text("import.written", inserted=report.inserted, updated=report.updated, unchanged=report.unchanged)
    for name in ("ignored", "repeated", "deleted", "pruned"):
        if count := getattr(report, name):
            yield text(f"import.{name}", count=count)
    if report.zoneless:
        yield text("import.zoneless", count=report.zoneless, zone=wishes.zone, option="--timezone")
    if left := report.prunable - report.pruned:
        key = "prunable_rejects" if report.rejected else "prunable"
        yield text(f"import.{key}", count=left)
    yield from _left_out(call, detected, report)
    is_same = report.version_before == report.version_after
    yield text(
        "import.same_version" if is_same else "import.version",
        before=report.version_before,
        after=report.version_after,
        seconds=f"{report.seconds:.1f}",
    )


def _left_out(call: Call, detected: Detected, report: LoadReport) -> Iterator[str]:
    """Yield what was not read as it stands in the source."""
    text = call.surface.text
    for name, counter in (("rejected", report.rejected), ("repaired", report.repaired)):
        if counter:
            parts = ", ".join(f"{reason} {count}" for reason, count in sorted(counter.items()))
            yield text(f"import.{name}", count=sum(counter.values()), parts=parts)
    if report.unknown:
        yield text("import.unknown", names=echo(", ".join(sorted(report.unknown)), 400))
    if detected.aside:
        names = list(detected.aside[:SHOWN_ASIDE])
        if len(detected.aside) > SHOWN_ASIDE:
            names.append("...")
        yield text("import.aside", count=len(detected.aside), names=echo(", ".join(names), 400))
