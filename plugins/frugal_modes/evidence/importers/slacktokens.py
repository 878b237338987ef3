"""Slack's marks inside a text: mentions, channels, links and dates in angle brackets, then its three entities."""

import re
from collections.abc import Callable

Name = Callable[[str], str]

_TOKEN = re.compile(r"<([^<>\s][^<>]*)>")
_ENTITY = re.compile(r"&(lt|gt|amp);")
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&"}


def resolve(text: str, person: Name, channel: Name) -> str:
    """Return *text* as its readers saw it; a written-out `&lt;@U1&gt;` is no mention, so marks come before entities."""
    if "<" not in text and "&" not in text:
        return text
    parts: list[str] = []
    end = 0
    for found in _TOKEN.finditer(text):
        parts += [_unescaped(text[end : found.start()]), _shown(found[1], person, channel)]
        end = found.end()
    return "".join((*parts, _unescaped(text[end:])))


def _unescaped(text: str) -> str:
    return _ENTITY.sub(lambda found: _ENTITIES[found[1]], text)


def _shown(token: str, person: Name, channel: Name) -> str:
    """Return what a mark says."""
    body, _, label = token.partition("|")
    label = _unescaped(label)
    if body.startswith("@"):
        return f"@{_first(label.lstrip('@'), person(body[1:]), body[1:])}"
    if body.startswith("#"):
        return f"#{_first(label.lstrip('#'), channel(body[1:]), body[1:])}"
    if body.startswith("!"):
        return _special(body[1:], label)
    address = _unescaped(body)
    if not label or label in (address, address.removeprefix("mailto:")):
        return label or address.removeprefix("mailto:")
    return f"{label} ({address})" if address else f"<{token}>"


def _special(body: str, label: str) -> str:
    """Return a mark that begins with an exclamation mark: everybody, a group, a date."""
    if body.startswith("date^"):
        return label or body.rsplit("^", maxsplit=1)[-1]
    name = label or body.partition("^")[2] or body
    return name if name.startswith("@") else f"@{name}"


def _first(*names: str) -> str:
    return next((name for name in names if name), "")
