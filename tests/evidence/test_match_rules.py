"""What a match is, rule by rule."""

import unicodedata

import pytest

from frugal_modes.evidence.clauses import Wanted, wanted_of
from frugal_modes.evidence.matching import Prepared, matcher_of


def found(kind: str, clause: str, text: str) -> list[str]:
    """Return what of *text* a clause matches."""
    wanted = wanted_of(kind, clause)
    assert isinstance(wanted, Wanted), wanted
    prepared = Prepared(text)
    spans = (prepared.original(*span) for span in matcher_of(wanted).spans(prepared))
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    "text", ["name's", "@name", "name_key", "name.com", "_name_", "my-name", "NAME", "(name)"]
)
def test_word_beside_anything_but_a_letter_matches(text: str) -> None:
    assert len(found("literal", "name", text)) == 1


@pytest.mark.parametrize("text", ["Xname", "name2", "names", "nãme", "name\u0301", "nameé"])
def test_word_inside_a_longer_one_does_not_match(text: str) -> None:
    assert found("literal", "name", text) == []


@pytest.mark.parametrize("kind", ["literal", "phrase", "stem", "prefix"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_accent_matches_in_neither_encoding_without_it(kind: str, form: str) -> None:
    text = unicodedata.normalize(form, "Lísboa")

    assert found(kind, "Lisboa", text) == []
    assert found(kind, "Lísboa", text) == [text]
    assert found(kind, unicodedata.normalize("NFD", "lísboa"), text) == [text]


def test_hindi_syllable_before_a_vowel_sign_is_no_word() -> None:
    assert found("literal", "क", "की") == []
    assert found("prefix", "हि", "हिन्दी") == ["हिन्दी"]
    assert found("prefix", "हिन", "हिन्दी") == []
    assert found("literal", "की", "आप की बात") == ["की"]


@pytest.mark.parametrize("kind", ["literal", "phrase", "stem", "prefix"])
@pytest.mark.parametrize(
    ("clause", "text"),
    [
        ("学习", "我们学习中文。"),
        ("文", "我们学习中文。"),
        ("ไทย", "ภาษาไทยง่าย"),
        ("が", "ひらがな"),
        ("글", "한글날"),
        ("ລາວ", "ພາສາລາວ"),
        ("ខ្មែរ", "ភាសាខ្មែរ"),
        ("မာ", "မြန်မာစာ"),
    ],
)
def test_any_part_of_a_text_without_spaces_is_found(kind: str, clause: str, text: str) -> None:
    assert found(kind, clause, text) == [clause]


def test_character_without_its_marks_is_not_found() -> None:
    assert found("literal", "ก", "ก้าว") == []
    assert found("literal", "\u1112", "\u1112\u1161\u11ab\u1112\u119e") == []


@pytest.mark.parametrize("text", ["用iPhone手机", "iPhone手机", "用iPhone"])
def test_latin_name_that_touches_han_characters_is_found(text: str) -> None:
    assert found("literal", "iphone", text) == ["iPhone"]
    assert found("prefix", "iph", text) == ["iPhone"]
    assert found("stem", "iphones", text) == ["iPhone"]


@pytest.mark.parametrize(
    ("clause", "text"),
    [
        ("strasse", "Straße"),
        ("STRASSE", "Straße"),
        ("straße", "STRASSE"),
        ("hidden", "hid\u00adden"),
        ("hid\u200bden", "hidden"),
        ("name", "na\u202eme"),
        ("ﬁsh", "FISH"),
        ("中文", "中\ufe00文"),
        ("καφες", "ΚΑΦΕΣ"),
    ],
)
def test_spellings_that_fold_to_one_match(clause: str, text: str) -> None:
    assert found("literal", clause, text) == [text]


def test_characters_never_seen_at_the_end_are_not_quoted() -> None:
    assert found("literal", "name", "a name\u200b b") == ["name"]


def test_literal_keeps_inner_punctuation() -> None:
    assert found("literal", "C++", "C, C++ and c++!") == ["C++", "c++"]
    assert found("literal", "a/b", "a b, a-b, a/b") == ["a/b"]
    assert found("literal", "open ai", "open-ai open \n\t ai") == ["open \n\t ai"]


def test_phrase_takes_any_punctuation_between_its_words() -> None:
    text = "Open-AI, open ai; open…\nAI, openai, open x ai"

    assert found("phrase", "open ai", text) == ["Open-AI", "open ai", "open…\nAI"]
    assert found("phrase", "«Open: AI»", text) == found("phrase", "open ai", text)


def test_phrase_needs_nothing_between_where_a_script_without_spaces_touches() -> None:
    assert found("phrase", "iphone 手机", "iPhone手机 iPhone 手机") == ["iPhone手机", "iPhone 手机"]
    assert found("phrase", "你好 世界", "你好世界，你好，世界") == ["你好世界", "你好，世界"]


def test_prefix_quotes_the_whole_word() -> None:
    assert found("prefix", "invest", "Investing in investments; reinvest") == ["Investing", "investments"]
    assert found("prefix", "stras", "Straße Strasse") == ["Straße", "Strasse"]


def test_stem_finds_inflected_forms_in_a_row() -> None:
    text = "He runs; they were running. Run tests, running a test"

    assert found("stem", "run", text) == ["runs", "running", "Run", "running"]
    assert found("stem", "running test", text) == ["Run tests"]
    assert found("stem", "the", "the then") == ["the"]


def test_umlaut_spelled_out_has_the_same_stem_but_no_other_accent() -> None:
    assert found("stem", "Käufe", "Kaeufe") == ["Kaeufe"]
    assert found("stem", "cafe", "café cafés cafes") == ["cafes"]


def test_occurrences_do_not_overlap() -> None:
    assert found("literal", "哈哈", "哈哈哈哈哈") == ["哈哈", "哈哈"]
    assert found("phrase", "a b a", "a b a b a") == ["a b a"]


@pytest.mark.parametrize(
    ("kind", "clause", "problem"),
    [
        ("literal", "++", "no_word"),
        ("phrase", " … ", "no_word"),
        ("stem", "\u200b", "no_word"),
        ("prefix", "a", "prefix_short"),
        ("prefix", "open ai", "prefix_words"),
        ("prefix", "open-ai", "prefix_words"),
    ],
)
def test_clause_that_cannot_be_asked_says_why(kind: str, clause: str, problem: str) -> None:
    assert wanted_of(kind, clause) == problem


def test_prefix_of_one_character_is_enough_in_a_script_without_spaces() -> None:
    assert wanted_of("prefix", "中") == Wanted("literal", "中")


def test_long_run_of_marks_is_matched_in_a_moment() -> None:
    text = "a" + "\u0301\u0323" * 100_000 + " name"

    assert found("literal", "name", text) == ["name"]
