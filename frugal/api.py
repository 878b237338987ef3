"""The one module a mode may import: everything a plugin needs, re-exported under stable names."""

import dataclasses
from importlib import import_module
from typing import TYPE_CHECKING

import frugal
from frugal.errors import (
    BadValue,
    Conflict,
    DamagedExport,
    FrugalError,
    Refusal,
    Refused,
    StoreBusy,
    StoreError,
    UsageError,
)
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
    from frugal.entries.cards import CardFile, CardSource, ImportedCard, Statement
    from frugal.entries.extending import entry_lines, masked_text, set_evidence
    from frugal.entries.importing import LeftOut
    from frugal.entries.lessons import Pairs, learn_later
    from frugal.entries.pending import is_learning, note_asked
    from frugal.entries.tools import TOOLS as ENTRY_TOOLS
    from frugal.forms import Integer, Limit, Line, Number, StringForm, Switch, Text, as_integer, as_text
    from frugal.ids import LARGEST_ID, as_ranges
    from frugal.model import spell_out
    from frugal.paths import config_folder, data_folder, expand_path, home_folder
    from frugal.paths import shown as shown_path
    from frugal.search import (
        EVERY_DOCUMENT,
        Document,
        Found,
        Grouping,
        Labels,
        LexicalRetriever,
        Request,
        Restriction,
        Retriever,
        Scored,
    )
    from frugal.search import compact as compact_index
    from frugal.search import remove as remove_document
    from frugal.search import replace as index_document
    from frugal.search.duplicates import groups_of
    from frugal.search.edition import is_outdated, note_analysis
    from frugal.search.expansion import near_words
    from frugal.search.sampling import count_indexed, out_of_step
    from frugal.search.shadow import Shadow, new_shadow
    from frugal.search.strict import strictest_set
    from frugal.search.tiers import TIERS, Grade, Grader, strictest
    from frugal.search.tuning import Tuning
    from frugal.search.windows import snippet
    from frugal.settings import ModeSettings, host_name
    from frugal.store import (
        SQLITE_VERSION,
        Compared,
        Connection,
        Limited,
        OldFile,
        OutOfTime,
        TakenOver,
        backups_holding,
        copied_rows,
        limited,
        old_text,
        put_record,
        read_record,
    )
    from frugal.surface import Surface, echo
    from frugal.text.analysis import ANALYSIS_VERSION, STOP, WHOLE, analyse, query_words
    from frugal.text.credentials import Credential
    from frugal.text.credentials import mask as mask_credentials
    from frugal.text.credentials import scan as scan_credentials
    from frugal.text.filenames import file_names
    from frugal.text.graphemes import boundary_before, is_boundary
    from frugal.text.stem import stem
    from frugal.text.titles import one_line
    from frugal.transfer import Contents, Merged, Page, Progress, Record, damaged, no_progress, refuse_repeats

PROGRAM_VERSION = frugal.__version__

ENTRY_PACKAGES = ("frugal.entries",)
"""Catalogues of the entry tools; a mode with those tools names them in `Mode.includes`."""

ENTRY_SCHEMAS = (SchemaFolder("search", "frugal.search"), SchemaFolder("entries", "frugal.entries"))
"""Migration sets of the entry tools; a mode with those tools names them first in `Mode.schemas`."""

