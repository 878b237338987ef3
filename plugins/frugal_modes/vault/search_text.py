"""How a search is told: one header line, notes, then a hit a line, within 6 KiB."""

from collections import Counter
from collections.abc import Sequence

from frugal.api import Answer, Call, Cost, Grade, Room, Surface, cost, one_line, snippet, strictest, total
from frugal.api import Grader as _Grader
from frugal_modes.vault.hits import Hit
from frugal_modes.vault.question import Question
from frugal_modes.vault.searching import Result
from frugal_modes.vault.secrecy import masked
from frugal_modes.vault.tools_reading import SEARCH_CAP
from frugal_modes.vault.visible import HIDING

SNIPPETS = (160, 100, 60, 0)
"""Characters of a snippet: the first width with which every hit fits."""
TITLE_CHARACTERS = 100
REF_CHARACTERS = 200
SHOWN_ALSO = 3
QUERY_CHARACTERS = 80
EXPANDED_WORDS = 5


def answer_of(call: Call, question: Question, result: Result) -> tuple[Answer, int]:
    """Return the answer and how many hits it lists."""
    teller = _Teller(call, question, result)
    if not result.hits:
        return teller.empty(), 0
    text, listed = teller.text()
    items, counts = teller.items()[:listed], teller.counts(listed)
    return Answer(text, items=items, counts=counts, notes=teller.aside), listed


