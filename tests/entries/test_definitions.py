"""What a client is told about the tools."""

import json

import pytest

ORDER = ("remember", "recall", "show", "topics", "forget", "classify")
PARAMETERS = {
    "remember": ("text", "tags", "kind", "supersedes", "also"),
    "recall": ("query", "limit", "kind", "tag", "full", "include_superseded"),
    "show": ("ids", "full"),
    "topics": ("tag", "limit", "page", "all"),
    "forget": ("ids", "reason", "undo"),
    "classify": ("ids", "kind"),
}
KINDS = ("interface", "pitfall", "decision", "measurement", "workflow", "history")


def as_sent(definition) -> dict[str, object]:
    """Return a tool as `tools/list` holds it."""
    return {
        "name": definition.name,
        "description": definition.description,
        "inputSchema": definition.input_schema,
        "annotations": {
            "readOnlyHint": definition.is_read_only,
            "destructiveHint": definition.is_destructive,
            "idempotentHint": definition.is_idempotent,
            "openWorldHint": definition.is_open_world,
        },
    }


def size_of(definitions) -> int:
    result = {"tools": [as_sent(definition) for definition in definitions], "resultType": "complete"}
    return len(json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode())


def everyday(memory):
    return memory.shell.workspace.definitions()[: len(ORDER)]


def test_tools_stand_in_a_fixed_order(memory):
    assert [tool.name for tool in everyday(memory)] == [memory.name(name) for name in ORDER]


def test_parameters_have_fixed_names_in_a_fixed_order(memory):
    for tool, definition in zip(ORDER, everyday(memory), strict=True):
        expected = [memory.name(name) for name in PARAMETERS[tool]]
        assert list(definition.input_schema["properties"]) == expected


def test_names_and_parameters_are_ascii_and_every_parameter_is_described(memory):
    for definition in everyday(memory):
        assert definition.name.isascii()
        assert definition.description
        for name, schema in definition.input_schema["properties"].items():
            assert name.isascii()
            assert schema["description"]


def test_required_parameters(memory):
    required = {tool.name: tool.input_schema.get("required", []) for tool in everyday(memory)}

    names = [[], ["ids"], ["ids", "kind"], ["ids"], ["query"], ["text"]]
    expected = dict(zip(("topics", "show", "classify", "forget", "recall", "remember"), names, strict=True))
    assert required == {
        memory.name(tool): [memory.name(name) for name in listed] for tool, listed in expected.items()
    }


def test_kinds_are_enumerated_in_order(memory):
    tools = {tool.name: tool.input_schema["properties"] for tool in everyday(memory)}
    words = [memory.kind(kind) for kind in KINDS]

    remember = tools["remember"][memory.name("kind")]
    assert (remember["enum"], remember["default"]) == (words, "")
    classify = tools[memory.name("classify")][memory.name("kind")]
    assert classify["enum"] == [*words, memory.kind("unsorted")]


@pytest.mark.parametrize(
    ("tool", "annotations"),
    [
        ("remember", (False, False, True, False)),
        ("recall", (True, False, True, False)),
        ("show", (True, False, True, False)),
        ("topics", (True, False, True, False)),
        ("forget", (False, True, True, False)),
        ("classify", (False, False, True, False)),
    ],
)
def test_annotations(memory, tool, annotations):
    definition = next(item for item in everyday(memory) if item.name == memory.name(tool))

    assert tuple(as_sent(definition)["annotations"].values()) == annotations


def test_pain_36_sizes_of_the_definitions(memory):
    assert size_of(everyday(memory)[:3]) <= 3_100
    assert size_of(everyday(memory)) <= 4_900
    assert size_of(memory.shell.workspace.definitions()) <= 6_144


@pytest.mark.parametrize("language", ["en", "de"])
def test_guest_gets_the_reading_tools_in_at_most_2800_bytes(open_memory, language):
    open_memory(language).store("one")
    guest = open_memory(language, is_guest=True)

    definitions = guest.shell.workspace.definitions()

    assert [tool.name for tool in definitions] == [guest.name(name) for name in ("recall", "show", "topics")]
    assert size_of(definitions) <= 2_800


def test_definitions_are_the_same_at_every_call(memory):
    assert memory.shell.workspace.definitions() == memory.shell.workspace.definitions()
