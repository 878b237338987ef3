"""The one module a mode may import: everything a plugin needs, re-exported under stable names."""

import dataclasses
from importlib import import_module
from typing import TYPE_CHECKING

from frugal.errors import Conflict, DamagedExport, FrugalError, Refusal, Refused, UsageError
from frugal.hookspecs import hookimpl
from frugal.model import (
    Access,
    Agreement,
    Answer,
    Cap,
    EntryRules,
    Kind,
    KindVocabulary,
    Mode,
    ModeOption,
    Parameter,
    Predecessor,
    SchemaFolder,
    Tool,
    Transfer,
)

if TYPE_CHECKING:
    from frugal.budget import LINE_END, Cost, Room, cost, cut, total
    from frugal.call import Call, Client
    from frugal.entries.extending import entry_lines, masked_text, set_evidence
    from frugal.entries.tools import TOOLS as ENTRY_TOOLS
    from frugal.forms import Integer, Limit, Line, Number, Switch, Text, as_text
    from frugal.ids import LARGEST_ID, as_ranges
    from frugal.model import spell_out
    from frugal.search import (
        EVERY_DOCUMENT,
        Document,
        Found,
        Grouping,
        LexicalRetriever,
        Request,
        Restriction,
        Retriever,
        Scored,
    )
    from frugal.search import compact as compact_index
    from frugal.search import replace as index_document
    from frugal.search.expansion import near_words
    from frugal.settings import ModeSettings, host_name
    from frugal.store import (
        Compared,
        Connection,
        OldFile,
        TakenOver,
        backups_holding,
        put_record,
        read_record,
    )
    from frugal.surface import Surface, echo
    from frugal.text.analysis import ANALYSIS_VERSION, analyse, query_words
    from frugal.text.credentials import Credential
    from frugal.text.credentials import scan as scan_credentials
    from frugal.text.filenames import file_names
    from frugal.text.graphemes import boundary_before
    from frugal.text.titles import one_line
    from frugal.transfer import Contents, Merged, Page, Progress, Record, no_progress

ENTRY_PACKAGES = ("frugal.entries",)
"""Catalogues of the entry tools; a mode with those tools names them in `Mode.includes`."""

ENTRY_SCHEMAS = (SchemaFolder("search", "frugal.search"), SchemaFolder("entries", "frugal.entries"))
"""Migration sets of the entry tools; a mode with those tools names them first in `Mode.schemas`."""

_LATER = {
    "frugal.budget": ("LINE_END", "Cost", "Room", "cost", "cut", "total"),
    "frugal.call": ("Call", "Client"),
    "frugal.entries.extending": ("entry_lines", "masked_text", "set_evidence"),
    "frugal.entries.tools": ("TOOLS",),
    "frugal.forms": ("Integer", "Limit", "Line", "Number", "Switch", "Text", "as_text"),
    "frugal.ids": ("LARGEST_ID", "as_ranges"),
    "frugal.model": ("spell_out",),
    "frugal.search": (
        "EVERY_DOCUMENT",
        "Document",
        "Found",
        "Grouping",
        "LexicalRetriever",
        "Request",
        "Restriction",
        "Retriever",
        "Scored",
        "compact",
        "replace",
    ),
    "frugal.search.expansion": ("near_words",),
    "frugal.settings": ("ModeSettings", "host_name"),
    "frugal.store": (
        "Compared",
        "Connection",
        "OldFile",
        "TakenOver",
        "backups_holding",
        "put_record",
        "read_record",
    ),
    "frugal.surface": ("Surface", "echo"),
    "frugal.text.analysis": ("ANALYSIS_VERSION", "analyse", "query_words"),
    "frugal.text.credentials": ("Credential", "scan"),
    "frugal.text.graphemes": ("boundary_before",),
    "frugal.text.filenames": ("file_names",),
    "frugal.text.titles": ("one_line",),
    "frugal.transfer": ("Contents", "Merged", "Page", "Progress", "Record", "no_progress"),
}
"""What is imported when a mode asks for it: a mode that is only listed needs no store and no search."""

