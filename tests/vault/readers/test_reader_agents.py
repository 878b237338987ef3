"""claude-memory, instructions, codex and cursor: what coding agents keep for themselves."""

import json
from pathlib import Path

from frugal_modes.vault.readers.claude_memory import READER as CLAUDE
from frugal_modes.vault.readers.codex import READER as CODEX
from frugal_modes.vault.readers.instructions import READER as INSTRUCTIONS
from tests.vault.readers.conftest import gather, recognise

TOPIC = """---
name: Proxy setup
description: How the proxy is set
metadata:
  type: Reference
---

The proxy listens on 8080.
"""
INDEX = """# Memory

- [Proxy](proxy.md): the proxy
- [Gone](gone.md): no file of that name
Never deploy on Fridays.

## Links
- see [[proxy]] only
"""


def test_topic_files_are_cards_and_the_index_adds_what_it_says_itself(write, src):
    write("-home-kim-shop/memory/proxy.md", TOPIC)
    write("-home-kim-shop/memory/MEMORY.md", INDEX)
    write("-home-kim-shop/session.jsonl", "{}")
    write("-home-kim-shop/notes.md", "outside of memory")

    found = gather("claude-memory", src)

    assert sorted(found.ids) == ["-home-kim-shop/memory/MEMORY.md#memory", "-home-kim-shop/memory/proxy.md"]
    topic = found.card("-home-kim-shop/memory/proxy.md")
    assert (topic.title, topic.kind, topic.agent) == ("Proxy setup", "reference", "claude-code")
    assert "How the proxy is set" in topic.aliases
    index = found.card("-home-kim-shop/memory/MEMORY.md#memory")
    assert "gone.md" in index.body
    assert "Fridays" in index.body
    assert "proxy.md" not in index.body
    assert index.line == 1
    assert recognise(src)[0] == "claude-memory"


def test_projects_whose_names_collide_stay_apart(write, src):
    """`/home/kim/a.b` and `/home/kim/a-b` have one name; nothing is guessed from it."""
    write("-home-kim-a-b/memory/x.md", "one")
    write("-home-kim-a-b-/memory/x.md", "two")

    found = gather("claude-memory", src)

    assert sorted(found.ids) == ["-home-kim-a-b-/memory/x.md", "-home-kim-a-b/memory/x.md"]
    assert {card.body for card in found.cards} == {"one", "two"}


def test_one_memory_folder_is_a_source_too(write):
    folder = write("memory/proxy.md", TOPIC).parent

    assert gather("claude-memory", folder).ids == ["proxy.md"]
    assert recognise(folder)[0] == "claude-memory"


def test_the_folder_of_one_project_is_a_source_too(write, src):
    write("memory/proxy.md", TOPIC)
    write("memory/MEMORY.md", INDEX)
    write("session.jsonl", "{}")
    write("other/notes.md", "outside of memory")

    assert recognise(src)[0] == "claude-memory"
    assert CLAUDE.recognise(src) == "shape.claude_memory.project"
    assert sorted(gather("claude-memory", src).ids) == ["memory/MEMORY.md#memory", "memory/proxy.md"]


def test_a_folder_of_notes_beside_such_a_memory_is_none(write, src):
    write("memory/MEMORY.md", INDEX)
    write("notes.md", "a note of its own")

    assert recognise(src)[0] != "claude-memory"


def test_default_places_of_claude_come_from_variables_and_settings(tmp_path):
    home = tmp_path / ".claude"
    home.mkdir()
    (home / "settings.json").write_text(json.dumps({"autoMemoryDirectory": "~/mem"}), encoding="utf-8")
    environ = {"HOME": str(tmp_path), "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": "/x/y"}

    assert CLAUDE.defaults(environ) == (Path("/x/y"), tmp_path / "mem", home / "projects")


def test_instructions_are_cut_into_sections_of_their_kind(write, src):
    write(
        "CLAUDE.md",
        "Always test.\n\n# Style\nUse tabs. See @docs/style.md.\n```\n# no heading\n```\n## Names\nNouns.\n",
    )
    write("sub/AGENTS.md", "# Build\nRun make.\n")
    write(".claude/rules/sql.md", "No SELECT *.\n")
    write("README.md", "# Readme\nnothing")

    found = gather("instructions", src)

    assert sorted(found.ids) == [
        ".claude/rules/sql.md",
        "CLAUDE.md",
        "CLAUDE.md#style",
        "CLAUDE.md#style-names",
        "sub/AGENTS.md#build",
    ]
    assert {card.kind for card in found.cards} == {"instruction"}
    style = found.card("CLAUDE.md#style")
    assert (style.title, style.line) == ("Style", 3)
    assert style.links == ("docs/style.md",)
    assert "# no heading" in style.body
    assert found.card("sub/AGENTS.md#build").agent == "codex"


