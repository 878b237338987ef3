"""evidence generate: a corpus and its truth, written to files of their own."""

import json
import os
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from frugal.api import Answer, Call, Conflict, Refusal, echo
from frugal_modes.evidence.corpus import ref_of_key
from frugal_modes.evidence.generator import plain
from frugal_modes.evidence.generator.plan import Planned, plan
from frugal_modes.evidence.generator.profiles import PROFILES
from frugal_modes.evidence.generator.truth import Truth
from frugal_modes.evidence.importers.generic import read_record
from frugal_modes.evidence.importers.reading import Reading
from frugal_modes.evidence.loading import load
from frugal_modes.evidence.records import Item, Place
from frugal_modes.evidence.report import LoadReport

CORPUS = "generated"
SIDE_FILES = ("-wal", "-shm")


def generate(call: Call, *, profile: str, seed: int, wording: str, out: str, force: bool) -> Answer:
    """Write the corpus of *profile*, *seed* and *wording* to *out*, and what is true of it beside it."""
    path = Path(out).absolute()
    truth_path = truth_file(path)
    for found in (path, truth_path):
        _check(found, has_force=force)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        truth = write_corpus(call, unfinished, profile=profile, seed=seed, wording=wording)
        write_truth(truth_file(unfinished), truth)
        for beside in _side_files(path):
            beside.unlink(missing_ok=True)
        unfinished.replace(path)
        truth_file(unfinished).replace(truth_path)
    finally:
        for left in (unfinished, *_side_files(unfinished), truth_file(unfinished)):
            left.unlink(missing_ok=True)
    text = call.surface.text(
        "generate.done",
        messages=truth["messages"],
        path=path,
        truth=truth_path,
        version=truth["corpus_version"],
    )
    counts = {"path": str(path), "truth": str(truth_path)}
    kept = ("profile", "seed", "wording", "corpus", "corpus_version", "messages", "counts")
    return Answer(text, counts={**counts, **{name: truth[name] for name in kept}})


def _side_files(path: Path) -> list[Path]:
    return [path.with_name(path.name + ending) for ending in SIDE_FILES]


def truth_file(path: Path) -> Path:
    """Return where the truth of a corpus lies."""
    return path.with_name(path.name + ".truth.json")


def _check(path: Path, *, has_force: bool) -> None:
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise Refusal("generate_unsafe", path=str(path))
    if path.exists() and not has_force:
        raise Conflict("generate_exists", path=str(path))


def write_corpus(call: Call, path: Path, *, profile: str, seed: int, wording: str) -> dict[str, object]:
    """Write a corpus to the new file *path*, through the ordinary importer, and return what is true of it."""
    truth = Truth(lambda identity: ref_of_key(CORPUS, identity))
    planned = plan(PROFILES[profile], seed, wording)
    with closing(call.store.at(path)) as store:
        report = _load(replace(call, store=store), truth, planned, total=PROFILES[profile].messages)
    assert report.inserted == truth.messages, "a generated message was refused"
    return {
        "profile": profile,
        "seed": seed,
        "wording": wording,
        "corpus": CORPUS,
        "corpus_version": report.version_after,
        "product": plain.PRODUCT,
        "alias": plain.ALIAS,
        "marker": plain.MARKER,
        **truth.record,
    }


def _load(call: Call, truth: Truth, planned: Iterator[Planned], *, total: int) -> LoadReport:
    with call.progress(call.surface.text("generate.progress")) as report:
        return load(
            call,
            CORPUS,
            _items(truth.watch(planned)),
            source=CORPUS,
            format="jsonl",
            progress=lambda read: report(read, total),
        )


def _items(planned: Iterator[Planned]) -> Iterator[Item]:
    """Yield what the ordinary importer makes of the records."""
    reading = Reading()
    for number, message in enumerate(planned, 1):
        yield from read_record(message.record, Place(CORPUS, number), reading)


def write_truth(path: Path, truth: dict[str, object]) -> None:
    """Write the truth to *path*, readable by its owner alone."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    try:
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
            with suppress(OSError, AttributeError):  # no permissions of this kind on Windows
                os.fchmod(file.fileno(), 0o600)
            json.dump(truth, file, ensure_ascii=False, indent=1)
            file.write("\n")
    except OSError as error:
        raise Refusal("import_unreadable", path=echo(path), reason=error.strerror or str(error)) from None
