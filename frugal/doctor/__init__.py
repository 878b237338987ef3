"""The doctor: looks at every file and at what surrounds it, says what it finds, and touches nothing."""

from frugal.doctor.files import examine_file
from frugal.doctor.items import Item, State
from frugal.doctor.surroundings import examine_surroundings

__all__ = ["Item", "State", "examine_file", "examine_surroundings"]