def test_agents_file_that_links_claude_file_counts_once(write, src):
    write("CLAUDE.md", "# A\nOne.\n")
    (src / "AGENTS.md").symlink_to("CLAUDE.md")

    assert gather("instructions", src).ids == ["CLAUDE.md#a"]


def test_sections_with_equal_headings_are_numbered(write, src):
    write("CLAUDE.md", "# A\nOne.\n# A\nTwo.\n# A\nThree.\n")

    assert gather("instructions", src).ids == ["CLAUDE.md#a", "CLAUDE.md#a~2", "CLAUDE.md#a~3"]


def test_default_places_of_instructions_are_the_homes(tmp_path):
    places = INSTRUCTIONS.defaults({"HOME": str(tmp_path), "CODEX_HOME": "/c"})

    assert places[:2] == (tmp_path / ".claude", Path("/c"))


BLOCKS = """---
rollout_summary_files:
  - rollout_summaries/a.md
description: Payroll rounding
keywords: decimal, payroll
---

Use Decimal everywhere.

---

A rule between two paragraphs is no front matter.

---
description: Deploys
---
# Deploy
Never on Fridays.
"""


def codex(write):
    write("memories/MEMORY.md", BLOCKS)
    write("memories/memory_summary.md", "v1\n\n# Overview\nAll about shops.\n## Payroll\nDecimal.\n")
    write("memories/raw_memories.md", "# Raw\nnot distilled")
    write("memories/rollout_summaries/a.md", "thread_id: t1\n\n# Session\nWhat happened.\n")
    write(
        "memories/skills/deploy/SKILL.md",
        "---\nname: deploy\ndescription: How to deploy\n---\nPush the button.\n",
    )
    write("memories/skills/deploy/notes.md", "not read")
    return write("sessions/x.md", "not read").parents[1]


def test_memory_file_with_several_front_matters_is_several_cards(write):
    found = gather("codex", codex(write))

    blocks = [card for card in found.cards if card.path.endswith("MEMORY.md")]
    assert [card.native_id for card in blocks] == [
        "memories/MEMORY.md#payroll-rounding",
        "memories/MEMORY.md#deploys",
    ]
    assert [card.title for card in blocks] == ["Payroll rounding", "Deploys"]
    assert [card.line for card in blocks] == [1, 14]
    assert blocks[0].body.startswith("Use Decimal")
    assert "no front matter" in blocks[0].body
    assert blocks[1].body == "# Deploy\nNever on Fridays."


def test_codex_summary_sessions_and_skills_are_cards_and_raw_notes_are_named(write):
    found = gather("codex", codex(write))

    assert "memories/memory_summary.md#overview-payroll" in found.ids
    assert "memories/rollout_summaries/a.md" in found.ids
    skill = found.card("memories/skills/deploy/SKILL.md")
    assert (skill.title, skill.kind) == ("deploy", "tool")
    assert found.reasons == [("memories/raw_memories.md", "", "skipped_raw")]
    assert len(found.cards) == 6


def test_memory_file_without_front_matter_is_cut_at_its_top_headings(write):
    text = (
        "v1\n\n# Task Group: shop\nscope: the shop\n\n## Task 1\nDone.\n\n# Task Group: infra\nscope: infra\n"
    )
    write("memories/MEMORY.md", text)
    root = write("memories/memory_summary.md", "v1\n").parent

    found = gather("codex", root)

    assert found.titles == ["Task Group: shop", "Task Group: infra"]
    assert found.ids == ["MEMORY.md#task-group-shop", "MEMORY.md#task-group-infra"]
    assert recognise(root)[0] == "codex"
    assert recognise(root.parent)[0] == "codex"


def test_default_place_of_codex_follows_its_variable():
    assert CODEX.defaults({"CODEX_HOME": "/c"}) == (Path("/c/memories"),)


RULE = """---
description: TypeScript: the rules
globs: *.tsx, *.ts
alwaysApply: false
tags:
---
# Components

Use functions.
"""


def test_rule_whose_head_is_no_yaml_is_read(write, src):
    write(".cursor/rules/ts.mdc", RULE)
    write("packages/a/.cursor/rules/deep/py.mdc", "---\nglobs:\n---\nUse Python.\n")
    write(".cursorrules", "Be brief.\n")
    write("other.mdc", "no rule")

    found = gather("cursor", src)

    assert sorted(found.ids) == [
        ".cursor/rules/ts.mdc",
        ".cursorrules",
        "packages/a/.cursor/rules/deep/py.mdc",
    ]
    rule = found.card(".cursor/rules/ts.mdc")
    assert (rule.title, rule.kind) == ("TypeScript: the rules", "instruction")
    assert dict(rule.metadata)["globs"] == "*.tsx, *.ts"
    assert rule.body == "# Components\n\nUse functions."
    assert found.card("packages/a/.cursor/rules/deep/py.mdc").title == "py"
    assert found.problems == []
    assert recognise(src)[0] == "cursor"
