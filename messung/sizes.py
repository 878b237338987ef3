"""The bytes of the derived tables beside raw FTS5's, and what each of them is for."""

from collections.abc import Mapping
from typing import NamedTuple

from messung.report import table

WANTED_RATIO = 1.6
INDEX = "search_index"
OTHER = "other derived tables"


class Part(NamedTuple):
    """A part of the index: its name, the tables that begin so, and what it buys."""

    name: str
    table: str
    buys: str


PARTS = (
    Part(
        "trigrams of the words",
        "search_word_piece",
        "finds the words of the store that contain a word of the query, begin with it or are spelled nearly like it; raw "
        "FTS5 finds none of these",
    ),
    Part(
        "inverted index",
        INDEX,
        "the same that raw FTS5 holds, the documents and places of each term, with short numbers for terms",
    ),
    Part(
        "forward index",
        "search_forward",
        "the words of each document in order, as numbers: phrases, the spelling beside the stem, title, tags, passages, "
        "entries written together before and after, and similar entries are scored without reading and analysing the "
        "texts again; a document is taken out of the index with exactly what was put in; the doctor and `upkeep` read it",
    ),
    Part(
        "words",
        "search_word",
        "each word as it is written, its stem and in how many documents that lives: weights without counting at query "
        "time, hidden entries left out of them",
    ),
    Part("words with umlauts", "search_alias", "the bare spelling finds the other: `kase` and `Käse`"),
)


def part_sizes(tables: Mapping[str, int], prefix: str) -> dict[str, int]:
    """Return the bytes of each part of the index by its name; the shadow tables of an FTS table count as one."""
    sizes = {part.name: 0 for part in PARTS} | {OTHER: 0}
    for name, size in tables.items():
        if name.startswith(prefix):
            sizes[_part_of(name)] += size
    return sizes


def _part_of(name: str) -> str:
    for part in PARTS:
        if name == part.table or name.startswith(f"{part.table}_"):
            return part.name
    return OTHER


def what_it_buys(tables: Mapping[str, int], *, raw_bytes: int, index_bytes: int, prefix: str) -> str:
    """Return what the index holds beyond raw FTS5's, computed from the sizes of its tables; "" within the goal."""
    if not index_bytes or index_bytes <= WANTED_RATIO * raw_bytes:
        return ""
    head = f"The index is {index_bytes / raw_bytes:.2f} times raw FTS5's, above the {WANTED_RATIO} wanted. "
    sizes = part_sizes(tables, prefix)
    if not any(sizes.values()):
        return (
            head + "This SQLite cannot tell the bytes of single tables, so what holds them is not measured."
        )
    buys = {part.name: part.buys for part in PARTS} | {OTHER: "statistics of the whole store"}
    rows = [
        [name, f"{size / 1e6:.2f}", f"{size / raw_bytes:.2f}", buys[name]]
        for name, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0]))
        if size
    ]
    rows.append(["all", f"{index_bytes / 1e6:.2f}", f"{index_bytes / raw_bytes:.2f}", ""])
    return "\n\n".join(
        [
            f"{head}{_difference(sizes, raw_bytes)}",
            table(["part", "MB", "of raw FTS5", "what it buys"], rows),
        ]
    )


def _difference(sizes: Mapping[str, int], raw_bytes: int) -> str:
    """Say how the like part compares, and what the parts that raw FTS5 has not come to."""
    like = sizes["inverted index"] / raw_bytes
    extra = (sum(sizes.values()) - sizes["inverted index"]) / raw_bytes
    largest = max((name for name in sizes if name != "inverted index"), key=lambda name: sizes[name])
    without = (sum(sizes.values()) - sizes[largest]) / raw_bytes
    return (
        f"The inverted index, which is all that raw FTS5 has (there with the words themselves in it), takes {like:.2f} of "
        f"raw's bytes here; the tables beside it take {extra:.2f}. The largest of those is the part `{largest}`: without "
        f"it the index would be {without:.2f} times raw."
    )
