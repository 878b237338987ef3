"""A card as a new file: the order of its keys, scalars that read back equal, names of files."""

import unicodedata

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from frugal_modes.vault.cardtext import read_card
from frugal_modes.vault.newcards import NewCard, card_text
from frugal_modes.vault.scalars import scalar
from frugal_modes.vault.slugs import fold_name, free_name, slug
from frugal_modes.vault.tags import one_line, read_tags
from tests import strategies

STAMP = "2026-11-30T06:14:00.123Z"


def new(title: str = "Title", body: str = "Body of the card.", **more: object) -> str:
    given_ = {"kind": "knowledge", "created": STAMP, "agent": "agent", "source": "agent", **more}
    return card_text(NewCard(title, body, **given_))  # type: ignore[arg-type]  # keywords of NewCard


def test_card_is_written_in_one_order() -> None:
    text = new("Nginx config", " one\r\ntwo \n", tags=("a", "b c"), supersedes=("03-Knowledge/old.md",))

    assert text == (
        "---\n"
        "formatVersion: 1\n"
        "kind: knowledge\n"
        "title: Nginx config\n"
        "tags: [a, b c]\n"
        f"created: {STAMP}\n"
        f"updated: {STAMP}\n"
        "status: approved\n"
        "submittedBy: agent\n"
        "severity: info\n"
        'reason: ""\n'
        "source: agent\n"
        "supersedes: 03-Knowledge/old.md\n"
        "contentHash: 31ec2f5acd8cad8e\n"
        "---\n"
        "one\n"
        "two\n"
    )


def test_hostile_title_and_source_make_one_key_each() -> None:
    text = new('a: "b"\nkind: x', source="x: y")

    front = yaml.safe_load(text.split("---\n")[1])
    assert front["title"] == 'a: "b" kind: x'
    assert front["source"] == "x: y"
    assert front["kind"] == "knowledge"
    assert read_card(text, path="x.md").cards[0].title == 'a: "b" kind: x'


AWKWARD = (
    *(
        "true",
        "no",
        "~",
        "null",
        "12",
        "1e3",
        "0x1f",
        "2026-11-30",
        "[[x]]",
        "- a",
        "a #b",
        "a: b",
        "@x",
        "%x",
        "*x",
    ),
    *(
        "&x",
        "!x",
        "|",
        "> x",
        "?",
        "'q'",
        '"q"',
        "{a}",
        "[a]",
        "a,b",
        "---",
        "\\",
        "`",
        "=",
        "<<",
        "１２",
        "\ufeffx",
    ),
    "a\u200bb",
)


@pytest.mark.parametrize("text", AWKWARD)
def test_scalar_reads_back_equal_with_any_reader(text: str) -> None:
    assert yaml.safe_load(f"k: {scalar(text)}") == {"k": text}
    assert yaml.safe_load(f"k: [{scalar(text, is_item=True)}, x]") == {"k": [text, "x"]}


def test_what_reads_back_equal_is_not_quoted() -> None:
    for text in ("Nginx config", "C++", "阿里云 ECS", "a-b_c/d.e", "it's", "x: ".strip(), "über"):
        assert scalar(text) == (text if text != "x:" else '"x:"')


one_liners = st.one_of(
    strategies.lines(longest=200), st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
)


@given(one_liners)
def test_any_line_reads_back_equal(text: str) -> None:
    line = one_line(text)

    assert yaml.load(f"k: {scalar(line)}", Loader=yaml.BaseLoader) == {"k": line}
    assert yaml.safe_load(f"k: [{scalar(line, is_item=True)}]") == {"k": [line]}


@given(
    title=one_liners.filter(one_line),
    body=strategies.texts(longest=2_000, shortest=20),
    tags=strategies.tags(),
    source=one_liners.filter(one_line),
    has_crlf=st.booleans(),
)
def test_write_then_read_gives_title_body_tags_and_source_back(
    title: str, body: str, tags: list[str], source: str, has_crlf: bool
) -> None:
    clean = read_tags(one_line(tag) for tag in tags)
    body = body.replace("\n", "\r\n") if has_crlf else body

    text = new(title, body, tags=clean, source=source)

    found = read_card(text, path="x.md")
    card = found.cards[0]
    assert (card.title, card.body, card.agent) == (
        one_line(title),
        body.replace("\r\n", "\n").strip(),
        one_line(source),
    )
    assert card.tags[: len(clean)] == clean
    assert found.problems == ()


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Nginx: config & TLS!", "nginx-config-tls"),
        ("  C++ ", "c"),
        ("a__b - c", "a__b---c"),
        ("阿里云 登录", "阿里云-登录"),
        ("Cafe\u0301 Größe", "café-größe"),
        ("../../etc/passwd", "etc-passwd"),
        ("!!!", "untitled"),
        ("", "untitled"),
        ("CON", "_con_"),
        ("com1", "_com1_"),
        ("console", "console"),
        ("हिन्दी", "हिन्दी"),
        ("x" * 70, "x" * 60),
        ("签" * 70, "签" * 60),
        ("𠀀" * 50, "𠀀" * 45),
        ("-a-", "a"),
    ],
)
def test_slug_keeps_letters_of_every_script_and_avoids_reserved_names(title: str, name: str) -> None:
    assert slug(title) == name


@given(one_liners)
def test_slug_is_stable_safe_and_short(title: str) -> None:
    name = slug(title)

    assert slug(name) == name
    assert 0 < len(name) <= 62
    assert len(name.encode()) <= 182
    assert all(char in "_-" or unicodedata.category(char)[0] in "LMN" for char in name)
    assert name.split(".")[0].lower() not in {"con", "prn", "aux", "nul", "com1", "lpt1"}
    assert unicodedata.normalize("NFC", name) == name


def test_free_name_ignores_case_and_form() -> None:
    taken = {fold_name(name) for name in ("NGINX.md", "nginx-2.MD", "Cafe\u0301.md")}

    assert free_name("nginx", taken) == "nginx-3.md"
    assert free_name("café", taken) == "café-2.md"
    assert free_name("new", taken) == "new.md"
