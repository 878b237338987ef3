"""The public question sets as collections of entries and questions, by the protocols of the data's README."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from messung.unavailable import NotAvailable

EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
SESSION = re.compile(r"session_(\d+)")
ADVERSARIAL = 5
ONE_PLACE = 4
LANGUAGES = ("de", "en", "zh")
UNITS = ("session", "turn", "fact")


@dataclass(frozen=True)
class Entry:
    """One text to store. *covers* names what a reader of it has found: itself, or the turns a fact rests on."""

    text: str
    covers: frozenset[str]
    tags: str = ""


@dataclass(frozen=True)
class Question:
    """One query and what it should find. *evidence* are passages of which one has to be read word for word."""

    text: str
    relevant: frozenset[str]
    group: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class Collection:
    """Entries that go into one store, and the questions asked of it."""

    name: str
    entries: tuple[Entry, ...]
    questions: tuple[Question, ...]

    def thinned(self, step: int) -> "Collection":
        """Return the same store with every *step*-th question."""
        return Collection(self.name, self.entries, self.questions[::step])


@dataclass(frozen=True)
class Turn:
    """One turn of a conversation; *key* is unique over all conversations."""

    key: str
    spoken: str
    caption: str

    @property
    def text(self) -> str:
        """The turn as it is stored: `speaker: text`, the caption of an image behind it."""
        return f"{self.spoken} [image: {self.caption}]" if self.caption else self.spoken


@dataclass(frozen=True)
class Session:
    """One session of a conversation."""

    key: str
    number: int
    date: str
    turns: tuple[Turn, ...]

    @property
    def text(self) -> str:
        """The session as one entry: the date, then a line a turn."""
        return "\n".join([self.date, *(turn.text for turn in self.turns)])


@dataclass(frozen=True)
class Fact:
    """One observation and the keys of the turns it rests on."""

    text: str
    cites: frozenset[str]


@dataclass(frozen=True)
class Asked:
    """One question of a conversation; *evidence* are turn keys, in order, without repeats."""

    text: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class Conversation:
    """One sample of LoCoMo."""

    name: str
    sessions: tuple[Session, ...]
    facts: tuple[Fact, ...]
    asked: tuple[Asked, ...] = field(default=())


def data_folder(given: str | None = None) -> Path:
    """Return the folder of the data: *given*, else `FRUGAL_DATA`, else `../shared/data` beside the repository."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(given or os.environ.get("FRUGAL_DATA") or default).expanduser()
    if not folder.is_dir():
        raise NotAvailable("the data folder does not exist; set FRUGAL_DATA or --data")
    return folder


def _read(folder: Path, name: str) -> Any:
    path = folder / name
    if not path.is_file():
        raise NotAvailable(f"the data folder has no {name}")
    return json.loads(path.read_text("utf-8"))


def load_conversations(folder: Path) -> tuple[Conversation, ...]:
    """Return the conversations of `locomo_dev.json`, in the order of the file."""
    return tuple(_conversation(sample) for sample in _read(folder, "locomo_dev.json"))


def _conversation(sample: dict[str, Any]) -> Conversation:
    name = sample["sample_id"]
    sessions = tuple(_sessions(name, sample["conversation"]))
    known = {turn.key for session in sessions for turn in session.turns}
    facts = tuple(
        Fact(text, frozenset(_turn_keys(name, cited)) & known)
        for speakers in sample["observation"].values()
        for facts in speakers.values()
        for text, cited in facts
    )
    asked = tuple(
        Asked(
            str(item["question"]),
            item["category"],
            tuple(key for key in _turn_keys(name, item.get("evidence") or ()) if key in known),
        )
        for item in sample["qa"]
    )
    return Conversation(name, sessions, facts, asked)


def _sessions(name: str, conversation: dict[str, Any]) -> Iterator[Session]:
    for key, value in conversation.items():
        match = SESSION.fullmatch(key)
        if match is None:
            continue
        turns = tuple(
            Turn(
                f"{name}/{item['dia_id']}",
                f"{item['speaker']}: {item['text']}",
                item.get("blip_caption") or "",
            )
            for item in value
        )
        number = int(match[1])
        yield Session(f"{name}/D{number}", number, conversation[f"{key}_date_time"], turns)


