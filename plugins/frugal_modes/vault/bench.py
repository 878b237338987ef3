"""bench: how well the index answers queries whose answers are known, and whether it got worse than a saved run."""

import json
import time
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from frugal.api import (
    ANALYSIS_VERSION,
    SQLITE_VERSION,
    Answer,
    Call,
    Connection,
    LexicalRetriever,
    Refusal,
    Tuning,
    UsageError,
    cost,
    data_folder,
    expand_path,
    shown_path,
)
from frugal_modes.vault.bench_metrics import Figures, Shown, by_group, worse
from frugal_modes.vault.bench_truth import Asked, Truth, read_truth, resolved
from frugal_modes.vault.hits import Hit
from frugal_modes.vault.question import Question
from frugal_modes.vault.reading_forms import Clamped
from frugal_modes.vault.search_text import answer_of
from frugal_modes.vault.searching import find
from frugal_modes.vault.sync import reindex

TRUTH = "vault-truth.json"
LIMIT = 10
MODES = ("default", "strict")
LIBRARIES = ("PyStemmer", "PyYAML")
SCHEMA = Path(__file__).with_name("schema")
FIGURES = ("n", "first_ok", "mrr", "ndcg@10", "precision@5", "precision@10", "noise@5")
EMPTY_FIGURES = ("n_empty", "answered", "answered_all")
UNKNOWN_SHOWN = 20


class UnresolvedTruth(Refusal):
    """Refs of the truth that name nothing in this index: a mistake of usage."""

    exit_code = 2


def bench(call: Call, *, queries: str, save: str, baseline: str, allow_unresolved: bool) -> Answer:
    """Return the figures of every group in both modes; worse than *baseline* is a failure."""
    truth = read_truth(_path(call, queries) if queries else _default_truth(call))
    before = _read_run(_path(call, baseline)) if baseline else None
    with call.progress(call.surface.text("vault.index.reading")) as report:
        reindex(call, report=report)
    with call.store.read() as db:
        truth = resolved(db, truth)
        if truth.unknown and not allow_unresolved:
            shown = ", ".join(truth.unknown[:UNKNOWN_SHOWN])
            raise UnresolvedTruth("bench_unresolved", count=len(truth.unknown), refs=shown)
        run: dict[str, Any] = {
            "fingerprint": fingerprint(db, truth),
            "results": {mode: _figures(call, db, truth, is_strict=mode == "strict") for mode in MODES},
        }
    if save:
        _save(_path(call, save), run)
    return _answer(call, run, before, truth)


def _save(path: Path, run: Mapping[str, Any]) -> None:
    text = json.dumps(run, ensure_ascii=False, indent=1, sort_keys=True)
    try:
        path.write_text(text + "\n", "utf-8")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError("config_unwritable", path=shown_path(path), reason=reason) from None


def _path(call: Call, text: str) -> Path:
    return expand_path(text, environ=call.settings.values, system=call.settings.system)


def _default_truth(call: Call) -> Path:
    return data_folder(call.settings.values, call.settings.system, file_name=TRUTH) / TRUTH


def _read_run(path: Path) -> dict[str, Any]:
    try:
        run = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(
            "bench_baseline_unreadable", path=shown_path(path), reason=str(error)[:120]
        ) from None
    if not isinstance(run, dict) or not isinstance(run.get("results"), dict):
        raise UsageError("bench_baseline_unreadable", path=shown_path(path), reason="results")
    return run


def _figures(call: Call, db: Connection, truth: Truth, *, is_strict: bool) -> dict[str, dict[str, Any]]:
    shown = [
        _ask(call, db, asked, grades, is_strict=is_strict)
        for asked, grades in zip(truth.asked, truth.grades, strict=True)
    ]
    return {name: _plain(found) for name, found in by_group(shown).items()}


def _plain(found: Figures) -> dict[str, Any]:
    return {**{name: round(value, 6) for name, value in found.values.items()}, "labels": dict(found.labels)}


