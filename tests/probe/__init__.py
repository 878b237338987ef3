"""A mode whose tools do what no tool should: take long, fail, print, leave. For tests of what surrounds a tool."""

import dataclasses
import sys
import threading
from collections.abc import Mapping

from frugal.api import (
    Access,
    Answer,
    Call,
    Cap,
    FrugalError,
    Line,
    Mode,
    Parameter,
    SchemaFolder,
    Tool,
)

SECRET = "the text of an exception"
ENDLESS = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1e12) SELECT count(*) FROM n"
)
PUT = "INSERT INTO probe (word) VALUES (:word)"
COUNT = "SELECT count(*) FROM probe WHERE word = :word"


class Stage:
    """Where a tool stands, for the test that called it."""

    def __init__(self) -> None:
        self.has_begun = threading.Event()
        self.may_go_on = threading.Event()
        self.has_ended = threading.Event()
        self.error: FrugalError | None = None


STAGES: dict[str, Stage] = {}


def endless(call: Call, *, word: str) -> Answer:
    """Read until interrupted."""
    stage = STAGES[word]
    try:
        with call.store.read() as connection:
            connection.create_function("begin", 0, stage.has_begun.set)
            connection.execute("SELECT begin()").fetchall()
            connection.execute(ENDLESS).fetchall()
    except FrugalError as error:
        stage.error = error
        raise
    finally:
        stage.has_ended.set()
    return Answer("unreachable")


def slow(call: Call, *, word: str) -> Answer:
    """Write *word* when the test says so."""
    stage = STAGES[word]
    with call.store.write() as connection:
        stage.has_begun.set()
        stage.may_go_on.wait(30)
        connection.execute(PUT, {"word": word})
    stage.has_ended.set()
    return Answer(f"wrote {word}")


def count(call: Call, *, word: str) -> Answer:
    """Count the rows that hold *word*."""
    with call.store.read() as connection:
        return Answer(str(connection.execute(COUNT, {"word": word}).fetchone()[0]))


def fail(call: Call, *, word: str) -> Answer:
    """Raise what *word* names."""
    if word == "exit":
        sys.exit(SECRET)
    raise RuntimeError(SECRET)


def structured(call: Call, *, word: str, secret: str) -> Answer:
    """Say *word* as text and as an object."""
    found = {"word": word, "agent": call.client.agent, "secret": secret}
    return Answer(f"said {word}", structured=found)


def refuse(_call: Call, error: FrugalError, tool_name: str, _arguments: Mapping[str, object]) -> Answer:
    """Tell a failure as an object."""
    found = {"code": error.code, "tool": tool_name}
    return Answer("refused", structured=found, is_refusal=True)


SCHEMA = {"type": "object", "properties": {"word": {"type": "string"}}}


def _tool(name: str, access: Access = Access.READS) -> Tool:
    return Tool(
        name=name,
        run=f"probe:{name}",
        parameters=(Parameter("word", Line(most=60), is_required=True),),
        cap=lambda values: Cap(500, 1000),
        access=access,
    )


PROBE = Mode(
    name="probe",
    package="probe",
    file_name="probe.db",
    settings_prefix="PROBE",
    tools=(_tool("endless"), _tool("slow", Access.WRITES), _tool("count"), _tool("fail")),
    schemas=(SchemaFolder("probe", "probe"),),
)

STRUCTURED = dataclasses.replace(
    PROBE,
    tools=(
        Tool(
            name="structured",
            run="probe:structured",
            parameters=(
                Parameter("word", Line(most=60), is_required=True),
                Parameter("secret", Line(most=60), default="none", is_shell_only=True),
            ),
            cap=lambda values: Cap(10, 10),
            output_schema="probe:SCHEMA",
        ),
    ),
    refuse="probe:refuse",
)
"""A mode whose answers are objects."""
