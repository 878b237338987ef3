"""A corpus of a million messages, imported and asked: `python -m messung evidence`."""

import sqlite3
import statistics
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import frugal
from messung import inquiries, messages, report
from messung.child import Ended, run_child
from messung.child import frugal as shell
from messung.inquiries import Asked, Cut
from messung.report import Report, table
from messung.systems.mcp_client import server_environment
from messung.timing import Times
from messung.unavailable import NotAvailable
from messung.verdicts import Verdict, at_most, verdict_table

FULL, QUICK = "million", "month"
MILLION = 1_000_000
CALLS = 50
FREQUENCIES = 0.006, 0.014

WANTED_IMPORT_S = 300.0
WANTED_PEAK_MIB = 300.0
WANTED_P95_S = 1.0
WANTED_AFTER_LIMIT_S = 0.25

WANTED = (
    "1,000,000 messages imported in at most 300 s",
    "the import at most 300 MiB resident",
    "measure, discover and sample: p95 at most 1 s at 1,000,000 messages, for words of 1 %",
    "a query that takes longer is cut less than 0.25 s after the limit",
    "an answer that was cut says incomplete and has no totals",
)
"""Written down before the first run; the answers are in the table of verdicts."""

PROTOCOL = (
    "`frugal-memory evidence generate` makes the corpus, its messages are written as JSON Lines (id, text, sent_at, "
    "sender, conversation, thread_id), and `frugal-memory evidence import` reads them twice: shell commands in processes "
    "of their own, wall time and the peak of resident memory as the system counts it. Then a server over stdio and a raw "
    f"client: {CALLS} calls of each tool, each with one literal clause, a word that stands in {100 * FREQUENCIES[0]:.1f} "
    f"to {100 * FREQUENCIES[1]:.1f} % of the messages (counted over all of them, drawn with a seed); where there are too "
    "few such words, the rest is asked again of the senders of one type. A new server for each tool, so that no scan is "
    "kept from the one before; the overview that opens an inquiry is asked first and told apart. The cut: queries of "
    "growing size, each in a server with 30 s and in one with EVIDENCE_SECONDS=1"
)


@dataclass(frozen=True)
class Loaded:
    """The corpus: how many messages, its bytes as JSON Lines and as our file, and what the commands took."""

    messages: int
    lines_bytes: int
    file_bytes: int
    generated: Ended
    first: Ended
    second: Ended


def run(
    folder: Path, systems: Sequence[str], *, out: Path, is_quick: bool, command: str, today: date
) -> Path:
    """Measure, write `evidence.md` into *out* and return its path; needs no data but what it makes itself."""
    profile = QUICK if is_quick else FULL
    into = Report(
        title="A large corpus of messages",
        command=command,
        data=f"made by `frugal-memory evidence generate --profile {profile}`, seed 1; nothing else",
        protocol=PROTOCOL,
        is_quick=is_quick,
        versions={"frugal-memory": frugal.__version__},
    )
    if "ours" not in systems:
        into.missing["frugal-memory"] = "not asked for"
        return report.write(out, "evidence.md", into.text(today))
    try:
        with tempfile.TemporaryDirectory(prefix="messung-") as name:
            loaded, asked, cuts = _measure(Path(name), profile)
    except NotAvailable as reason:
        into.missing["frugal-memory"] = str(reason)
        return report.write(out, "evidence.md", into.text(today))
    into.add("Import", _import_table(loaded))
    into.add("Answers", _asked_table(asked, loaded.messages), _asked_note(asked, loaded.messages))
    into.add("The cut at EVIDENCE_SECONDS=1", _cut_table(cuts))
    into.add("Wanted, before the first run", verdict_table(verdicts(loaded, asked, cuts)))
    if not is_quick:
        report.record(out, "evidence", figures(loaded, asked, cuts), today)
    return report.write(out, "evidence.md", into.text(today))


def _measure(place: Path, profile: str) -> tuple[Loaded, list[Asked], list[Cut]]:
    loaded = load(place, profile)
    print(f"evidence {loaded.messages} messages imported in {loaded.first.seconds:.1f} s", flush=True)
    counted = messages.frequencies(place / messages.FILE)
    asked = inquiries.ask(place, counted.between(*FREQUENCIES), calls=CALLS)
    return loaded, asked, inquiries.cut(place, counted.most_frequent())


def load(place: Path, profile: str) -> Loaded:
    """Make the corpus of *profile* in *place*, import it twice."""
    environ = server_environment(place)
    made, file = place / "made.db", place / inquiries.FILE
    generated = run_child(
        shell("evidence", "generate", "--profile", profile, "--out", str(made)), environ=environ, folder=place
    )
    count = messages.write(made, place / messages.FILE)
    made.unlink()
    imports = shell("evidence", "import", messages.FILE, "--db", str(file))
    first = run_child(imports, environ=environ, folder=place)
    size = file.stat().st_size
    if (stored := _stored(file)) != count:
        raise NotAvailable(f"evidence import stored {stored} of {count} messages")
    second = run_child(imports, environ=environ, folder=place)
    return Loaded(count, (place / messages.FILE).stat().st_size, size, generated, first, second)


