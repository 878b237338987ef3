"""upkeep as a process of its own, for every mode that has one: modules are loaded as a user's line loads them."""

import pytest

MESSAGE = (
    b'{"id": 1, "text": "The gate is closed.", "sent_at": "2026-03-02T09:15:00Z", "conversation": "pier"}\n'
)

MADE_BY = {
    "--memory": ("memory", "remember", "The harbour gate is closed on Mondays in winter."),
    "--archive": ("archive", "remember", "A study of harbour gates, doi 10.1000/182.", "--tags", "gates"),
    "--notebook": ("notebook", "new_series", "a/b", "Is it faster?", "mean above 3"),
    "--vault": ("vault", "capture", "--title", "Gate", "--body", "The gate is closed on Mondays."),
    "--evidence": ("evidence", "import", "-", "--corpus", "pier", "--format", "jsonl"),
}


def flags(mode):
    return () if mode == "--memory" else (mode,)


@pytest.mark.parametrize("mode", MADE_BY)
def test_upkeep_of_each_mode_runs_or_says_which_modes_have_one(line, mode):
    line(*MADE_BY[mode], stdin=MESSAGE)

    dry = line.process(*flags(mode), "upkeep", "--dry-run")
    told = line.process(*flags(mode), "upkeep")

    for answer in (dry, told):
        assert answer.code == 0 or "has nothing to recompute" in answer.err, answer
        assert "Error" not in answer.err, answer


def test_upkeep_of_all_modes_runs_over_every_file_that_is_there(line):
    for words in MADE_BY.values():
        line(*words, stdin=MESSAGE)

    for options in (("--all",), ("--all", "--dry-run")):
        told = line.process("upkeep", *options)

        assert (told.code, told.err) == (0, "")
        assert {"memory", "archive"} <= set(told.out.splitlines())
