"""Statuses and verdicts: stored as neutral codes, read in either language, shown in the reader's."""

import re
from dataclasses import dataclass

from frugal.api import spell_out

_IGNORED = re.compile(r"[\s_-]+")


@dataclass(frozen=True)
class Word:
    """One word of a closed vocabulary; *code* is what the file holds and what English readers see."""

    code: str
    german: str

    def shown(self, language: str) -> str:
        """Return the word of *language*."""
        return self.german if language == "de" else self.code.replace("_", " ")


PLANNED = Word("planned", "geplant")
RUNNING = Word("running", "laeuft")
PAUSED = Word("paused", "ruht")
EVALUATED = Word("evaluated", "ausgewertet")
ABORTED = Word("aborted", "abgebrochen")
SUPERSEDED = Word("superseded", "abgeloest")
STATUSES = (PLANNED, RUNNING, PAUSED, EVALUATED, ABORTED, SUPERSEDED)
OPEN = (PLANNED, RUNNING, PAUSED)
CLOSED = (EVALUATED, ABORTED, SUPERSEDED)

MET = Word("met", "erfuellt")
PARTIAL = Word("partial", "teilweise")
MISSED = Word("missed", "verfehlt")
TIE = Word("tie", "gleichstand")
INCONCLUSIVE = Word("inconclusive", "keine_aussage")
INVALID = Word("invalid", "ungueltig")
OBSERVATION = Word("observation", "beobachtung")
VERDICTS = (MET, PARTIAL, MISSED, TIE, INCONCLUSIVE, INVALID, OBSERVATION)
WITHOUT_CRITERION = (OBSERVATION, INCONCLUSIVE, INVALID)
"""An observation, and what judges nothing."""


def find(vocabulary: tuple[Word, ...], text: str) -> Word | None:
    """Return the word that *text* names in either language: case, umlauts, blanks and hyphens do not matter."""
    wanted = _IGNORED.sub("", spell_out(text))
    for word in vocabulary:
        if wanted and wanted in (_IGNORED.sub("", word.code), _IGNORED.sub("", word.german)):
            return word
    return None


def of_code(vocabulary: tuple[Word, ...], code: str) -> Word:
    """Return the word stored as *code*."""
    return next(word for word in vocabulary if word.code == code)


def listed(vocabulary: tuple[Word, ...], language: str) -> str:
    """Return every word of *vocabulary* for a message."""
    return ", ".join(word.shown(language) for word in vocabulary)
