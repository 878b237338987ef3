"""What remember names as similar, against its definition and planted rewordings: `python -m messung similar`."""

import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory

from frugal.text.analysis import STOP, WHOLE, analyse
from messung import report
from messung.corpus import SEED, Corpus, load_corpus
from messung.datasets import Entry, load_conversations
from messung.filler import GrowingStore
from messung.report import Report
from messung.systems.ours import Ours

FLOOR = 0.55
NAMED = 3
PLANTED = 100
WANTED_FOUND = 0.95
KEPT_WORDS = 0.75
SIZES = (2_500, 5_000, 10_000)
QUICK_SIZES = (500, 1_000)
REWORDED_EVERY = 20
WANTED_S = 10.0

SIMILAR = re.compile(r"^(\d+) % #(\d+) ", re.MULTILINE)
STORED = re.compile(r"#(\d+)")
NUMBER = re.compile(r"\d+")
SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")

PROTOCOL = (
    "the observations of the five conversations are stored one by one through remember; each answer is compared with "
    "the definition, computed apart from the index over all earlier observations (share of the weight of the new "
    "text's terms, weight ln(1 + N / (1 + df))). Then rewordings of observations drawn at random are stored: every "
    "number changed, the order of sentences (of halves, where there is one sentence) turned round; a second set keeps "
    f"{KEPT_WORDS:.0%} of the words besides. Found = the original is among the at most {NAMED} entries named. consolidate: "
    "entries of 60 to 110 words recombined from public sentences, one in twenty a rewording of another one, threshold "
    "0.5, best of three calls"
)


@dataclass(frozen=True)
class Named:
    """What one answer named (id and share in percent), and what the definition names."""

    entry: int
    named: tuple[tuple[int, int], ...]
    expected: tuple[tuple[int, float], ...]


def terms_of(text: str) -> frozenset[str]:
    """Return the counted terms of *text*."""
    return frozenset(token.term for token in analyse(text) if not token.flags & (STOP | WHOLE))


class Definition:
    """The definition of similar, by comparing with every earlier text."""

    def __init__(self) -> None:
        self._terms: dict[int, frozenset[str]] = {}
        self._holders: Counter[str] = Counter()

    def add(self, entry: int, text: str) -> tuple[tuple[int, float], ...]:
        """Take *text* in; return the earlier entries that reach the floor, best first, newer before older."""
        terms = terms_of(text)
        earlier = dict(self._terms)
        self._terms[entry] = terms
        self._holders.update(terms)
        weight = {term: log(1 + len(self._terms) / (1 + self._holders[term])) for term in terms}
        whole = sum(weight.values())
        shares = [
            (other, sum(weight[term] for term in terms & known) / whole)
            for other, known in earlier.items()
            if whole and not terms.isdisjoint(known)
        ]
        reached = [(other, share) for other, share in shares if share >= FLOOR]
        return tuple(sorted(reached, key=lambda pair: (-pair[1], -pair[0])))


def store_all(system: Ours, texts: Sequence[str], definition: Definition) -> Iterator[Named]:
    """Yield for each text that is new what remember named and what the definition names."""
    for text in texts:
        answer = system.call("remember", text=text)
        if answer.startswith("Already stored"):
            continue
        found = STORED.search(answer)
        assert found is not None
        named = tuple((int(entry), int(share)) for share, entry in SIMILAR.findall(answer))
        yield Named(int(found[1]), named, definition.add(int(found[1]), text))


