"""Which of several entries with one text is which."""

from frugal.entries.transfer.matching import UNKNOWN, Plan, Twin, plan


def live(number: int, created: str) -> Twin:
    return Twin(number, created, True, created)


def hidden(number: int, created: str, since: str) -> Twin:
    return Twin(number, created, False, since)


def planned(theirs, ours) -> Plan:
    return plan([(theirs, ours)])


def test_text_that_ours_lacks_is_new():
    assert planned([live(7, "05")], []) == Plan({}, {}, (7,))


def test_live_ones_are_one():
    assert planned([live(7, "05")], [live(1, "03")]).known == {7: 1}


def test_copies_of_one_entry_are_known_by_their_creation_whatever_became_of_them():
    theirs, ours = [hidden(7, "03", "04"), live(8, "06")], [live(1, "03")]

    assert planned(theirs, ours) == Plan({7: 1}, {}, (8,))


def test_entry_hidden_after_the_other_was_stored_is_the_same():
    assert planned([live(7, "03")], [hidden(1, "01", "05")]).known == {7: 1}
    assert planned([hidden(7, "01", "05")], [live(1, "03")]).known == {7: 1}


def test_text_stored_again_after_it_was_hidden_is_another_entry():
    assert planned([live(7, "06")], [hidden(1, "01", "05")]).new == (7,)
    assert planned([hidden(7, "01", "05")], [live(1, "06")]).new == (7,)


def test_hidden_ones_are_one():
    assert planned([hidden(7, "01", "02")], [hidden(1, "03", "04")]).known == {7: 1}


def test_entry_hidden_nobody_knows_when_is_the_same_as_a_live_one():
    assert planned([live(7, "06")], [hidden(1, "01", UNKNOWN)]).known == {7: 1}


def test_surplus_of_live_copies_is_no_further_entry():
    assert planned([live(7, "01"), live(8, "02")], []) == Plan({}, {8: 7}, (7,))
    assert planned([live(7, "01"), live(8, "02")], [live(1, "01")]) == Plan({7: 1, 8: 1}, {}, ())


def test_surplus_of_hidden_copies_is_history_and_stays():
    assert planned([hidden(7, "01", "02"), hidden(8, "03", "04")], []).new == (7, 8)


def test_later_state_outlives_and_of_one_moment_the_hidden_one():
    assert hidden(7, "01", "05").outlives(live(1, "03"))
    assert not hidden(7, "01", "05").outlives(live(1, "06"))
    assert hidden(7, "01", "05").outlives(live(1, "05"))
    assert not live(1, "05").outlives(hidden(7, "01", "05"))
