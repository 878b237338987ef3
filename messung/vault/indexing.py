"""A folder of ten thousand notes, indexed where it lies: `python -m messung vault`."""

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from string import ascii_lowercase

import frugal
from messung import report
from messung.child import Ended, run_child
from messung.child import frugal as shell
from messung.corpus import Corpus, load_corpus
from messung.report import Report, table
from messung.stdio import StdioServer
from messung.systems.mcp_client import server_environment
from messung.timing import Times, timed
from messung.unavailable import NotAvailable
from messung.vault import opened
from messung.verdicts import Verdict, at_most, verdict_table

FULL, QUICK = 10_000, 1_000
TRIES, QUICK_TRIES = 10, 3
FOLDERS = 50
TOUCHED = 10
SETTLE_S = 2.5
"""Between two tries: a file written a moment ago is read at every look, since its time cannot tell two writes apart."""

GOOD, NONE, BROKEN = "---\ntags: [a, b]\n---\n", "", "---\nx: [broken\ny: {\n---\n"
FRONT_MATTER = (GOOD, NONE, BROKEN)

SERVER, SHELL = "server, over stdio", "shell, start of the process included"

WANTED_INDEX_S = 60.0
WANTED_SEARCH_S = 0.3
WANTED = (
    "first index of 10,000 notes in at most 60 s",
    "the second run opens no note",
    "search after 10 files were touched: median at most 0.3 s at 10,000 notes, over stdio",
    "search after 10 files were touched: p95 at most 0.3 s at 10,000 notes, over stdio",
    "every search after a touch finds all 10",
)
"""Written down before the first run; the answers are in the table of verdicts."""

PROTOCOL = (
    f"notes recombined from sentences of the public data (messung/corpus.py, seeded) in {FOLDERS} folders of an Obsidian "
    "vault; a third has front matter, a third has none, a third has one that is broken. `source add obsidian`, `index` "
    "twice, `index --rebuild`: shell commands in processes of their own, wall time. Files that the second run opens are "
    f"counted by an audit hook in its process, on a run of its own. Then {TOUCHED} notes get a line with a new word and "
    f"the search for it is timed, by a running server over stdio and by the shell; tries are {SETTLE_S} s apart"
)


@dataclass
class Indexed:
    """What was measured with *notes* notes; *searches* by way of asking, *found* how many hits each search had."""

    notes: int
    commands: dict[str, Ended] = field(default_factory=dict)
    counted: dict[str, int] = field(default_factory=dict)
    opened: int | None = None
    searches: dict[str, Times] = field(default_factory=dict)
    found: list[int] = field(default_factory=list)


def run(
    folder: Path, systems: Sequence[str], *, out: Path, is_quick: bool, command: str, today: date
) -> Path:
    """Measure, write `vault.md` into *out* and return its path."""
    into = Report(
        title="A folder of notes, indexed where it lies",
        command=command,
        data="sentences of XQuAD (en, de), Cranfield and LoCoMo; where to get them: messung/README.md",
        protocol=PROTOCOL,
        is_quick=is_quick,
        versions={"frugal-memory": frugal.__version__},
    )
    try:
        if "ours" not in systems:
            raise NotAvailable("not asked for")
        notes, tries = (QUICK, QUICK_TRIES) if is_quick else (FULL, TRIES)
        with tempfile.TemporaryDirectory(prefix="messung-") as name:
            indexed = measure(load_corpus(folder), Path(name), notes=notes, tries=tries)
    except NotAvailable as reason:
        into.missing["frugal-memory"] = str(reason)
        return report.write(out, "vault.md", into.text(today))
    into.add("Commands", _command_table(indexed), _opened(indexed))
    into.add(f"Search after {TOUCHED} notes were touched", _search_table(indexed))
    into.add("Wanted, before the first run", verdict_table(verdicts(indexed)))
    if not is_quick:
        report.record(out, "vault", figures(indexed), today)
    return report.write(out, "vault.md", into.text(today))


def write_notes(corpus: Corpus, folder: Path, count: int) -> list[Path]:
    """Write *count* notes into an Obsidian vault; return their paths."""
    (folder / ".obsidian").mkdir(parents=True)
    (folder / ".obsidian" / "app.json").write_text("{}", encoding="utf-8")
    paths = []
    for number, entry in enumerate(corpus.entries(count)):
        path = folder / f"folder{number % FOLDERS:02}" / f"note{number:05}.md"
        path.parent.mkdir(exist_ok=True)
        front = FRONT_MATTER[number % len(FRONT_MATTER)]
        path.write_text(f"{front}{entry.text}\n", encoding="utf-8")
        paths.append(path)
    return paths


