"""markdown, obsidian, basic-memory and memory-tool: folders of notes."""

import json
import os
import unicodedata

import pytest

from tests.vault.readers.conftest import gather, recognise


def test_markdown_of_any_case_is_read_and_nothing_else(write, src):
    for name in ("a.md", "B.MD", "sub/c.markdown", "d.txt", "e.canvas", ".git/f.md", ".trash-old/g.md"):
        write(name, f"# {name}\ntext")

    found = gather("markdown", src)

    assert sorted(found.ids) == [".trash-old/g.md", "B.MD", "a.md", "sub/c.markdown"]
    assert recognise(src) == ["markdown"]


def test_native_id_is_the_path_in_one_form(write, src):
    write(unicodedata.normalize("NFD", "Größe.md"), "text")

    assert gather("markdown", src).ids == [unicodedata.normalize("NFC", "Größe.md")]


@pytest.mark.parametrize(
    ("glob", "left"),
    [
        ("drafts", ["a.md", "x/b.md"]),
        ("x/*.md", ["a.md", "drafts/c.md", "drafts/x/d.md"]),
        ("**/d.md", ["a.md", "drafts/c.md", "x/b.md"]),
        ("[", ["a.md", "drafts/c.md", "drafts/x/d.md", "x/b.md"]),
    ],
)
def test_globs_of_the_settings_leave_files_out(write, src, glob, left):
    for name in ("a.md", "x/b.md", "drafts/c.md", "drafts/x/d.md"):
        write(name, "text")

    assert sorted(gather("markdown", src, ignore=glob).ids) == left


def test_file_that_is_no_utf8_is_a_problem_and_the_rest_goes_on(write, src):
    write("a.md", "fine")
    write("b.md", "Größe".encode("latin-1"))
    write("c.md", b"\xef\xbb\xbf# Mark\nfine")

    found = gather("markdown", src)

    assert found.titles == ["a", "Mark"]
    assert [item.reason for item in found.problems] == ["not_utf8: 3"]


def test_file_over_the_limit_is_not_read(write, src):
    write("a.md", "x" * (5 * 1024 * 1024 + 1))

    assert gather("markdown", src).reasons == [("a.md", "", "too_large")]


def test_links_out_of_the_root_are_named_and_others_followed_once(write, src, tmp_path):
    (tmp_path / "secret.md").write_text("outside", encoding="utf-8")
    write("a.md", "inside")
    (src / "out.md").symlink_to(tmp_path / "secret.md")
    (src / "again.md").symlink_to("a.md")
    (src / "nowhere.md").symlink_to("missing.md")
    (src / "circle").symlink_to(".")

    found = gather("markdown", src)

    assert [card.body for card in found.cards] == ["inside"]
    assert sorted(found.reasons) == [
        ("nowhere.md", "", "link_leads_nowhere"),
        ("out.md", "", "link_leaves_root"),
    ]


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "fsencode"), reason="names are text there")
def test_name_that_is_no_text_is_a_problem(write, src):
    write("a.md", "fine")
    try:
        (src / os.fsdecode(b"b\xff.md")).write_text("x", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes only text")

    found = gather("markdown", src)

    assert found.ids == ["a.md"]
    assert found.reasons == [("b\\xff.md", "", "name_not_utf8")]


def test_obsidian_note_is_called_as_its_file_and_templates_are_none(write, src):
    write(".obsidian/app.json", "{}")
    write(".obsidian/templates.json", json.dumps({"folder": "Templates"}))
    write("Templates/daily.md", "# Template")
    write("Daily/2026-01-02.md", "# A heading\ntext")
    write("Named.md", "---\ntitle: Other name\n---\ntext")
    write("board.canvas", "{}")
    write("view.base", "x")

    found = gather("obsidian", src)

    assert sorted(found.ids) == ["Daily/2026-01-02.md", "Named.md"]
    assert found.card("Daily/2026-01-02.md").title == "2026-01-02"
    assert found.card("Named.md").title == "Other name"
    assert recognise(src)[:2] == ["obsidian", "markdown"]


NOTE = """---
title: Coffee
type: Note
permalink: drinks/coffee
tags: [drinks]
created: 2026-01-02T03:04:05Z
---

# Coffee

Some prose.

## Observations
- [method] Pour over keeps more flavour #brewing (tried)
- [ ] a task
- [x] a done task
- [link](https://example.org) is no category
```
- [code] no observation
```

## Relations
- pairs_with [[Chocolate]]
- [[Tea]]
"""


def test_basic_memory_note_has_permalink_observations_and_relations(write, src):
    write("drinks/coffee.md", NOTE)

    found = gather("basic-memory", src)

    (card,) = found.cards
    assert (card.native_id, card.title, card.kind) == ("drinks/coffee", "Coffee", "note")
    assert card.links == ("Chocolate", "Tea")
    assert [fact.text for fact in card.facts] == [
        "Pour over keeps more flavour #brewing (tried)",
        "Coffee: pairs_with Chocolate",
        "Coffee: links to Tea",
    ]
    assert card.facts[0].tags == ("method", "brewing", "drinks")
    assert "a task" in card.rest
    assert "no observation" in card.rest
    assert "Pour over" not in card.rest
    assert recognise(src)[0] == "basic-memory"


def test_note_without_a_permalink_is_known_by_its_path(write, src):
    write("a.md", "- [fact] Water is wet\n")

    found = gather("basic-memory", src)

    assert found.ids == ["a.md"]
    assert recognise(src)[0] == "basic-memory"


def test_task_list_is_no_basic_memory(write, src):
    write("a.md", "- [ ] one\n- [x] two\n- [label](x.md) three\n")

    assert recognise(src) == ["markdown"]


def test_memory_tool_takes_any_text_and_counts_binaries(write, src):
    write("preferences", "Likes tea\r\nand coffee")
    write("a/b.xml", "<x/>")
    write("c.bin", b"\0\1\2")
    write("d.txt", b"\xff")

    found = gather("memory-tool", src)

    assert sorted(found.ids) == ["a/b.xml", "preferences"]
    assert found.card("preferences").title == "preferences"
    assert found.card("preferences").body == "Likes tea\nand coffee"
    assert found.left_out == 1
    assert found.reasons == [("d.txt", "", "not_utf8")]