def _turn_keys(name: str, marks: str | Sequence[str]) -> Iterator[str]:
    """Yield the turn keys in *marks*, each once. A mark may hold two ids, and a stray character."""
    listed = [marks] if isinstance(marks, str) else marks
    found = [EVIDENCE.findall(mark) for mark in listed]
    yield from dict.fromkeys(f"{name}/D{int(a)}:{int(b)}" for pairs in found for a, b in pairs)


def session_of(turn_key: str) -> str:
    """Return the key of the session that holds the turn."""
    return turn_key.rpartition(":")[0]


def locomo(conversations: Sequence[Conversation], unit: str) -> Collection:
    """Return one store for all *conversations* by *unit* (session, turn, fact), categories 1 to 4 with evidence."""
    entries: list[Entry] = []
    for talk in conversations:
        if unit == "session":
            entries += [Entry(item.text, frozenset({item.key}), talk.name) for item in talk.sessions]
        elif unit == "turn":
            turns = [turn for session in talk.sessions for turn in session.turns]
            entries += [Entry(turn.text, frozenset({turn.key}), talk.name) for turn in turns]
        else:
            entries += [Entry(fact.text, fact.cites, talk.name) for fact in talk.facts]
    coverable = frozenset().union(*(entry.covers for entry in entries))
    questions = [
        question
        for talk in conversations
        for question in _questions(talk, unit, coverable)
        if question.relevant
    ]
    return Collection(f"locomo-{unit}", tuple(entries), tuple(questions))


def _questions(talk: Conversation, unit: str, coverable: frozenset[str]) -> Iterator[Question]:
    spoken = {turn.key: turn.spoken for session in talk.sessions for turn in session.turns}
    for asked in talk.asked:
        if asked.category == ADVERSARIAL:
            continue
        keys = frozenset(session_of(key) for key in asked.evidence) if unit == "session" else asked.evidence
        evidence = () if unit == "fact" else tuple(spoken[key].strip() for key in asked.evidence)
        yield Question(asked.text, frozenset(keys) & coverable, str(asked.category), evidence)


def xquad(folder: Path, language: str) -> Collection:
    """Return the paragraphs of XQuAD in *language* and the questions asked of each."""
    entries: list[Entry] = []
    questions: list[Question] = []
    for article in _read(folder, f"xquad.{language}.json")["data"]:
        for paragraph in article["paragraphs"]:
            key = f"p{len(entries)}"
            entries.append(Entry(paragraph["context"].removeprefix("\ufeff"), frozenset({key})))
            questions += [Question(item["question"], frozenset({key})) for item in paragraph["qas"]]
    return Collection(f"xquad-{language}", tuple(entries), tuple(questions))


def cranfield(folder: Path) -> Collection:
    """Return the abstracts that are not empty and the queries that have a relevant one (codes 1 to 4)."""
    found = _read(folder, "cranfield.json")
    documents = [item for item in found["documents"] if item["title"].strip() or item["text"].strip()]
    known = {item["id"] for item in documents}
    entries = [Entry(f"{item['title']}\n{item['text']}", frozenset({item["id"]})) for item in documents]
    questions = []
    for query in found["queries"]:
        relevant = frozenset(found["relevance"].get(str(query["id"]), ())) & known
        if relevant:
            questions.append(Question(query["text"], relevant))
    return Collection("cranfield", tuple(entries), tuple(questions))


def load(folder: Path, name: str) -> Collection:
    """Return the collection called *name*: `locomo-<unit>`, `xquad-<language>` or `cranfield`."""
    kind, _, part = name.partition("-")
    if kind == "locomo" and part in UNITS:
        return locomo(load_conversations(folder), part)
    if kind == "xquad" and part in LANGUAGES:
        return xquad(folder, part)
    if name == "cranfield":
        return cranfield(folder)
    raise ValueError(name)


COLLECTIONS = (
    *(f"locomo-{unit}" for unit in UNITS),
    *(f"xquad-{language}" for language in LANGUAGES),
    "cranfield",
)