_LATER = {
    "frugal.budget": ("LINE_END", "Cost", "Room", "cost", "cut", "total"),
    "frugal.call": ("Call", "Client"),
    "frugal.entries.cards": ("CardFile", "CardSource", "ImportedCard", "Statement"),
    "frugal.entries.importing": ("LeftOut",),
    "frugal.entries.lessons": ("Pairs", "learn_later"),
    "frugal.entries.pending": ("is_learning", "note_asked"),
    "frugal.entries.extending": ("entry_lines", "masked_text", "set_evidence"),
    "frugal.entries.tools": ("TOOLS",),
    "frugal.forms": (
        "Integer",
        "Limit",
        "Line",
        "Number",
        "StringForm",
        "Switch",
        "Text",
        "as_integer",
        "as_text",
    ),
    "frugal.ids": ("LARGEST_ID", "as_ranges"),
    "frugal.model": ("spell_out",),
    "frugal.paths": ("config_folder", "data_folder", "expand_path", "home_folder", "shown"),
    "frugal.search": (
        "EVERY_DOCUMENT",
        "Document",
        "Found",
        "Grouping",
        "Labels",
        "LexicalRetriever",
        "Request",
        "Restriction",
        "Retriever",
        "Scored",
        "compact",
        "remove",
        "replace",
    ),
    "frugal.search.duplicates": ("groups_of",),
    "frugal.search.edition": ("is_outdated", "note_analysis"),
    "frugal.search.expansion": ("near_words",),
    "frugal.search.sampling": ("count_indexed", "out_of_step"),
    "frugal.search.shadow": ("Shadow", "new_shadow"),
    "frugal.search.strict": ("strictest_set",),
    "frugal.search.tiers": ("TIERS", "Grade", "Grader", "strictest"),
    "frugal.search.tuning": ("Tuning",),
    "frugal.search.windows": ("snippet",),
    "frugal.settings": ("ModeSettings", "host_name"),
    "frugal.store": (
        "SQLITE_VERSION",
        "Compared",
        "Connection",
        "Limited",
        "OldFile",
        "OutOfTime",
        "TakenOver",
        "backups_holding",
        "copied_rows",
        "limited",
        "old_text",
        "put_record",
        "read_record",
    ),
    "frugal.surface": ("Surface", "echo"),
    "frugal.text.analysis": ("ANALYSIS_VERSION", "STOP", "WHOLE", "analyse", "query_words"),
    "frugal.text.credentials": ("Credential", "mask", "scan"),
    "frugal.text.graphemes": ("boundary_before", "is_boundary"),
    "frugal.text.filenames": ("file_names",),
    "frugal.text.stem": ("stem",),
    "frugal.text.titles": ("one_line",),
    "frugal.transfer": (
        "Contents",
        "Merged",
        "Page",
        "Progress",
        "Record",
        "damaged",
        "no_progress",
        "refuse_repeats",
    ),
}
"""What is imported when a mode asks for it: a mode that is only listed needs no store and no search."""

_RENAMED = {
    "ENTRY_TOOLS": "TOOLS",
    "compact_index": "compact",
    "index_document": "replace",
    "mask_credentials": "mask",
    "remove_document": "remove",
    "scan_credentials": "scan",
    "shown_path": "shown",
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
    "PROGRAM_VERSION",
    "SQLITE_VERSION",
    "STOP",
    "TIERS",
    "WHOLE",
    "Access",
    "Agreement",
    "Answer",
    "BadValue",
    "Call",
    "Cap",
    "CardFile",
    "CardSource",
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
    "Grade",
    "Grader",
    "Grouping",
    "ImportedCard",
    "Integer",
    "Kind",
    "KindVocabulary",
    "Labels",
    "LeftOut",
    "LexicalRetriever",
    "Limit",
    "Limited",
    "Line",
    "Merged",
    "Mode",
    "ModeOption",
    "ModeSettings",
    "Number",
    "OldFile",
    "OutOfTime",
    "Page",
    "Pairs",
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
    "Shadow",
    "Statement",
    "StoreBusy",
    "StoreError",
    "StringForm",
    "Surface",
    "Switch",
    "TakenOver",
    "Text",
    "Tool",
    "Transfer",
    "Tuning",
    "UsageError",
    "analyse",
    "as_integer",
    "as_ranges",
    "as_text",
    "backups_holding",
    "boundary_before",
    "compact_index",
    "config_folder",
    "copied_rows",
    "cost",
    "count_indexed",
    "cut",
    "damaged",
    "data_folder",
    "echo",
    "entry_lines",
    "entry_mode",
    "expand_path",
    "file_names",
    "groups_of",
    "home_folder",
    "hookimpl",
    "host_name",
    "index_document",
    "is_boundary",
    "is_learning",
    "is_outdated",
    "learn_later",
    "limited",
    "mask_credentials",
    "masked_text",
    "near_words",
    "new_shadow",
    "no_progress",
    "note_analysis",
    "note_asked",
    "old_text",
    "one_line",
    "out_of_step",
    "put_record",
    "query_words",
    "read_record",
    "refuse_repeats",
    "remove_document",
    "scan_credentials",
    "set_evidence",
    "shown_path",
    "snippet",
    "spell_out",
    "stem",
    "strictest",
    "strictest_set",
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
