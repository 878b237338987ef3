"""export: sheets as Markdown, values as CSV."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from frugal.api import Answer, BadValue, Call, Connection
from frugal_modes.notebook.history import rows_written
from frugal_modes.notebook.keys import is_pattern
from frugal_modes.notebook.lines import as_markdown
from frugal_modes.notebook.moments import Moments, local_moments
from frugal_modes.notebook.rowids import MEASUREMENT
from frugal_modes.notebook.selection import WHERE, Selection
from frugal_modes.notebook.series import COLUMNS, Series, empty_notebook, read_series
from frugal_modes.notebook.sheet import FULL, Sheet
from frugal_modes.notebook.sheetdata import Measurement, SheetData, load_sheet
from frugal_modes.notebook.summaries import summaries_of
from frugal_modes.notebook.targets import STDOUT, check_target, target_path, write_target

TOOL = "series_export"
BYTE_ORDER_MARK = "\ufeff"
FORMULA_STARTS = ("=", "@")
PATHS_SHOWN = 10

SELECTED = f"SELECT {COLUMNS} WHERE {WHERE} ORDER BY s.number"
CSV_COLUMNS = (
    "series",
    "id",
    "quantity",
    "value",
    "number",
    "unit",
    "qualifier",
    "spread",
    "k",
    "of",
    "arm",
    "seed",
    "n",
    "source",
    "recorded_utc",
    "superseded_by",
    "superseded_utc",
)


@dataclass(frozen=True)
class Exported:
    """One series in its exported form; *name* is what its file may be called, without ending."""

    series: Series
    content: str


# `format` is the declared name of the parameter.
def export(call: Call, *, key: str, format: str, out: str, excel: bool, force: bool) -> Answer:  # noqa: A002 - the name
    """Return the export, or write it: one file, or one a series where *out* is a folder."""
    if excel and format != "csv":
        raise BadValue("excel_needs_csv")
    if empty := empty_notebook(call):
        return empty
    with call.store.read() as db:
        chosen = _chosen(call, db, key)
        exported = [_export_one(call, db, series, format, is_for_excel=excel) for series in chosen]
    if not exported:
        pattern = Selection(pattern=key).described(call.surface)
        return Answer(call.surface.text("list.no_match", described=pattern), is_empty=True)
    if out in ("", STDOUT):
        return Answer(_joined(exported, format, is_for_excel=excel), items=_items(exported))
    written = _write(exported, target_path(out), format, is_for_excel=excel, has_force=force)
    shown = ", ".join(str(path) for path in written[:PATHS_SHOWN])
    more = f" (+{len(written) - PATHS_SHOWN})" if len(written) > PATHS_SHOWN else ""
    text = call.surface.text("export.written", paths=shown + more, count=len(exported))
    return Answer(text, items=tuple({"path": str(path)} for path in written))


def _chosen(call: Call, db: Connection, key: str) -> list[Series]:
    if is_pattern(key):
        parameters = Selection(pattern=key).parameters(local_moments(call.now()))
        return [Series(*row) for row in db.execute(SELECTED, parameters)]
    return [read_series(call, db, key, tool=TOOL)]


def _export_one(call: Call, db: Connection, series: Series, form: str, *, is_for_excel: bool) -> Exported:
    data = load_sheet(db, series)
    if form == "csv":
        return Exported(series, as_csv(call, data, is_for_excel=is_for_excel))
    summary = summaries_of(db, [series.number])[series.number]
    sheet = Sheet(call, data, summary, Moments(call.now()))
    return Exported(series, as_markdown(sheet.lines(FULL)))


def as_csv(call: Call, data: SheetData, *, is_for_excel: bool) -> str:
    """Return the values of a series as lines of CSV (RFC 4180) without heading, superseded ones included."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    for row in data.measurements:
        cells = [_cell(value) for value in _values(call, data, row)]
        writer.writerow([_disarmed(cell) for cell in cells] if is_for_excel else cells)
    return stream.getvalue()


def _values(call: Call, data: SheetData, row: Measurement) -> Iterator[object]:
    event = data.event_by_number.get(row.superseded) if row.superseded is not None else None
    yield from (data.series.key, f"{MEASUREMENT}{row.number}", row.quantity, row.value)
    yield from (row.value_number, row.unit, row.qualifier, row.spread, row.k, row.out_of)
    yield from (row.arm, row.seed, row.n, row.source, row.at)
    yield (rows_written(event, call.surface) or event.text) if event else ""
    yield event.at if event else ""


def _cell(value: object) -> str:
    """Return *value* as text: numbers so that they read back equal, whole ones without a point."""
    if value is None:
        return ""
    if isinstance(value, float):
        text = repr(value)
        return text.removesuffix(".0")
    return str(value)


def _disarmed(cell: str) -> str:
    """Return *cell* so that a spreadsheet takes it for text."""
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


def _joined(exported: Sequence[Exported], form: str, *, is_for_excel: bool) -> str:
    text = ("" if form == "csv" else "\n").join(item.content for item in exported)
    if form != "csv":
        return text
    heading = ",".join(CSV_COLUMNS) + "\r\n"
    return (BYTE_ORDER_MARK if is_for_excel else "") + heading + text


def _items(exported: Sequence[Exported]) -> tuple[dict[str, object], ...]:
    return tuple({"key": item.series.key} for item in exported)


def _write(
    exported: Sequence[Exported], target: Path, form: str, *, is_for_excel: bool, has_force: bool
) -> list[Path]:
    """Write one file, or one a series into a folder; nothing is written if one of them is in the way."""
    if not target.is_dir():
        content = _joined(exported, form, is_for_excel=is_for_excel)
        write_target(target, content.encode("utf-8"), has_force=has_force)
        return [target]
    paths = file_names([item.series for item in exported], form)
    for path in paths:
        check_target(target / path, has_force=has_force)
    for path, item in zip(paths, exported, strict=True):
        content = _joined([item], form, is_for_excel=is_for_excel)
        write_target(target / path, content.encode("utf-8"), has_force=has_force)
    return [target / path for path in paths]


def file_names(series: Sequence[Series], ending: str) -> list[str]:
    """Return a file name for each of *series*: its key with `__` for the slash, numbered where two would agree."""
    names: list[str] = []
    taken: set[str] = set()
    for item in series:
        stem = item.key.replace("/", "__")[:100]
        if stem.casefold() in taken:
            stem = f"{stem}-{item.number}"
        taken.add(stem.casefold())
        names.append(f"{stem}.{ending}")
    return names
