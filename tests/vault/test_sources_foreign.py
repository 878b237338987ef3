"""A reader that a plugin brings: one format more, and never a danger to the other sources."""

import dataclasses
import sys
import types

import pytest

from frugal.call import Client
from frugal.engine import build_engine
from frugal.errors import UsageError
from frugal.registry import Owned, build_registry
from frugal.settings import Options, load_settings
from frugal_modes.vault import VAULT
from frugal_modes.vault.records import Card, Reading, Unit


class Tablets:
    """Reads `*.tablet` files, one card each."""

    def __init__(self, name="tablets", fails=""):
        self.name = name
        self.fails = fails

    def defaults(self, environ):
        return ()

    def recognise(self, path):
        return "clay tablets" if any(path.glob("*.tablet")) else None

    def units(self, root, options):
        for file in sorted(root.glob("*.tablet")):
            yield Unit(root, file.name)
        if self.fails == "units":
            raise RuntimeError("the clay broke")

    def read(self, unit, data, options):
        if self.fails == "read" and unit.path.startswith("bad"):
            raise RuntimeError("the clay broke")
        text = data.decode()
        return Reading((Card(native_id=unit.path, path=unit.path, title=text, body=text),))


@pytest.fixture
def extended(monkeypatch):
    """Return the vault mode as a plugin extends it with a reader of its own."""

    def extend(reader):
        module = types.ModuleType("clay")
        module.READER = reader
        monkeypatch.setitem(sys.modules, "clay", module)
        return dataclasses.replace(VAULT, readers=(*VAULT.readers, "clay:READER"))

    return extend


@pytest.fixture
def ask(extended, tmp_path, clock):
    """Open a vault with the reader and one registered source, and search in it."""
    opened = []

    def open_it(reader, **files):
        root = tmp_path / "clay"
        root.mkdir()
        for name, text in files.items():
            (root / f"{name}.tablet").write_text(text, encoding="utf-8")
        values = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
        mode = extended(reader)
        engine = build_engine(load_settings(Options(), values), modes=[mode], clock=clock)
        workspace = engine.open(mode)
        opened.append(workspace)

        def call(tool, **arguments):
            return workspace.call(Client(), tool, arguments, from_shell=True).text

        return root, call

    yield open_it
    for workspace in opened:
        workspace.close()


def test_plugin_adds_a_format(ask):
    root, call = ask(Tablets(), one="The king counts grain.")

    told = call("source add", kind="auto", path=str(root))

    assert "Shape: clay tablets" in told
    assert "tablets:one.tablet" in call("memory_search", query="grain")


def test_reader_that_raises_costs_its_unit_only(ask):
    root, call = ask(Tablets(fails="read"), bad="Lost grain.", good="The king counts grain.")

    told = call("source add", kind="tablets", path=str(root))

    assert "bad.tablet: the reader failed: RuntimeError" in told
    assert "tablets:good.tablet" in call("memory_search", query="grain")


def test_reader_that_cannot_list_takes_nothing_away(ask):
    reader = Tablets()
    root, call = ask(reader, one="The king counts grain.")
    call("source add", kind="tablets", path=str(root))
    call("memory_search", query="grain")
    reader.fails = "units"
    (root / "one.tablet").rename(root / "one.away")

    assert "the clay broke" not in call("memory_stats")
    (root / "one.away").rename(root / "one.tablet")
    assert "tablets:one.tablet" in call("memory_search", query="grain")


def test_two_readers_of_one_name_are_an_error_at_start(extended):
    mode = extended(Tablets(name="obsidian"))

    with pytest.raises(UsageError) as caught:
        build_registry([Owned(mode, "vault")])

    assert caught.value.key == "claimed_twice"
    assert caught.value.data["value"] == "obsidian"


def test_built_in_readers_are_not_imported_at_start():
    before = set(sys.modules)
    build_registry([Owned(VAULT, "vault")])

    assert not [name for name in set(sys.modules) - before if ".readers." in name]
