"""One line from a client becomes messages for the SDK, or an error that names the request it answers.

The SDK drops what it cannot take, and takes a request with an id of a strange type for a notification: either way
the client would wait for ever. Half a surrogate pair is handed on, so that the tool can say where it stands.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

NULL = "null"

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{\[]+|[}\]]+|[:,]|[^\s{}\[\]:,"]+', re.DOTALL)
_ID = re.compile(r'"[ -!#-~]*"|-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?')


@dataclass(frozen=True)
class Unreadable:
    """A line that no handler will see: *id* is JSON text, *key* names the text `protocol.<key>`."""

    id: str
    code: int
    key: str
    data: Mapping[str, object] = field(default_factory=dict)


Message = SessionMessage | Unreadable


def read_line(line: bytes) -> list[Message]:
    """Return the messages of one line: usually one, none if it is blank or nobody waits for an answer to it."""
    if not line.strip():
        return []
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return _read_again(line)
    if isinstance(message, types.JSONRPCNotification) and b'"id"' in line:
        return _read_again(line)
    return [SessionMessage(message)]


def _read_again(line: bytes) -> list[Message]:
    try:
        text = line.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        return _refuse(line.decode("utf-8", "replace"), "not_utf8", position=error.start + 1)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _refuse(text, "not_json")
    # Protocol version 2025-03-26 has batches; their members are answered one by one.
    members = value if isinstance(value, list) else [value]
    messages = [_read_member(member) for member in members]
    return [message for message in messages if message is not None]


def _refuse(text: str, key: str, **data: object) -> list[Message]:
    """Answer a line that is not JSON if it names an id; noise without one is dropped, as the SDK does."""
    found = find_id(text)
    return [Unreadable(found, types.PARSE_ERROR, key, data)] if found != NULL else []


def _read_member(value: Any) -> Message | None:
    if not isinstance(value, dict):
        return None
    if "id" not in value or ("method" not in value and ("result" in value or "error" in value)):
        return _validated(value)
    if not _is_usable_id(value["id"]):
        return Unreadable(_as_json(value["id"]), types.INVALID_REQUEST, "bad_id")
    message = _validated(value)
    if message is None or not isinstance(message.message, types.JSONRPCRequest):
        return Unreadable(_as_json(value["id"]), types.INVALID_REQUEST, "bad_request")
    return message


def _validated(value: Mapping[str, Any]) -> SessionMessage | None:
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_python(value, by_name=False))
    except (ValidationError, RecursionError):
        return None


def _is_usable_id(value: object) -> bool:
    """Tell whether the SDK can read *value* as an id and write it back."""
    if isinstance(value, str):
        return not any("\ud800" <= char <= "\udfff" for char in value)
    return isinstance(value, int) and not isinstance(value, bool)


def _as_json(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return NULL
    return json.dumps(value) if not isinstance(value, float) or math.isfinite(value) else NULL


def find_id(text: str) -> str:
    """Return the outermost `id` of what may be half a JSON object, as JSON text; `null` if there is none."""
    depth = 0
    before = ("", "", "")
    for match in _TOKEN.finditer(text):
        token = match[0]
        if depth == 1 and before[1:] == ('"id"', ":") and before[0][-1:] in ("{", ","):
            return token if _ID.fullmatch(token) else NULL
        if token[0] in "{[":
            depth += len(token)
        elif token[0] in "}]":
            depth -= len(token)
        before = (*before[1:], token)
    return NULL
