"""What holds for every installed mode: names, texts in both languages, schemas, caps, migrations, instructions."""

import inspect
import re
import sqlite3
import string
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from frugal import discovery
from frugal.engine import Workspace, build_engine, read_migrations
from frugal.model import Access, Cap, Mode, Parameter, Tool
from frugal.settings import Options, load_settings
from frugal.strings import LANGUAGES, load_catalogue, package_folder, read_texts

MODES = discovery.discover(discovery.new_manager(), only_built_in=True).modes
TOOLS = [pytest.param(mode, tool, id=f"{mode.name}-{tool.name}") for mode in MODES for tool in mode.tools]
PACKAGES = sorted({package for mode in MODES for package in ("frugal", *mode.includes, mode.package)})

NAME = "[a-z][a-z0-9_]*"
INSTRUCTION_CHARACTERS = 600
JSON_TYPES = {"string", "integer", "number", "boolean", "array", "object"}
SCHEMA_KEYS = {
    "type",
    "description",
    "default",
    "enum",
    "minimum",
    "maximum",
    "items",
    "maxLength",
    "properties",
}

GERMAN = (
    "der die das und nicht mit von für ist ein eine wird werden oder keine sind aus nach Eintrag Marke Datei"
)
ENGLISH = "the and not with of is are an or no for to from entry tag file nothing stored"
SHARED = {"an", "die", "tag", "no", "is"}
"""Words of one list that are words of the other language too, or stand in calls and names."""


def words_of(text: str) -> set[str]:
    """Return the words of *text* without code, placeholders and quoted calls."""
    plain = re.sub(r"`[^`]*`|\{[^}]*\}|\w*\([^)]*\)|\"[^\"]*\"", " ", text)
    return set(re.findall(r"[^\W\d_]+", plain))


def fields_of(text: str) -> list[str]:
    """Return the fields of a template, by name, each once."""
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name})


def open_workspace(mode: Mode, language: str, folder: Path) -> Workspace:
    environ = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    settings = load_settings(Options(lang=language), environ)
    engine = build_engine(settings)
    return engine.open(mode)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[Mode, str], Workspace]]:
    workspaces: list[Workspace] = []

    def open_it(mode: Mode, language: str) -> Workspace:
        workspaces.append(open_workspace(mode, language, tmp_path))
        return workspaces[-1]

    yield open_it
    for workspace in workspaces:
        workspace.close()


by_mode = pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
by_mode_with_file = pytest.mark.parametrize(
    "mode", [mode for mode in MODES if not mode.is_wrapper], ids=lambda mode: mode.name
)
by_language = pytest.mark.parametrize("language", LANGUAGES)
by_tool = pytest.mark.parametrize(("mode", "tool"), TOOLS)
by_package = pytest.mark.parametrize("package", PACKAGES)


def test_there_is_a_mode_that_needs_no_flag() -> None:
    assert [mode.name for mode in MODES if not mode.flags and not mode.is_wrapper] == ["memory"]


@by_package
def test_a_catalogue_has_the_same_keys_and_fields_in_both_languages(package: str) -> None:
    folder = package_folder(package) / "languages"
    english, german = (read_texts(folder / f"{language}.toml") for language in LANGUAGES)

    assert english.keys() == german.keys()
    for key, text in english.items():
        assert fields_of(text) == fields_of(german[key]), key
        assert bool(text.strip()) == bool(german[key].strip()), key


@by_package
def test_no_language_speaks_the_words_of_the_other(package: str) -> None:
    folder = package_folder(package) / "languages"
    foreign = {"en": set(GERMAN.split()) - SHARED, "de": set(ENGLISH.split()) - SHARED}

    for language in LANGUAGES:
        for key, text in read_texts(folder / f"{language}.toml").items():
            if not key.endswith(".name"):
                assert not words_of(text) & foreign[language], (language, key)


@by_mode
def test_a_mode_is_named_and_filed_in_plain_ascii(mode: Mode) -> None:
    assert re.fullmatch(NAME, mode.name)
    assert all(re.fullmatch("--[a-z][a-z0-9-]*", flag) for flag in mode.flags)
    if not mode.is_wrapper:
        assert re.fullmatch(r"[a-z]+\.db", mode.file_name)
        assert re.fullmatch("[A-Z]+", mode.settings_prefix)


