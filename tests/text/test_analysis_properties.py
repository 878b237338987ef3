"""Promises about the analysis of any text at all."""

import threading
import unicodedata
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from frugal.text.analysis import STOP, TERM_PUNCTUATION, WHOLE, analyse, as_written, query_words
from frugal.text.tokenise import LONGEST_WHOLE

SNIPPETS = st.sampled_from(
    [
        "getUserById", "C++", "C#", "v2.3.0", "src/main.py", "1,234.5", "don't", "O'Brien's", "U.S.", "I/O", "e\u0308", "ß",
        "连接池", "ﾃﾞｰﾀ", "한국어", "ประเทศ", "क्षि", "كِتَابٌ", "\u0301", "\u200d", "\u202e", "\ud800", "\x00", "\u0345", "🚀",
        ".", "-", "_", "/", "\\", ":", "::", "'", "’", "@", "&", "+", "#", ",", " ", "\n", "\u3000", "A", "a", "0", "s",
    ]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=60),
    st.text(st.characters(), max_size=60),
    st.lists(st.one_of(SNIPPETS, st.characters())).map("".join),
)


@given(TEXTS)
def test_terms_are_clean(text: str) -> None:
    for token in analyse(text):
        assert token.term
        assert token.surface
        for spelling in (token.term, token.surface, token.alias):
            assert len(spelling) <= 3 * LONGEST_WHOLE
            assert not any(character.isspace() or character == "\0" for character in spelling)
            assert all(
                character.isalnum() or not character.isascii() or character in TERM_PUNCTUATION
                for character in spelling
            )
            assert not any("A" <= character <= "Z" for character in spelling)
            spelling.encode()


@given(TEXTS)
def test_positions_ascend_without_gaps(text: str) -> None:
    positions = [token.position for token in analyse(text)]

    assert positions[:1] in ([], [0])
    assert all(later - earlier in (0, 1) for earlier, later in pairwise(positions))


@given(TEXTS)
def test_every_position_has_one_word(text: str) -> None:
    words = [token.position for token in analyse(text) if not token.flags & (WHOLE | STOP)]

    assert len(words) == len(set(words))


@given(TEXTS)
def test_composed_and_decomposed_text_are_equal(text: str) -> None:
    composed, decomposed = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)

    assert analyse(composed) == analyse(decomposed) == analyse(text)


@given(TEXTS, TEXTS)
def test_a_text_is_the_sum_of_its_white_space_separated_parts(left: str, right: str) -> None:
    first, second = analyse(left), analyse(right)
    width = first[-1].position + 1 if first else 0

    both = analyse(f"{left}\n{right}")

    assert both == first + [token._replace(position=token.position + width) for token in second]


@given(TEXTS)
def test_surface_of_every_token_can_be_shown_as_written(text: str) -> None:
    spellings = as_written(text)

    assert {token.surface for token in analyse(text)} == set(spellings)


@given(TEXTS)
def test_query_words_are_distinct_words_of_the_text(text: str) -> None:
    words = query_words(text)

    tokens = analyse(text)
    assert len({word.term for word in words}) == len(words)
    assert {word.term for word in words} <= {token.term for token in tokens}
    assert {whole for word in words for whole in word.wholes} <= {t.term for t in tokens if t.flags & WHOLE}
    assert bool(words) == bool(tokens)
    assert len({bool(word.flags & STOP) for word in words}) <= 1


@given(st.data())
def test_every_part_of_a_run_has_its_pieces_in_a_row(data: st.DataObject) -> None:
    run = data.draw(st.text(st.sampled_from("数据库连接池りとメモ말잇기"), min_size=2, max_size=20))
    start = data.draw(st.integers(0, len(run) - 2))
    end = data.draw(st.integers(start + 2, len(run)))

    wanted = [word.term for word in query_words(run[start:end])]

    pieces = [token.term for token in analyse(f"x{run}y")]
    assert set(wanted) <= set(pieces)
    assert "".join(dict.fromkeys(run[start:end])) == "".join(dict.fromkeys("".join(wanted)))


@given(st.from_regex(r"[\"(*]{0,2}[A-Za-zÄÖÜ][a-zäöüß]{0,12}[.,;:!?)]{0,3}", fullmatch=True))
def test_the_short_way_for_plain_words_gives_what_the_long_way_gives(chunk: str) -> None:
    # An invisible character sends the word the long way.
    assert analyse(chunk) == analyse(f"\u200b{chunk}")


@given(TEXTS)
def test_stop_words_have_terms_of_their_own(text: str) -> None:
    for token in analyse(text):
        assert token.term.startswith("_") == (token.flags == STOP)


def test_threads_agree_with_each_other() -> None:
    texts = [f"Verbindungen{letter} connections{letter} серверы{letter}" for letter in "abcdefgh"] * 20
    expected = [analyse(text.upper()) for text in texts]
    results: list[bool] = []

    def work() -> None:
        results.extend(analyse(text.upper()) == wanted for text, wanted in zip(texts, expected, strict=True))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert results == [True] * (8 * len(texts))
