"""`source add`, `source list`, `source remove` and `paths`: what is registered, and where everything lies."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from frugal.api import Answer, Call, Mode, ModeSettings, Refusal, UsageError, expand_path, shown_path
from frugal_modes.vault import sourcerows
from frugal_modes.vault.places import Place, Places, places_of
from frugal_modes.vault.probing import Probe, guesses, probe, recognised
from frugal_modes.vault.problems import NOTES, told
from frugal_modes.vault.records import VAULT, Reader
from frugal_modes.vault.secrecy import echoed, masked
from frugal_modes.vault.sources import AUTO, SYNONYMS, Source, readers_of, registered, vault_of
from frugal_modes.vault.vaultjson import Values, rewrite_settings

SHOWN_PROBLEMS = 10
FORCED = "shape.forced"


def add(
    call: Call, *, kind: str, path: str, name: str, option: Mapping[str, str] | tuple[()], force: bool
) -> Answer:
    """Register a source and say what it holds; another shape and the vault itself are usage errors."""
    places = places_of(call.settings)
    readers = {key: reader for key, reader in readers_of(call.mode).items() if key != VAULT}
    kind = SYNONYMS.get(kind.lower(), kind.lower())
    if kind != AUTO and kind not in readers:
        raise UsageError("unknown_source_kind", value=kind[:60], known=", ".join([*readers, AUTO]))
    root = _root(call, places, kind, readers.get(kind), path)
    kind, reason = _shape(readers, kind, root, is_forced=force)
    options = _options(readers[kind], dict(option))
    present = registered(places)
    same = next((item for item in present if item.kind == kind and _is_same(item.root, root)), None)
    if same is not None and dict(same.options) == options and not (name and name != same.name):
        source, action = same, "unchanged"
    else:
        source, action = Source(_name(present, name, kind), kind, root, options=options), "added"
    shared = vault_of(places).ignore
    looked = Source(source.name, kind, root, ignore=shared, options=options)
    with call.progress(call.surface.text("vault.sources.progress")) as report:
        found = probe(readers[kind], root, looked.reader_options, report=report)
    if action == "added":
        source = _register(call, source, wanted=name)
    return _added(call, source, action, reason, found)


def _root(call: Call, places: Places, kind: str, reader: Reader | None, given: str) -> Path:
    """Return where the source lies; without a path the first default place of its program that exists."""
    if given:
        root = expand_path(given, environ=call.settings.values, system=call.settings.system)
        if not root.exists():
            raise UsageError("source_missing", path=shown_path(root))
    else:
        defaults = reader.defaults(call.settings.values) if reader is not None else ()
        existing = next((place for place in defaults if place.exists()), None)
        if existing is None:
            if not defaults:
                raise UsageError("no_default_place", kind=kind)
            raise UsageError("no_default_source", places=", ".join(map(shown_path, defaults)))
        root = existing
    vault = os.path.realpath(places.vault.path)
    real = os.path.realpath(root)
    if real == vault or real.startswith(vault + os.sep):
        raise UsageError("source_is_vault", path=shown_path(root))
    return root.resolve() if ".." in root.parts else root.absolute()


def _shape(readers: Mapping[str, Reader], kind: str, root: Path, *, is_forced: bool) -> tuple[str, str]:
    """Return the kind and why *root* is of it; raise `UsageError` for another shape."""
    if kind != AUTO:
        reason = recognised(readers[kind], root)
        if reason or is_forced:
            return kind, reason or FORCED
    found = guesses(readers, root)
    if kind == AUTO and found:
        return found[0]
    if kind == AUTO:
        raise UsageError("auto_shape_unknown", path=shown_path(root), known=", ".join(readers))
    if not found:
        raise UsageError("source_shape_unknown", path=shown_path(root), kind=kind)
    shapes = ", ".join(name for name, _ in found)
    raise UsageError("source_shape", path=shown_path(root), kind=kind, found=shapes)


def _options(reader: Reader, given: dict[str, str]) -> dict[str, str]:
    known: tuple[str, ...] | None = getattr(reader, "option_names", None)
    unknown = [key for key in given if known is not None and key not in known]
    if unknown and not known:
        raise UsageError("no_source_option", value=unknown[0][:60], kind=reader.name)
    if unknown:
        raise UsageError(
            "unknown_source_option", value=unknown[0][:60], kind=reader.name, known=", ".join(known or ())
        )
    return given


def _is_same(first: Path, second: Path) -> bool:
    return os.path.realpath(first) == os.path.realpath(second)


def _name(present: tuple[Source, ...], wanted: str, kind: str) -> str:
    """Return the name of a new source; raise `UsageError` if the wanted one is taken."""
    taken = {source.name.casefold() for source in present} | {VAULT}
    if wanted:
        if wanted.casefold() in taken:
            raise UsageError("source_name_taken", value=wanted)
        return wanted
    number = 1
    while (name := kind if number == 1 else f"{kind}-{number}") in taken:
        number += 1
    return name


def _register(call: Call, source: Source, *, wanted: str) -> Source:
    """Add *source* to `vault.json` and return it with its name; the write lock of the index keeps others out."""
    with call.store.write():
        places = places_of(call.settings)  # somebody may have added one meanwhile
        source = replace(source, name=_name(registered(places), wanted, source.kind))
        item: dict[str, Any] = {"name": source.name, "kind": source.kind, "path": shown_path(source.root)}
        if source.options:
            item["options"] = dict(source.options)

        def change(values: Values) -> Values:
            return {**values, "sources": [*(values.get("sources") or []), item]}

        rewrite_settings(places.config.path, change)
    return source


def _added(call: Call, source: Source, action: str, reason: str, found: Probe) -> Answer:
    text = call.surface.text
    shape = text(f"vault.sources.{reason}") if reason.startswith("shape.") else reason
    path = masked(shown_path(source.root))
    lines = [text(f"vault.sources.{action}", name=source.name, kind=source.kind, path=path)]
    lines.append(text("vault.sources.shape_line", shape=shape))
    key = "count" if found.is_whole else "count_so_far"
    lines.append(text(f"vault.sources.{key}", cards=found.cards, read=found.read, units=found.units))
    if found.left_out:
        lines.append(text("vault.sources.left_out", count=found.left_out))
    titles = [masked(title) for title in found.titles]
    lines += [f"  {title}" for title in titles]
    lines += _problem_lines(call, found)
    counts: dict[str, object] = {
        "action": action,
        "name": source.name,
        "kind": source.kind,
        "path": path,
        "shape": shape,
        "count": found.cards,
        "units": found.units,
        "read": found.read,
        "left_out": found.left_out,
        "problems": sum(problem.reason not in NOTES for problem in found.problems),
    }
    return Answer("\n".join(lines), items=tuple({"title": title} for title in titles), counts=counts)


def _problem_lines(call: Call, found: Probe) -> list[str]:
    if not found.problems:
        return []
    lines = [call.surface.text("vault.sources.problems", count=len(found.problems))]
    lines += [f"  {told(call.surface, problem)}" for problem in found.problems[:SHOWN_PROBLEMS]]
    if len(found.problems) > SHOWN_PROBLEMS:
        more = len(found.problems) - SHOWN_PROBLEMS
        lines.append(call.surface.text("vault.sources.more_problems", count=more))
    return lines


def list_all(call: Call, *, available: bool) -> Answer:
    """Return the registered sources, with *available* the default places of programs that are not among them."""
    places = places_of(call.settings)
    present = (vault_of(places), *registered(places))
    known = sourcerows.kept(call)
    items = tuple(
        _listed(
            source,
            known.get(source.name),
            is_default_vault=source.is_vault and places.vault.is_default,
        )
        for source in present
    )
    lines = [_line(call, item) for item in items]
    if available:
        found = available_places(call.mode, call.settings)
        lines.append(
            call.surface.text("vault.sources.available" if found else "vault.sources.none_available")
        )
        lines += [
            f"  frugal-memory vault source add {kind}  ({masked(shown_path(path))})" for kind, path in found
        ]
        items += tuple(
            {"kind": kind, "path": masked(shown_path(path)), "state": "available"} for kind, path in found
        )
    return Answer("\n".join(lines), items=items, counts={"count": len(present)})


def available_places(mode: Mode, settings: ModeSettings) -> tuple[tuple[str, Path], ...]:
    """Return kind and place of every default place that exists, has the shape and is not registered."""
    taken = {os.path.realpath(source.root) for source in registered(places_of(settings))}
    found: list[tuple[str, Path]] = []
    for kind, reader in readers_of(mode).items():
        for place in reader.defaults(settings.values):
            is_there = place.exists() and os.path.realpath(place) not in taken
            if is_there and recognised(reader, place):
                found.append((kind, place))
    return tuple(found)


def _state(source: Source, *, is_default_vault: bool) -> str:
    if not source.is_enabled:
        return "disabled"
    if source.root.exists():
        return "there"
    return "not_made" if is_default_vault else "missing"


def _listed(source: Source, found: sourcerows.Kept | None, *, is_default_vault: bool) -> dict[str, object]:
    known = found is not None and bool(found.cards)  # what is gone was made once
    state = _state(source, is_default_vault=is_default_vault and not known)
    return {
        "name": source.name,
        "kind": source.kind,
        "path": masked(shown_path(source.root)),
        "state": state,
        "options": dict(source.options),
        "cards": found.cards if found else None,
        "problems": found.problems if found else None,
        "last_good": found.last_good if found else "",
    }


def _line(call: Call, item: Mapping[str, object]) -> str:
    state = call.surface.text(f"vault.sources.states.{item['state']}")
    options = item["options"]
    shown = " ".join(f"{key}={value}" for key, value in options.items()) if isinstance(options, dict) else ""
    counts = {"cards": item["cards"], "problems": item["problems"]}
    known = "" if item["cards"] is None else call.surface.text("vault.sources.kept", **counts)
    parts = (item["name"], item["kind"], item["path"], state, known, shown)
    return masked(" | ".join(str(part) for part in parts if part))


def remove(call: Call, *, name: str, forget: bool) -> Answer:
    """Take a source out of `vault.json`: its cards are hidden, with *forget* their rows, ids and counts go."""
    from frugal_modes.vault import sync

    places = places_of(call.settings)
    names = [source.name for source in registered(places)]
    if name not in names and not (forget and sourcerows.is_known(call, name)):
        if not names:
            raise Refusal("no_source", value=echoed(name))
        raise Refusal("unknown_source", value=echoed(name), known=", ".join(names))
    if name in names:
        with call.store.write():
            rewrite_settings(places.config.path, lambda values: _without(values, name))
    sync.refresh(call)
    cards = sourcerows.forget_source(call, name) if forget else 0
    key = "forgotten" if forget else "removed"
    text = call.surface.text(f"vault.sources.{key}", name=name, cards=cards)
    return Answer(text, counts={"action": key, "name": name, "cards": cards})


def _without(values: Values, name: str) -> Values:
    items = values.get("sources") or []
    kept = [item for item in items if not (isinstance(item, dict) and item.get("name") == name)]
    return {**values, "sources": kept} if len(kept) != len(items) else values


def paths(call: Call) -> Answer:
    """Return each path and the layer it came from."""
    places = places_of(call.settings)
    found: dict[str, Place] = {"vault": places.vault, "index": places.index, "config": places.config}
    items = [_place_item(key, place) for key, place in found.items()]
    items += [
        {"what": source.name, "path": shown_path(source.root), "layer": shown_path(places.config.path)}
        for source in registered(places)
    ]
    lines = [
        call.surface.text(
            "vault.sources.path_line", what=item["what"], path=item["path"], layer=item["layer"]
        )
        for item in items
    ]
    counts = {key: shown_path(place.path) for key, place in found.items()}
    return Answer("\n".join(lines), items=tuple(items), counts=counts)


def _place_item(what: str, place: Place) -> dict[str, object]:
    return {"what": what, "path": shown_path(place.path), "layer": place.layer, "exists": place.path.exists()}
