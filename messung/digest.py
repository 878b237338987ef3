"""The figures in README and docs, pulled from the committed results: `python -m messung.digest` writes them anew.

A block of a page stands between `<!-- figures: NAME -->` and `<!-- end of figures -->`; nothing in it is typed by hand.
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from messung import report
from messung.bulk import JSONL, MARKDOWN, OLD_MARKDOWN, OLD_UPKEEP, REBUILD, UPKEEP
from messung.inquiries import TOOLS
from messung.vault.indexing import SERVER, SHELL

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "docs/measurements.md")
BLOCK = re.compile(r"(<!-- figures: (?P<name>[a-z-]+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)
MISSING = "-"

COLUMNS = ("frugal-memory", "frugal-memory 0.2.0", "plain FTS5", "bm25s")
SYSTEMS = ("ours", "predecessor", "fts5", "bm25s")


class Row(NamedTuple):
    """One line of a table: what was measured, by which measurement, and the figure's name with `{}` for the system.

    *together* is the name under which entries written together were measured, "" if there is no such figure.
    """

    label: str
    measurement: str
    figure: str
    together: str = ""


SEARCH_ROWS = (
    Row("LoCoMo sessions, recall@10 (%)", "search", "locomo-session {} recall@10", "ours-together"),
    Row("LoCoMo turns, recall@10 (%)", "search", "locomo-turn {} recall@10", "ours-together"),
    Row("LoCoMo facts, recall@10 (%)", "search", "locomo-fact {} recall@10", "ours-together"),
    Row("Notes, right paragraph among 8 (%)", "notes", "{} hit@8"),
    Row("XQuAD English, first hit (%)", "search", "xquad-en {} hit@1"),
    Row("XQuAD German, first hit (%)", "search", "xquad-de {} hit@1"),
    Row("XQuAD Chinese, first hit (%)", "search", "xquad-zh {} hit@1"),
    Row("Cranfield, nDCG@10", "search", "cranfield {} nDCG@10"),
)

COST_ROWS = (
    ("facts", "LoCoMo facts"),
    ("notes", "Notes"),
)
COST_READERS = {
    "ours": "frugal-memory",
    "predecessor": "frugal-memory 0.2.0",
    "server-memory": "server-memory (npm)",
    "grep": "grep and read",
    "whole": "the right file read whole",
}


def history(folder: Path = report.RESULTS) -> dict[tuple[str, str], str]:
    """Return the newest value of every figure by (measurement, figure); none if nothing was recorded yet."""
    path = folder / report.HISTORY
    lines = path.read_text("utf-8").splitlines()[1:] if path.is_file() else []
    rows = sorted(tuple(line.split("\t")) for line in lines)
    return {(measurement, figure): value for _, measurement, figure, value in rows}


def search_table(found: dict[tuple[str, str], str]) -> str:
    """Return the table of retrieval figures."""
    rows = [
        [row.label, *(_value(found, row, system) for system in SYSTEMS)]
        for row in SEARCH_ROWS
        if any((row.measurement, row.figure.format(system)) in found for system in _names(row))
    ]
    return report.table(["", *COLUMNS], rows)


def _names(row: Row) -> tuple[str, ...]:
    return (*SYSTEMS, "ours-stdio") if row.measurement == "notes" else SYSTEMS


def _value(found: dict[tuple[str, str], str], row: Row, system: str) -> str:
    name = "ours-stdio" if row.measurement == "notes" and system == "ours" else system
    value = found.get((row.measurement, row.figure.format(name)), MISSING)
    together = found.get((row.measurement, row.figure.format(row.together))) if row.together else None
    return f"{value}; written together {together}" if system == "ours" and together else value


def cost_table(found: dict[tuple[str, str], str]) -> str:
    """Return the table of bytes per answered question."""
    rows = [
        [
            label,
            *(found.get(("cost", f"{name} {reader} bytes per answer"), MISSING) for reader in COST_READERS),
        ]
        for name, label in COST_ROWS
    ]
    return report.table(["bytes per answered question (share answered)", *COST_READERS.values()], rows)


SPEED_ROWS = {
    "raw FTS5, in process": "recall raw FTS5 {size} {share} ms",
    "frugal-memory, in process": "recall ours {size} {share} ms",
    "frugal-memory, over stdio": "recall ours, stdio {size} {share} ms",
    "frugal-memory 0.2.0, over stdio": "recall 0.2.0, stdio {size} {share} ms",
}
SPEED_SIZES = (1_000, 5_000, 20_000, 100_000)


def speed_table(found: dict[tuple[str, str], str]) -> str:
    """Return the times of a recall at every size: median and 95th percentile."""
    rows = []
    for label, figure in SPEED_ROWS.items():
        pairs = [
            [found.get(("speed", figure.format(size=size, share=share)), MISSING) for share in ("p50", "p95")]
            for size in SPEED_SIZES
        ]
        rows.append([label, *(MISSING if MISSING in pair else " / ".join(pair) for pair in pairs)])
    return report.table(["recall, p50 / p95 ms", *(f"{size:,} entries" for size in SPEED_SIZES)], rows)


BULK_ROWS = {
    f"frugal-memory: {MARKDOWN}": MARKDOWN,
    f"frugal-memory: {JSONL}": JSONL,
    f"frugal-memory: {UPKEEP}": UPKEEP,
    f"frugal-memory: {REBUILD}": REBUILD,
    f"frugal-memory {OLD_MARKDOWN}": OLD_MARKDOWN,
    f"frugal-memory {OLD_UPKEEP}": OLD_UPKEEP,
}
"""Shell commands, by the name under which they were measured."""


def bulk_table(found: dict[tuple[str, str], str]) -> str:
    """Return what import and upkeep take at every size: seconds, and entries a second."""
    rows = []
    for label, name in BULK_ROWS.items():
        cells = []
        for size in SPEED_SIZES:
            seconds, rate = (found.get(("speed", f"{name} {size} {unit}")) for unit in ("s", "a second"))
            cells.append(f"{seconds} ({rate})" if seconds and rate else MISSING)
        rows.append([label, *cells])
    return _measured_only(["wall s (entries a second)", *(f"{size:,} entries" for size in SPEED_SIZES)], rows)


class Large(NamedTuple):
    """One line about large corpora: what, by which measurement, its figures, and the goal if there is one."""

    label: str
    measurement: str
    figures: tuple[str, ...]
    goal: str = ""


def _tool(label: str) -> Large:
    return Large(
        f"messages: {label}, p50 / p95 ms", "evidence", (f"{label} p50 ms", f"{label} p95 ms"), "p95 1000"
    )


LARGE_ROWS = (
    Large("messages in the corpus", "evidence", ("messages",)),
    Large("messages: import, s", "evidence", ("import s",), "300"),
    Large("messages: import, most memory resident, MiB", "evidence", ("import peak MiB",), "300"),
    Large("messages: imported again, nothing changed, s", "evidence", ("import again s",)),
    *map(_tool, TOOLS),
    Large("messages: a cut answer after its limit, s", "evidence", ("cut after the limit s",), "0.25"),
    Large("notes in the folder", "vault", ("notes",)),
    Large("notes: first index, s", "vault", ("index, first s",), "60"),
    Large("notes: index again, nothing changed, s", "vault", ("index, nothing changed s",)),
    Large("notes: files opened by it", "vault", ("opened when nothing changed",), "0"),
    Large("notes: `index --rebuild`, s", "vault", ("index --rebuild s",)),
    Large(
        "notes: search after 10 files changed, median / p95 ms, over stdio",
        "vault",
        tuple(f"search after a touch, {SERVER}, {name} ms" for name in ("median", "p95")),
        "300",
    ),
    Large(
        "notes: the same by the shell",
        "vault",
        tuple(f"search after a touch, {SHELL}, {name} ms" for name in ("median", "p95")),
    ),
)


def large_table(found: dict[tuple[str, str], str]) -> str:
    """Return the figures of the large corpus of messages and the large folder of notes."""
    rows = []
    for row in LARGE_ROWS:
        values = [found.get((row.measurement, figure), MISSING) for figure in row.figures]
        rows.append([row.label, MISSING if MISSING in values else " / ".join(values), row.goal])
    return _measured_only(["", "measured", "wanted, at most"], rows, cells=slice(1, 2))


def _measured_only(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, cells: slice = slice(1, None)
) -> str:
    """Return the table of those *rows* that have a figure among *cells*."""
    kept = [row for row in rows if set(row[cells]) != {MISSING}]
    return report.table(head, kept) if kept else "Not measured yet."


BLOCKS = {
    "search": search_table,
    "cost": cost_table,
    "speed": speed_table,
    "bulk": bulk_table,
    "large": large_table,
}
"""Every block by its name."""


def filled(text: str, found: dict[tuple[str, str], str]) -> str:
    """Return *text* with every block of figures made anew."""
    return BLOCK.sub(lambda block: f"{block[1]}{BLOCKS[block['name']](found)}\n{block[3]}", text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages anew; with `--check` only tell, by 1, that one of them is not up to date."""
    is_check = "--check" in (sys.argv[1:] if arguments is None else arguments)
    found = history()
    stale = [name for name in PAGES if filled(text := (ROOT / name).read_text("utf-8"), found) != text]
    for name in stale:
        print(f"not up to date: {name}" if is_check else f"written: {name}")
        if not is_check:
            path = ROOT / name
            path.write_text(filled(path.read_text("utf-8"), found), encoding="utf-8", newline="\n")
    return 1 if stale and is_check else 0


if __name__ == "__main__":
    sys.exit(main())
