"""What the answers look like: compact schemas that are published, strict ones for the tests and the shell.

A published schema costs its bytes in every session, so it names the fields and leaves the frame to the strict one.
"""

from collections.abc import Mapping

from frugal_modes.evidence.envelope import STOP_REASONS
from frugal_modes.evidence.errors import CODES

Schema = Mapping[str, object]

_ANY: Schema = {}
_OBJECT: Schema = {"type": "object"}
_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_FLAG: Schema = {"const": True}
_SWITCH: Schema = {"type": "boolean"}


def _array(items: Schema, **limits: int) -> dict[str, object]:
    return {"type": "array", "items": items, **limits}


def _compact(*required: str, **fields: Schema) -> dict[str, object]:
    """Return an object with the frame's two decisive fields and *fields* in outline."""
    frame: dict[str, Schema] = {
        "kind": _TEXT,
        "outcome": _TEXT,
        "truncated": _SWITCH,
        "omitted": _ANY,
        "disclosure": _OBJECT,
    }
    return {
        "type": "object",
        "properties": {**frame, **fields},
        "required": ["kind", "outcome", "truncated", "disclosure", *required],
    }


_LIST: Schema = {"type": "array"}
MEASUREMENT = _compact(query_ref=_TEXT, counts=_OBJECT, roles=_OBJECT, buckets=_OBJECT, corpora=_LIST)
DISCOVERY = _compact(query_ref=_TEXT, counts=_OBJECT, evidence=_LIST, senders=_OBJECT, conversations=_OBJECT)
SAMPLE = _compact(query_ref=_TEXT, population=_ANY, evidence=_LIST, senders=_OBJECT, conversations=_OBJECT)
CONTEXT = _compact("messages", query_ref=_TEXT, messages=_LIST, senders=_OBJECT)
EXPORT = _compact(path=_TEXT, rows=_COUNT, sha256=_TEXT)


def _strict(required: str, optional: str = "", **fields: Schema) -> dict[str, object]:
    """Return an object with exactly these fields."""
    names = {*required.split(), *optional.split()}
    if names != set(fields):
        raise ValueError(names ^ set(fields))
    return {
        "type": "object",
        "properties": dict(fields),
        "required": required.split(),
        "additionalProperties": False,
    }


_REF: Schema = {"type": "string", "pattern": "^m-[2-7a-z]{13,26}$"}
_QUERY_REF: Schema = {"type": "string", "pattern": "^q-[2-7a-z]{16}$"}
_KEY_S: Schema = {"type": "string", "pattern": "^s[0-9]+$"}
_KEY_C: Schema = {"type": "string", "pattern": "^c[0-9]+$"}
_HITS = _array(_array(_COUNT, minItems=3, maxItems=3), maxItems=8)
_ACTION = _strict("tool args why", tool=_TEXT, args=_OBJECT, why=_TEXT)
_WARNING = _strict(
    "code",
    "field count",
    code={"enum": ["corpus_changed", "unknown_values"]},
    field=_TEXT,
    count=_COUNT,
)
_COUNTS = _strict(
    "messages occurrences threads conversations senders",
    messages=_COUNT,
    occurrences=_COUNT,
    threads=_COUNT,
    conversations=_COUNT,
    senders=_COUNT,
)
_ROLES = _strict("canonical alias", canonical=_COUNTS, alias=_COUNTS)
_BUCKETS = _strict(
    "unit step start counts",
    unit={"enum": ["hour", "day", "week", "month", "quarter", "year"]},
    step=_COUNT,
    start=_TEXT,
    counts=_array(_COUNT, maxItems=31),
)
_FORMS = _array(_strict("clause forms", clause=_COUNT, forms=_array(_TEXT, maxItems=8)))
_SENDERS: Schema = {
    "type": "object",
    "additionalProperties": _strict("name type", "organization", name=_TEXT, type=_TEXT, organization=_TEXT),
}
_CONVERSATIONS: Schema = {
    "type": "object",
    "additionalProperties": _strict("name type", name=_TEXT, type=_TEXT),
}
_LINE = _strict(
    "ref sender text",
    "clipped cleaned hit",
    ref=_REF,
    sender=_KEY_S,
    text={"type": "string", "maxLength": 160},
    clipped=_FLAG,
    cleaned=_FLAG,
    hit=_FLAG,
)
_SAME = _strict(
    "messages senders conversations threads",
    messages=_COUNT,
    senders=_COUNT,
    conversations=_COUNT,
    threads=_COUNT,
)
_ITEM = _strict(
    "ref at sender conversation text",
    "thread hits roles clipped cleaned same_text similar before after",
    ref=_REF,
    at=_TEXT,
    sender=_KEY_S,
    conversation=_KEY_C,
    thread={"type": "string", "pattern": "^t-[2-7a-z]{13,26}$"},
    text={"type": "string", "maxLength": 320},
    hits=_HITS,
    roles=_array({"enum": ["canonical", "alias"]}),
    clipped=_FLAG,
    cleaned=_FLAG,
    same_text=_SAME,
    similar=_COUNT,
    before=_array(_LINE, maxItems=2),
    after=_array(_LINE, maxItems=2),
)
_ROW = _strict(
    "ref at sender text",
    "reply_to anchor root matches hits clipped cleaned",
    ref=_REF,
    at=_TEXT,
    sender=_KEY_S,
    text={"type": "string", "maxLength": 1000},
    reply_to=_REF,
    anchor=_FLAG,
    root=_FLAG,
    matches=_FLAG,
    hits=_HITS,
    clipped=_FLAG,
    cleaned=_FLAG,
)
_OMITTED = _strict(
    "total",
    "already_disclosed duplicate_text near_duplicate same_thread over_bytes over_limit",
    total=_COUNT,
    already_disclosed=_COUNT,
    duplicate_text=_COUNT,
    near_duplicate=_COUNT,
    same_thread=_COUNT,
    over_bytes=_COUNT,
    over_limit=_COUNT,
)
_FRAME: Mapping[str, Schema] = {
    "corpus_version": {"type": "string", "pattern": "^c-[0-9a-f]{16}$"},
    "query_ref": _QUERY_REF,
    "outcome": {"enum": ["complete", "incomplete"]},
    "truncated": _SWITCH,
    "stop_reasons": _array({"enum": list(STOP_REASONS)}),
    "omitted": {"anyOf": [_OMITTED, {"type": "null"}]},
    "disclosure": _strict(
        "response_bytes",
        "query_left total_left",
        response_bytes=_COUNT,
        query_left=_COUNT,
        total_left=_COUNT,
    ),
    "next_actions": _array(_ACTION, maxItems=2),
    "untrusted": _FLAG,
    "warnings": _array(_WARNING),
    "examined": _COUNT,
}