COUNT = "SELECT count(*) FROM message"


def _stored(file: Path) -> int:
    with closing(sqlite3.connect(file)) as db:
        return int(db.execute(COUNT).fetchone()[0])


def _import_table(loaded: Loaded) -> str:
    rows = [
        [
            label,
            f"{ended.seconds:.1f}",
            f"{ended.cpu_s:.1f}",
            f"{loaded.messages / ended.seconds:,.0f}",
            f"{ended.peak_mib:.0f}",
        ]
        for label, ended in (
            ("generate", loaded.generated),
            ("import", loaded.first),
            ("import again, nothing changed", loaded.second),
        )
    ]
    told = (
        f"{loaded.messages:,} messages, {loaded.lines_bytes / 1e6:.1f} MB of JSON Lines; "
        f"our file {loaded.file_bytes / 1e6:.1f} MB, {loaded.file_bytes / loaded.lines_bytes:.2f} times that.\n\n"
    )
    return told + table(["", "wall s", "CPU s", "messages a second", "peak resident MiB"], rows)


def _asked_table(asked: Sequence[Asked], count: int) -> str:
    rows = [
        [
            item.label,
            len(item.times.seconds),
            f"{item.times.p50_ms:.0f} ± {item.times.spread_ms:.0f}",
            f"{item.times.p95_ms:.0f}",
            f"{1000 * max(item.times.seconds):.0f}",
            f"{item.first_ms:.0f}",
            f"{statistics.fmean(item.sizes):,.0f}",
        ]
        for item in asked
    ]
    head = [
        "",
        "calls",
        "p50 ms ± half quartile distance",
        "p95 ms",
        "max ms",
        "overview before ms",
        "bytes, mean",
    ]
    return f"{count:,} messages.\n\n" + table(head, rows)


def _asked_note(asked: Sequence[Asked], count: int) -> str:
    found = [number for item in asked for number in item.matching]
    if not found:
        return "No answer told how many messages match."
    return (
        f"The queries match {min(found):,} to {max(found):,} messages, "
        f"{100 * min(found) / count:.2f} to {100 * max(found) / count:.2f} %; "
        f"every answer was complete: {'yes' if all(item.is_complete for item in asked) else 'no'}."
    )


def _cut_table(cuts: Sequence[Cut]) -> str:
    rows = [
        [
            cut.label,
            f"{cut.whole_s:.2f}{'' if cut.is_whole else ', cut too'}",
            f"{cut.limited_s:.2f}",
            cut.outcome,
            "yes" if cut.has_totals else "no",
        ]
        for cut in cuts
    ]
    text = table(["discover", "s with a limit of 30 s", "s with a limit of 1 s", "says", "totals"], rows)
    if not any(cut.takes_longer for cut in cuts):
        text += "\n\nNo query that may be asked takes longer than the limit at this size, so nothing was cut."
    return text


def verdicts(loaded: Loaded, asked: Sequence[Asked], cuts: Sequence[Cut]) -> list[Verdict]:
    """Return what was wanted beside what was measured."""
    is_large = loaded.messages >= MILLION
    slowest = max((item.times.p95_ms / 1000 for item in asked), default=None)
    late = [cut for cut in cuts if cut.takes_longer]
    honest = all(cut.outcome == "incomplete" and not cut.has_totals for cut in late) if late else None
    after = max((cut.after_limit_s for cut in late), default=None)
    latest = max((cut.limited_s for cut in late), default=0.0)
    return [
        at_most(WANTED[0], loaded.first.seconds, WANTED_IMPORT_S, "s", is_judged=is_large),
        at_most(WANTED[1], loaded.first.peak_mib, WANTED_PEAK_MIB, "MiB", is_judged=is_large),
        at_most(WANTED[2], slowest, WANTED_P95_S, "s, the slowest of them", is_judged=is_large),
        at_most(
            WANTED[3], after, WANTED_AFTER_LIMIT_S, f"s; the latest of {len(late)} came after {latest:.2f} s"
        ),
        Verdict(WANTED[4], "nothing was cut" if honest is None else "all" if honest else "not all", honest),
    ]


def figures(loaded: Loaded, asked: Sequence[Asked], cuts: Sequence[Cut]) -> dict[str, str]:
    """Return what goes into the history."""
    found = {
        "messages": f"{loaded.messages}",
        "import s": f"{loaded.first.seconds:.1f}",
        "import peak MiB": f"{loaded.first.peak_mib:.0f}",
        "import again s": f"{loaded.second.seconds:.1f}",
        "file MB": f"{loaded.file_bytes / 1e6:.1f}",
    }
    for item in asked:
        found |= {f"{item.label} {name} ms": f"{value:.0f}" for name, value in _middle(item.times).items()}
    if late := [cut.after_limit_s for cut in cuts if cut.takes_longer]:
        found["cut after the limit s"] = f"{max(late):.2f}"
    return found


def _middle(times: Times) -> dict[str, float]:
    return {"p50": times.p50_ms, "p95": times.p95_ms}
