"""Spellings made equal: tags, identity of texts."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal.text.normalise import bare, compose, fold_tag, identity_hash, identity_text, spelled_out


@pytest.mark.parametrize(
    ("tag", "other"),
    [("Shop", "shop"), ("ＳＨＯＰ", "shop"), ("Straße", "STRASSE"), ("Mu\u0308ller", "MÜLLER")],
)
def test_tags_match_in_any_case_and_width(tag: str, other: str) -> None:
    assert fold_tag(tag) == fold_tag(other)


@pytest.mark.parametrize(
    ("tag", "other"), [("Müller", "Muller"), ("a-b", "a_b"), ("mcp-memory", "mcpmemory")]
)
def test_tags_keep_accents_and_signs(tag: str, other: str) -> None:
    assert fold_tag(tag) != fold_tag(other)


@given(st.text())
def test_folding_a_tag_twice_changes_nothing(tag: str) -> None:
    assert fold_tag(fold_tag(tag)) == fold_tag(tag)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("a\r\nb", "a\nb"),
        ("a\rb", "a\nb"),
        ("a  \nb\t", "a\nb"),
        ("\n\n a\nb\n \n", " a\nb"),
        ("u\u0308ber", "über"),
    ],
)
def test_line_ends_outer_blanks_and_composition_do_not_make_another_text(text: str, other: str) -> None:
    assert identity_text(text) == identity_text(other)
    assert identity_hash(text) == identity_hash(other)


@given(st.text(st.characters(max_codepoint=0x320), max_size=20))
def test_identity_text_is_composed_whatever_letters_it_has(text: str) -> None:
    assert identity_text(f"a{text}b") == identity_text(unicodedata.normalize("NFC", f"a{text}b"))
    assert unicodedata.is_normalized("NFC", identity_text(f"a{text}b"))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("run 7 took 12.4 s", "run 7 took 12.9 s"),
        ("Port", "port"),
        ("a b", "a  b"),
        ("a\nb", "a\n\nb"),
        ("a", " a"),
        ("ｇ", "g"),
        ("über", "uber"),
    ],
)
def test_case_digits_and_inner_space_make_another_text(text: str, other: str) -> None:
    assert identity_hash(text) != identity_hash(other)


@given(st.text(st.characters()))
def test_identity_is_idempotent_and_independent_of_composition(text: str) -> None:
    assert identity_text(identity_text(text)) == identity_text(text)
    assert identity_hash(unicodedata.normalize("NFD", text)) == identity_hash(text)
    assert len(identity_hash(text)) == 16


@pytest.mark.parametrize(
    ("word", "one_letter", "two_letters"),
    [
        ("Käse", "kase", "kaese"),
        ("Straße", "strasse", "strasse"),
        ("Ødegård", "odegard", "oedegard"),
        ("Ærø", "aero", "aeroe"),
        ("Citroën", "citroen", "citroen"),
        ("lǜ", "lu", "lue"),
        ("Йод", "йод", "йод"),
        ("Ёж", "еж", "еж"),
        ("Ὀδυσσεύς", "οδυσσευσ", "οδυσσευσ"),
        ("٣٤", "34", "34"),
    ],
)
def test_accents_go_and_umlauts_have_two_spellings(word: str, one_letter: str, two_letters: str) -> None:
    assert (bare(word), spelled_out(word)) == (one_letter, two_letters)


@given(st.text(st.characters()))
def test_composing_twice_changes_nothing(text: str) -> None:
    assert compose(compose(text)) == compose(text)
