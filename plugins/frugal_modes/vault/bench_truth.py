"""What a bench knows to be right: queries, and the cards that are acceptable answers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from frugal.api import Connection, UsageError, shown_path
from frugal_modes.vault import shelf

NO_GROUP = "-"
LOWEST_GRADE, HIGHEST_GRADE = 1, 3


@dataclass(frozen=True)
class Asked:
    """One query; *acceptable* are refs or vault paths with their grades, none at all = rightly empty."""

    query: str
    acceptable: Mapping[str, int]
    group: str = NO_GROUP
    kind: str = ""
    source: str = ""

    @property
    def is_rightly_empty(self) -> bool:
        """Whether nothing should be found."""
        return not self.acceptable


@dataclass(frozen=True)
class Truth:
    """Every query with the numbers of its acceptable cards; *unknown* refs name nothing in this index."""

    asked: tuple[Asked, ...]
    grades: tuple[Mapping[int, int], ...] = ()
    unknown: tuple[str, ...] = field(default=())

    @property
    def digest(self) -> str:
        """A hash of what was asked and what is right."""
        rows = [
            [item.query, sorted(item.acceptable.items()), item.group, item.kind, item.source]
            for item in self.asked
        ]
        return blake2b(json.dumps(rows, ensure_ascii=False).encode(), digest_size=8).hexdigest()


def read_truth(path: Path) -> Truth:
    """Return the queries of *path*, an object with `queries` or a bare list; raise `UsageError` for anything else."""
    try:
        parsed = json.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise UsageError("bench_truth_missing", path=shown_path(path)) from None
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError("bench_truth_unreadable", path=shown_path(path), reason=str(error)[:120]) from None
    rows = parsed.get("queries") if isinstance(parsed, dict) else parsed
    if not isinstance(rows, list) or not rows:
        raise UsageError("bench_truth_unreadable", path=shown_path(path), reason="queries")
    return Truth(tuple(_asked(path, row, number) for number, row in enumerate(rows, 1)))


def _asked(path: Path, row: Any, number: int) -> Asked:
    acceptable = row.get("acceptable") if isinstance(row, dict) else None
    query = row.get("query") if isinstance(row, dict) else None
    is_sound = isinstance(query, str) and query.strip() and isinstance(acceptable, list)
    if not is_sound or not all(isinstance(ref, str) for ref in acceptable or ()):
        raise UsageError("bench_truth_unreadable", path=shown_path(path), reason=f"queries[{number}]")
    given = row.get("grades") or {}
    grades = {ref: _grade(path, given.get(ref, LOWEST_GRADE), number) for ref in acceptable or ()}
    words = {name: str(row.get(name) or "") for name in ("group", "kind", "source")}
    return Asked(str(query), grades, words["group"] or NO_GROUP, words["kind"], words["source"])


def _grade(path: Path, grade: Any, number: int) -> int:
    if isinstance(grade, bool) or not isinstance(grade, int) or not LOWEST_GRADE <= grade <= HIGHEST_GRADE:
        raise UsageError("bench_truth_unreadable", path=shown_path(path), reason=f"queries[{number}].grades")
    return grade


def resolved(db: Connection, truth: Truth) -> Truth:
    """Return *truth* with the numbers of the acceptable cards; a number is no ref, for it means another card elsewhere."""
    numbers: dict[str, int | None] = {}
    for ref in {ref for item in truth.asked for ref in item.acceptable}:
        known = None if ref.lstrip("#").isdecimal() else shelf.find(db, ref)
        numbers[ref] = known.number if known and known.state != "gone" else None
    grades = tuple(
        {number: grade for ref, grade in item.acceptable.items() if (number := numbers[ref]) is not None}
        for item in truth.asked
    )
    unknown = tuple(sorted(ref for ref, number in numbers.items() if number is None))
    return Truth(truth.asked, grades, unknown)
