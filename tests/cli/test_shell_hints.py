"""In the shell every call that a text suggests is a line that can be pasted, in both languages and every mode."""

import re
import shlex

import pytest

from frugal.strings import load_catalogue

FACT = "The harbour gate is closed on Mondays in winter, says the {number}th board at the pier."
BODY = "The configuration of the harbour gate lies in /etc/gate on the machine at the pier."
CALL = re.compile(r"\b[a-z_]+\((?:\"|\d|\.\.\.|[a-z_]+=)")
"""A call as a client of the protocol makes it: `show("1")`, `topics(tag="x")`."""


def hints(text):
    """Return the command lines in *text*: each ends with its line, a bracket, a semicolon or the next words of prose."""
    found = []
    for match in re.finditer(r"frugal-memory (?!restore)[^;)\]\n]*", text):
        command = re.split(r", frugal-memory | with | mit | an\.| ansehen| \(", match[0])[0].rstrip(" ,")
        found.append(command if command.endswith("...") else command.rstrip("."))
    return found


def pasted(line, command, lang):
    """Run a suggested line, dots replaced by a word; return the exit code."""
    is_kind = "classify" in command or "einordnen" in command
    words = [
        ("unsorted" if is_kind else "foo bar") if word == "..." else word for word in shlex.split(command)[1:]
    ]
    return line(*words, lang=lang)


@pytest.fixture
def memory(line):
    for number in range(30):
        line(
            "memory",
            "remember",
            FACT.format(number=number),
            "--tags",
            f"pier,{'decision' if number % 2 else 'x'}",
        )
    line("memory", "remember", "An old fact about the gate and the pier. " * 200, "--tags", "pier")
    line("memory", "forget", "1")
    return line


MEMORY_LINES = [
    ("recall", "harbour gate"),
    ("recall", "harbour gate", "--limit", "2"),
    ("recall", "nothingatall"),
    ("recall", "x", "--tag", "nope"),
    ("recall", "2 3"),
    ("topics",),
    ("topics", "--tag", "pier", "--limit", "3"),
    ("topics", "--tag", "pier", "--page", "99"),
    ("topics", "--tag", "nope"),
    ("show", "2-31"),
    ("show", "31"),
    ("forget", "2,3"),
    ("forget", "1"),
    ("forget", "4", "--undo"),
    ("consolidate",),
    ("remember", "Another fact, without a kind, about the pier.", "--tags", "decision"),
    ("remember", FACT.format(number=5)),
    ("remember", "password = hunter2hunter2 AKIAIOSFODNN7EXAMPLE is the key"),
]


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("words", MEMORY_LINES, ids=" ".join)
def test_memory_suggests_lines_that_work(memory, words, lang):
    told = memory("memory", *words, lang=lang)

    assert not CALL.search(told.out + told.err), told
    for command in hints(told.out + told.err):
        assert pasted(memory, command, lang).code in (0, 1), command


VAULT_LINES = [
    ("search", "gate"),
    ("show", "99"),
    ("show", "1"),
    ("show", "2"),
    ("update", "1", "--body", BODY),
    ("update", "99", "--title", "x"),
    ("delete", "2"),
    ("delete", "3"),
    ("purge", "1"),
    ("capture", "--title", "gate 1", "--body", BODY + " It moved."),
    ("capture", "--title", "gate 1", "--body", BODY + " It moved.", "--on-conflict", "reject"),
    ("capture", "--title", "gate 1", "--body", BODY + " one", "--tags", "new"),
    ("update", "3", "--kind", "tool"),
    ("update", "3", "--revive"),
    ("supersede", "1", "--title", "gate 1", "--body", BODY + " one"),
    ("supersede", "2", "--title", "gate", "--body", BODY + " two"),
    ("stats",),
]


@pytest.fixture
def vault(line):
    for word in ("one", "two", "three"):
        line(
            "vault",
            "capture",
            "--title",
            f"gate {1 + ['one', 'two', 'three'].index(word)}",
            "--body",
            f"{BODY} {word}",
        )
    line("vault", "delete", "2")
    line("vault", "supersede", "3", "--title", "gate 4", "--body", BODY + " four")
    return line


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("words", VAULT_LINES, ids=" ".join)
def test_vault_suggests_lines_that_work(vault, words, lang):
    told = vault("vault", *words, lang=lang, VAULT_LANG=lang)

    text = told.out + told.err
    assert not CALL.search(text), text
    assert not re.search(r"\bmemory_(search|get|stats|reindex|capture|update|supersede|delete)\b", text), text
    for command in hints(text):
        assert "unknown" not in pasted(vault, command, lang).err.lower(), command


