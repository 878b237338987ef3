"""Learned questions replayed in time order: asked, the evidence shown, asked again: `python -m messung learned`."""

import random
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from frugal.search.questions import query_key
from messung import report
from messung.corpus import SEED
from messung.datasets import Collection, load
from messung.report import Report
from messung.search import fill
from messung.systems.ours import Ours
from messung.unavailable import NotAvailable

LIMIT = 8
MOST_SHOWN = 3
APART = timedelta(minutes=5)
PLANTED_EVERY = 10
QUICK_STEP = 5
ASKED_BEFORE = re.compile(r"asked before, ((?:#\d+, )*#\d+) first")

PROTOCOL = (
    "the distilled facts of the five conversations in one store; every question of categories 1 to 4 whose evidence "
    f"some fact rests on is asked with limit {LIMIT}, then its evidence is shown: first what was listed, at most "
    f"{MOST_SHOWN} facts, 5 minutes between questions. When all were asked, each is asked again, nothing shown. "
    "Learnt = the pair stands in the file after the show. Wrong pairs: for one question in ten a pair with another "
    "fact, drawn at random, is put into the file of a second store before its first asking; both stores get the same "
    "two askings with the evidence shown, and their third answers are compared"
)


@dataclass
class Replay:
    """What the first round taught and the second one gave."""

    asked: int = 0
    not_listed: int = 0
    nothing_telling: int = 0
    learnt: int = 0
    first_again: int = 0
    first_before: int = 0
    unlearnt_changed: int = 0
    lost_hits: int = 0
    examples: list[str] = field(default_factory=list)

    @property
    def left_out(self) -> int:
        """Questions that the rules do not let the store learn."""
        return self.asked - self.learnt


class Reader(Ours):
    """Our memory as a reader uses it: asks, shows, lets time pass."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.path = Path(str(self.workspace.settings.path))

    def hits(self, query: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return what a recall lists, and what it put first because it was learned."""
        self.clock.now += APART
        answer = self.ask(query, LIMIT)
        fired = ASKED_BEFORE.search(answer.text.splitlines()[0])
        first = tuple(int(number) for number in re.findall(r"\d+", fired[1])) if fired else ()
        return answer.ids, first

    def show(self, ids: Sequence[int]) -> None:
        """Show entries and wait until that is learned."""
        self.call("show", ids=",".join(map(str, ids)))
        if not self.workspace.settle():
            raise NotAvailable("the lesson of a show was not written")

    def learnt(self, query: str) -> frozenset[int]:
        """Return the entries learned for *query*."""
        with closing(sqlite3.connect(self.path)) as db:
            rows = db.execute("SELECT entry_id FROM learned_question WHERE word_key = ?", (query_key(query),))
            return frozenset(row[0] for row in rows)

    def plant(self, query: str, entry: int) -> None:
        """Put a pair into the file."""
        row = (query_key(query), entry, query[:200], self.clock.now.strftime("%Y-%m-%d %H:%M:%S"))
        with closing(sqlite3.connect(self.path)) as db, db:
            db.execute(
                "INSERT INTO learned_question (word_key, entry_id, question, confirmed_at) VALUES (?, ?, ?, ?)",
                row,
            )


@dataclass(frozen=True)
class Task:
    """One question and the entries that answer it."""

    query: str
    evidence: frozenset[int]

    def shown(self, listed: Sequence[int]) -> tuple[int, ...]:
        """Return what a reader opens: the evidence that was listed, else evidence found otherwise."""
        found = [entry for entry in listed if entry in self.evidence]
        return tuple(found or sorted(self.evidence))[:MOST_SHOWN]


def tasks_of(reader: Reader, collection: Collection) -> list[Task]:
    """Store *collection*; return its questions, those with equal words once."""
    covered = fill(reader, collection)
    tasks: dict[str, Task] = {}
    for question in collection.questions:
        evidence = frozenset(entry for entry, covers in covered.items() if covers & question.relevant)
        tasks.setdefault(query_key(question.text), Task(question.text, evidence))
    return list(tasks.values())


def replay(reader: Reader, tasks: Sequence[Task]) -> Replay:
    """Ask every question and show its evidence; then ask all of them again."""
    found = Replay(asked=len(tasks))
    before: dict[str, tuple[int, ...]] = {}
    taught: dict[str, frozenset[int]] = {}
    for task in tasks:
        listed, _ = reader.hits(task.query)
        before[task.query] = listed
        reader.show(task.shown(listed))
        taught[task.query] = reader.learnt(task.query)
        if taught[task.query]:
            found.learnt += 1
        elif task.evidence.isdisjoint(listed):
            found.not_listed += 1
        else:
            found.nothing_telling += 1
    for task in tasks:
        listed, fired = reader.hits(task.query)
        is_first = bool(listed) and listed[0] in taught[task.query]
        found.first_again += bool(taught[task.query]) and is_first and fired[:1] == listed[:1]
        found.first_before += bool(taught[task.query]) and before[task.query][0] in taught[task.query]
        found.lost_hits += len(set(before[task.query]) - set(listed))
        if not taught[task.query] and listed != before[task.query]:
            found.unlearnt_changed += 1
        if taught[task.query] and not is_first:
            found.examples.append(task.query)
    return found