@by_mode
def test_kinds_are_named_in_ascii_and_once(mode: Mode) -> None:
    for language in LANGUAGES:
        words = mode.kinds.words(language)
        assert len(set(words)) == len(words)
        assert all(re.fullmatch("[a-z]+", word) for word in words)


@by_language
@by_mode
def test_instructions_are_short_and_the_mode_has_one_line(mode: Mode, language: str) -> None:
    catalogue = load_catalogue(language, ("frugal", *mode.includes, mode.package))

    assert len(catalogue.texts.get("instructions", "")) <= INSTRUCTION_CHARACTERS
    assert "\n" not in catalogue.text("summary")


@by_language
@by_tool
def test_a_tool_is_named_in_ascii_and_described(
    mode: Mode, tool: Tool, language: str, opened: Callable[[Mode, str], Workspace]
) -> None:
    surface = opened(mode, language).surface
    names = [surface.parameter_name(tool.name, item.name) for item in tool.parameters]

    # A command of the shell alone may have two words.
    assert re.fullmatch("[a-z][a-z0-9_ ]*" if tool.is_shell_only else NAME, surface.tool_name(tool.name))
    assert surface.text(f"tools.{tool.name}.description")
    assert all(re.fullmatch(NAME, name) for name in names)
    assert len(set(names)) == len(names)


@by_language
@by_mode
def test_definitions_are_valid_schemas_with_every_parameter_described(
    mode: Mode, language: str, opened: Callable[[Mode, str], Workspace]
) -> None:
    definitions = opened(mode, language).definitions()

    assert len({definition.name for definition in definitions}) == len(definitions)
    for definition in definitions:
        schema = definition.input_schema
        properties: Any = schema["properties"]
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert set(schema.get("required", ())) <= set(properties)
        for name, declared in properties.items():
            assert declared["description"], name
            assert declared["type"] in JSON_TYPES, name
            assert set(declared) <= SCHEMA_KEYS, name
            if "enum" in declared and "default" in declared:
                assert declared["default"] in ("", *declared["enum"]), name  # "" is: none given


@by_tool
def test_a_tool_resolves_and_its_signature_is_its_declaration(mode: Mode, tool: Tool) -> None:
    _, *parameters = inspect.signature(tool.resolve()).parameters.values()
    declared = [item.name for item in tool.parameters]
    injected = [parameter for parameter in parameters if parameter.name not in declared]

    assert [parameter.name for parameter in parameters if parameter not in injected] == declared
    assert all(parameter.default is not inspect.Parameter.empty for parameter in injected)
    assert all(parameter.kind is inspect.Parameter.KEYWORD_ONLY for parameter in parameters)


def value_of(parameter: Parameter, workspace: Workspace) -> object:
    """Return what the tool gets if the caller gives nothing, or the least that a required parameter takes."""
    if not parameter.is_required:
        return parameter.default
    for raw in ("1", "pitfall", "1,2"):
        try:
            return parameter.form.read(raw, workspace.surface)
        except Exception:  # the form wants something else
            continue
    return None


@by_tool
def test_a_tool_declares_its_cap(mode: Mode, tool: Tool, opened: Callable[[Mode, str], Workspace]) -> None:
    workspace = opened(mode, "en")
    values = {item.name: value_of(item, workspace) for item in tool.parameters}

    cap = tool.cap(values)

    assert isinstance(cap, Cap)
    assert 0 < cap.characters <= cap.size_bytes


@by_mode
def test_guests_are_offered_reading_tools_only(mode: Mode) -> None:
    assert all(tool.access is Access.READS for tool in mode.tools if tool.is_for_guests)
    assert all(not tool.is_destructive for tool in mode.tools if tool.access is Access.READS)


@by_mode_with_file
def test_migrations_apply_to_an_empty_file_and_leave_strict_tables(
    mode: Mode, opened: Callable[[Mode, str], Workspace]
) -> None:
    workspace = opened(mode, "en")

    with workspace.store.write():
        pass
    workspace.close()

    names = [step.name for group in read_migrations(mode) for step in group.migrations]
    assert all(re.fullmatch(r"\d{4}_[a-z0-9_]+", name) for name in names)
    with closing(sqlite3.connect(workspace.settings.path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        tables = connection.execute("SELECT name, type, strict FROM pragma_table_list WHERE schema = 'main'")
        loose = [
            name
            for name, kind, strict in tables
            if kind == "table" and not strict and not name.startswith("sqlite_")
        ]
    assert loose == []
