"""The edges: numbers that no float can hold a span of, and a credential where nobody expects one."""

import pytest


@pytest.mark.parametrize(
    ("language", "said"), [("en", "cannot be drawn to scale"), ("de", "nicht maßstäblich zeichnen")]
)
def test_numbers_too_large_to_draw_are_refused_in_words(open_shell, language, said):
    shell = open_shell("en", file="messbuch.db", mode="notebook")
    shell("new_series", key="s/s", question="q", criterion="c")
    shell("measurements", key="s/s", rows="big|1e308|A\nbig|1e308|A\nbig|-1e308|A")
    spoken = open_shell(language, file="messbuch.db", mode="notebook")

    surface = spoken.workspace.surface
    arguments = {surface.parameter_name("series_plot", "key"): "s/s"}
    name = surface.tool_name("series_plot")
    reply = spoken.workspace.call(spoken.client, name, arguments, from_shell=True)
    table = shell("series", key="s/s", table=True)

    assert reply.is_error
    assert said in reply.text
    assert "inf" not in table.replace("confirmed", "")


def test_key_with_a_likely_credential_is_refused_where_none_may_be_stored(open_shell):
    shell = open_shell("en", file="messbuch.db", mode="notebook", MEMORY_SECRETS="refuse")
    key = "ops/" + "AKIA" + "IOSFODNN7QWERTYU"

    refusal = shell.refused("new_series", key=key, question="q", criterion="c")

    assert "aws-key-id" in refusal
    assert "0 open" in shell("series") or "no series" in shell("series").lower()
