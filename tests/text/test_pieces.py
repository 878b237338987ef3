"""Notes cut into pieces: nothing lost, nothing torn, sizes worth an entry."""

import pytest

from frugal.text.graphemes import is_boundary
from frugal.text.pieces import index_pieces, split, tag_of_file

SENTENCE = "The valve of the north wing opens when the sensor reads more than it should. "
FENCE = "```python\n" + "x = 1\n\n" * 20 + "```"


def texts(body: str) -> list[str]:
    return [piece.text for piece in split(body)]


def chains(body: str) -> list[int | None]:
    return [piece.chain for piece in split(body)]


def ink(text: str) -> str:
    return "".join(text.split())


# Blank lines, short pieces


def test_body_is_cut_at_blank_lines() -> None:
    first, second = "a" * 40, "B" * 40 + "\nC"

    assert texts(f"\n\n{first}\n \t\n\n{second}\n\n") == [first, second]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_counts(end: str) -> None:
    first, second = "a" * 40 + end + "b", "C" * 40

    assert texts(first + end + end + second + end) == [first, second]


def test_single_line_end_of_two_characters_is_no_blank_line() -> None:
    assert len(texts("a" * 40 + "\r\n" + "B" * 40)) == 1


def test_short_piece_is_joined_to_the_next_one() -> None:
    text = "A" * 40

    assert texts(f"# Head\n\n## Sub\n\n{text}\n\n{text}") == [f"# Head\n\n## Sub\n\n{text}", text]


def test_last_short_piece_is_joined_to_the_previous_one() -> None:
    text = "A" * 40

    assert texts(f"{text}\n\n{text}\n\nend") == [text, f"{text}\n\nend"]


def test_piece_of_39_characters_is_short_and_one_of_40_is_not() -> None:
    text = "A" * 60

    assert len(texts("b" * 39 + "\n\n" + text)) == 1
    assert len(texts("b" * 40 + "\n\n" + text)) == 2


def test_only_piece_may_be_short_and_blank_body_has_none() -> None:
    assert texts("hi") == ["hi"]
    assert texts(" \n\t\n\u2028\f\n") == []
    assert texts("") == []


def test_indentation_of_the_first_line_is_kept() -> None:
    code = "    four = blanks(of, code)\n    more = of(it, and, that)"

    assert texts(f"{'A' * 40}\n\n{code}") == ["A" * 40, code]


# Fences


@pytest.mark.parametrize("mark", ["```", "~~~", "````", "~~~~~"])
def test_blank_lines_inside_a_fence_do_not_cut(mark: str) -> None:
    fence = f"{mark}sh\necho {'a' * 40}\n\n``\n\necho b\n{mark}"

    assert texts(f"{'A' * 40}\n\n{fence}\n\n{'B' * 40}") == ["A" * 40, fence, "B" * 40]


def test_shorter_or_other_mark_does_not_close_a_fence() -> None:
    fence = "````\n```\n\n~~~~\n\n" + "x" * 40 + "\n````"

    assert texts(f"{fence}\n\n{'B' * 40}") == [fence, "B" * 40]


def test_open_fence_reaches_to_the_end() -> None:
    fence = "```\n" + "x" * 40 + "\n\n" + "y" * 40

    assert texts(f"{'A' * 40}\n\n{fence}") == ["A" * 40, fence]


def test_open_fence_inside_a_list_item_swallows_nothing() -> None:
    first = "- ```sh\n  " + "x" * 40

    assert texts(f"{first}\n\n{'y' * 40}") == [first, "y" * 40]


def test_fence_inside_a_list_item_stays_whole() -> None:
    item = "1. Do this:\n\n    ```sh\n    " + "x" * 40 + "\n\n    y\n    ```"

    assert texts(f"{item}\n\n{'B' * 40}") == [item, "B" * 40]


def test_inline_code_with_three_marks_opens_no_fence() -> None:
    line = "```not a fence``` " + "x" * 40

    assert texts(f"{line}\n\n{'y' * 40}") == [line, "y" * 40]


