"""MEMORY_SECRETS=refuse: neither an import of an export nor a merge brings a likely credential in."""

import pytest

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def other(machine):
    b = machine("b")
    b.remember("one fact")
    b.remember(f"the token is {SECRET}")
    return b


def test_import_of_an_export_is_refused_whole(machine, other):
    a = machine("a")

    told = a("import", str(other.export()), "--json", exits=1, MEMORY_SECRETS="refuse")

    assert told.json["error"]["code"] == "secrets_in_transfer"
    assert "#2" in told.json["error"]["message"]
    assert SECRET not in told.out + told.err
    assert a.rows() == []


def test_merge_is_refused_whole_until_the_text_is_here_or_gone(machine, other):
    a = machine("a")
    a.remember("another fact")

    a("merge", str(other.file), exits=1, MEMORY_SECRETS="refuse")
    assert a.texts() == {"another fact"}

    other("memory", "erase", "2")
    a("merge", str(other.file), MEMORY_SECRETS="refuse")
    assert "one fact" in a.texts()


def test_what_is_here_already_may_be_merged_again(machine, other):
    a = machine("a")
    a("merge", str(other.file))

    a("merge", str(other.file), MEMORY_SECRETS="refuse")

    assert len(a.texts()) == 2


@pytest.mark.parametrize("policy", ["warn", "off"])
def test_other_policies_let_it_in(machine, other, policy):
    a = machine("a")

    a("import", str(other.export()), MEMORY_SECRETS=policy)

    assert len(a.texts()) == 2
