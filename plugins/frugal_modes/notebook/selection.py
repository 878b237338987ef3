"""Which series a reader asked for: by pattern, project, status; without any, what is open or moved lately."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from frugal.api import Connection, Surface, echo
from frugal_modes.notebook.keys import fold, glob_of
from frugal_modes.notebook.moments import Moments
from frugal_modes.notebook.vocabulary import STATUSES, Word, of_code

RECENT_DAYS = 14

WHERE = """
    (:glob_key = '' OR s.folded GLOB :glob_key) AND (:glob_short = '' OR s.short GLOB :glob_short)
    AND (:project = '' OR s.project = :project)
    AND (:statuses = '' OR s.status IN (SELECT value FROM json_each(:statuses)))
"""
IS_CURRENT = """
    (:recent = '' OR s.status IN ('planned', 'running', 'paused')
        OR (s.status = 'evaluated' AND s.moved_at >= :recent))
"""
COUNTS = f"SELECT s.status, count(*), total({IS_CURRENT}) FROM series AS s WHERE {WHERE} GROUP BY s.status"
PROJECTS = "SELECT min(key) FROM series GROUP BY project ORDER BY max(moved_event) DESC LIMIT 8"


@dataclass(frozen=True)
class Selection:
    """The series asked for; *has_all* shows closed ones of any age as well."""

    pattern: str = ""
    project: str = ""
    statuses: tuple[Word, ...] = ()
    search: str = ""
    has_all: bool = False

    @property
    def shows_every_match(self) -> bool:
        """Whether closed series are shown however old: `all`, a status, a pattern or a search asks for them."""
        return self.has_all or bool(self.pattern or self.statuses or self.search)

    def parameters(self, moments: Moments) -> dict[str, str]:
        """Return the parameters of `WHERE` and `IS_CURRENT`; "" = no such filter."""
        glob = glob_of(self.pattern)
        return {
            "glob_key": glob if "/" in self.pattern else "",
            "glob_short": "" if "/" in self.pattern else glob,
            "project": fold(self.project),
            "statuses": json.dumps([word.code for word in self.statuses]) if self.statuses else "",
            "recent": "" if self.shows_every_match else moments.before(RECENT_DAYS),
        }

    def named(self, surface: Surface, **more: object) -> str:
        """Write the call for the same selection with *more* arguments changed or added; None leaves one out."""
        given: dict[str, object] = {}
        if self.pattern:
            given["key"] = self.pattern
        if self.project:
            given["project"] = self.project
        if self.statuses:
            given["status"] = ",".join(word.shown(surface.language) for word in self.statuses)
        if self.search:
            given["search"] = self.search
        if self.has_all:
            given["all"] = True
        given.update(more)
        return surface.call("series", **{name: value for name, value in given.items() if value is not None})

    def described(self, surface: Surface) -> str:
        """Return the filters for a header, each echoed shortly."""
        parts = []
        for name, value in (("key", self.pattern), ("project", self.project), ("search", self.search)):
            if value:
                parts.append(f'{surface.parameter_word("series", name)} "{echo(value)}"')
        if self.statuses:
            parts.append(", ".join(word.shown(surface.language) for word in self.statuses))
        if not self.shows_every_match:
            parts.append(surface.text("list.current", days=RECENT_DAYS))
        return "; ".join(parts)


@dataclass(frozen=True)
class Counts:
    """How many series match, and how many of them are shown, by status."""

    matching: Mapping[str, int]
    shown: Mapping[str, int]

    @property
    def total(self) -> int:
        """All that are shown."""
        return sum(self.shown.values())

    def hidden(self, surface: Surface) -> list[str]:
        """Return what is not shown: `5 evaluated`, in the order of the statuses."""
        parts = []
        for word in STATUSES:
            count = self.matching.get(word.code, 0) - self.shown.get(word.code, 0)
            if count:
                parts.append(f"{count} {word.shown(surface.language)}")
        return parts


def count(db: Connection, selection: Selection, moments: Moments) -> Counts:
    """Return the counts of *selection*."""
    rows = db.execute(COUNTS, selection.parameters(moments)).fetchall()
    return Counts(
        {code: int(matching) for code, matching, _ in rows},
        {of_code(STATUSES, code).code: int(shown) for code, _, shown in rows},
    )


def known_projects(db: Connection) -> list[str]:
    """Return up to eight projects as first written, the last moved first."""
    return [str(row[0]).split("/", maxsplit=1)[0] for row in db.execute(PROJECTS)]
