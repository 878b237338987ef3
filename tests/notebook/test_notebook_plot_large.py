"""Numbers at the edge of what a float holds: said in words, never an internal error."""

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
