"""A mode names the functions that move its contents; the commands know no more of it."""

from dataclasses import fields, replace

import pytest
from probe import PROBE

from frugal import discovery
from frugal.cli.contents import copy_of, read_contents, refuse_mode, store_contents
from frugal.cli.session import Session
from frugal.engine import build_engine
from frugal.errors import UsageError
from frugal.model import Transfer, resolve
from frugal.settings import Options, load_settings
from frugal.transfer import from_jsonl, to_jsonl

NAMES = [field.name for field in fields(Transfer)]
JARS = replace(PROBE, transfer=Transfer(*(f"jars:{name}" for name in NAMES)))
MODES = discovery.discover(discovery.new_manager(), only_built_in=True).modes


@pytest.fixture
def open_jars(tmp_path, closing):
    def open_it(name):
        settings = load_settings(Options(db=str(tmp_path / name)), {"MEMORY_LANG": "en"})
        return closing(build_engine(settings, modes=[JARS]).open(JARS))

    return open_it


def put(workspace, *words):
    with workspace.store.write() as db:
        db.executemany("INSERT INTO probe (word) VALUES (?)", [(word,) for word in words])


def test_contents_of_a_plugin_s_mode_make_the_round_trip(open_jars):
    one, two = open_jars("one.db"), open_jars("two.db")
    put(one, "a", "b")
    data = to_jsonl(read_contents(one))

    first = store_contents(two, from_jsonl(data), may_load=True)
    second = store_contents(two, from_jsonl(data), may_load=True)

    assert to_jsonl(read_contents(two)) == data
    assert (first.lines, second.lines, second.counts) == (("loaded",), ("merged",), {"new": 0})


def test_copy_may_be_written_and_leaves_the_file_as_it_is(open_jars):
    one = open_jars("one.db")
    put(one, "a")
    one.close()
    before = one.settings.path.read_bytes()

    with copy_of(one, one.settings.path) as copy:
        put(copy, "b")
        assert len(read_contents(copy).records) == 2

    assert one.settings.path.read_bytes() == before
    assert len(read_contents(one).records) == 1


def test_mode_without_such_functions_is_refused_by_name():
    with pytest.raises(UsageError) as caught:
        refuse_mode(Session("frugal-memory", [], {"FRUGAL_MEMORY_NO_PLUGINS": "1"}), PROBE, "export")

    assert caught.value.key == "no_transfer"
    assert "memory" in str(caught.value.data["known"])


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_installed_mode_names_all_functions_or_none(mode):
    named = [getattr(mode.transfer, name) for name in NAMES]

    assert all(named) or not any(named)
    for reference in filter(None, (*named, mode.explain)):
        assert callable(resolve(reference))
