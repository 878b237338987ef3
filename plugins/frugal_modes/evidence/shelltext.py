"""Answers as the shell prints them: figures first, then messages, every line of a message behind `| `."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from frugal.api import Surface
from frugal_modes.evidence.cuts import cleaned

Structured = Mapping[str, Any]

_REASON_OF_CAUSE = {"over_limit": "item_limit", "over_bytes": "response_bytes"}
"""Causes of what was held back that say the same as a stop reason of another name."""


def quoted_lines(text: str) -> Iterator[str]:
    """Yield a message line by line behind `| `; nothing in it reaches the terminal as a command."""
    for line in cleaned(text).splitlines() or [""]:
        yield "| " + "".join(char if char.isprintable() else "\ufffd" for char in line.replace("\t", "    "))


def measurement(surface: Surface, told: Structured) -> str:
    """Return a measurement."""
    if told["kind"] == "overview":
        return overview(surface, told)
    lines = [_figures(surface, told)]
    for role, counts in told.get("roles", {}).items():
        lines.append(f"{role}: " + surface.text("brief.measurement", **counts))
    for entry in told.get("forms", ()):
        lines += quoted_lines(f"[{entry['clause']}] {', '.join(entry['forms'])}")
    lines += _bucket_lines(surface, told)
    return "\n".join([*lines, *_foot(surface, told)])


def overview(surface: Surface, told: Structured) -> str:
    """Return the overview."""
    corpora = told.get("corpora", ())
    lines = [surface.text("brief.overview", corpora=len(corpora), messages=told["messages"])]
    for corpus in corpora:
        span = f"{corpus.get('from') or '-'} .. {corpus.get('to') or '-'}"
        lines.append(f"{corpus['name']}  {corpus['format']}  {corpus['messages']}  {span}")
    for name in ("sender_types", "conversation_types", "caps"):
        figures = ", ".join(f"{key} {value}" for key, value in told.get(name, {}).items())
        lines += [f"{name}: {figures}"]
    lines += account_lines(surface, told.get("accounts", ()))
    return "\n".join([*lines, *_foot(surface, told)])


def account_lines(surface: Surface, accounts: Sequence[Structured]) -> list[str]:
    """Return a line for each account."""
    return [surface.text("shell.account", **account) for account in accounts]


def evidence(surface: Surface, told: Structured) -> str:
    """Return a discovery or a sample."""
    lines = [_figures(surface, told)] if "counts" in told else []
    for item in told.get("evidence", ()):
        lines += ["", _head(told, item), *quoted_lines(item["text"])]
        for side in ("before", "after"):
            for line in item.get(side, ()):
                head = f"  {surface.text(f'shell.{side}')} {_head(told, line)}"
                lines += [head, *quoted_lines(line["text"])]
        if same := item.get("same_text"):
            lines.append(surface.text("shell.same_text", **same))
        if "similar" in item:
            lines.append(surface.text("shell.similar", count=item["similar"]))
    return "\n".join([*lines, "", *_foot(surface, told)]).lstrip("\n")


def context(surface: Surface, told: Structured) -> str:
    """Return a context."""
    lines: list[str] = []
    for message in told["messages"]:
        marks = " ".join(name for name in ("anchor", "root", "matches") if name in message)
        lines += [f"{_head(told, message)} {marks}".rstrip(), *quoted_lines(message["text"])]
    if told.get("root_missing"):
        lines.append(surface.text("shell.root_missing"))
    return "\n".join([*lines, "", *_foot(surface, told)])


def export(surface: Surface, told: Structured) -> str:
    """Return what an export came to."""
    if "path" not in told:
        return "\n".join(_foot(surface, told))
    lines = [surface.text("brief.export", rows=told["rows"]), told["path"], told["manifest"]]
    if told.get("unchanged"):
        lines.append(surface.text("shell.unchanged"))
    return "\n".join([*lines, f"sha256 {told['sha256']}", *_foot(surface, told)])


def _figures(surface: Surface, told: Structured) -> str:
    if "counts" not in told:
        return surface.text("brief.incomplete")
    return surface.text("brief.measurement", **told["counts"])


def _bucket_lines(surface: Surface, told: Structured) -> list[str]:
    buckets = told.get("buckets")
    if not buckets:
        return []
    step, start = buckets["step"], buckets["start"]
    unit = surface.text(f"shell.units.{buckets['unit']}", step=step)
    fields = {
        "unit": unit if step == 1 else f"{step} {unit}",
        "start": start if buckets["unit"] == "hour" else start.partition("T")[0],
        "counts": " ".join(map(str, buckets["counts"])),
    }
    return [surface.text("shell.buckets", **fields)]


def _head(told: Structured, item: Structured) -> str:
    """Return the line above a message: ref, time, who, where. Names are quoted material too."""
    sender = told.get("senders", {}).get(item["sender"], {})
    parts = [item["ref"], item.get("at", ""), _named(sender)]
    if "conversation" in item:
        parts.append(_named(told.get("conversations", {}).get(item["conversation"], {})))
    return "  ".join(part for part in parts if part)


def _named(entry: Structured) -> str:
    name = "".join(char if char.isprintable() else "\ufffd" for char in str(entry.get("name", "-")))
    extra = ", ".join(str(entry[key]) for key in ("type", "organization") if entry.get(key))
    return f"{name} ({extra})" if extra else name


def _foot(surface: Surface, told: Structured) -> list[str]:
    """Return what was held back and why, and what is left."""
    lines: list[str] = []
    if told["outcome"] == "incomplete":
        lines.append(surface.text("brief.incomplete"))
    if omitted := told.get("omitted"):
        parts = [
            f"{count} {surface.text(f'shell.causes.{cause}')}"
            for cause, count in omitted.items()
            if cause != "total"
        ]
        lines.append(surface.text("shell.omitted", count=omitted["total"], causes=", ".join(parts)))
    told_already = {_REASON_OF_CAUSE.get(cause, cause) for cause in omitted or ()}
    reasons = [name for name in told.get("stop_reasons", ()) if name not in told_already]
    if reasons:
        words = ", ".join(surface.text(f"shell.reasons.{name}") for name in reasons)
        lines.append(surface.text("shell.stopped", reasons=words))
    warnings = told.get("warnings", ())
    lines += ["! " + surface.text(f"shell.{warning['code']}", **warning) for warning in warnings]
    spent = told["disclosure"]
    left = ", ".join(
        surface.text(f"shell.left_{name}", left=spent[f"{name}_left"])
        for name in ("query", "total")
        if f"{name}_left" in spent
    )
    foot = {"ref": told.get("query_ref", "-"), "size": spent["response_bytes"]}
    lines.append(
        surface.text("shell.foot", **foot, left=left) if left else surface.text("shell.foot_free", **foot)
    )
    return lines