def measure(corpus: Corpus, place: Path, *, notes: int, tries: int, settle_s: float = SETTLE_S) -> Indexed:
    """Return what indexing and searching *notes* notes in *place* takes."""
    environ = server_environment(place)
    paths = write_notes(corpus, place / "notes", notes)
    indexed = Indexed(notes)

    def command(label: str, *words: str) -> None:
        ended = run_child(shell("vault", *words, "--json"), environ=environ, folder=place)
        indexed.commands[label] = ended
        indexed.counted[label] = int(json.loads(ended.output).get("inserted", 0))
        print(f"vault {label:32} {ended.seconds:8.2f} s", flush=True)

    command("source add", "source", "add", "obsidian", str(place / "notes"))
    command("index, first", "index")
    command("index, nothing changed", "index")
    indexed.opened = opened.count(["vault", "index"], below=place / "notes", environ=environ, folder=place)
    for label, times, found in _searches(place, paths, environ, tries, settle_s):
        indexed.searches.setdefault(label, Times()).seconds.append(times)
        indexed.found.append(found)
    command("index --rebuild", "index", "--rebuild")
    return indexed


def _searches(
    place: Path, paths: Sequence[Path], environ: dict[str, str], tries: int, settle_s: float
) -> Iterator[tuple[str, float, int]]:
    """Yield way of asking, seconds and hits of a search after each touch."""
    step = max(1, len(paths) // (2 * tries * TOUCHED))
    batches = iter([paths[start * step :: 2 * tries * step][:TOUCHED] for start in range(2 * tries)])
    with StdioServer(shell("--vault"), environ=environ, folder=place) as server:
        server.call("memory_search", query="wing pressure")
        asks: dict[str, Callable[[str], str]] = {
            SERVER: lambda word: server.call("memory_search", query=word, limit=2 * TOUCHED),
            SHELL: lambda word: (
                run_child(
                    shell("vault", "search", word, "--limit", str(2 * TOUCHED)), environ=environ, folder=place
                ).output
            ),
        }
        for number in range(tries):
            for label, ask in asks.items():
                word = f"quagga{ascii_lowercase[number]}{label[:2]}"
                time.sleep(settle_s)
                touch(next(batches), word)
                answers: list[str] = []
                seconds = timed(lambda ask=ask, word=word, answers=answers: answers.append(ask(word)))
                yield label, seconds, hits(answers[0], word)


def touch(paths: Sequence[Path], word: str) -> None:
    """Write a line with *word* at the end of each of *paths*."""
    for path in paths:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n{word} stands here\n")


def hits(answer: str, word: str) -> int:
    """Return how many lines of hits in *answer* show *word*."""
    return sum(word in line for line in answer.splitlines() if line.startswith("#"))


def _command_table(indexed: Indexed) -> str:
    rows = [
        [
            label,
            f"{ended.seconds:.2f}",
            f"{ended.cpu_s:.2f}",
            f"{indexed.notes / ended.seconds:,.0f}",
            indexed.counted[label],
            f"{ended.peak_mib:.0f}",
        ]
        for label, ended in indexed.commands.items()
    ]
    head = ["command", "wall s", "CPU s", "notes a second", "cards inserted", "peak resident MiB"]
    return f"{indexed.notes:,} notes.\n\n" + table(head, rows)


def _opened(indexed: Indexed) -> str:
    return f"Files below the folder of notes that `index` opens when nothing changed: {indexed.opened}."


def _search_table(indexed: Indexed) -> str:
    rows = [
        [
            label,
            len(times.seconds),
            f"{times.p50_ms:.0f}",
            f"{times.p95_ms:.0f}",
            f"{1000 * max(times.seconds):.0f}",
        ]
        for label, times in indexed.searches.items()
    ]
    return table(["search", "tries", "median ms", "p95 ms", "max ms"], rows)


def verdicts(indexed: Indexed) -> list[Verdict]:
    """Return what was wanted beside what was measured."""
    is_large = indexed.notes >= FULL
    first = indexed.commands["index, first"].seconds
    times = indexed.searches.get(SERVER)
    middle, high = (times.p50_ms / 1000, times.p95_ms / 1000) if times else (None, None)
    least = min(indexed.found, default=None)
    return [
        at_most(WANTED[0], first, WANTED_INDEX_S, "s", is_judged=is_large),
        at_most(WANTED[1], indexed.opened, 0, "opened"),
        at_most(WANTED[2], middle, WANTED_SEARCH_S, "s", is_judged=is_large),
        at_most(WANTED[3], high, WANTED_SEARCH_S, "s", is_judged=is_large),
        Verdict(WANTED[4], f"{least} at least", least == TOUCHED if least is not None else None),
    ]


def figures(indexed: Indexed) -> dict[str, str]:
    """Return what goes into the history."""
    found = {f"{label} s": f"{ended.seconds:.2f}" for label, ended in indexed.commands.items()}
    for label, times in indexed.searches.items():
        found[f"search after a touch, {label}, median ms"] = f"{times.p50_ms:.0f}"
        found[f"search after a touch, {label}, p95 ms"] = f"{times.p95_ms:.0f}"
    return found | {"notes": str(indexed.notes), "opened when nothing changed": str(indexed.opened)}
