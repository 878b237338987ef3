"""The one module a mode may import: everything a plugin needs, re-exported under stable names."""

from frugal.budget import Cost, Room, cost
from frugal.call import Call
from frugal.entries.tools import TOOLS as ENTRY_TOOLS
from frugal.errors import FrugalError, Refusal, Refused
from frugal.forms import Integer, Limit, Line, Number, Switch, Text
from frugal.hookspecs import hookimpl
from frugal.model import (
    Access,
    Answer,
    Cap,
    EntryRules,
    Kind,
    KindVocabulary,
    Mode,
    Parameter,
    SchemaFolder,
    Tool,
)
from frugal.search import (
    Document,
    Found,
    Grouping,
    LexicalRetriever,
    Request,
    Restriction,
    Retriever,
    Scored,
)
from frugal.store import Connection
from frugal.surface import Surface

ENTRY_PACKAGES = ("frugal.entries",)
"""Catalogues of the entry tools; a mode with those tools names them in `Mode.includes`."""

ENTRY_SCHEMAS = (SchemaFolder("search", "frugal.search"), SchemaFolder("entries", "frugal.entries"))
"""Migration sets of the entry tools; a mode with those tools names them first in `Mode.schemas`."""

__all__ = [
    "ENTRY_PACKAGES",
    "ENTRY_SCHEMAS",
    "ENTRY_TOOLS",
    "Access",
    "Answer",
    "Call",
    "Cap",
    "Connection",
    "Cost",
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
    "Mode",
    "Number",
    "Parameter",
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
    "Text",
    "Tool",
    "cost",
    "hookimpl",
]
