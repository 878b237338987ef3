"""`skill`: the rules are installed, a different file is left alone."""

import pytest

from frugal.cli.skill import find_skill

RULES = (find_skill() / "SKILL.md").read_bytes()


@pytest.fixture
def target(tmp_path):
    return tmp_path / ".claude" / "skills" / "frugal-memory" / "SKILL.md"


def test_skill_is_installed_where_claude_code_looks(line, target):
    told = line("skill")

    assert told.code == 0
    assert target.read_bytes() == RULES
    assert str(target) in told.out


def test_equal_skill_says_so(line, target):
    line("skill")

    told = line("skill", lang="de")

    assert told.code == 0
    assert "Schon da" in told.out


def test_different_skill_is_left_alone_and_told_on_stderr(line, target):
    line("skill")
    target.write_text("mine", encoding="utf-8")

    told = line("skill")

    assert told.code == 3
    assert told.out == ""
    assert "--force" in told.err
    assert target.read_text(encoding="utf-8") == "mine"


def test_forced_skill_keeps_the_old_one(line, target):
    line("skill")
    target.write_text("mine", encoding="utf-8")

    told = line("skill", "--force")

    assert told.code == 0
    assert target.read_bytes() == RULES
    assert (target.parent / "SKILL.md.bak").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("option", ["--target", "--ziel"])
@pytest.mark.parametrize("folder", ["skills", "skills/frugal-memory"])
def test_target_is_the_folder_of_skills_or_of_this_one(line, tmp_path, option, folder):
    told = line(option, str(tmp_path / folder), script="frugal-memory-skill")

    assert told.code == 0
    assert (tmp_path / "skills" / "frugal-memory" / "SKILL.md").read_bytes() == RULES


def test_conflict_is_one_object_with_exit_3(line, target):
    line("skill")
    target.write_text("mine", encoding="utf-8")

    told = line("skill", "--json")

    assert told.code == 3
    assert told.json["error"]["code"] == "skill_differs"
    assert told.json["state"] == "different"
