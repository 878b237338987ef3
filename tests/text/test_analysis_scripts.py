"""Scripts without spaces, other alphabets, forms of one character."""

import unicodedata

import pytest

from frugal.text.analysis import PIECE, STOP, WHOLE, analyse, query_words


def sequence(text: str) -> list[str]:
    return [word.term for word in query_words(text)]


def contains_run(text: str, query: str) -> bool:
    """Whether the pieces of *query* stand in a row in *text*, a single one at the beginning of any piece."""
    wanted = query_words(query)
    held = [token.term for token in analyse(text) if not token.flags & WHOLE]
    if wanted[0].is_prefix:
        return any(term.startswith(wanted[0].term) for term in held)
    run = [word.term for word in wanted]
    return any(held[start : start + len(run)] == run for start in range(len(held)))


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("数据库连接池的最大值是二十", "连接池"),
        ("这台设备已经停产", "设备"),
        ("这台设备已经停产", "产"),
        ("这台设备已经停产", "这"),
        ("这台设备已经停产", "备"),
        ("重跑gen-itgc后50条", "itgc"),
        ("重跑gen-itgc后50条", "重跑"),
        ("重跑gen-itgc后50条", "后"),
        ("しりとり", "りとり"),
        ("끝말잇기", "말잇기"),
        ("ﾃﾞｰﾀﾍﾞｰｽ", "データベース"),
        ("東京タワー", "京タ"),
        ("人々", "々"),
        ("ประเทศไทย", "เทศ"),
        ("ប្រទេសកម្ពុជា", "កម្ពុជា"),
        ("𠮷野家", "野家"),
        ("𠮷野家", "𠮷"),
    ],
)
def test_part_of_a_run_is_found(text: str, query: str) -> None:
    assert contains_run(text, query)


def test_run_gives_pieces_of_two_and_its_last_character_which_does_not_count() -> None:
    tokens = analyse("连接池")

    assert [(token.term, token.flags, token.position) for token in tokens] == [
        ("连接", PIECE, 0),
        ("接池", PIECE, 1),
        ("池", PIECE | STOP, 2),
    ]


def test_single_character_query_counts_and_stands_for_pieces_that_begin_with_it() -> None:
    (word,) = query_words("池")

    assert word.is_prefix
    assert not word.flags & STOP


def test_latin_word_is_no_prefix() -> None:
    assert not any(word.is_prefix for word in query_words("x5 7 pool"))


def test_latin_and_digits_are_separated_from_the_run_around_them() -> None:
    terms = [token.term for token in analyse("重跑gen-itgc后50条")]

    assert terms == ["重跑", "跑", "gen-itgc", "gen", "itgc", "后", "50", "条"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ｇｅｎ－１２", "gen-12"),
        ("ﬁle", "file"),
        ("Ⅷ", "viii"),
        ("50㎏", "50kg"),
        ("Wort\u00adtrennung", "Worttrennung"),
        ("zero\u200bwidth", "zerowidth"),
        ("\ufeffport", "port"),
        ("می\u200cخواهم", "میخواهم"),
        ("ёлка", "елка"),
        ("за\u0301мок", "замок"),
        ("Άνθρωπος", "ανθρωπος"),
        ("كِتَاب", "كتاب"),
        ("كتـــاب", "كتاب"),
        ("שָׁלוֹם", "שלום"),
        ("İstanbul", "istanbul"),
        ("葛\U000e0100城", "葛城"),
    ],
)
def test_forms_of_one_word_are_one_term(one: str, other: str) -> None:
    assert sequence(one) == sequence(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("серверы", "сервера"),
        ("σκύλος", "σκύλοι"),
        ("गाड़ी", "गाड़ियों"),
        ("புத்தகம்", "புத்தகங்கள்"),
        ("քաղաքներ", "քաղաք"),
        ("المكتبات", "مكتبة"),
    ],
)
def test_inflected_forms_of_other_scripts_share_a_stem(one: str, other: str) -> None:
    assert sequence(one) == sequence(other)


def test_devanagari_word_stays_in_one_piece() -> None:
    tokens = analyse("हिन्दी भाषा")

    assert [token.position for token in tokens] == [0, 1]


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_normalisation_form_of_the_input_does_not_matter(form: str) -> None:
    text = "Müller Käse café Łódź ガギグ 한국어 Ελλάδα Йод"

    assert analyse(unicodedata.normalize(form, text)) == analyse(text)  # type: ignore[arg-type]  # a literal type


@pytest.mark.parametrize(
    "text", ["🚀", "👩\u200d🚀", "→ ∑ ≠ §", "\u202e\u200f", "\u0301", "\ud800", "\U0010ffff", "\x00\x01", "¨"]
)
def test_what_is_no_letter_and_no_digit_gives_no_token(text: str) -> None:
    assert analyse(text) == []


@pytest.mark.parametrize("noise", ["🚀", "→", "\u202e", "\ufffd", "\U0010ffff", "\x00", "…"])
def test_noise_around_a_word_does_not_hide_it(noise: str) -> None:
    assert sequence(f"{noise}port{noise}") == ["port"]


def test_run_of_combining_marks_takes_no_quadratic_time() -> None:
    # Python's own normalisation of this text takes half a minute.
    text = "a" + "\u0301\u0323" * 100_000

    assert [token.surface for token in analyse(text)] == ["a"]
