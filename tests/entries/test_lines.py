"""Hit lines, titles, notes and the full form."""

import pytest


def hit(memory, entry: int = 1, query: str = "word", **arguments: object) -> str:
    """Return the hit line of an entry."""
    arguments = {"kind": "all", "include_superseded": True, **arguments}
    lines = memory("recall", query=query, **arguments).splitlines()
    return next(line for line in lines if line.startswith(f"#{entry} "))


def test_hit_line_has_id_kind_date_title_and_tags(memory):
    memory.store("word one", kind="pitfall", tags="shop sqlite")

    assert hit(memory) == f"#1 [{memory.kind('pitfall')}] 2026-11-02 word one (shop, sqlite)"


def test_unsorted_entry_has_no_kind_in_its_hit_line(memory):
    memory.store("word one")

    assert hit(memory) == "#1 2026-11-02 word one"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("word\n\n  two\tthree", "word two three"),
        ("word\x07two", "word two"),
        ("## word two", "word two"),
        ("**word with a bold headline** and details", "word with a bold headline"),
        ("**word** and details", "word and details"),
        ("# **word with a bold headline** and details", "word with a bold headline"),
    ],
)
def test_title_is_one_line_without_leading_marks(memory, text, title):
    memory.store(text)

    assert hit(memory) == f"#1 2026-11-02 {title}"


def test_long_title_is_cut_at_a_space_with_three_dots(memory):
    memory.store("word " + "abcdefghi " * 20)

    title = hit(memory).removeprefix("#1 2026-11-02 ")
    assert title == "word " + " ".join(["abcdefghi"] * 9) + "..."


def test_cut_title_leaves_trailing_marks_off(memory):
    memory.store("word " + "abcdefgh, " * 20)

    assert hit(memory).endswith("abcdefgh...")


def test_title_without_a_late_space_is_cut_at_100_characters(memory):
    memory.store("word " + "x" * 200)

    assert hit(memory) == "#1 2026-11-02 word " + "x" * 95 + "..."


def test_title_in_topics_has_76_characters(memory):
    memory.store("word " + "x" * 200)

    assert memory("topics", tag="-").splitlines()[1] == "#1 2026-11-02 word " + "x" * 71 + "..."


def test_tags_take_28_characters_and_the_rest_is_counted(memory):
    memory.store("word", tags="alpha beta gamma delta epsilon")

    shown = hit(memory).split("(")[1].removesuffix(")")
    assert shown == "alpha, beta, gamma, +2"
    assert len(shown) <= 28


def test_first_tag_too_long_for_the_line_is_cut(memory):
    memory.store("word", tags=["x" * 64, "y"])

    shown = hit(memory).split("(")[1].removesuffix(")")
    assert shown.startswith("xxx")
    assert shown.endswith("+1")
    assert len(shown) <= 28


def test_note_names_successor(memory):
    memory.store("word one")
    memory.store("word two", supersedes="1")

    assert hit(memory).endswith(f"{{{memory.say('by', id='#2')}}}")


def test_note_without_successor_names_the_reason(memory):
    memory.store("word one")
    memory("forget", ids="1", reason="was wrong")

    assert hit(memory).endswith(f"{{{memory.say('alone')}: was wrong}}")


def test_note_has_at_most_40_characters(memory):
    memory.store("word one")
    memory("forget", ids="1", reason="r" * 300)

    note = hit(memory).split("{")[1].removesuffix("}")
    assert len(note) == 40
    assert note.endswith("...")


def test_piece_of_a_memo_says_which(memory):
    for text in ("word one", "two", "three"):
        memory.store(text)
    memory.make_memo([1, 2, 3])

    assert hit(memory).endswith(f"{{{memory.say('piece', position=1, pieces=3, span='#1-#3')}}}")


def test_full_form_has_every_tag_time_and_length(memory):
    tags = ["alpha", "beta", "gamma", "delta", "epsilon"]
    memory.store("word one", kind="pitfall", tags=tags)

    head = f"#1 [{memory.kind('pitfall')}] 2026-11-02 10:14Z ({', '.join(tags)}), "
    assert memory("show", ids="1") == head + memory.say("characters", count=8) + "\nword one"


def test_full_form_of_an_unsorted_entry_says_so(memory):
    memory.store("word one")

    head = f"#1 [{memory.kind('unsorted')}] 2026-11-02 10:14Z, " + memory.say("characters", count=8)
    assert memory("show", ids="1").splitlines()[0] == head


def test_full_form_has_the_whole_reason_on_its_head_line(memory):
    memory.store("word one")
    memory("forget", ids="1", reason="r" * 300)

    assert memory("show", ids="1").splitlines()[0].endswith(f"{{{memory.say('alone')}: {'r' * 300}}}")


def test_text_stands_as_stored_on_the_next_line(memory):
    memory.store("  word\r\n\ttwo ")

    assert memory("show", ids="1").split("\n", 1)[1] == "  word\r\n\ttwo "


def test_one_blank_line_stands_between_entries(memory):
    memory.store("one")
    memory.store("two")

    assert "\none\n\n#2 " in memory("show", ids="1,2")


def test_numbers_are_printed_without_separators(memory):
    memory.store("x" * 12_345)

    assert memory.say("characters", count=12345) in memory("show", ids="1")
