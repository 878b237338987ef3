"""What surrounds the files: settings with their sources and no secret, the skill, the fact check, stray files."""

from pathlib import Path

import pytest
from clinic import Clinic

from frugal.engine import build_engine
from frugal.settings import Options, load_settings


def setting(clinic: Clinic, name: str, **environ: str) -> str:
    """Return the line about one setting."""
    (found,) = [
        item.text for item in clinic(**environ).of("setting") if item.text.startswith(f"setting {name}:")
    ]
    return found


def test_every_setting_is_told_with_its_source(clinic: Clinic) -> None:
    place = clinic.folder / "other.db"

    assert setting(clinic, "MEMORY_DB") == f"setting MEMORY_DB: {clinic.file} (from default)"
    assert (
        setting(clinic, "MEMORY_DB", MEMORY_DB=str(place)) == f"setting MEMORY_DB: {place} (from MEMORY_DB)"
    )
    assert setting(clinic, "MEMORY_NAME") == "setting MEMORY_NAME: box (from MEMORY_NAME)"
    assert setting(clinic, "MEMORY_FC_PROBE") == "setting MEMORY_FC_PROBE: 3 (default)"


def test_setting_of_the_config_file_names_that_file(clinic: Clinic) -> None:
    config = clinic.data / "config.toml"
    config.write_text('[memory]\nname = "desk"\n', encoding="utf-8")

    assert setting(clinic, "MEMORY_NAME", MEMORY_NAME="") == f"setting MEMORY_NAME: desk (from {config})"


@pytest.mark.parametrize(
    "name", ["MEMORY_FC_KEY", "MEMORY_FC_SCHLUESSEL", "FRUGAL_MEMORY_HTTP_TOKEN", "MEMORY_OWN_TOKEN"]
)
def test_secret_is_told_as_set_and_never_shown(clinic: Clinic, name: str) -> None:
    _, out, _ = clinic.line("doctor", **{name: "very-secret-value"})

    assert "very-secret-value" not in out
    assert f"setting {name}: set" in out


def test_password_in_an_address_is_not_shown(clinic: Clinic) -> None:
    environ = {"MEMORY_FC_URL": "https://kim:geheim@example.org/v1", "MEMORY_FC_MODEL": "small"}

    _, out, _ = clinic.line("doctor", **environ)

    assert "geheim" not in out
    assert "https://example.org/v1" in out


def test_old_name_of_a_variable_is_told_with_the_new_one(clinic: Clinic) -> None:
    told = clinic(MEMORY_FC_FRIST="7")

    (found,) = [item for item in told.of("setting") if "MEMORY_FC_FRIST" in item.text]
    assert found.state == "note"
    assert "MEMORY_FC_TIMEOUT" in found.text


@pytest.mark.parametrize(
    ("environ", "word"),
    [({"MEMORY_LANG": "fr"}, "MEMORY_LANG fr"), ({"MEMORY_SECRETS": "maybe"}, "MEMORY_SECRETS maybe")],
)
def test_setting_that_is_not_understood_is_a_warning(
    clinic: Clinic, environ: dict[str, str], word: str
) -> None:
    told = clinic(**environ)

    assert told.code == 0
    assert word in "".join(item.text for item in told.worst())


def test_unknown_key_of_the_config_file_is_a_warning_with_the_nearest(clinic: Clinic) -> None:
    (clinic.data / "config.toml").write_text("[memory]\nnmae = 'x'\n", encoding="utf-8")

    (found,) = clinic().worst()

    assert "nmae" in found.text
    assert "name" in found.text


def test_skill_is_absent_installed_or_another_one(clinic: Clinic) -> None:
    skill = clinic.folder / ".claude" / "skills" / "frugal-memory" / "SKILL.md"

    assert clinic().one("skill").hint == "frugal-memory skill"
    assert clinic.line("skill")[0] == 0
    assert clinic().one("skill").state == "ok"
    skill.write_text("changed", encoding="utf-8")
    assert clinic().one("skill").hint == "frugal-memory skill --force"


def test_fact_check_is_told_and_not_asked(clinic: Clinic) -> None:
    assert clinic().one("fact_check").text == "fact check: off"
    told = clinic(MEMORY_FC_URL="http://127.0.0.1:9", MEMORY_FC_MODEL="small")
    assert told.one("fact_check").text == "fact check: http://127.0.0.1:9/v1, small; not asked now"


def test_address_that_may_not_be_asked_is_a_warning(clinic: Clinic) -> None:
    told = clinic(MEMORY_FC_URL="http://example.org", MEMORY_FC_MODEL="small")

    assert (told.code, told.one("fact_check").state) == (0, "warn")


def test_file_of_a_published_version_beside_the_checkout_is_named(
    clinic: Clinic, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    checkout = tmp_path / "checkout"
    (checkout / "plugins" / "frugal_modes").mkdir(parents=True)
    (checkout / "pyproject.toml").touch()
    stray = checkout / "memory.db"
    stray.write_bytes(b"x")
    monkeypatch.setattr("frugal.paths.CODE", checkout)

    told = clinic()

    assert (told.code, told.one("stray").state) == (0, "note")
    assert told.one("stray").hint == f"MEMORY_DB={stray}"
    assert stray.read_bytes() == b"x"
    assert clinic(MEMORY_DB=str(stray)).of("stray") == []


def test_start_of_a_server_names_the_file_beside_the_checkout(
    clinic: Clinic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frugal.engine.beside_checkout", lambda _: [Path("/x/memory.db")])
    engine = build_engine(load_settings(Options(), clinic.environ()))

    notices = engine.open(engine.registry.mode("memory")).notices

    assert [notice.data["line"] for notice in notices] == ["MEMORY_DB=/x/memory.db"]
