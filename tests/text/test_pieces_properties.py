"""What holds for every body: nothing lost, sizes kept, chains in order, linear time; over generated Markdown."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal.text.graphemes import is_boundary
from frugal.text.pieces import Piece, index_pieces, split

line_ends = st.sampled_from(["\n", "\n", "\r\n", "\r"])
words = st.sampled_from(
    ["word", "Word.", "z. B.", "e.g.", "3.", "end!", "(a", "b)", "]", "“so”", "a,", "b;", "数据库。", "连接池，",
     "しりとり", "끝말잇기", "👨\u200d👩\u200d👧", "🇩🇪🇫🇷", "e\u0301", "\u202e", "\ufeff", "\u200b", "\x00", "`x`",
     "**b**", "x" * 90, "http://h.test/a,b;c", "\u0301", "|", "---", "#", "```", "~~~"]
)  # fmt: skip
blanks = st.sampled_from(
    [" ", " ", " ", "  ", "\t", "\u00a0", "\u3000", "\f", "\v", "\u2028", "\u2029", "\x85", "\x1c"]
)
sentences = st.lists(st.tuples(words, blanks), min_size=1, max_size=12).map(
    lambda parts: "".join(a + b for a, b in parts)
)
long_lines = st.tuples(sentences, st.integers(1, 60)).map(lambda pair: pair[0] * pair[1])
prefixes = st.sampled_from(
    ["", "", "", "# ", "## ", "- ", "  - ", "    - ", "* ", "1. ", "> ", "> > ", "    ", "\t", "| a | "]
)
lines = st.tuples(prefixes, sentences | long_lines).map("".join)
fences = st.tuples(
    st.sampled_from(["", "", "  ", "    ", "- ", "> "]),
    st.sampled_from(["```", "````", "~~~", "~~~~"]),
    st.lists(sentences | long_lines | st.just(""), max_size=8),
    st.sampled_from(["```", "````", "~~~", "~~~~", ""]),
).map(
    lambda parts: "\n".join([parts[0] + parts[1] + "py", *parts[2], parts[0].replace("- ", "  ") + parts[3]])
)
table = st.just("| a | b |\n|---|---|\n| 1 | 2 |")
front_matter = st.just("---\ntitle: x\ntags: [a]\n---")
markdown = st.tuples(
    st.lists(st.tuples(lines | fences | table | front_matter, st.integers(1, 3)), max_size=14), line_ends
).map(lambda parts: "".join(text + "\n" * breaks for text, breaks in parts[0]).replace("\n", parts[1]))
bodies = markdown | st.text() | st.text(alphabet="a. \n\r`~-\u0301>")


def ink(text: str) -> str:
    return "".join(text.split())


def assert_lossless(body: str, pieces: tuple[Piece, ...]) -> None:
    assert all(piece.text == body[piece.start : piece.end] for piece in pieces)
    edges = [0, *(edge for piece in pieces for edge in (piece.start, piece.end)), len(body)]
    assert edges == sorted(edges)
    assert not "".join(body[end:start] for end, start in zip(edges[::2], edges[1::2], strict=True)).strip()
    assert ink("".join(piece.text for piece in pieces)) == ink(body)


@given(bodies)
def test_every_character_lies_in_exactly_one_piece(body: str) -> None:
    assert_lossless(body, split(body))


@given(bodies)
def test_every_character_of_an_index_lies_in_exactly_one_piece(body: str) -> None:
    assert_lossless(body, index_pieces(body))


@given(bodies)
def test_no_piece_is_empty_long_or_begins_with_a_blank_line(body: str) -> None:
    for piece in split(body):
        assert piece.text.strip()
        assert piece.text == piece.text.rstrip()
        assert len(piece.text) <= 1200
        assert piece.text == piece.text.lstrip("\r\n")


@given(bodies)
def test_short_piece_stands_alone_or_beside_a_fence(body: str) -> None:
    pieces = split(body)

    if len(pieces) > 1 and "```" not in body and "~~~" not in body:
        assert all(len(piece.text) >= 40 for piece in pieces)


@given(bodies)
def test_chains_are_runs_of_at_least_two(body: str) -> None:
    numbers = [piece.chain for piece in split(body)]

    known = [number for number in numbers if number is not None]
    assert known == sorted(known)
    assert set(known) == set(range(1, len(set(known)) + 1))
    assert all(known.count(number) > 1 for number in set(known))
    assert all(
        numbers[numbers.index(n) : numbers.index(n) + known.count(n)] == [n] * known.count(n)
        for n in set(known)
    )


@given(
    st.lists(sentences | long_lines, max_size=5),
    st.text("x \n", max_size=1100),
    st.lists(sentences, max_size=5),
)
def test_closed_fence_that_fits_lies_in_one_piece(before: list[str], code: str, behind: list[str]) -> None:
    fence = f"~~~~~~\n{code}\n~~~~~~"
    body = "\n".join([*(line.replace("~", "").replace("`", "") for line in before), "", fence, *behind])

    assert any(fence in piece.text for piece in split(body))


@given(bodies)
def test_pieces_begin_and_end_between_characters(body: str) -> None:
    for piece in split(body):
        if "\u0301" * 9 not in body:
            assert is_boundary(body, piece.start)
            assert is_boundary(body, piece.end)


HOSTILE = [
    "\n" * 200_000,
    " \n" * 100_000,
    "\r" * 200_000,
    "a" * 200_000,
    ". " * 100_000,
    "a. " * 70_000,
    "e\u0301" * 100_000,
    "\u0301" * 200_000,
    "🇩" * 200_000,
    "```\n" * 50_000,
    "    ```x\n" * 20_000,
    "- ```x\n" * 25_000,
    "> ```\n" * 30_000,
    ">" * 200_000,
    "- " * 100_000,
    "`" * 200_000,
    "~~~ `" * 40_000,
    "a\n\n" * 60_000,
    "a" + "\u2028" * 200_000 + "b",
    "a" + "\f" * 200_000 + "b",
    "a" + " " * 200_000 + "b",
    "[" * 200_000,
    "- [" * 60_000,
    "- [a](" * 30_000,
    "".join("`" * n + "\n" for n in range(3, 600)),
]


@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_body_is_split_in_linear_time(body: str) -> None:
    started = time.process_time()

    assert_lossless(body, split(body))
    assert_lossless(body, index_pieces(body))

    assert time.process_time() - started < 8
