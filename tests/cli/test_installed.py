"""Entry points read from files are those that `importlib.metadata` reports."""

import sys
import zipfile
from importlib import metadata

import pytest

from frugal import installed


def reported(group):
    return sorted(
        (point.name, point.value, point.dist.name, point.dist.version)
        for point in metadata.entry_points(group=group)
    )


def read(group):
    return sorted((point.name, point.value, *point.dist) for point in installed.entry_points(group))


@pytest.fixture
def make(tmp_path, monkeypatch):
    """Make a distribution's metadata in a folder that is searched first."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(folder, points, *, name="some-plugin", version="1.0", header="METADATA"):
        place = tmp_path / folder
        place.mkdir(parents=True)
        fields = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nName: other\n"
        (place / header).write_text(fields, encoding="utf-8")
        (place / "entry_points.txt").write_text(points, encoding="utf-8")
        return place

    return write


@pytest.mark.parametrize("group", ["frugal", "console_scripts", "pytest11", "no_such_group"])
def test_installed_distributions_give_the_same(group):
    assert read(group) == reported(group)


@pytest.mark.parametrize(
    "points",
    [
        "[probe]\na = some.module\nb=some.module:thing\n",
        "[other]\na = x\n\n[probe]\n# a comment\nc = some.module:thing.part [extra]\n[third]\nd = y\n",
        "[probe]\n\n",
        "[probe]\r\na = some.module\r\n",
    ],
)
@pytest.mark.parametrize("header", ["METADATA", "PKG-INFO"])
def test_sections_and_headers_are_read_alike(make, points, header):
    suffix = "dist-info" if header == "METADATA" else "egg-info"
    make(f"some_plugin-1.0.{suffix}", points, header=header)

    assert read("probe") == reported("probe")


def test_first_of_two_equal_distributions_counts(make, tmp_path, monkeypatch):
    make("Some.Plugin-1.0.dist-info", "[probe]\na = old\n")
    make("later/some_plugin-2.0.dist-info", "[probe]\na = new\n", version="2.0")
    monkeypatch.syspath_prepend(tmp_path / "later")

    assert read("probe") == reported("probe") == [("a", "new", "some-plugin", "2.0")]


def test_zip_file_on_the_path_is_looked_into(tmp_path, monkeypatch):
    archive = tmp_path / "plugin.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr(
            "zipped-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: zipped\nVersion: 1.0\n"
        )
        packed.writestr("zipped-1.0.dist-info/entry_points.txt", "[probe]\nz = zipped\n")
    monkeypatch.syspath_prepend(archive)

    assert ("z", "zipped", "zipped", "1.0") in read("probe")


def test_finder_of_another_tool_is_asked(monkeypatch):
    class Finder:
        @staticmethod
        def find_spec(*_args):
            return None

        @staticmethod
        def find_distributions(*_args, **_more):
            return iter(())

    asked = []
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])
    monkeypatch.setattr(metadata, "entry_points", lambda group: asked.append(group) or [])

    installed.entry_points("probe")

    assert asked == ["probe"]


def test_missing_and_unreadable_folders_are_passed_over(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path / "missing")

    assert read("frugal") == reported("frugal")


def test_object_of_an_entry_point_is_loaded():
    point = installed.EntryPoint("x", "os.path:join", installed.Distribution("d", "1"))

    assert point.load() is __import__("os").path.join


def test_malformed_value_is_an_error():
    with pytest.raises(ValueError, match="not a module"):
        installed.EntryPoint("x", "not a module", installed.Distribution("d", "1")).load()