NOTEBOOK_LINES = [
    ("series",),
    ("series", "a/b"),
    ("series", "a/b", "--full", "--page", "2"),
    ("series", "a/b", "--table", "--page", "9"),
    ("series", "--page", "9"),
    ("series", "nope/x"),
    ("measurements", "a/late", "acc | 4"),
    ("edit_series", "a/b", "--status", "evaluated"),
    ("edit_series", "a/b"),
    ("edit_series", "a/b", "--reason", "why"),
    ("new_series", "a/b", "again?", "criterion"),
    ("result", "a/b", "met", "no reason", "x"),
]


@pytest.fixture
def notebook(line):
    line("notebook", "new_series", "a/b", "Is it faster?", "mean above 3")
    line("notebook", "new_series", "a/late", "Is it late?")
    line("notebook", "measurements", "a/b", "\n".join(f"acc | {number}" for number in range(60)))
    return line


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("words", NOTEBOOK_LINES, ids=" ".join)
def test_notebook_suggests_lines_that_work(notebook, words, lang):
    told = notebook("notebook", *words, lang=lang)

    assert not CALL.search(told.out + told.err), told
    for command in hints(told.out + told.err):
        assert pasted(notebook, command, lang).code in (0, 1, 2), command
        assert "unknown command" not in pasted(notebook, command, "en").err.lower()


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize(
    ("words", "listed"),
    [
        (("memory", "remember", "x", "--guest"), "recall"),
        (("vault", "capture", "--title", "x", "--body", BODY, "--guest"), "search"),
        (("evidence", "export", "--guest"), "measure"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else value,
)
def test_a_guest_is_told_the_commands_that_there_are(line, words, listed, lang):
    told = line(*words, lang=lang)

    assert listed in told.err
    assert "memory_" not in told.err
    assert "_messages" not in told.err


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize(
    "words",
    [("discover", "--query", "{}"), ("measure", "--query-ref", "q-1"), ("sample", "--max-bytes", "9")],
    ids=" ".join,
)
def test_evidence_names_commands_and_options(line, words, lang):
    told = line("evidence", *words, lang=lang)

    assert not re.search(r"\b(measure|discover|sample|export)_messages\b", told.err), told.err
    assert "max_bytes" not in told.err
    assert "query_ref" not in told.err


def test_a_suggested_line_asks_the_same_file(line, tmp_path):
    file = str(tmp_path / "my own.db")
    line("memory", "remember", FACT.format(number=1), "--db", file, "--tags", "pier")

    told = line("memory", "recall", "harbour", "--db", file, "--name", "boat")
    command = hints(told.out)[0]

    assert shlex.split(command)[-4:] == ["--db", file, "--name", "boat"]
    assert "Mondays" in pasted(line, command, "en").out


def test_a_client_of_the_protocol_is_still_told_calls(open_shell, en):
    en("remember", text=FACT.format(number=1), tags="pier")

    assert 'show("1")' in en("recall", query="harbour")


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_text_spells_a_call_or_a_tool_of_the_protocol_itself(language):
    """Calls are put in by the surface, which knows who reads; a template must not hold one."""
    from frugal import discovery

    shown = []
    for mode in discovery.discover(discovery.new_manager()).modes:
        texts = load_catalogue(language, ["frugal", *mode.includes, mode.package]).texts
        tools = [tool.name for tool in mode.tools if "_" in tool.name and not tool.is_shell_only]
        for key, text in texts.items():
            if key.startswith("tools.") or key == "instructions":
                continue
            named = [name for name in tools if re.search(rf"\b{name}\b", text)]
            if (named or CALL.search(text)) and f"{key}_shell" not in texts:
                shown.append((mode.name, key, text))

    assert shown == []


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize(
    ("argv", "command", "tool"),
    [
        (("vault", "supersede"), "vault update", "memory_update"),
        (("evidence", "discover"), "evidence sample", "sample_messages"),
    ],
)
def test_help_names_commands_and_no_tools(line, lang, argv, command, tool):
    told = " ".join(line(*argv, "--help", lang=lang).out.split())

    assert command in told
    assert tool not in told