class _Teller:
    def __init__(self, call: Call, question: Question, result: Result) -> None:
        self._call = call
        self._surface: Surface = call.surface
        self._question = question
        self._result = result
        self._terms = _Grader(question.query).terms
        self._snippets: dict[tuple[int, int], str] = {}
        self._is_masking = call.settings.secret_policy != "off"

    @property
    def aside(self) -> tuple[str, ...]:
        """The notes where they are told apart from the result: in the shell, on stderr."""
        return tuple(self._notes()) if self._call.is_from_shell else ()

    def text(self) -> tuple[str, int]:
        """Return header, notes and as many hits as fit; what was left out is said."""
        hits = self._result.hits
        notes = [] if self._call.is_from_shell else self._notes()
        for width in SNIPPETS:
            lines = [self._line(hit, grade, width) for hit, grade in self._pairs()]
            text = "\n".join([self._header(len(hits)), *notes, *lines])
            if Room(SEARCH_CAP).fits(cost(text)):
                return text, len(hits)
        for count in range(len(lines) - 1, 0, -1):
            tail = self._say("dropped", count=len(lines) - count)
            text = "\n".join([self._header(count), *notes, *lines[:count], tail])
            if Room(SEARCH_CAP).fits(cost(text)):
                return text, count
        return "\n".join([self._header(1), *lines[:1]]), 1

    def _pairs(self) -> list[tuple[Hit, Grade]]:
        return list(zip(self._result.hits, self._result.grades, strict=True))

    def _say(self, key: str, /, **fields: object) -> str:
        return self._surface.text(f"vault.search.{key}", **fields)

    # --- the header ---

    def _header(self, shown: int) -> str:
        result = self._result
        query = one_line(self._mask(self._question.query), QUERY_CHARACTERS)
        parts = [self._say("header", shown=shown, total=max(result.found.total, shown), query=query)]
        grades = result.grades[:shown]
        tier = strictest(grade.tier for grade in grades)
        count = sum(grade.tier == tier for grade in grades)
        parts.append(self._say("tier", tier=tier, count=count, shown=shown))
        parts += [self._stock(), *self._hidden()]
        if self._question.as_of:
            parts.append(self._say("as_of", as_of=self._question.as_of))
        if self._is_expanded(grades):
            words = one_line(", ".join(result.found.expanded[:EXPANDED_WORDS]), 120)
            parts.append(self._say("expanded", words=words))
        if result.fired:
            parts.append(self._say("asked_before", ids=self._surface.ids(result.fired)))
        return " · ".join(parts)

    def _is_expanded(self, grades: Sequence[Grade]) -> bool:
        return bool(self._result.found.expanded) and any(grade.tier != "all" for grade in grades)

    def _stock(self) -> str:
        return self._say("stock", cards=self._result.cards, sources=self._result.sources)

    def _hidden(self) -> list[str]:
        counts = self._result.hidden
        shown = [
            self._surface.text(f"vault.hidden.{reason}", count=counts[reason])
            for reason in HIDING
            if counts.get(reason)
        ]
        return [self._say("hidden", counts=", ".join(shown))] if shown else []

    # --- the notes ---

    def confidence(self) -> str:
        """Return the note about a first hit that is relaxed, "" if it is not."""
        if not self._result.grades or not self._result.grades[0].is_relaxed:
            return ""
        coverage = self._result.grades[0].coverage
        key = "apart" if coverage >= 1.0 else "low_confidence" if coverage else "parts_only"
        return self._say(key, share=f"{coverage:.4g}")

    def _notes(self) -> list[str]:
        found = self._result
        notes = [self.confidence()]
        if found.found.is_outdated:
            notes.append(self._surface.text("outdated_index", command=self._surface.upkeep_line))
        limit = self._question.limit
        if limit.was_changed:
            notes.append(self._say("clamped", asked=limit.asked, used=limit.value))
        if found.stale:
            notes.append(self._say("stale", ids=self._surface.ids(sorted(found.stale))))
        if found.vanished:
            notes.append(self._say("vanished", count=found.vanished))
        return [note for note in [*notes, *self._sync_notes()] if note]

    def _sync_notes(self) -> list[str]:
        sync = self._result.sync
        notes: list[str] = []
        if sync.is_busy:
            notes.append(self._say("busy"))
        if sync.unchecked:
            notes.append(self._say("unchecked", count=sync.unchecked))
        if sync.is_cut:
            notes.append(self._say("unlisted"))
        if sync.unreachable:
            notes.append(self._say("unreachable", names=one_line(", ".join(sync.unreachable), 200)))
        return notes

    # --- the hits ---

    def _mask(self, text: str) -> str:
        return masked(text) if self._is_masking else text

    def _line(self, hit: Hit, grade: Grade, width: int) -> str:
        row = hit.row
        head = f"{self._surface.id(row.number)} {row.kind} {one_line(self._mask(row.ref), REF_CHARACTERS)}"
        parts = [head, one_line(self._mask(row.title), TITLE_CHARACTERS), row.changed[:10]]
        if width:
            parts.append(self._snippet(hit, width))
        if grade.is_relaxed:
            parts.append(f"{grade.tier} {grade.coverage:.4g}" if grade.coverage else grade.tier)
        if row.state:
            parts.append(f"[{self._surface.text(f'vault.states.{row.state}')}]")
        elif row.source_state == "unreachable":
            parts.append(f"[{self._surface.text('vault.states.unreachable')}]")
        if hit.also_in:
            parts.append(self._also(hit.also_in))
        return " | ".join(part for part in parts if part)

    def _also(self, refs: Sequence[str]) -> str:
        shown = [one_line(self._mask(ref), REF_CHARACTERS) for ref in refs[:SHOWN_ALSO]]
        rest = len(refs) - SHOWN_ALSO
        return self._say("also_in", refs=", ".join([*shown, *([f"+{rest}"] if rest > 0 else [])]))

    def _snippet(self, hit: Hit, width: int) -> str:
        key = (hit.row.number, width)
        if key not in self._snippets:
            text = snippet(self._mask(hit.row.body), self._terms, width)
            self._snippets[key] = one_line(text, width)
        return self._snippets[key]

    def items(self) -> tuple[dict[str, object], ...]:
        """Return the hits as `--json` shows them."""
        return tuple(self._item(hit, grade) for hit, grade in self._pairs())

    def _item(self, hit: Hit, grade: Grade) -> dict[str, object]:
        row = hit.row
        return {
            "id": row.number,
            "ref": self._mask(row.ref),
            "path": self._mask(row.path),
            "title": self._mask(row.title),
            "kind": row.kind,
            "source": row.source,
            "agent": self._mask(row.agent),
            "score": round(hit.score, 6),
            "matched": grade.tier,
            "coverage": grade.coverage,
            "snippet": self._snippet(hit, SNIPPETS[0]),
            "created": row.created,
            "updated": row.updated,
            "invalid_at": row.invalid_at,
            "expires_at": row.expires,
            "state": row.state or ("unreachable" if row.source_state == "unreachable" else ""),
            "also_in": [self._mask(ref) for ref in hit.also_in],
        }

    def counts(self, listed: int) -> dict[str, object]:
        """Return what else `--json` tells."""
        result = self._result
        grades = result.grades[:listed]
        return {
            "query": self._mask(self._question.query),
            "count": listed,
            "total": max(result.found.total, listed),
            "tier": strictest(grade.tier for grade in grades),
            "confidence_note": self.confidence(),
            "as_of": self._question.as_of,
            "hidden": {reason: result.hidden[reason] for reason in HIDING if result.hidden.get(reason)},
            "unchecked": result.sync.unchecked,
            "unlisted": result.sync.is_cut,
            "notes": self._notes(),
            "tiers": dict(Counter(grade.tier for grade in grades)),
        }

    # --- nothing ---

    def empty(self) -> Answer:
        """Return why nothing was found."""
        query = one_line(self._mask(self._question.query), QUERY_CHARACTERS)
        lines = [" · ".join([self._say("none", query=query), self._stock(), *self._hidden()])]
        if self._result.near:
            words = ", ".join(self._with_near(word, close) for word, close in self._result.near)
            lines.append(self._say("nowhere", words=words))
        lines += self._notes()
        lines.append(self._say("advice"))
        if any(term.is_run for term in self._terms):
            lines.append(self._say("not_folded"))
        kept: list[str] = []
        room = Room(SEARCH_CAP)
        spent = Cost()
        for line in lines:
            spent = total([*kept, line])
            if room.fits(spent):
                kept.append(line)
        counts = self.counts(0)
        counts["unknown"] = {word: list(close) for word, close in self._result.near}
        return Answer("\n".join(kept), counts=counts, is_empty=True)

    def _with_near(self, word: str, close: Sequence[str]) -> str:
        shown = one_line(word, 60)
        if not close:
            return shown
        return self._say("near", word=shown, words=", ".join(one_line(item, 60) for item in close))
