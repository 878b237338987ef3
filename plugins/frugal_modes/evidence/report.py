"""What an import did, in numbers."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class LoadReport:
    """Counts of one import.

    *unchanged* are messages that stayed as they were; *ignored* records were older than what is stored; *repeated* ones
    had a key that the source had used before; *pruned* messages are gone from the source and so from the corpus,
    *prunable* ones would go; *zoneless* times came without a zone. *unknown* names fields that are not read. Versions
    are those of the one corpus, *label_before* is the source of the import before, "" if this is the first.
    """

    read: int = 0
    inserted: int = 0
    updated: int = 0
    unchanged: int = 0
    ignored: int = 0
    repeated: int = 0
    deleted: int = 0
    pruned: int = 0
    prunable: int = 0
    zoneless: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    repaired: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    label_before: str = ""
    version_before: str = ""
    version_after: str = ""
    is_dry: bool = False
