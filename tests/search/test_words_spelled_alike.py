"""Two words of a query that stand at one place of a text do not disturb each other."""


def test_both_spellings_of_an_umlaut_word_in_one_query_find_the_entry(open_shell):
    shell = open_shell("en")
    shell("remember", text="Käse im Keller")

    assert shell("recall", query="Käse Kase").splitlines()[1].startswith("#1 ")
    assert shell("recall", query="Kase Käse im Keller").splitlines()[1].startswith("#1 ")
