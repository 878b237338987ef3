"""The two surfaces written out, so that one test covers both. Not read from the catalogues."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Tongue:
    """One language: *names* of tools and parameters, *kinds*, and the *words* of answers, by their English key."""

    language: str
    names: Mapping[str, str]
    kinds: Mapping[str, str]
    words: Mapping[str, str]

    def arguments(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """Return the arguments of a call under the names of this language."""
        return {self.names.get(name, name): value for name, value in arguments.items()}


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

EN = Tongue(
    "en",
    names={},
    kinds={kind: kind for kind in KINDS},
    words={
        "stored": "Stored {id} as {kind}{tags}.",
        "again": "Already stored: ",
        "third": ", 3rd time",
        "superseded": "Superseded: {ids}.",
        "hidden": "Hidden: {ids}.",
        "back": "Back: {ids}.",
        "by": "superseded by {id}",
        "alone": "superseded",
        "piece": "part {position}/{pieces} of {span}",
        "characters": "{count} chars",
        "also": "also: {words}",
        "unknown": "Unknown",
        "match": '{shown} of {total} match "{query}"',
        "none": '0 match "{query}"',
        "with_kind": ", kind {kind}",
        "not_all": "no entry has all words",
        "first_64": "first 64 words used",
        "kind_hidden": '{count} in {kind} hidden (kind="{kind}")',
        "superseded_hidden": "{count} superseded hidden (include_superseded=true)",
        "read": "read: {call}",
        "limit": "limit {most} is the maximum",
        "empty": "This memory is empty.",
        "nowhere": "Nowhere: {words}.",
        "board": "{tags} {tags:tag|tags}, {entries} {entries:entry|entries}",
        "ways_on": 'index: topics(tag="..."); search: recall(query, tag="...")',
        "untagged": "(untagged)",
        "page": "page {page} of {pages}, {first}-{last}",
        "unsorted_left": "{count} live entries still unsorted",
        "not_shown": "{count} not shown yet",
    },
)

DE = Tongue(
    "de",
    names={
        "show": "zeige",
        "topics": "themen",
        "forget": "vergessen",
        "classify": "einordnen",
        "kind": "art",
        "supersedes": "ersetzt",
        "also": "auch",
        "tag": "marke",
        "full": "voll",
        "include_superseded": "mit_veraltet",
        "page": "seite",
        "all": "alle",
        "reason": "grund",
        "undo": "rueckgaengig",
    },
    kinds=KINDS,
    words={
        "stored": "Gespeichert: {id} als {kind}{tags}.",
        "again": "Schon gespeichert: ",
        "third": ", 3. Mal",
        "superseded": "Veraltet: {ids}.",
        "hidden": "Ausgeblendet: {ids}.",
        "back": "Zurückgeholt: {ids}.",
        "by": "veraltet, ersetzt durch {id}",
        "alone": "veraltet",
        "piece": "Teil {position}/{pieces} von {span}",
        "characters": "{count} Zeichen",
        "also": "auch: {words}",
        "unknown": "Unbekannt",
        "match": '{shown} von {total} {total:Treffer|Treffern} zu "{query}"',
        "none": '0 Treffer zu "{query}"',
        "with_kind": ", art {kind}",
        "not_all": "kein Eintrag enthält alle Wörter",
        "first_64": "nur die ersten 64 Wörter",
        "kind_hidden": '{count} in {kind} verborgen (art="{kind}")',
        "superseded_hidden": "{count} veraltete verborgen (mit_veraltet=true)",
        "read": "lesen: {call}",
        "limit": "limit ist höchstens {most}",
        "empty": "Dieses Gedächtnis ist leer.",
        "nowhere": "Kommt nirgends vor: {words}.",
        "board": "{tags} {tags:Marke|Marken}, {entries} {entries:Eintrag|Einträge}",
        "ways_on": 'Verzeichnis: themen(marke="..."); suchen: recall(query, marke="...")',
        "untagged": "(ohne Marke)",
        "page": "Seite {page} von {pages}, {first}-{last}",
        "unsorted_left": "{count} {count:Eintrag ist|Einträge sind} noch gemischt",
        "not_shown": "{count} noch nicht gezeigt",
    },
)

TONGUES = (EN, DE)
