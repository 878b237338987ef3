"""Front matter as people and programs write it: real YAML with every scalar as text, and what is none."""

import pytest

from frugal_modes.vault.frontmatter import DUPLICATE_KEY, NOT_YAML, TOO_LONG, read_front_matter


def values(block: str) -> dict[str, object]:
    return dict(read_front_matter(f"---\n{block}\n---\nbody").values)


def test_every_scalar_is_text() -> None:
    found = values("a: true\nb: 012\nc: 2026-11-30\nd: null\ne: 1e3\nf: no\ng:\nh: '1'\ni: \"x\\ty\"")

    assert found == dict(
        zip("abcdefghi", ("true", "012", "2026-11-30", "null", "1e3", "no", "", "1", "x\ty"), strict=True)
    )


def test_lists_are_read_in_either_form() -> None:
    found = values("tags:\n  - one\n  - \"two, three\"\naliases: [a, 'b, c']\nempty: []")

    assert found == {"tags": ("one", "two, three"), "aliases": ("a", "b, c"), "empty": ()}


def test_nested_keys_have_both_names() -> None:
    assert values("metadata:\n  type: user\n  more: {deep: 1, list: [x, y]}") == {
        "metadata.type": "user",
        "metadata.more.deep": "1",
        "metadata.more.list": ("x", "y"),
    }


def test_block_scalars_keep_their_lines() -> None:
    assert values("text: |\n  one\n\n  two\nfolded: >-\n  a\n  b") == {
        "text": "one\n\ntwo\n",
        "folded": "a b",
    }


def test_unquoted_link_is_a_link_and_no_list() -> None:
    found = values(
        "up: [[Home]]\nalias: [[N|text]]\nhead: [[N#H]]\nmany: [[[A]], [[B, C]]]\nmatrix: [[1, 2], [3]]"
    )

    assert found == {
        "up": "[[Home]]",
        "alias": "[[N|text]]",
        "head": "[[N#H]]",
        "many": ("[[A]]", "[[B, C]]"),
        "matrix": ("1, 2", "3"),
    }


def test_indented_rule_inside_the_block_does_not_end_it() -> None:
    text = "---\ntext: |\n  one\n  ---\n  two\ntitle: T\n---\nbody"

    front = read_front_matter(text)

    assert front.text("title") == "T"
    assert text[front.body_start :] == "body"


@pytest.mark.parametrize("end", ["---", "...", "---  "])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_block_ends_with_three_dashes_or_dots_at_column_0(end: str, line_end: str, start: str) -> None:
    text = start + line_end.join(["---", "a: b", end, "body"])

    front = read_front_matter(text)

    assert front.text("a") == "b"
    assert text[front.body_start :] == "body"


@pytest.mark.parametrize(
    "text",
    [
        "plain text",
        "",
        "---",
        "---\n",
        " ---\na: b\n---\nx",
        "\n---\na: b\n---\nx",
        "----\na: b\n---\nx",
        "---\na: b\nno end",
        "---\njust a rule\n---\nx",
        "---\n- a\n- b: c\n---\nx",
        "---\nhttp://host/x\n---\nx",
        "text\n---\na: b\n---",
    ],
)
def test_what_is_no_front_matter_is_body(text: str) -> None:
    front = read_front_matter(text)

    assert (front.is_present, front.body_start, front.flaws) == (False, 0, ())


def test_nothing_between_the_lines_is_empty_front_matter() -> None:
    front = read_front_matter("---\n---\nbody")

    assert (front.is_present, front.body_start, dict(front.values)) == (True, 8, {})


def test_of_a_duplicate_key_the_last_wins_and_is_noted() -> None:
    front = read_front_matter("---\na: 1\nb: 2\na: 3\n---\n")

    assert front.text("a") == "3"
    assert [(flaw.code, flaw.line, flaw.about) for flaw in front.flaws] == [(DUPLICATE_KEY, 4, "a")]


def test_unknown_keys_are_kept_in_order() -> None:
    front = read_front_matter("---\nzeta: 1\nalpha: 2\n中文: 3\n---\n")

    assert [field.key for field in front.fields] == ["zeta", "alpha", "中文"]


@pytest.mark.parametrize(
    ("block", "line", "expected"),
    [
        ("title: a: b\nkind: x", 2, {"title": "a: b", "kind": "x"}),
        ("a: b\nc: *bold* text", 3, {"a": "b", "c": "*bold* text"}),
        ("a: &x 1\nb: *x", 2, {"a": "&x 1", "b": "*x"}),
        ("a: !!python/object/apply:os.system [id]", 2, {"a": "!!python/object/apply:os.system [id]"}),
        ("a: b\nup: [[A]], [[B]]", 3, {"a": "b", "up": "[[A]], [[B]]"}),
        ("a: @me\ntags: [x, 'y, z'] # c", 2, {"a": "@me", "tags": ("x", "y, z")}),
        ("a: 'it''s'\nb: %x\nlist:\n  - 1\n  - 2", 3, {"a": "it's", "b": "%x", "list": ("1", "2")}),
        ("x:\n\ty: 1\nz: 2", 3, {"x.y": "1", "z": "2"}),
        ("a: \x01\nb: 2", 2, {"a": "\x01", "b": "2"}),
        ("? [a]\n: b\nc: d", 2, {"c": "d"}),
        ("a: " + "[" * 40 + "]" * 40 + "\nb: 2", 2, {"b": "2"}),
        ("text: |\n  kept\n   lines\nbad: @", 5, {"text": "kept\nlines", "bad": "@"}),
    ],
)
def test_what_is_no_yaml_is_read_by_lines_and_reported(
    block: str, line: int, expected: dict[str, object]
) -> None:
    front = read_front_matter(f"---\n{block}\n---\nbody")

    assert [(flaw.code, flaw.line) for flaw in front.flaws] == [(NOT_YAML, line)]
    assert {key: front.values[key] for key in expected} == expected
    assert not front.is_yaml


def test_block_over_64_kib_is_body_and_reported() -> None:
    text = "---\na: b\n" + "# comment\n" * 7_000 + "---\nbody"

    front = read_front_matter(text)

    assert [flaw.code for flaw in front.flaws] == [TOO_LONG]
    assert (front.body_start, front.is_yaml) == (0, False)


def test_billion_laughs_are_refused_at_the_first_anchor() -> None:
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]"

    front = read_front_matter(f"---\n{bomb}\n---\n")

    assert [(flaw.code, flaw.line) for flaw in front.flaws] == [(NOT_YAML, 2)]