@dataclass
class Wrong:
    """What became of the wrong pairs."""

    planted: int = 0
    fired: int = 0
    gone: int = 0
    same_first: int = 0
    same_hits: int = 0


def unlearn(clean: Reader, misled: Reader, tasks: Sequence[Task]) -> Wrong:
    """Plant wrong pairs in *misled*; compare its third answers with those of *clean*."""
    generator = random.Random(SEED)
    found = Wrong()
    every = sorted(frozenset().union(*(task.evidence for task in tasks)))
    for task in tasks[::PLANTED_EVERY]:
        wrong = generator.choice([entry for entry in every if entry not in task.evidence])
        misled.plant(task.query, wrong)
        found.planted += 1
        for turn in range(2):
            for reader in (clean, misled):
                listed, fired = reader.hits(task.query)
                found.fired += turn == 0 and reader is misled and wrong in fired
                reader.show(task.shown([entry for entry in listed if entry != wrong]))
        found.gone += wrong not in misled.learnt(task.query)
        third, _ = clean.hits(task.query)
        third_misled, _ = misled.hits(task.query)
        found.same_first += third[:1] == third_misled[:1]
        found.same_hits += third == third_misled
    return found


def run(
    folder: Path, systems: Sequence[str], *, out: Path, is_quick: bool, command: str, today: date
) -> Path:
    """Measure, write `learned.md` into *out* and return its path."""
    into = Report(
        title="Learned questions",
        command=command,
        data="LoCoMo, the distilled facts of 5 conversations; where to get them: messung/README.md",
        protocol=PROTOCOL,
        is_quick=is_quick,
    )
    collection = load(folder, "locomo-fact").thinned(QUICK_STEP if is_quick else 1)
    with TemporaryDirectory() as place:
        reader = Reader(Path(place))
        into.versions["frugal-memory"] = reader.version
        again = replay(reader, tasks_of(reader, collection))
        reader.close()
    with TemporaryDirectory() as place, TemporaryDirectory() as other:
        clean, misled = Reader(Path(place)), Reader(Path(other))
        tasks = tasks_of(clean, collection)
        tasks_of(misled, collection)
        wrong = unlearn(clean, misled, tasks)
        clean.close()
        misled.close()
    into.add("Asked again", _again_table(again), *_examples(again))
    into.add("Wrong pairs", _wrong_table(wrong))
    figures = {
        "learnt": f"{again.learnt} of {again.asked}",
        "first at the second asking": f"{again.first_again} of {again.learnt}",
        "hits lost": str(again.lost_hits),
        "other questions changed": str(again.unlearnt_changed),
        "wrong pairs gone": f"{wrong.gone} of {wrong.planted}",
        "same third answer": f"{wrong.same_hits} of {wrong.planted}",
    }
    for name, value in figures.items():
        print(f"learned          {name:40} {value}", flush=True)
    if not is_quick:
        report.record(out, "learned", figures, today)
    return report.write(out, "learned.md", into.text(today))


def _again_table(again: Replay) -> str:
    share = again.left_out / max(again.asked, 1)
    rows = [
        ["questions asked, each once by its words", again.asked],
        ["learnt at the first asking", again.learnt],
        ["left out by the rules", f"{again.left_out} ({share:.1%})"],
        [f"- evidence not among the {LIMIT} listed", again.not_listed],
        ["- no telling word in common", again.nothing_telling],
        ["first at the second asking, of those learnt (wanted: all)", again.first_again],
        ["for comparison, first at the first asking", again.first_before],
        ["questions without a pair whose answer changed (wanted: 0)", again.unlearnt_changed],
        ["hits lost at the second asking, all questions (wanted: 0)", again.lost_hits],
    ]
    return report.table(["what", "figure"], rows)


def _examples(again: Replay) -> list[str]:
    return [report.bullets(again.examples[:10])] if again.examples else []


def _wrong_table(wrong: Wrong) -> str:
    rows = [
        ["wrong pairs planted", wrong.planted],
        ["of these put first at the first asking", wrong.fired],
        ["gone after two askings that show the evidence (wanted: all)", wrong.gone],
        ["same first hit at the third asking as without them (wanted: all)", wrong.same_first],
        ["same hits in the same order", wrong.same_hits],
    ]
    return report.table(["what", "figure"], rows)
