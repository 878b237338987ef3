"""Failures as answers: a stable code, words, what is left, and what to do, in at most 2 KiB.

A failure of this mode is a `Denied`; whatever else a call can raise is given the code that says it best.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from frugal.api import (
    Answer,
    Call,
    FrugalError,
    Refusal,
    Refused,
    StoreBusy,
    StoreError,
    echo,
)
from frugal_modes.evidence.budgets import ERROR_BYTES, FRAME_BYTES, Purse, Settled, brief_line, settle

QUOTED = 80
"""Characters of a caller's input that an error repeats."""

CODES = (
    "bad_argument", "unknown_argument", "bad_query", "needs_clause", "bad_time", "unknown_query_ref", "not_disclosed",
    "query_budget_exhausted", "total_budget_exhausted", "cap_too_small", "no_corpus", "export_disabled",
    "export_too_large", "no_space", "unsafe_target", "write_failed", "corpus_newer_version", "busy", "internal",
)  # fmt: skip

OPTION = "--"
SHELL_TEXT = "_shell"
"""Behind the key of a text that names options and commands in place of arguments and tools."""

RETRYABLE = frozenset({"busy", "cap_too_small", "unknown_query_ref"})

_FAILED, _USAGE, _REFUSED = 1, 2, 4
_EXIT_CODES = {
    **dict.fromkeys(CODES, _USAGE),
    **dict.fromkeys(("export_too_large", "no_space", "write_failed", "internal"), _FAILED),
    **dict.fromkeys(
        (
            "query_budget_exhausted",
            "total_budget_exhausted",
            "cap_too_small",
            "not_disclosed",
            "export_disabled",
            "unsafe_target",
        ),
        _REFUSED,
    ),
}
_NOTHING_FOUND = frozenset({"no_corpus_named", "no_corpus_message"})
"""Texts of a name that nothing bears: as in every mode that is no mistake of usage."""
_OF_STORE = {
    "missing_file": "no_corpus",
    "empty_file": "no_corpus",
    "newer_file": "corpus_newer_version",
    "store_busy": "busy",
}
_OF_KEY = {
    "argument_of_other_language": "unknown_argument",
    "tool_not_for_guests": "export_disabled",
    "unknown_command": "bad_argument",
}


class Denied(Refusal):
    """A failure with a code of this mode. *key* names another text, *field* the argument that caused it."""

    def __init__(
        self, code: str, *, key: str = "", field: str = "", action: "Action | None" = None, **data: object
    ):
        self.denial = code
        self.field = field
        self.action = action
        super().__init__(key or code, **data)


@dataclass(frozen=True)
class Action:
    """A call that helps: a tool, its arguments, and why, the key of a text `why.<key>`."""

    tool: str
    args: Mapping[str, object]
    why: str

    def as_body(self, call: Call) -> dict[str, object]:
        """Return the action as it is transmitted."""
        return {"tool": self.tool, "args": dict(self.args), "why": call.surface.text(f"why.{self.why}")}


def quoted(value: object) -> str:
    """Return *value* as an error may repeat it."""
    return echo(value, QUOTED - 3)


def problems_of(error: FrugalError) -> tuple[FrugalError, ...]:
    """Return the single problems behind *error*."""
    return error.problems if isinstance(error, Refused) else (error,)


def code_of(error: FrugalError) -> str:
    """Return the code of *error*; of several problems that of the first."""
    first = problems_of(error)[0]
    if isinstance(first, Denied):
        return first.denial
    if isinstance(first, StoreBusy):
        return "busy"
    if isinstance(first, StoreError):
        return _OF_STORE.get(first.code, "internal")
    if isinstance(first, Refusal):
        return _code_of_key(first)
    return "internal"


def _code_of_key(problem: Refusal) -> str:
    named = str(problem.data.get("code", ""))
    if named in CODES:
        return named
    if problem.key in _OF_KEY:
        return _OF_KEY[problem.key]
    return max((code for code in CODES if problem.key.startswith(code)), key=len, default="bad_argument")


def field_of(error: FrugalError) -> str:
    """Return the argument that caused the first problem, "" if none is to blame."""
    first = problems_of(error)[0]
    if isinstance(first, Denied) and first.field:
        return first.field
    named = str(first.data.get("field") or first.data.get("parameter") or "")
    if named.startswith(OPTION):  # as the shell calls it
        named = named.removeprefix(OPTION).replace("-", "_")
    return echo(named, QUOTED - 3)


def _for_shell(call: Call, error: FrugalError) -> FrugalError:
    """Return *error* with the texts that name options and commands, where there are such."""

    def reworded(problem: FrugalError) -> FrugalError:
        key = f"{getattr(problem, 'key', problem.code)}{SHELL_TEXT}"
        has_own = call.surface.catalogue.has(f"errors.{key}")
        return Refusal(key, **problem.data) if has_own else problem

    if not isinstance(error, Refused):
        return reworded(error)
    return Refused([problem for problem in map(reworded, error.problems) if isinstance(problem, Refusal)])


def refusal(call: Call, error: FrugalError, purse: Purse, *, is_brief: bool) -> tuple[Answer, int]:
    """Return the answer that tells *error*, and its size in counted bytes."""
    code = code_of(error)
    detail = call.surface.render(_for_shell(call, error) if call.is_from_shell else error)
    first = problems_of(error)[0]
    action = first.action if isinstance(first, Denied) else None
    body: dict[str, object] = {"code": code, "detail": detail, "retryable": code in RETRYABLE}
    if field := field_of(error):
        body["field"] = field
    if action is not None:
        body["next_action"] = action.as_body(call)
    settled = _fitted(body, purse, is_brief=is_brief)
    structured = dict(settled.structured)
    text = detail if call.is_from_shell else settled.text
    answer = Answer(
        text,
        counts={name: value for name, value in structured.items() if name not in ("code", "detail")},
        is_refusal=True,
        structured=structured,
        exit_code=_FAILED if getattr(first, "key", "") in _NOTHING_FOUND else _EXIT_CODES[code],
        code=code,
    )
    return answer, settled.size_bytes


def _fitted(body: dict[str, object], purse: Purse, *, is_brief: bool) -> Settled:
    """Return the error within its cap: a shorter text first, then without what helps."""
    room = ERROR_BYTES - FRAME_BYTES
    if purse.total_left is not None:
        room = min(room, purse.total_left)
    while True:
        settled = settle(
            lambda size: {**body, **purse.after_error(size)},
            brief=brief_line(f"{body['code']}: {body['detail']}") if is_brief else "",
            is_error=True,
        )
        detail = str(body["detail"])
        if settled.size_bytes <= room or not detail:
            return settled
        if len(detail) > 120 or "next_action" not in body:
            over = settled.size_bytes - room
            body["detail"] = detail[: max(min(len(detail) - over // 8 - 1, len(detail) * 7 // 8), 0)]
        else:
            del body["next_action"]