_RENAMED = {
    "ENTRY_TOOLS": "TOOLS",
    "compact_index": "compact",
    "index_document": "replace",
    "scan_credentials": "scan",
}
_HOMES = {name: module for module, names in _LATER.items() for name in names}

ENTRY_UPKEEP = "frugal.entries.upkeep:upkeep"
"""What a mode with the entry tools names in `Mode.upkeep`."""

ENTRY_TRANSFER = Transfer(
    records="frugal.entries.transfer.records:records",
    load="frugal.entries.transfer.load:load",
    merge="frugal.entries.transfer.merge:merge",
    pages="frugal.entries.transfer.pages:pages",
)
"""What a mode with the entry tools names in `Mode.transfer`."""

ENTRY_EXPLAIN = "frugal.entries.transfer.origins:explain"
"""What a mode with the entry tools names in `Mode.explain`."""

ENTRY_EXAMINE = "frugal.entries.examine:examine"
"""What a mode with the entry tools names in `Mode.examine`."""

ENTRY_PREDECESSOR = Predecessor("eintrag", "frugal.entries.takeover:take_over")
"""What a mode with the entry tools names in `Mode.predecessor`."""


def entry_mode(own: Mode) -> Mode:
    """Return *own* with all that the entry tools bring: tools, texts and tables before its own, and the operations."""
    from frugal.entries.tools import TOOLS

    return dataclasses.replace(
        own,
        tools=(*TOOLS, *own.tools),
        schemas=(*ENTRY_SCHEMAS, *own.schemas),
        includes=(*ENTRY_PACKAGES, *own.includes),
        upkeep=ENTRY_UPKEEP,
        predecessor=ENTRY_PREDECESSOR,
        examine=ENTRY_EXAMINE,
        transfer=ENTRY_TRANSFER,
        explain=ENTRY_EXPLAIN,
    )


__all__ = [
    "ANALYSIS_VERSION",
    "ENTRY_EXAMINE",
    "ENTRY_EXPLAIN",
    "ENTRY_PACKAGES",
    "ENTRY_PREDECESSOR",
    "ENTRY_SCHEMAS",
    "ENTRY_TOOLS",
    "ENTRY_TRANSFER",
    "ENTRY_UPKEEP",
    "EVERY_DOCUMENT",
    "LARGEST_ID",
    "LINE_END",
    "Access",
    "Agreement",
    "Answer",
    "Call",
    "Cap",
    "Client",
    "Compared",
    "Conflict",
    "Connection",
    "Contents",
    "Cost",
    "Credential",
    "DamagedExport",
    "Document",
    "EntryRules",
    "Found",
    "FrugalError",
    "Grouping",
    "Integer",
    "Kind",
    "KindVocabulary",
    "LexicalRetriever",
    "Limit",
    "Line",
    "Merged",
    "Mode",
    "ModeOption",
    "ModeSettings",
    "Number",
    "OldFile",
    "Page",
    "Parameter",
    "Predecessor",
    "Progress",
    "Record",
    "Refusal",
    "Refused",
    "Request",
    "Restriction",
    "Retriever",
    "Room",
    "SchemaFolder",
    "Scored",
    "Surface",
    "Switch",
    "TakenOver",
    "Text",
    "Tool",
    "Transfer",
    "UsageError",
    "analyse",
    "as_ranges",
    "as_text",
    "backups_holding",
    "boundary_before",
    "compact_index",
    "cost",
    "cut",
    "echo",
    "entry_lines",
    "entry_mode",
    "file_names",
    "hookimpl",
    "host_name",
    "index_document",
    "masked_text",
    "near_words",
    "no_progress",
    "one_line",
    "put_record",
    "query_words",
    "read_record",
    "scan_credentials",
    "set_evidence",
    "spell_out",
    "total",
]

if not TYPE_CHECKING:  # a checker is to see the imports above, and to miss what is not among them

    def __getattr__(name: str) -> object:
        original = _RENAMED.get(name, name)
        if name not in __all__ or original not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found: object = getattr(import_module(_HOMES[original]), original)
        globals()[name] = found
        return found