def _ask(call: Call, db: Connection, asked: Asked, grades: Mapping[int, int], *, is_strict: bool) -> Shown:
    """Search as a client would, learned questions off."""
    question = Question(
        asked.query,
        Clamped(LIMIT, LIMIT),
        call.clock(),
        kind=asked.kind,
        source=asked.source,
        is_strict=is_strict,
    )
    started = time.perf_counter()
    result = find(db, question, LexicalRetriever())
    answer, _ = answer_of(call, question, result)
    ms = (time.perf_counter() - started) * 1000
    hits = [_members(hit) for hit in result.hits]
    label = str(answer.counts.get("tier", ""))
    size = cost("\n".join([answer.text, *answer.notes])).size_bytes
    return Shown(asked.group, hits, grades, asked.is_rightly_empty, label, size, ms)


def _members(hit: Hit) -> list[int]:
    return [hit.row.number, *(row.number for row in hit.others)]


CORPUS = """
    SELECT source.name || ':' || card.native_id, card.content_hash, card.body_hash
    FROM card JOIN source ON source.id = card.source ORDER BY 1, 2, 3
"""


def fingerprint(db: Connection, truth: Truth) -> dict[str, str]:
    """Return what the figures depend on, part by part."""
    corpus = blake2b(digest_size=8)
    for row in db.execute(CORPUS):
        corpus.update("\x1f".join(map(str, row)).encode("utf-8", "surrogatepass"))
    libraries = [f"{name} {_version(name)}" for name in LIBRARIES]
    return {
        "analysis": str(ANALYSIS_VERSION),
        "ranking": _short(json.dumps(asdict(Tuning()), sort_keys=True)),
        "schema": _short("".join(file.read_text("utf-8") for file in sorted(SCHEMA.glob("*.sql")))),
        "libraries": ", ".join([f"SQLite {SQLITE_VERSION}", *libraries]),
        "truth": truth.digest,
        "corpus": corpus.hexdigest(),
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "-"


def _short(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


# --- the answer ---


def _answer(call: Call, run: dict[str, Any], before: dict[str, Any] | None, truth: Truth) -> Answer:
    lines = _fingerprint_lines(call, run, before)
    if truth.unknown:
        lines.append(_say(call, "unresolved", count=len(truth.unknown)))
    for mode, groups in run["results"].items():
        lines += [_line(mode, name, values) for name, values in groups.items()]
    found = _worse(run, before) if before else []
    lines += [_say(call, "worse", **item) for item in found]
    if before is not None and not found:
        lines.append(_say(call, "not_worse"))
    counts = {**run, "worse": found, "unresolved": list(truth.unknown)}
    if found:
        return Answer("\n".join(lines), counts=counts, is_refusal=True, exit_code=1, code="bench_worse")
    return Answer("\n".join(lines), counts=counts)


def _say(call: Call, key: str, /, **fields: object) -> str:
    return call.surface.text(f"vault.bench.{key}", **fields)


def _fingerprint_lines(call: Call, run: dict[str, Any], before: dict[str, Any] | None) -> list[str]:
    if before is None:
        return []
    old = before.get("fingerprint") or {}
    if not old:
        return [_say(call, "no_fingerprint")]
    changed = [name for name, value in run["fingerprint"].items() if old.get(name) != value]
    if not changed:
        return [_say(call, "same_fingerprint")]
    return [_say(call, "changed_fingerprint", parts=", ".join(changed))]


def _line(mode: str, name: str, values: Mapping[str, Any]) -> str:
    shown = [f"{key} {_number(values[key])}" for key in FIGURES if key in values]
    if values.get("n_empty"):
        shown += [f"{key} {_number(values[key])}" for key in EMPTY_FIGURES if key in values]
    labels = " ".join(f"{label}:{count}" for label, count in sorted(values["labels"].items()))
    shown += [f"bytes {values.get('bytes', 0):.0f}", f"ms {values.get('ms', 0):.1f}", labels]
    return f"{mode} {name}: " + ", ".join(shown)


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and value > 1 else f"{value:.4g}"


def _worse(run: dict[str, Any], before: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for mode, groups in run["results"].items():
        for name, values in groups.items():
            old = before["results"].get(mode, {}).get(name)
            if isinstance(old, dict):
                found += [
                    {"mode": mode, "group": name, "figure": figure, "before": was, "now": now}
                    for figure, was, now in worse(values, old)
                ]
    return found
