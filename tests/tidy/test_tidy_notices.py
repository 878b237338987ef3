"""remember points out what makes a memory untidy: long texts, chronicles, drifting tags. And keeps its cap."""

import pytest
import strategies as hostile
from hypothesis import given, settings
from hypothesis import strategies as st

from frugal import budget

DATED = "2026-11-02 we met and talked. " + "x " * 200


# Length and chronicle


@pytest.mark.parametrize(("length", "is_named"), [(900, False), (901, True)])
def test_a_long_text_is_named_with_its_length(desk, length, is_named):
    answer = desk("remember", text="y" * length, kind="decision")

    assert (f"{length} " in answer) is is_named
    assert ("600" in answer) is is_named


CHRONICLE = ("This looks like a chronicle", "Das sieht nach einer Chronik aus")


@pytest.mark.parametrize(
    ("text", "kind", "is_named"),
    [
        (DATED, "decision", True),
        ("*" + DATED, "decision", True),
        ("**" + DATED, "unsorted", True),
        (DATED, "history", False),
        (DATED[:400], "decision", False),
        ("On " + DATED, "decision", False),
        (DATED.replace("2026", "1926"), "decision", False),
    ],
)
def test_a_dated_report_is_called_a_chronicle(desk, text, kind, is_named):
    answer = desk("remember", text=text, kind=kind)

    assert (CHRONICLE[0 if desk.is_english else 1] in answer) is is_named


# Tags


def notices(answer: str) -> list[str]:
    """Return the lines about tags."""
    return [
        line
        for line in answer.splitlines()
        if line.startswith(("New tag", "Tag ", "The tag", "Neue Marke", "Marke ", "Die Marke"))
    ]


def test_a_new_tag_is_called_new(desk):
    assert notices(desk("remember", text="a fact", tags="lighthouse")) == [
        "New tag: lighthouse." if desk.is_english else "Neue Marke: lighthouse."
    ]


def test_a_new_tag_beside_one_that_it_continues_names_that_one(desk):
    for number in range(4):
        desk.store(f"fact {number}", tags="shop")

    (line,) = notices(desk("remember", text="another", tags="shop-web"))

    assert "shop-web" in line
    assert "shop (4)" in line


def test_a_new_tag_beside_one_that_is_spelled_like_it_names_that_one(desk):
    for number in range(2):
        desk.store(f"fact {number}", tags="lighthouse")

    (line,) = notices(desk("remember", text="another", tags="lighthose"))

    assert "lighthouse (2)" in line


def test_a_rare_tag_is_worded_apart_from_a_new_one(desk):
    for number in range(3):
        desk.store(f"fact {number}", tags="lighthouse")
    new = notices(desk("remember", text="one", tags="lighthose"))

    rare = notices(desk("remember", text="two", tags="lighthose"))

    assert new
    assert rare
    assert new != rare
    assert "1" in rare[0]
    assert "lighthouse (3)" in rare[0]


def test_a_tag_on_three_entries_is_not_looked_at(desk):
    for number in range(3):
        desk.store(f"fact {number}", tags="shop-web")
    for number in range(9):
        desk.store(f"thing {number}", tags="shop")

    assert notices(desk("remember", text="another", tags="shop-web")) == []


def test_a_rare_tag_without_a_busier_neighbour_is_not_named(desk):
    desk.store("one", tags="harbour")

    assert notices(desk("remember", text="two", tags="harbour")) == []


def test_tags_of_one_new_entry_are_no_neighbours_of_each_other(desk):
    answer = desk("remember", text="one", tags="shop, shop-web")

    assert not any("(" in line for line in notices(answer))


@pytest.mark.parametrize("tag", ["pitfall", "fallstrick", "Entscheidung"])
def test_a_kind_word_as_a_tag_is_named_every_time_and_stays(desk, tag):
    for number in range(5):
        answer = desk("remember", text=f"fact {number}", tags=tag)

    assert len(notices(answer)) == 1
    assert f'{desk.name("kind")}="' in notices(answer)[0]
    assert desk.rows("SELECT count(*) FROM entry_tag") == [(5,)]


def test_an_entry_stored_again_is_told_of_its_new_tags_only(desk):
    desk.store("one", tags="harbour")

    assert len(notices(desk("remember", text="one", tags="harbour, lighthouse"))) == 1


def test_at_most_five_notices(desk):
    answer = desk("remember", text="one", tags="alpha bravo charlie delta echo foxtrot golf")

    assert len(notices(answer)) == 5


def test_only_live_entries_count(desk):
    for number in range(4):
        desk.store(f"fact {number}", tags="lighthouse")
    desk("forget", ids="1-4")

    assert notices(desk("remember", text="another", tags="lighthose")) == [
        "New tag: lighthose." if desk.is_english else "Neue Marke: lighthose."
    ]


# The cap


@settings(max_examples=25)
@given(
    stored=st.lists(st.tuples(hostile.texts(longest=3_000), hostile.tags(most=6)), min_size=1, max_size=6),
    text=hostile.texts(longest=3_000),
    tags=hostile.tags(),
    supersedes=hostile.id_lists(most=60),
)
def test_an_answer_never_exceeds_its_cap(open_desk, tmp_path_factory, stored, text, tags, supersedes):
    desk = open_desk("de", file=f"{tmp_path_factory.mktemp('cap')}/memory.db")
    for old, old_tags in stored:
        desk.reply("remember", text=old, tags=old_tags)

    reply = desk.reply("remember", text=text, tags=tags, supersedes=supersedes)

    cost = budget.cost(reply.text)
    assert cost.characters <= 2_400
    assert cost.size_bytes + budget.FRAME_BYTES <= 6 * 1024
    if not reply.is_error:
        assert reply.text.startswith(("Gespeichert: #", "Schon gespeichert: #"))


def test_what_does_not_fit_is_counted_and_similar_entries_are_named_with_their_call(desk):
    wide = " ".join(f"连接池设备标签数据库{number}" for number in range(12))
    tags = " ".join(f"{number}连接池" + "设备标签数据库" * 8 for number in range(9))
    for number in range(8):
        desk.store(f"{wide} {number}", tags=tags.replace("标签", "标"), kind="decision")
    text = f"2026-11-02 {wide} " + "多 " * 500 + "AKIAIOSFODNN7ABCDEFG " * 6
    twin = desk.store(text)
    desk("forget", ids=f"1-4,{twin}", reason="because " * 20)

    answer = desk(
        "remember",
        text=text,
        tags=tags,
        supersedes=",".join(["1-4", *(str(number) for number in range(1000, 1190, 2))]),
    )

    last = answer.splitlines()[-1]
    assert len(answer.encode()) <= 6 * 1024
    assert last.startswith("[")
    assert desk.name("show") + '("' in last