def _answer(kind: str, optional: str, required: str, fields: Mapping[str, Schema]) -> dict[str, object]:
    return _strict(
        f"kind corpus_version outcome truncated disclosure {required}",
        f"query_ref stop_reasons omitted next_actions untrusted warnings examined {optional}",
        **{"kind": {"const": kind}, **_FRAME, **fields},
    )


_SHA256: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_POPULATION = _strict(
    "messages strata", "distinct_texts", messages=_COUNT, strata=_COUNT, distinct_texts=_COUNT
)
_TABLES: Mapping[str, Schema] = {"senders": _SENDERS, "conversations": _CONVERSATIONS}
STRICT: Mapping[str, Schema] = {
    "overview": _answer(
        "overview",
        "corpora messages from to sender_types conversation_types caps accounts open",
        "",
        {
            "corpora": _array(_OBJECT),
            "messages": _COUNT,
            "from": _TEXT,
            "to": _TEXT,
            "sender_types": _OBJECT,
            "conversation_types": _OBJECT,
            "caps": _OBJECT,
            "open": _COUNT,
            "accounts": _array(
                _strict("query_ref spent left", query_ref=_QUERY_REF, spent=_COUNT, left=_COUNT), maxItems=20
            ),
        },
    ),
    "measurement": _answer(
        "measurement",
        "counts roles forms normalized_query buckets",
        "",
        {
            "counts": _COUNTS,
            "roles": _ROLES,
            "forms": _FORMS,
            "normalized_query": _OBJECT,
            "buckets": _BUCKETS,
        },
    ),
    "discovery": _answer(
        "discovery",
        "counts buckets evidence senders conversations",
        "",
        {"counts": _COUNTS, "buckets": _BUCKETS, "evidence": _array(_ITEM, maxItems=20), **_TABLES},
    ),
    "sample": _answer(
        "sample",
        "population returned_strata evidence senders conversations",
        "strategy seed",
        {
            "strategy": {"enum": ["uniform", "across_time", "across_conversations"]},
            "seed": _COUNT,
            "population": {"anyOf": [_POPULATION, {"type": "null"}]},
            "returned_strata": _COUNT,
            "evidence": _array(_ITEM, maxItems=20),
            **_TABLES,
        },
    ),
    "context": _answer(
        "context",
        "senders conversations root_missing clipped_before clipped_after",
        "conversation scope messages",
        {
            "conversation": _KEY_C,
            "scope": {"enum": ["thread", "conversation"]},
            "messages": _array(_ROW, maxItems=20),
            "root_missing": _FLAG,
            "clipped_before": _FLAG,
            "clipped_after": _FLAG,
            **_TABLES,
        },
    ),
    "export": _answer(
        "export",
        "path manifest rows bytes sha256 ids_sha256 unchanged",
        "",
        {
            "path": _TEXT,
            "manifest": _TEXT,
            "rows": _COUNT,
            "bytes": _COUNT,
            "sha256": _SHA256,
            "ids_sha256": _SHA256,
            "unchanged": _FLAG,
        },
    ),
}
"""The strict schema of each kind of answer."""

ERROR = _strict(
    "code detail retryable response_bytes",
    "field query_left total_left next_action",
    code={"enum": list(CODES)},
    detail=_TEXT,
    retryable=_SWITCH,
    response_bytes=_COUNT,
    field=_TEXT,
    query_left=_COUNT,
    total_left=_COUNT,
    next_action=_ACTION,
)