def test_quoted_fence_ends_with_its_quote() -> None:
    quote = "> ```\n> " + "x" * 40

    assert texts(f"{quote}\n\n{'B' * 40}\n\n```\n{'c' * 40}\n```") == [
        quote,
        "B" * 40,
        f"```\n{'c' * 40}\n```",
    ]


def test_fence_that_fits_is_never_cut() -> None:
    fence = "```\n" + "line of code;\n" * 80 + "```"
    assert len(fence) <= 1200

    for before in range(0, 1300, 50):
        body = "word " * (before // 5) + "\n" + fence + "\n" + SENTENCE * 10

        assert any(fence in text for text in texts(body))


def test_fence_that_does_not_fit_is_cut_at_a_line() -> None:
    fence = "```\n" + "line of code, and. more;\n" * 100 + "```"

    assert all(text.startswith(("```", "line")) and len(text) <= 1200 for text in texts(fence))


# Long paragraphs


def test_paragraph_of_1200_characters_stays_whole() -> None:
    assert len(texts("a b " * 300)) == 1
    assert len(texts("a b " * 300 + "cd")) == 2


@pytest.mark.parametrize(
    ("body", "first_end"),
    [
        ("One sentence. And; more, words " * 20 + "\n" + "One sentence. And; more, words " * 30, "words"),
        ("One sentence is here. And; more, words " * 40, "here."),
        ("No sentence here; more, words " * 50, "here;"),
        ("Nothing but a comma, and words " * 50, "comma,"),
        ("nothing but words here " * 60, ("words", "here", "nothing", "but")),
        ("Er sagt: „Es geht.“ Dann geht er doch; und, ja " * 40, "geht.“"),
        ("数据库连接池的最大值是二十。" * 100, "。"),
        ("数据库连接池的最大值是二十；" * 100, "；"),
        ("数据库连接池的最大值，是二十" * 100, "，"),
    ],
)
def test_cut_is_at_a_line_a_sentence_a_semicolon_a_comma_in_this_order(
    body: str, first_end: str | tuple[str, ...]
) -> None:
    first, *rest = texts(body)

    assert first.endswith(first_end)
    assert rest
    assert ink("".join([first, *rest])) == ink(body)


@pytest.mark.parametrize(
    "stop",
    [
        "Dr. Meyer", "z. B. Zement", "z.B. Zement", "d. h. Holz", "ca. Zehn", "vgl. Seite", "Nr. Eins", "e.g. Paris",
        "i.e. Rome", "J. Smith", "am 3. Mai", "um 12. Uhr", "Ludwig XIV. Straße", "usw. Alles", "St. Gallen", "Mr. Kim",
        "3. Januar", "etc. Then", "U.S. Army", "Prof. Dr. Roth", "... and on", "Fig. Two", "no. and",
    ],
)  # fmt: skip
def test_abbreviation_initial_or_number_ends_no_sentence(stop: str) -> None:
    body = f"word {stop} word, " * 90

    assert all(text.endswith("word,") for text in texts(body))


@pytest.mark.parametrize(
    "end", ["it stops. Now", "it stops! Now", "it stops? “Now", "it stops.) Now", "it **stops.** Now"]
)
def test_sentence_ends_at_its_mark_and_what_closes_behind_it(end: str) -> None:
    first, *_ = texts(f"word {end} word, " * 90)

    assert first.endswith(end.rpartition(" ")[0])


def test_no_side_of_a_cut_is_short() -> None:
    for length in range(1190, 1300):
        pieces = split("a. B " * (length // 5) + "c" * (length % 5))

        assert all(40 <= len(piece.text) <= 1200 for piece in pieces)


@pytest.mark.parametrize(
    "cluster", ["e\u0301", "👨\u200d👩\u200d👧\u200d👦", "🇩🇪", "👍🏽", "각", "नि", "1\ufe0f\u20e3", "\r\n"]
)
def test_cut_never_tears_a_character(cluster: str) -> None:
    for shift in range(len(cluster)):
        body = "x" * shift + cluster * 1500

        assert all(is_boundary(body, piece.start) and is_boundary(body, piece.end) for piece in split(body))


def test_text_without_any_place_to_cut_is_cut_all_the_same() -> None:
    assert [len(text) for text in texts("x" * 5000)] == [1200, 1200, 1200, 1200, 200]
    assert [len(text) for text in texts("x" * 1210)] == [1170, 40]


# Chains


def test_pieces_of_one_cut_paragraph_are_a_chain() -> None:
    assert chains(f"{'A' * 50}\n\n{SENTENCE * 40}\n\n{'B' * 50}") == [None, 1, 1, 1, None]


@pytest.mark.parametrize("end", ["and", "and,", "and -", "(and)", "`and`"])
@pytest.mark.parametrize("start", ["then it goes on", "über alles", ") closes", "] closes", "）关闭"])
def test_neighbours_are_a_chain_where_a_sentence_goes_on(end: str, start: str) -> None:
    assert chains(f"{'A' * 50} {end}\n\n{start} {'b' * 50}.") == [1, 1]


@pytest.mark.parametrize(
    "end", ["end.", "end!", "end?", "end:", "end;", "end…", "end。", "end.”", "end.**", "(end.)"]
)
def test_final_punctuation_ends_a_chain(end: str) -> None:
    assert chains(f"{'A' * 50} {end}\n\nthen {'b' * 50}.") == [None, None]


@pytest.mark.parametrize("start", ["Then", "- then", "# then", "1. then", "(then", "```", "然后", "> then"])
def test_new_beginning_begins_no_chain(start: str) -> None:
    assert chains(f"{'A' * 50}\n\n{start} {'b' * 50}.") == [None, None]


def test_chains_are_numbered_from_one_and_do_not_touch() -> None:
    on, new = "a" * 50, "B" * 50

    assert chains(f"{new}\n\n{on}\n\n{new}\n\n{on}\n\n{on}.\n\n{new}.\n\n{on}") == [1, 1, 2, 2, 2, None, None]


# The index file


def test_index_gives_one_piece_a_list_line_with_the_linked_file_as_tag() -> None:
    text = (
        '# Memory\n\n- [User role](user_role.md) — a data scientist\n- [Deep](sub/dir%20note.md#part "t")\n'
        "  goes on here\n* plain\n\n+ [[wiki note|shown]]\n1. [link](https://host.test/a.md)\n  - [x](<a b.MD>)\n"
    )

    assert [(piece.tag, piece.text) for piece in index_pieces(text)] == [
        ("user_role", "# Memory\n\n- [User role](user_role.md) — a data scientist"),
        ("dir-note", '- [Deep](sub/dir%20note.md#part "t")\n  goes on here'),
        ("index", "* plain"),
        ("wiki-note", "+ [[wiki note|shown]]"),
        ("index", "1. [link](https://host.test/a.md)"),
        ("a-b", "  - [x](<a b.MD>)"),
    ]
    assert {piece.chain for piece in index_pieces(text)} == {None}


def test_other_text_of_an_index_is_kept() -> None:
    prose = "Prose that stands between the list lines of an index."
    text = f"- [a](a.md)\n\n{prose}\n\n```\n- no item\n```\n"

    assert [(piece.tag, piece.text) for piece in index_pieces(text)] == [
        ("a", "- [a](a.md)"),
        ("index", f"{prose}\n\n```\n- no item\n```"),
    ]


def test_index_without_list_lines_is_one_piece() -> None:
    assert [(piece.tag, piece.text) for piece in index_pieces("# Memory\n")] == [("index", "# Memory")]


def test_over_long_list_line_becomes_a_chain_under_one_tag() -> None:
    pieces = index_pieces(f"- [a](a.md) {SENTENCE * 30}\n- b")

    assert [(piece.tag, piece.chain) for piece in pieces] == [("a", 1), ("a", 1), ("index", None)]


def test_tag_of_a_file_is_its_stem_with_hyphens() -> None:
    assert tag_of_file("notes/My great, note.md") == "My-great-note"
    assert tag_of_file("v1.2.md") == "v1.2"
