"""What recall says about entries outside its filters, and about words that no entry has."""

import pytest

TAG = {"en": "tag", "de": "marke"}
BETTER = {
    "en": "Better match outside shop: #1 2026-11-02 Kubernetes quotas limit pods. (infra) - ask again without tag.",
    "de": "Besserer Treffer außerhalb von shop: #1 2026-11-02 Kubernetes quotas limit pods. (infra) "
    "- ohne marke noch einmal fragen.",
}


@pytest.fixture(params=["en", "de"])
def language(request):
    return request.param


@pytest.fixture
def shell(open_shell, language):
    opened = open_shell(language)
    opened("remember", text="**Kubernetes quotas** limit pods.", tags="infra")
    opened("remember", text="The shop uses quotas for vouchers.", tags="shop")
    return opened


def test_a_clearly_better_hit_outside_the_tag_is_named_last(shell, language):
    answer = shell("recall", query="kubernetes quotas pods", **{TAG[language]: "shop"})

    lines = answer.splitlines()
    assert lines[1].startswith("#2 ")
    assert lines[-1] == BETTER[language]


def test_an_empty_answer_names_the_better_match_too(shell, language):
    answer = shell("recall", query="kubernetes pods", **{TAG[language]: "shop"})

    assert answer.splitlines()[0].startswith("0 ")
    assert answer.splitlines()[-1] == BETTER[language]


def test_no_better_match_when_an_entry_inside_has_every_word(shell, language):
    answer = shell("recall", query="quotas", **{TAG[language]: "shop"})

    assert "#1" not in answer


def test_no_better_match_without_a_tag_or_for_an_explicit_query(shell, language):
    without_tag = shell("recall", query="kubernetes vouchers nothing")
    explicit = shell("recall", query="kubernetes AND pods", **{TAG[language]: "shop"})

    assert BETTER[language][:10] not in without_tag
    assert BETTER[language][:10] not in explicit


def test_the_better_match_line_is_english_in_english(open_shell):
    opened = open_shell("en")
    opened("remember", text="Kubernetes quotas limit pods.", tags="infra")

    answer = opened("recall", query="quotas pods", tag="shop")

    assert answer.splitlines()[-1].startswith("Better match outside shop: ")
    assert "ohne" not in answer


def test_an_unknown_word_is_named_with_the_nearest_known_words(shell, language):
    near = {"en": "near", "de": "ähnlich"}[language]
    lead = {"en": "Nowhere", "de": "Kommt nirgends vor"}[language]

    answer = shell("recall", query="xyzzy voucherz kubernetas", **{TAG[language]: "infra-eu"})

    assert f"{lead}: xyzzy, voucherz ({near}: vouchers), kubernetas ({near}: kubernetes)." in answer


def test_words_that_only_occur_outside_the_filters_are_counted(shell, language):
    lead = {"en": "Only outside these filters", "de": "Nur außerhalb dieser Filter"}[language]

    answer = shell("recall", query="quotas pods", **{TAG[language]: "else"})

    assert f"{lead}: quotas (2), pods (1)." in answer


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "No entry is tagged pricse. Known: prices 1."),
        ("de", "Kein Eintrag trägt die Marke pricse. Bekannt: prices 1."),
    ],
)
@pytest.mark.parametrize("others", ["", ",prices"])
@pytest.mark.parametrize("is_full", [False, True])
def test_tag_of_no_entry_is_told_with_the_known_ones_like_it(open_memory, language, told, others, is_full):
    memory = open_memory(language)
    memory.store("A book costs 12 euros", tags="prices")

    answer = memory("recall", query="book", tag=f"pricse{others}", full=is_full)

    assert told in answer.splitlines()


def test_tag_of_a_superseded_entry_only_is_known(memory):
    memory.store("A book costs 12 euros", tags="prices")
    memory("forget", ids="1")
    memory.store("A pencil costs 1 euro", tags="pencils")

    assert "pencils" not in memory("recall", query="book", tag="prices")


@pytest.mark.parametrize(
    ("language", "told"), [("en", "Nowhere: Häuser"), ("de", "Kommt nirgends vor: Häuser")]
)
def test_unknown_word_is_told_as_it_was_typed(open_memory, language, told):
    memory = open_memory(language)
    memory.store("A book costs 12 euros")

    assert told in memory("recall", query="Häuser")
