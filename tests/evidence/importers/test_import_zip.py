"""Zip archives: refused whole for anything but plain members; never unpacked."""

import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from import_desk import Desk, zip_folder
from slack_export import write_export

from frugal_modes.evidence.importers import zips

LINE = b'{"text": "x", "sent_at": 1}\n'


def packed(path: Path, *names: str, data: bytes = LINE) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("good.jsonl", *names):
            info = zipfile.ZipInfo("x")
            info.filename = name
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return path


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("/etc/passwd", "absolute"),
        ("C:evil.jsonl", "drive"),
        ("a/../../evil.jsonl", "parent"),
        ("..", "parent"),
        ("a\\b.jsonl", "backslash"),
        ("inner.zip", "nested"),
        ("inner.tar.gz", "nested"),
    ],
)
def test_an_unsafe_name_refuses_the_archive(desk: Desk, tmp_path: Path, name: str, key: str) -> None:
    source = packed(tmp_path / "a.zip", name)

    text = desk.refused(source)

    assert text == desk.shell.workspace.surface.text(f"errors.zip_{key}", path="a.zip", value=name)
    assert not desk.path.exists()


def test_a_name_twice_refuses_the_archive(desk: Desk, tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        source = packed(tmp_path / "a.zip", "good.jsonl")

    assert "twice" in desk.refused(source)


def member(path: Path, change: Callable[[zipfile.ZipInfo], None]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        info = zipfile.ZipInfo("a.jsonl")
        change(info)
        archive.writestr(info, LINE)
    return path


def test_a_link_and_a_device_refuse_the_archive(desk: Desk, tmp_path: Path) -> None:
    def link(info: zipfile.ZipInfo) -> None:
        info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16

    def device(info: zipfile.ZipInfo) -> None:
        info.create_system, info.external_attr = 3, (stat.S_IFCHR | 0o600) << 16

    assert "link" in desk.refused(member(tmp_path / "a.zip", link))
    assert "plain file" in desk.refused(member(tmp_path / "b.zip", device))


def test_an_encrypted_member_refuses_the_archive(desk: Desk, tmp_path: Path) -> None:
    source = packed(tmp_path / "a.zip")
    data = bytearray(source.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    source.write_bytes(data)

    assert "encrypted" in desk.refused(source)


def test_a_member_that_grows_too_much_refuses_the_archive(desk: Desk, tmp_path: Path) -> None:
    source = packed(tmp_path / "a.zip", "bomb.txt", data=b"\0" * (11 << 20))

    assert "200 times" in desk.refused(source)


def test_too_many_members_and_too_much_json_refuse_the_archive(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = packed(tmp_path / "a.zip", "b.jsonl", "c.jsonl")

    monkeypatch.setattr(zips, "MOST_JSON_BYTES", 10)
    assert "512 MiB" in desk.refused(source)
    monkeypatch.setattr(zips, "MOST_MEMBERS", 2)
    assert "200,000" in desk.refused(source)


def test_bytes_are_counted_while_reading_whatever_the_lists_say(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = packed(tmp_path / "a.zip", data=LINE * 10_000)
    monkeypatch.setattr(zips, "RATIO_FROM_BYTES", 1_000)
    monkeypatch.setattr(zips, "_fault", lambda member, name: "")

    assert "200 times" in desk.refused(source)


def test_a_damaged_archive_is_refused_and_a_damaged_member_named(desk: Desk, tmp_path: Path) -> None:
    torn = tmp_path / "torn.zip"
    torn.write_bytes(packed(tmp_path / "a.zip").read_bytes()[:40])
    broken = tmp_path / "broken.zip"
    with zipfile.ZipFile(broken, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.jsonl", LINE * 3)
        archive.writestr("b.jsonl", LINE)
    data = bytearray(broken.read_bytes())
    data[data.index(LINE) + 12] ^= 1
    broken.write_bytes(data)

    assert "damaged" in desk.refused(torn)
    assert desk.take(broken, format="jsonl")["rejected"] == {"truncated_source": 1}


def test_nothing_is_unpacked_beside_the_archive(desk: Desk, tmp_path: Path) -> None:
    source = zip_folder(write_export(tmp_path / "export"), tmp_path / "e.zip")
    before = sorted(path.name for path in tmp_path.iterdir())

    desk.take(source)

    after = sorted(path.name for path in tmp_path.iterdir())
    assert [name for name in after if not name.startswith("evidence.db")] == before
