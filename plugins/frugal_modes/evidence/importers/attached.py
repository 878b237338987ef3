"""What stands for the text of a message that has none of its own: cards, attachments, names of files."""

from collections.abc import Iterable, Iterator
from typing import Any

from frugal_modes.evidence.importers.reading import first_text, mapping, sequence

MOST_DEPTH = 24


def joined(parts: Iterable[Any]) -> str:
    """Return the texts among *parts* that say something, a line each."""
    return "\n".join(part.strip() for part in parts if isinstance(part, str) and part.strip())


def attachments_text(attachments: Any) -> str:
    """Return what cards in the manner of Slack say."""
    parts: list[Any] = []
    for raw in sequence(attachments):
        card = mapping(raw)
        own = [card.get("pretext"), card.get("title"), first_text(card.get("text"), card.get("fallback"))]
        fields = [mapping(item) for item in sequence(card.get("fields"))]
        parts += [*own, *(_pair(item.get("title"), item.get("value")) for item in fields)]
        parts += [blocks_text(card.get("blocks"))] if not joined(own) else []
    return joined(parts)


def embeds_text(embeds: Any) -> str:
    """Return what embeds in the manner of Discord say."""
    parts: list[Any] = []
    for raw in sequence(embeds):
        card = mapping(raw)
        parts += [mapping(card.get("author")).get("name"), card.get("title"), card.get("description")]
        fields = (mapping(item) for item in sequence(card.get("fields")))
        parts += [_pair(item.get("name"), item.get("value")) for item in fields]
        parts += [mapping(card.get("footer")).get("text")]
        if not joined(parts):
            parts.append(card.get("url"))
    return joined(parts)


def blocks_text(blocks: Any) -> str:
    """Return what blocks in the manner of Slack say."""
    return joined("".join(_pieces(block, 0)) for block in sequence(blocks))


def _pieces(node: Any, depth: int) -> Iterator[str]:
    """Yield the texts inside a block, in order."""
    if depth > MOST_DEPTH:
        return
    if isinstance(node, list):
        for item in node:
            yield from _pieces(item, depth + 1)
        return
    if not isinstance(node, dict):
        return
    kind = node.get("type")
    if kind in ("user", "usergroup", "channel", "broadcast"):
        yield _token(node)
        return
    if kind == "emoji":
        yield f":{node.get('name', '')}:"
        return
    if kind == "link" and not first_text(node.get("text")):
        yield first_text(node.get("url"))
        return
    text = node.get("text")
    yield text if isinstance(text, str) else ""
    for key in ("text", "elements", "fields"):
        if not isinstance(node.get(key), str):
            yield from _pieces(node.get(key), depth + 1)
    if kind in ("rich_text_section", "rich_text_preformatted", "rich_text_quote", "section", "context"):
        yield "\n"


def _token(node: dict[str, Any]) -> str:
    """Return a mention the way it stands in a plain text, to be resolved like one."""
    kind = node["type"]
    if kind == "user":
        return f"<@{node.get('user_id', '')}>"
    if kind == "channel":
        return f"<#{node.get('channel_id', '')}>"
    if kind == "usergroup":
        return f"<!subteam^{node.get('usergroup_id', '')}>"
    return f"<!{node.get('range', '')}>"


def files_text(names: Iterable[Any]) -> str:
    """Return the names of files, each marked as one."""
    return "\n".join(f"[file: {name.strip()}]" for name in names if isinstance(name, str) and name.strip())


def _pair(name: Any, value: Any) -> str:
    return ": ".join(part.strip() for part in (name, value) if isinstance(part, str) and part.strip())
