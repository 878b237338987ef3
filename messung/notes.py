"""Notes kept as a person keeps them, one paragraph a session: `python -m messung notes`."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from messung import report
from messung.datasets import ONE_PLACE, Collection, Entry, Question, load_conversations, session_of
from messung.report import Report
from messung.scores import half_width, mean_score, shown
from messung.search import QUICK_STEP, Run, measure
from messung.systems import LABELS
from messung.unavailable import NotAvailable

LIMIT = 8
WANTED = 0.85
"""Share of the questions that should find the right paragraph among 8 hits; written down before the first run."""

PARAGRAPH = re.compile(r"\*\*Session (\d+), [^*]*\*\*")
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
SYSTEMS = ("fts5", "bm25s", "predecessor", "ours-stdio")

PROTOCOL = (
    f"each paragraph of the five notes is stored by itself, tag = conversation; then the questions of category {ONE_PLACE} "
    f"are asked as they stand, limit {LIMIT}, no tag. A paragraph begins with `**Session N, date**` and tells of "
    "session N; it is right if the evidence of the question lies in that session. `frugal-memory` is a server process "
    "behind the official SDK's client over stdio"
)


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield session number and paragraph of a note, front matter left out; a headless paragraph is number 0."""
    for block in re.split(r"\n\s*\n", FRONT_MATTER.sub("", text)):
        paragraph = block.strip()
        if paragraph:
            match = PARAGRAPH.match(paragraph)
            yield (int(match[1]) if match else 0), paragraph


def load_notes(folder: Path) -> Collection:
    """Return the paragraphs of every note and the questions of one place, each with its session's paragraph."""
    entries: list[Entry] = []
    questions: list[Question] = []
    for talk in load_conversations(folder):
        path = folder / "notes" / f"conversation-{talk.name.removeprefix('conv-')}.md"
        if not path.is_file():
            raise NotAvailable(f"the data folder has no notes/{path.name}")
        for number, paragraph in paragraphs(path.read_text("utf-8")):
            entries.append(Entry(paragraph, frozenset({f"{talk.name}/D{number}"}), talk.name))
        for asked in talk.asked:
            if asked.category == ONE_PLACE and asked.evidence:
                relevant = frozenset(map(session_of, asked.evidence))
                questions.append(Question(asked.text, relevant, talk.name))
    return Collection("notes", tuple(entries), tuple(questions))


def run(
    folder: Path, systems: Sequence[str], *, out: Path, is_quick: bool, command: str, today: date
) -> Path:
    """Measure, write `notes.md` into *out* and return its path."""
    into = Report(
        title="The right paragraph of a note",
        command=command,
        data="the five notes of LoCoMo and the questions of its category 4; where to get them: messung/README.md",
        protocol=PROTOCOL,
        is_quick=is_quick,
    )
    collection = load_notes(folder).thinned(QUICK_STEP if is_quick else 1)
    runs = []
    for system in SYSTEMS:
        if system.removesuffix("-stdio") not in systems:
            continue
        try:
            runs.append(measure(system, collection, limit=LIMIT))
            into.versions[LABELS[system]] = runs[-1].version
            share = mean_score(runs[-1].judged, "hit@8")
            print(f"notes            {LABELS[system]:32} hit@8 {shown('hit@8', share)}", flush=True)
        except NotAvailable as reason:
            into.missing[LABELS[system]] = str(reason)
    into.add("Right paragraph", _table(collection, runs), _verdict(runs))
    if not is_quick:
        figures = {f"{item.system} hit@8": shown("hit@8", mean_score(item.judged, "hit@8")) for item in runs}
        report.record(out, "notes", figures, today)
    return report.write(out, "notes.md", into.text(today))


def _table(collection: Collection, runs: Sequence[Run]) -> str:
    names = ("hit@1", "hit@5", "hit@8", "MRR")
    rows = [
        [
            LABELS[item.system],
            *(shown(name, mean_score(item.judged, name)) for name in names),
            f"± {shown('hit@8', half_width(item.judged, 'hit@8'))}",
            f"{item.mean_bytes:.0f}",
            f"{item.median_ms:.1f}",
        ]
        for item in runs
    ]
    asked = f"{len(collection.entries)} paragraphs, {len(collection.questions)} questions.\n\n"
    return asked + report.table(["system", *names, "spread of hit@8", "bytes", "median ms"], rows)


def _verdict(runs: Sequence[Run]) -> str:
    for item in runs:
        if item.system == "ours-stdio":
            share = mean_score(item.judged, "hit@8")
            return f"Wanted {shown('hit@8', WANTED)}: {'reached' if share >= WANTED else 'missed'}."
    return "Wanted of frugal-memory: not measured."
