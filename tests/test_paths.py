"""Paths as users write them, on every system: one form each, or refused; never a folder of that name."""

import os
from pathlib import Path

import pytest

from frugal.cli.root import run
from frugal.errors import UsageError
from frugal.paths import expand_path, system_name

HOME = {"HOME": "/home/kim", "NOTES": "/srv/notes"}


def meant(text: str, system: str) -> str:
    return str(expand_path(text, environ=HOME, system=system))


@pytest.mark.skipif(os.name == "nt", reason="paths of a Unix")
@pytest.mark.parametrize(
    ("text", "path"),
    [
        (r"C:\notes", "/mnt/c/notes"),
        ("c:/notes/a b", "/mnt/c/notes/a b"),
        ("/e%3A/x", "/mnt/e/x"),
        ("/e%3a/x", "/mnt/e/x"),
        ("/mnt/c/notes", "/mnt/c/notes"),
        ("~/my notes", "/home/kim/my notes"),
        ("$NOTES/a", "/srv/notes/a"),
        ("${NOTES}/a", "/srv/notes/a"),
        ("$UNSET/a", str(Path.cwd() / "$UNSET/a")),
    ],
)
def test_pain_40_path_has_one_form_under_wsl(text, path):
    assert meant(text, "wsl") == path


@pytest.mark.skipif(os.name == "nt", reason="paths of a Unix")
@pytest.mark.parametrize("text", [r"C:\notes", "c:/notes", "/e%3A/x", r"\\host\share", "C:"])
@pytest.mark.parametrize("system", ["linux", "macos"])
def test_pain_40_path_of_another_system_is_refused(text, system):
    with pytest.raises(UsageError) as caught:
        meant(text, system)

    assert caught.value.key == "path_of_other_system"


def test_pain_40_share_of_a_host_is_refused_under_wsl():
    with pytest.raises(UsageError):
        meant(r"\\host\share", "wsl")


@pytest.mark.parametrize(
    ("text", "path"),
    [("/mnt/c/notes", r"C:\notes"), ("/c%3A/x", r"C:\x"), ("c:/notes", r"C:\notes"), (r"D:\x", r"D:\x")],
)
def test_pain_40_path_has_one_form_on_windows(text, path):
    found = meant(text, "windows")

    assert found.endswith(path)  # on another system it is no absolute path


@pytest.mark.skipif(os.name == "nt", reason="paths of a Unix")
@pytest.mark.parametrize("text", [r"C:\notes\x.db", "/e%3A/x.db", r"\\host\share\x.db"])
def test_pain_40_refused_path_makes_no_folder(tmp_path, monkeypatch, capsys, text):
    monkeypatch.chdir(tmp_path)

    code = run(
        ["memory", "remember", "x", "--db", text],
        environ={"HOME": str(tmp_path), "FRUGAL_MEMORY_NO_PLUGINS": "1"},
    )

    assert code == 2
    assert "linux" in capsys.readouterr().err or system_name({}) != "linux"
    assert list(tmp_path.iterdir()) == []


def test_relative_path_is_taken_from_the_folder_that_is_given():
    assert expand_path("a/b.db", environ={}, system="linux", base=Path("/etc/x")) == Path("/etc/x/a/b.db")


@pytest.mark.skipif(os.name == "nt", reason="names of Unix systems")
def test_wsl_is_known_by_its_variables():
    assert system_name({"WSL_DISTRO_NAME": "x"}) in ("wsl", "macos")
    assert system_name({}) in ("linux", "macos")
