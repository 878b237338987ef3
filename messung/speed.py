"""Speed and size from a thousand to a hundred thousand entries: `python -m messung speed`."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import date
from pathlib import Path

import frugal
from messung import agreement, bulk, growth, plot, report, sizes, start
from messung.corpus import load_corpus
from messung.filler import DERIVED
from messung.growth import Plan, Stage
from messung.plot import Line
from messung.report import Report, table

FULL = Plan(sizes=(1_000, 5_000, 20_000, 100_000), rounds=3, queries=100)
QUICK = Plan(sizes=(1_000, 5_000), rounds=1, queries=40, predecessor_up_to=1_000)

PROTOCOL = (
    "entries recombined from sentences of the public data (messung/corpus.py, seeded); the questions are those of "
    "the data that have 5 to 8 words when stop words are taken out, asked without those unless it says `whole "
    "question`. All contenders answer the same question one after another, in turning order, after one round that "
    "does not count. Raw FTS5: `MATCH ... ORDER BY bm25 LIMIT 8` on a contentless porter index of the same rows. "
    "`ours` is the whole recall tool in this process, `stdio` the same through a server process and a raw client, "
    "`ping` the bare round trip. " + bulk.PROTOCOL
)

OLD = {bulk.OLD_MARKDOWN: bulk.MARKDOWN, bulk.OLD_UPKEEP: bulk.UPKEEP}
"""What of 0.2.0 is drawn beside what of ours."""

JUDGED_FILTER = 5_000
"""Entries at which recall with a filter is judged."""

WANTED = (
    "recall p50 at most twice raw FTS5's at 100,000",
    "recall p95 at most raw FTS5's own at 100,000",
    "recall at most a tenth of 0.2.0's median at 5,000, both over stdio, pings taken off",
    "with a tag or a kind at most 1.5 times without, at 5,000",
    "remember at most 12 ms above one fsync at 100,000",
    "index at most 1.6 times raw FTS5's at 100,000",
)
"""Written down before the first run; the answers are in the table of verdicts."""


def run(
    folder: Path, systems: Sequence[str], *, out: Path, is_quick: bool, command: str, today: date
) -> Path:
    """Measure, write `speed.md` and its two plots into *out*; return the path of the report."""
    plan = QUICK if is_quick else FULL
    into = Report(
        title="Speed and size",
        command=command,
        data="sentences of XQuAD (en, de), Cranfield and LoCoMo; where to get them: messung/README.md",
        protocol=PROTOCOL,
        is_quick=is_quick,
        versions={"raw FTS5": growth.library_version(), "frugal-memory": frugal.__version__},
    )
    corpus = load_corpus(folder)
    with ExitStack() as stack:
        ground = growth.prepare(stack, systems)
        into.missing |= ground.missing
        if ground.predecessor is not None:
            into.versions["frugal-memory 0.2.0"] = ground.predecessor.version
        stages = []
        for stage in growth.grow(corpus, ground, plan):
            stages.append(stage)
            print(_line(stage), flush=True)
    into.add("recall", _recall_table(stages), "![growth](speed.svg)")
    into.add(
        f"The first {growth.LIMIT} hits beside scoring {agreement.MANY:,} documents",
        "Share of the hits that are the same, and how often the first one is, in percent, by documents scored.",
        _agreement_table(stages),
    )
    into.add("remember", _remember_table(stages))
    into.add("Other tools, median of five calls, ms", _tools_table(stages))
    drawn = tools_plot(stages)
    into.add(
        "Import and upkeep",
        bulk_table(stages),
        *_bulk_refused(stages),
        *(["![growth of tools, import and upkeep](speed-tools.svg)"] if drawn else []),
    )
    into.add("Start of a process", start.measure(systems))
    into.add("Sizes", _size_table(stages), _largest_tables(stages[-1]))
    if buys := _what_it_buys(stages[-1]):
        into.add("What the index holds beyond raw FTS5's", buys)
    into.add("Wanted, before the first run", _verdicts(stages))
    report.write(out, "speed.svg", _plot(stages))
    if drawn:
        report.write(out, "speed-tools.svg", drawn)
    if not is_quick:
        report.record(out, "speed", _figures(stages), today)
    return report.write(out, "speed.md", into.text(today))


def _line(stage: Stage) -> str:
    times = "  ".join(f"{name} {item.p50_ms:.1f}/{item.p95_ms:.1f}" for name, item in stage.recall.items())
    return f"speed {stage.entries:>7}  p50/p95 ms: {times}"


def _recall_table(stages: Sequence[Stage]) -> str:
    rows = []
    for stage in stages:
        raw = stage.recall["raw FTS5"]
        for name, item in stage.recall.items():
            rows.append(
                [
                    stage.entries,
                    name,
                    f"{item.p50_ms:.2f} ± {item.spread_ms:.2f}",
                    f"{item.p95_ms:.2f}",
                    f"{item.p50_ms / raw.p50_ms:.2f}",
                    f"{item.p95_ms / raw.p95_ms:.2f}",
                ]
            )
    return table(["entries", "", "p50 ms ± half quartile distance", "p95 ms", "p50 / raw", "p95 / raw"], rows)


def _agreement_table(stages: Sequence[Stage]) -> str:
    found = {stage.entries: stage.agreement for stage in stages}
    return table(["documents scored", *map(str, found)], agreement.rows(found))


def _remember_table(stages: Sequence[Stage]) -> str:
    rows = []
    for stage in stages:
        floor = stage.remember["fsync"].p50_ms
        for name, item in stage.remember.items():
            above = f"{item.p50_ms - floor:.2f}"
            rows.append(
                [
                    stage.entries,
                    name,
                    f"{item.p50_ms:.2f} ± {item.spread_ms:.2f}",
                    f"{item.p95_ms:.2f}",
                    above,
                ]
            )
    return table(["entries", "", "p50 ms ± half quartile distance", "p95 ms", "p50 above an fsync"], rows)


def _tools_table(stages: Sequence[Stage]) -> str:
    names = list(dict.fromkeys(name for stage in stages for name in (*stage.tools, *stage.refused)))
    rows = [
        [name, *(f"{stage.tools[name].p50_ms:.1f}" if name in stage.tools else "-" for stage in stages)]
        for name in names
    ]
    return table(["tool", *(str(stage.entries) for stage in stages)], rows) if rows else "Not measured."


def _bulk_labels(stages: Sequence[Stage]) -> list[str]:
    return list(dict.fromkeys(label for stage in stages if stage.bulk for label in stage.bulk.ended))


def bulk_table(stages: Sequence[Stage]) -> str:
    """Return what import and upkeep take at every size."""
    rows = [[label, *(_bulk_cell(stage, label) for stage in stages)] for label in _bulk_labels(stages)]
    head = ["wall s (entries a second)", *(str(stage.entries) for stage in stages)]
    return table(head, rows) if rows else "Not measured."


def _bulk_cell(stage: Stage, label: str) -> str:
    found = stage.bulk
    if found is None or label not in found.ended:
        return "-"
    return f"{found.ended[label].seconds:.2f} ({found.rate(label):.0f})"


def _bulk_refused(stages: Sequence[Stage]) -> list[str]:
    refused = {label: why for stage in stages if stage.bulk for label, why in stage.bulk.refused.items()}
    return [f"{label}: not measured ({why})." for label, why in refused.items()]


def _size_table(stages: Sequence[Stage]) -> str:
    rows = [
        [
            stage.entries,
            f"{stage.raw_bytes / 1e6:.1f}",
            f"{stage.index_bytes / 1e6:.1f}" if stage.index_bytes else "-",
            f"{stage.index_bytes / stage.raw_bytes:.2f}" if stage.index_bytes else "-",
            f"{stage.text_bytes / 1e6:.1f}" if stage.text_bytes else "-",
        ]
        for stage in stages
    ]
    return table(
        ["entries", "raw FTS5, MB", "our derived tables, MB", "ratio", "entries themselves, MB"], rows
    )


def _largest_tables(stage: Stage) -> str:
    ordered = sorted(stage.tables.items(), key=lambda item: (-item[1], item[0]))[:12]
    if not ordered:
        return "The tables of ours were not measured."
    head = f"Largest tables at {stage.entries} entries:\n\n"
    return head + table(
        ["table, its indexes included", "MB"], [[name, f"{size / 1e6:.2f}"] for name, size in ordered]
    )


def _what_it_buys(stage: Stage) -> str:
    return sizes.what_it_buys(
        stage.tables, raw_bytes=stage.raw_bytes, index_bytes=stage.index_bytes, prefix=DERIVED
    )


def _verdicts(stages: Sequence[Stage]) -> str:
    last = stages[-1]
    pair = next((stage for stage in reversed(stages) if "0.2.0, stdio" in stage.recall), None)
    measured: list[Callable[[], tuple[str, bool]]] = [
        lambda: _ratio(last.recall["ours"].p50_ms, last.recall["raw FTS5"].p50_ms, 2.0),
        lambda: _ratio(last.recall["ours"].p95_ms, last.recall["raw FTS5"].p95_ms, 1.0),
        lambda: _against_predecessor(pair),
        lambda: _filtered(stages),
        lambda: _above(last.remember["ours"].p50_ms, last.remember["fsync"].p50_ms, 12.0),
        lambda: (
            _ratio(last.index_bytes, last.raw_bytes, 1.6) if last.index_bytes else ("not measured", False)
        ),
    ]
    rows = []
    for wanted, figure in zip(WANTED, measured, strict=True):
        try:
            shown, is_reached = figure()
            verdict = "reached" if is_reached else "missed"
            is_too_small = "100,000" in wanted and last.entries < 100_000
            rows.append([wanted, shown, "not judged: too small a store" if is_too_small else verdict])
        except KeyError:
            rows.append([wanted, "not measured", "-"])
    return f"Largest size of this run: {last.entries}.\n\n" + table(["wanted", "measured", ""], rows)


def _ratio(value: float, base: float, most: float) -> tuple[str, bool]:
    return f"{value / base:.2f} times", value <= most * base


def _filtered(stages: Sequence[Stage]) -> tuple[str, bool]:
    """Return how much longer the slower filter takes at every size, and whether it is short enough at 5,000."""
    shares = {
        stage.entries: max(stage.recall[f"ours, {name}"].p50_ms for name in ("tag", "kind"))
        / stage.recall["ours"].p50_ms
        for stage in stages
    }
    told = "; ".join(f"{share:.2f} times at {entries}" for entries, share in shares.items())
    return told, shares[JUDGED_FILTER] <= 1.5


def _above(value: float, floor: float, most: float) -> tuple[str, bool]:
    return f"{value - floor:.2f} ms", value - floor <= most


def _against_predecessor(stage: Stage | None) -> tuple[str, bool]:
    if stage is None:
        raise KeyError("0.2.0, stdio")
    shares = []
    for way in ("stdio", "stdio, whole question"):
        old, new = (
            stage.recall[f"{name}, {way}"].p50_ms - stage.recall[f"{name}, ping"].p50_ms
            for name in ("0.2.0", "ours")
        )
        shares.append(new / old)
    return f"{shares[0]:.3f} times at {stage.entries}; whole questions {shares[1]:.3f}", max(shares) <= 0.1


def _plot(stages: Sequence[Stage]) -> str:
    lines = []
    for colour, name in enumerate(("raw FTS5", "ours", "0.2.0, stdio")):
        there = [stage for stage in stages if name in stage.recall]
        if len(there) < 2:
            continue
        middle = tuple((float(stage.entries), stage.recall[name].p50_ms) for stage in there)
        high = tuple((float(stage.entries), stage.recall[name].p95_ms) for stage in there)
        lines += [Line(f"{name}, p50", middle, colour), Line(f"{name}, p95", high, colour, is_dashed=True)]
    return plot.growth(
        "Time of a recall", x_label="entries in the store", y_label="milliseconds", lines=lines
    )


def tools_plot(stages: Sequence[Stage]) -> str:
    """Draw tools, import and upkeep; of 0.2.0 dashed, in the colour of the like of ours; "" if there is nothing to draw."""
    series: dict[str, list[tuple[float, float]]] = {}
    for stage in stages:
        seconds = {
            name: stage.tools[name].p50_ms / 1000 for name in ("topics", "consolidate") if name in stage.tools
        }
        seconds |= {label: ended.seconds for label, ended in stage.bulk.ended.items()} if stage.bulk else {}
        for label, value in seconds.items():
            series.setdefault(label, []).append((float(stage.entries), value))
    colours = {label: number for number, label in enumerate(label for label in series if label not in OLD)}
    lines = [
        Line(label, tuple(points), colours.get(OLD.get(label, label), 0), is_dashed=label in OLD)
        for label, points in series.items()
        if len(points) > 1
    ]
    if not lines:
        return ""
    return plot.growth("Other tools, import, upkeep", x_label="entries", y_label="seconds", lines=lines)


def _figures(stages: Sequence[Stage]) -> dict[str, str]:
    figures = {}
    for stage in stages:
        for name, item in stage.recall.items():
            figures[f"recall {name} {stage.entries} p50 ms"] = f"{item.p50_ms:.2f}"
            figures[f"recall {name} {stage.entries} p95 ms"] = f"{item.p95_ms:.2f}"
        for name, item in stage.remember.items():
            figures[f"remember {name} {stage.entries} p50 ms"] = f"{item.p50_ms:.2f}"
        if found := stage.bulk:
            for label, ended in found.ended.items():
                figures[f"{label} {stage.entries} s"] = f"{ended.seconds:.2f}"
                figures[f"{label} {stage.entries} a second"] = f"{found.rate(label):.0f}"
        if stage.index_bytes:
            figures[f"index {stage.entries} times raw"] = f"{stage.index_bytes / stage.raw_bytes:.2f}"
    return figures
