"""A reason is stored text too: the scanner for likely credentials looks at it as it looks at a fact."""

import pytest

SECRET = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.mark.parametrize(
    ("language", "reason", "notice"),
    [
        ("en", "reason", "Likely credential in the reason"),
        ("de", "grund", "Wahrscheinlich Zugangsdaten im Grund"),
    ],
)
def test_reason_with_a_likely_credential_is_pointed_out(open_shell, language, reason, notice):
    shell = open_shell(language)
    shell("remember", text="one fact")

    answer = shell("forget" if language == "en" else "vergessen", ids="1", **{reason: f"see {SECRET}"})

    assert notice in answer
    assert SECRET not in answer


def test_reason_with_a_likely_credential_is_refused_where_none_may_be_stored(open_shell):
    shell = open_shell("en", MEMORY_SECRETS="refuse")
    shell("remember", text="one fact")

    refusal = shell.refused("forget", ids="1", reason=SECRET)

    assert "github-token" in refusal
    assert SECRET not in refusal
    assert "superseded" not in shell("show", ids="1")