def reword(text: str, generator: random.Random, *, kept: float = 1.0) -> str:
    """Return *text* with other numbers, its sentences (or halves) in another order, and only *kept* of its words."""
    changed = NUMBER.sub(lambda number: str(int(number[0]) + generator.randint(1, 900)), text)
    parts = SENTENCE_END.split(changed)
    if len(parts) < 2:
        words = changed.split()
        parts = [" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])]
    words = " ".join(reversed(parts)).split()
    chosen = sorted(generator.sample(range(len(words)), round(len(words) * kept)))
    return " ".join(words[place] for place in chosen)


@dataclass(frozen=True)
class Planted:
    """What became of the rewordings of one kind."""

    count: int
    found: int
    first: int
    named: int


def plant(system: Ours, originals: Sequence[tuple[int, str]], *, kept: float, seed: int) -> Planted:
    """Store a rewording of each original, look whether the answer names it, and hide the rewording again."""
    generator = random.Random(seed)
    found = first = named = 0
    for entry, text in originals:
        answer = system.call("remember", text=reword(text, generator, kept=kept))
        ids = [int(other) for _, other in SIMILAR.findall(answer)]
        found += entry in ids
        first += ids[:1] == [entry]
        named += len(ids)
        stored = STORED.search(answer)
        assert stored is not None
        if not answer.startswith("Already stored"):
            system.call("forget", ids=stored[1])
    return Planted(len(originals), found, first, named)


@dataclass(frozen=True)
class Grown:
    """consolidate at one size."""

    entries: int
    seconds: float
    header: str


def grow(folder: Path, corpus: Corpus, sizes: Sequence[int]) -> Iterator[Grown]:
    """Yield consolidate at each of *sizes*."""
    store = GrowingStore(folder)
    entries = corpus.entries(max(sizes))
    generator = random.Random(SEED)
    done = 0
    try:
        for size in sizes:
            batch = list(islice(entries, size - done))
            for place in range(0, len(batch), REWORDED_EVERY):
                other = batch[place - 1]
                batch[place] = Entry(reword(other.text, generator, kept=0.9), other.covers, other.tags)
            store.extend(batch)
            done = size
            times = []
            for _ in range(3):
                start = time.perf_counter()
                answer = store.call("consolidate", threshold=0.5)
                times.append(time.perf_counter() - start)
            yield Grown(size, min(times), answer.splitlines()[0])
    finally:
        store.close()


def run(
    folder: Path, systems: Sequence[str], *, out: Path, is_quick: bool, command: str, today: date
) -> Path:
    """Measure, write `similar.md` into *out* and return its path."""
    into = Report(
        title="Similar entries and near-duplicates",
        command=command,
        data="LoCoMo (5 conversations) and, for consolidate, XQuAD and Cranfield; where to get them: messung/README.md",
        protocol=PROTOCOL,
        is_quick=is_quick,
    )
    figures: dict[str, str] = {}
    texts = [fact.text for talk in load_conversations(folder) for fact in talk.facts]
    with TemporaryDirectory() as place:
        system = Ours(Path(place))
        into.versions["frugal-memory"] = system.version
        named = list(store_all(system, texts[:300] if is_quick else texts, Definition()))
        into.add("Against the definition", _definition_table(named, len(texts), figures))
        into.add("Planted rewordings", _planted_table(system, named, texts, figures))
        system.close()
    with TemporaryDirectory() as place:
        sizes = QUICK_SIZES if is_quick else SIZES
        grown = list(grow(Path(place), load_corpus(folder), sizes))
        into.add("consolidate", _growth_table(grown, figures))
    for name, value in figures.items():
        print(f"similar          {name:40} {value}", flush=True)
    if not is_quick:
        report.record(out, "similar", figures, today)
    return report.write(out, "similar.md", into.text(today))


def _definition_table(named: Sequence[Named], texts: int, figures: dict[str, str]) -> str:
    shares = [dict(item.expected) for item in named]
    pairs = [(item.entry, other) for item in named for other, _ in item.named]
    below = sum(
        other not in share for item, share in zip(named, shares, strict=True) for other, _ in item.named
    )
    wanted = [(item.entry, other) for item in named for other, _ in item.expected[:NAMED]]
    missing = len(set(wanted) - set(pairs))
    figures["pairs named"] = str(len(pairs))
    figures["pairs under 0.55"] = str(below)
    figures["recall of the definition's first three"] = f"{1 - missing / max(len(wanted), 1):.1%}"
    rows = [
        ["observations, of which stored (the others are identical)", f"{texts}, {len(named)}"],
        ["answers that name something", sum(bool(item.named) for item in named)],
        ["pairs named", len(pairs)],
        ["of these with a share under 0.55 (wanted: 0)", below],
        ["pairs the definition names (first three a text)", len(wanted)],
        ["of these missing", missing],
        ["precision", f"{1 - below / max(len(pairs), 1):.1%}"],
        ["recall", figures["recall of the definition's first three"]],
    ]
    return report.table(["what", "figure"], rows)


def _planted_table(
    system: Ours, named: Sequence[Named], texts: Sequence[str], figures: dict[str, str]
) -> str:
    by_entry = {item.entry: text for item, text in zip(named, dict.fromkeys(texts), strict=False)}
    with_number = [(entry, text) for entry, text in by_entry.items() if NUMBER.search(text)]
    others = [(entry, text) for entry, text in by_entry.items() if not NUMBER.search(text)]
    generator = random.Random(SEED)
    half = min(PLANTED // 2, len(with_number))
    chosen = generator.sample(with_number, half)
    chosen += generator.sample(others, min(PLANTED - half, len(others)))
    kinds = {"all words kept": 1.0, f"{KEPT_WORDS:.0%} of the words kept": KEPT_WORDS}
    rows = []
    for name, kept in kinds.items():
        planted = plant(system, chosen, kept=kept, seed=SEED)
        figures[f"planted found, {name}"] = f"{planted.found} of {planted.count}"
        rows.append(
            [name, planted.count, planted.found, planted.first, f"{planted.found / planted.named:.1%}"]
        )
    table = report.table(["rewordings", "planted", "found", "named first", "precision"], rows)
    wanted = f"Wanted: at least {WANTED_FOUND:.0%} of the first row found. {half} of them have a number."
    return f"{table}\n\n{wanted} Precision: share of all entries named that are the original."


def _growth_table(grown: Sequence[Grown], figures: dict[str, str]) -> str:
    rows = []
    before: Grown | None = None
    for item in grown:
        ratio = f"x{item.seconds / before.seconds:.1f}" if before else "-"
        rows.append([item.entries, f"{item.seconds:.2f}", ratio, item.header])
        figures[f"consolidate {item.entries} s"] = f"{item.seconds:.2f}"
        before = item
    wanted = f"Wanted: 10,000 entries in {WANTED_S:.0f} s on two ordinary cores."
    return report.table(["entries", "seconds", "growth", "answer"], rows) + f"\n\n{wanted}"
