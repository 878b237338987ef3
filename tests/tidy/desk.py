"""One memory in one language, driven through its tools under the English names; words written out by hand."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing

from frugal.call import Client
from frugal.engine import Reply, Workspace
from frugal.entries.upkeep import upkeep
from frugal.strings import Catalogue

NAMES = {
    "show": "zeige",
    "topics": "themen",
    "forget": "vergessen",
    "classify": "einordnen",
    "consolidate": "verdichten",
    "check": "pruefe",
    "kind": "art",
    "supersedes": "ersetzt",
    "also": "auch",
    "tag": "marke",
    "full": "voll",
    "include_superseded": "mit_veraltet",
    "all": "alle",
    "reason": "grund",
    "undo": "rueckgaengig",
    "threshold": "schwelle",
    "groups": "gruppen",
    "learned": "gelernt",
    "learned forget": "gelernt vergessen",
    "learned clear": "gelernt leeren",
    "erase": "tilgen",
    "what": "was",
    "yes": "ja",
}
KINDS = {
    "interface": "schnittstelle",
    "pitfall": "fallstrick",
    "decision": "entscheidung",
    "measurement": "messwert",
    "workflow": "arbeitsweise",
    "history": "verlauf",
    "unsorted": "gemischt",
    "all": "alle",
}
WORDS: Mapping[str, tuple[str, str]] = {
    "stored": ("Stored {id}", "Gespeichert: {id}"),
    "again": ("Already stored: ", "Schon gespeichert: "),
    "superseded": ("Superseded: {ids}.", "Veraltet: {ids}."),
    "similar": ("Similar:", "Ähnlich:"),
    "numbers": ("numbers {change}", "Zahlen {change}"),
    "not_checked": ("similar entries: not checked (", "ähnliche Einträge: nicht geprüft ("),
    "asked_before": ("asked before, {ids} first", "schon gefragt, {ids} zuerst"),
    "match": (
        '{shown} of {total} match "{query}"',
        '{shown} von {total} {total:Treffer|Treffern} zu "{query}"',
    ),
    "groups": (
        "{entries} {entries:entry|entries}, {pairs} {pairs:pair|pairs} compared, "
        "{groups} {groups:group|groups} at {threshold}",
        "{entries} {entries:Eintrag|Einträge}, {pairs} {pairs:Paar|Paare} verglichen, "
        "{groups} {groups:Gruppe|Gruppen} ab {threshold}",
    ),
    "contradiction": ("contradiction", "Widerspruch"),
    "progress": ("progress", "Fortschritt"),
    "independent": ("independent", "unabhängig"),
    "disputed": ("disputed ({first} / {second})", "strittig ({first} / {second})"),
    "unconfirmed": ("unconfirmed: {verdict}", "unbestätigt: {verdict}"),
    "no_verdict": ("no verdict", "kein Urteil"),
}


class Desk:
    """One client of one workspace. Calling it gives the text of an answer, a refusal fails the test."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.client = Client()

    @property
    def is_english(self) -> bool:
        """Whether the surface speaks English."""
        return self.workspace.surface.language == "en"

    def name(self, name: str) -> str:
        """Return the name of a tool or a parameter in this language."""
        return name if self.is_english else NAMES.get(name, name)

    def kind(self, kind: str) -> str:
        """Return the word of a kind in this language."""
        return kind if self.is_english else KINDS[kind]

    def say(self, key: str, **fields: object) -> str:
        """Return a text as it has to be worded."""
        english, german = WORDS[key]
        return Catalogue("", {key: english if self.is_english else german}).text(key, **fields)

    def reply(self, tool: str, /, *, from_shell: bool = False, **arguments: object) -> Reply:
        """Return the whole reply."""
        named = {self.name(key): value for key, value in arguments.items()}
        return self.workspace.call(self.client, self.name(tool), named, from_shell=from_shell)

    def __call__(self, tool: str, /, **arguments: object) -> str:
        """Return the text of an answer."""
        reply = self.reply(tool, **arguments)
        assert not reply.is_error, reply.text
        return reply.text

    def refused(self, tool: str, /, **arguments: object) -> str:
        """Return the text of a refusal."""
        reply = self.reply(tool, **arguments)
        assert reply.is_error, reply.text
        return reply.text

    def shell(self, tool: str, /, **arguments: object) -> Reply:
        """Return the reply to a command of the shell."""
        return self.reply(tool, from_shell=True, **arguments)

    def store(self, text: str, **arguments: object) -> int:
        """Remember *text*; return its id."""
        reply = self.reply("remember", text=text, **arguments)
        assert reply.answer is not None, reply.text
        found = reply.answer.items[0]["id"]
        assert isinstance(found, int)
        return found

    def learn(self, query: str, *ids: int) -> None:
        """Ask *query*, show *ids*, and wait until that is learned."""
        self("recall", query=query)
        self("show", ids=list(ids))
        assert self.workspace.settle()

    def upkeep(self, *, is_dry_run: bool = False) -> dict[str, int]:
        """Run the upkeep; return how much changed, by item."""
        answer = upkeep(self.workspace.new_call(Client()), is_dry_run=is_dry_run)
        return {str(item["item"]): int(str(item["count"])) for item in answer.items}

    def rows(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        """Return rows of the file itself."""
        with closing(sqlite3.connect(self.workspace.settings.path)) as db:
            return [tuple(row) for row in db.execute(statement, values)]

    def spoil(self, *statements: str) -> None:
        """Change the file behind the program's back."""
        with closing(sqlite3.connect(self.workspace.settings.path)) as db, db:
            for statement in statements:
                db.execute(statement)


def change(old: str, new: str) -> str:
    """Return how changed numbers are written."""
    return f"{old} -> {new}"
