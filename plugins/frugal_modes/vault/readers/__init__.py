"""The readers of sources: one module a format, all of them behind `records.Reader`."""

from importlib import import_module

from frugal_modes.vault.records import Reader

BUILT_IN = (
    "server_memory",
    "claude_export",
    "mem0",
    "chatgpt",
    "codex",
    "claude_memory",
    "cursor",
    "instructions",
    "basic_memory",
    "obsidian",
    "markdown",
    "jsonl",
    "memory_tool",
)
"""The modules of the built-in readers in the order in which `auto` asks them."""

ONLY_WHEN_NAMED = frozenset({"memory-tool"})
"""Formats without a mark of their own: `auto` never means them."""

REFERENCES = tuple(f"frugal_modes.vault.readers.{module}:READER" for module in BUILT_IN)
"""What the vault mode names in `Mode.readers`."""


def load(references: tuple[str, ...]) -> tuple[Reader, ...]:
    """Import and return the readers that *references*, `package.module:NAME`, stand for."""
    readers: list[Reader] = []
    for reference in references:
        module, _, name = reference.partition(":")
        readers.append(getattr(import_module(module), name))
    return tuple(readers)
