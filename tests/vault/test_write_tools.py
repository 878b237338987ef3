"""How the writing tools are declared, and that no answer of theirs exceeds its cap, whatever comes in."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugal.budget import cost
from tests import strategies
from tests.vault.conftest import BODY, Vault

CAP_BYTES = 2 * 1024
FRAME_BYTES = 128
PARAMETERS = {
    "memory_capture": ["title", "body", "kind", "tags", "source", "on_conflict", "reject_secrets"],
    "memory_update": ["id", "title", "body", "tags", "priority", "ttl", "source", "revive", "reject_secrets"],
    "memory_supersede": ["old_id", "title", "body", "kind", "tags", "source", "reject_secrets"],
    "memory_delete": ["id", "undo"],
}
REQUIRED = {
    "memory_capture": ["title", "body"],
    "memory_update": ["id"],
    "memory_supersede": ["old_id", "title", "body"],
    "memory_delete": ["id"],
}


@pytest.mark.parametrize("language", ["en", "de"])
def test_tools_are_declared_with_fixed_names_and_parameters(
    open_vault: Callable[..., Vault], language: str
) -> None:
    definitions = {tool.name: tool for tool in open_vault(language).workspace.definitions()}

    for name, parameters in PARAMETERS.items():
        tool = definitions[name]
        schema: Any = tool.input_schema
        assert list(schema["properties"]) == parameters
        assert schema["required"] == REQUIRED[name]
        assert (tool.is_read_only, tool.is_idempotent, tool.is_open_world) == (False, True, False)
        assert tool.is_destructive == (name == "memory_delete")
    assert not {"restore", "purge"} & definitions.keys()


def size_of(text: str) -> int:
    """Return what an answer with *text* costs on the wire."""
    return cost(text).size_bytes


titles = strategies.lines(longest=200)
bodies = strategies.texts(longest=3_000, shortest=20)
broken = st.one_of(
    st.none(), st.integers(), st.booleans(), st.lists(st.text(max_size=5), max_size=3), st.text(max_size=9)
)


@settings(max_examples=20)
@given(
    titles=st.lists(titles, min_size=2, max_size=4),
    body=bodies,
    tags=strategies.tags(most=25),
    source=strategies.lines(longest=250),
    odd=broken,
    name=st.text(st.sampled_from("签é🎉a -"), min_size=1, max_size=60),
)
def test_no_answer_exceeds_its_cap(
    fresh: Callable[[], Vault],
    titles: list[str],
    body: str,
    tags: list[str],
    source: str,
    odd: object,
    name: str,
) -> None:
    vault = fresh()
    path = f"{name}/{name}.md".replace(" /", "/").strip()
    vault.write(path, f"---\ntitle: {name}\nbad: *x\n---\n{BODY}")
    calls: list[tuple[str, dict[str, object]]] = [
        *(
            ("memory_capture", {"title": title, "body": body, "tags": tags, "source": source})
            for title in titles
        ),
        ("memory_capture", {"title": titles[0], "body": f"{body} other", "on_conflict": "reject"}),
        ("memory_capture", {"title": odd, "body": odd, "tags": odd, "kind": odd, "on_conflict": odd}),
        ("memory_update", {"id": 1, "title": titles[-1], "tags": tags, "ttl": source}),
        ("memory_update", {"id": path, "title": titles[0]}),
        ("memory_update", {"id": odd, "priority": odd, "revive": odd, name: odd}),
        ("memory_supersede", {"old_id": path, "title": titles[0], "body": f"{body} new"}),
        ("memory_supersede", {"old_id": path, "title": titles[0], "body": f"{body} newer"}),
        ("memory_delete", {"id": path}),
        ("memory_delete", {"id": path, "undo": True}),
        ("memory_delete", {"id": source}),
    ]

    for tool, arguments in calls:
        reply = vault.workspace.call(vault.client, tool, arguments)

        assert size_of(reply.text) <= CAP_BYTES, (tool, reply.text)
        assert "Internal error" not in reply.text


@pytest.fixture
def fresh(vault: Vault) -> Callable[[], Vault]:
    """Return the vault of the test, what an earlier example left taken away."""

    def clean() -> Vault:
        for path in sorted(vault.folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        return vault

    return clean


def test_listing_the_mode_loads_neither_yaml_nor_the_scanner() -> None:
    line = "import sys, frugal_modes.vault; print(sorted({'yaml', 'frugal.text.credentials'} & sys.modules.keys()))"

    done = subprocess.run(
        [sys.executable, "-c", line], check=True, capture_output=True, text=True, encoding="utf-8"
    )

    assert done.stdout == "[]\n"
