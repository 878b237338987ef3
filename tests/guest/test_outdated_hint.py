"""A guest of an older file is told what its owner has to run: mode and file included, unless the file is the usual one."""

import sqlite3
from contextlib import closing

import pytest

from frugal.call import Client
from frugal.engine import build_engine
from frugal.settings import Options, load_settings


@pytest.mark.parametrize("where", ["usual", "option", "variable"])
@pytest.mark.parametrize(("mode", "flag"), [("memory", ""), ("archive", " --archive")])
def test_command_for_the_owner_is_whole(tmp_path, where, mode, flag):
    place = tmp_path / "an older" / "file.db"
    environ = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    if where == "variable":
        environ[f"{mode.upper()}_DB"] = str(place)
    options = Options(db=str(place) if where == "option" else "", lang="en")
    engine = build_engine(load_settings(options, environ))
    owner = engine.open(engine.registry.mode(mode))
    with owner.store.write():
        pass
    owner.close()
    with closing(sqlite3.connect(owner.settings.path)) as db:
        db.execute("DELETE FROM ledger WHERE set_name = 'entries'")
        db.commit()

    guest = engine.open(engine.registry.mode(mode), is_guest=True)
    told = guest.call(Client(), "topics", {}).text
    guest.close()

    named = "" if where == "usual" else f" --db '{place}'"
    assert f"frugal-memory upkeep{flag}{named};" in told
