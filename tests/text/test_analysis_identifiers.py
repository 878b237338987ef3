"""Identifiers are found whole and by their parts."""

import pytest

from frugal.text.analysis import STOP, WHOLE, analyse, query_words


def wholes(text: str) -> list[str]:
    return [token.term for token in analyse(text) if token.flags & WHOLE]


def parts(text: str) -> list[str]:
    return [token.surface for token in analyse(text) if not token.flags & WHOLE]


@pytest.mark.parametrize(
    ("text", "whole", "expected"),
    [
        ("getUserById", "getuserbyid", ["get", "user", "by", "id"]),
        ("HTTPServer", "httpserv", ["http", "server"]),
        ("snake_case", "snake_case", ["snake", "case"]),
        ("multi-agent", "multi-agent", ["multi", "agent"]),
        ("src/main.py", "src/main.py", ["src", "main", "py"]),
        ("/etc/nginx", "etc/nginx", ["etc", "nginx"]),
        ("C:\\notes\\new", "c:/notes/new", ["c", "notes", "new"]),
        ("CLAUDE.md", "claude.md", ["claude", "md"]),
        ("grammar::fa", "grammar::fa", ["grammar", "fa"]),
        ("GB/s", "gb/s", ["gb", "s"]),
        ("192.168.0.1", "192.168.0.1", ["192", "168", "0", "1"]),
        ("v2.3.0", "v2.3.0", ["v", "2", "3", "0"]),
        ("2026-12-15", "2026-12-15", ["2026", "12", "15"]),
        ("id_ed25519", "id_ed25519", ["id", "ed", "25519"]),
        ("kim@example.org", "kim@example.org", ["kim", "example", "org"]),
        ("tags:x", "tags:x", ["tags", "x"]),
        ("python3", "python3", ["python", "3"]),
        ("100ms", "100ms", ["100", "ms"]),
        ("12,4", "12.4", ["12", "4"]),
        ("UTF-8", "utf-8", ["utf", "8"]),
        ("Käse-Theke", "kaese-theke", ["kase", "theke"]),
        ("привет-мир", "привет-мир", ["привет", "мир"]),
    ],
)
def test_identifier_is_whole_and_parts(text: str, whole: str, expected: list[str]) -> None:
    assert wholes(text)[0] == whole
    assert parts(text) == expected


@pytest.mark.parametrize("text", ["C++", "C#", "F#", "g++", "PhD", "APIs", "hunter2"])
def test_short_names_are_one_counted_word_or_contain_one(text: str) -> None:
    words = query_words(text)

    assert words
    assert not any(word.flags & STOP for word in words)


@pytest.mark.parametrize("text", ["C/C++", "C++11", "(C++)", "C++, C#.", "C++'s", "C++-Code", "c++/Rust"])
def test_sign_of_a_language_name_survives_its_neighbours(text: str) -> None:
    assert "c++" in [token.term for token in analyse(text)]


@pytest.mark.parametrize(
    ("text", "base"), [("notepad++", "notepad"), ("issue#123", "issue"), ("FooBar#", "foo")]
)
def test_longer_word_is_found_without_its_sign(text: str, base: str) -> None:
    assert base in parts(text)


@pytest.mark.parametrize(("text", "other"), [("C++", "C#"), ("C++", "C"), ("C#", "C")])
def test_language_names_differ(text: str, other: str) -> None:
    assert {token.term for token in analyse(text)}.isdisjoint(token.term for token in analyse(other))


def test_whole_shares_the_position_of_its_first_part() -> None:
    tokens = analyse("see src/main.py now")

    assert [(token.term, token.position) for token in tokens] == [
        ("see", 0),
        ("src/main.py", 1),
        ("src", 1),
        ("main.py", 2),
        ("main", 2),
        ("py", 3),
        ("_now", 4),
    ]


@pytest.mark.parametrize(
    "text", ["frugal/text/analysis.py", "./analysis.py", "(analysis.py)", "see:analysis.py"]
)
def test_file_name_at_the_end_of_a_path_is_a_whole_of_its_own(text: str) -> None:
    assert "analysis.py" in wholes(text)


def test_date_inside_a_time_stamp_is_a_whole() -> None:
    assert "2026-12-15" in wholes("failed at 2026-12-15T10:30:00Z")


def test_version_is_found_with_and_without_its_letter() -> None:
    assert "2.3.0" in wholes("v2.3.0")


def test_address_is_the_same_with_and_without_its_scheme() -> None:
    assert wholes("example.com/a/b")[0] in wholes("https://example.com/a/b")


@pytest.mark.parametrize(
    ("text", "plain"), [("GitHub", "github"), ("SQLite", "sqlite"), ("JavaScript", "javascript")]
)
def test_camel_case_and_lower_case_of_a_name_find_each_other(text: str, plain: str) -> None:
    (word,) = query_words(plain)

    assert word.term in wholes(text)
    assert all(word.term in part.wholes for part in query_words(text))


@pytest.mark.parametrize("text", ["I/O", "AT&T", "and/or"])
def test_identifier_without_a_counted_part_counts_itself(text: str) -> None:
    assert [word.term for word in query_words(text)] == [text.lower()]


@pytest.mark.parametrize("number", ["12500", "12,500", "12.500", "12'500"])
def test_grouped_digits_are_one_number(number: str) -> None:
    assert [token.term for token in analyse(number)] == ["12500"]


@pytest.mark.parametrize(
    ("number", "other"), [("12.4", "12.9"), ("0.125", "125"), ("1,234.5", "1,234.6"), ("1.5", "15")]
)
def test_numbers_that_differ_have_different_wholes(number: str, other: str) -> None:
    assert {token.term for token in analyse(number)} != {token.term for token in analyse(other)}


def test_query_parts_name_the_wholes_around_them() -> None:
    words = query_words("open src/main.py")

    assert [(word.term, word.wholes) for word in words] == [
        ("open", ()),
        ("src", ("src/main.py",)),
        ("main", ("src/main.py", "main.py")),
        ("py", ("src/main.py", "main.py")),
    ]


def test_hyphen_between_spaces_joins_nothing() -> None:
    assert wholes("left - right -- up ... end. Next") == []
