"""What was wanted before the first run beside what was measured."""

from collections.abc import Iterable
from dataclasses import dataclass

from messung.report import table

TOO_SMALL = "not judged: too small a run"
NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Verdict:
    """One goal, what was measured, and whether that reaches it; None = it was not measured."""

    wanted: str
    measured: str
    is_reached: bool | None
    is_judged: bool = True

    @property
    def word(self) -> str:
        """The verdict in a word."""
        if self.is_reached is None:
            return "-"
        if not self.is_judged:
            return TOO_SMALL
        return "reached" if self.is_reached else "missed"


def at_most(wanted: str, value: float | None, most: float, unit: str, *, is_judged: bool = True) -> Verdict:
    """Return the verdict on a figure that must not be above *most*; None = not measured."""
    if value is None:
        return Verdict(wanted, NOT_MEASURED, None)
    return Verdict(wanted, f"{value:.3g} {unit}", value <= most, is_judged)


def verdict_table(verdicts: Iterable[Verdict]) -> str:
    """Return the table of verdicts."""
    return table(["wanted", "measured", ""], [[item.wanted, item.measured, item.word] for item in verdicts])
