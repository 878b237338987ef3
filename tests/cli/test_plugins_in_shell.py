"""What a plugin brings turns up in the shell without a line in the engine: mode groups, flags, wrappers, commands."""

import sys

import pytest

PLUGIN = """
import click
from frugal.api import Access, Answer, Cap, Integer, Mode, Parameter, Switch, Text, Tool, hookimpl


def cap(arguments):
    return Cap(1000, 4000)


GREET = Tool(
    name="greet",
    run="guestbook:greet",
    parameters=(
        Parameter("who", Text(50), is_required=True),
        Parameter("loud_voice", Switch(), default=False),
        Parameter("times", Integer(1, 3, default=1), default=1),
    ),
    cap=cap,
    is_for_guests=True,
    command="hi",
)
SIGN = Tool(name="sign_book", run="guestbook:sign", parameters=(), cap=cap, access=Access.WRITES)


def greet(call, *, who, loud_voice, times):
    word = who.upper() if loud_voice else who
    return Answer("\\n".join([f"hello {word}"] * times), items=({"who": who},), counts={"times": times})


def sign(call):
    return Answer(f"signed by {call.surface.name}, guest: {call.is_guest}")


def mode(name, *flags, **more):
    return Mode(name=name, package="guestbook", flags=flags, settings_prefix=name.upper(), tools=(GREET, SIGN),
                file_name=name + ".db", **more)


@hookimpl
def frugal_modes():
    return [mode("alpha", "--alpha", "--alfa"), mode("beta", "--beta"),
            Mode(name="view", package="guestbook", flags=("--view", "--sicht"), is_wrapper=True)]


@hookimpl
def frugal_commands(cli):
    @cli.command("wave", help="Wave a hand.")
    def wave():
        click.echo("waving")
"""
TEXTS = {
    "en": """
summary = "a book of guests"
instructions = "Greet."
[tools.greet]
name = "greet"
description = "Greet somebody. Politely."
[tools.greet.parameters]
who = { name = "who", description = "Whom" }
loud_voice = { name = "loud_voice", description = "In capitals" }
times = { name = "times", description = "How often" }
[tools.sign_book]
name = "sign_book"
description = "Sign."
""",
    "de": """
summary = "ein Buch der Gäste"
instructions = "Grüßen."
[tools.greet]
name = "gruesse"
description = "Jemanden grüßen. Höflich."
[tools.greet.parameters]
who = { name = "wen", description = "Wen" }
loud_voice = { name = "laute_stimme", description = "In Großbuchstaben" }
times = { name = "mal", description = "Wie oft" }
[tools.sign_book]
name = "eintragen"
description = "Eintragen."
""",
}


@pytest.fixture(autouse=True)
def plugin(tmp_path, monkeypatch):
    """Install a distribution with a plugin by its files, as an installer would."""
    site = tmp_path / "site"
    metadata = site / "frugal_guestbook-2.5.dist-info"
    package = site / "guestbook"
    (package / "languages").mkdir(parents=True)
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: frugal-guestbook\nVersion: 2.5\n", encoding="utf-8"
    )
    (metadata / "entry_points.txt").write_text("[frugal]\nguestbook = guestbook\n", encoding="utf-8")
    (package / "__init__.py").write_text(PLUGIN, encoding="utf-8")
    for language, text in TEXTS.items():
        (package / "languages" / f"{language}.toml").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(site)
    yield site
    sys.modules.pop("guestbook", None)


def test_tools_of_a_plugin_are_commands(line):
    told = line("alpha", "hi", "Kim", "--loud-voice", "--times", "2")

    assert (told.code, told.out) == (0, "hello KIM\nhello KIM\n")


@pytest.mark.parametrize("name", ["hi", "greet", "gruesse"])
@pytest.mark.parametrize("option", ["--loud-voice", "--laute-stimme"])
def test_every_name_of_a_tool_and_option_works(line, name, option):
    assert line("alpha", name, "Kim", option, lang="de").out == "hello KIM\n"


def test_tool_name_may_be_typed_with_hyphens(line):
    assert line("alpha", "sign-book").code == line("alpha", "sign_book").code == 0


def test_envelope_names_the_short_command_and_the_mode(line):
    told = line("alpha", "gruesse", "Kim", "--json").json

    assert (told["command"], told["mode"], told["times"]) == ("alpha hi", "alpha", 1)


def test_help_of_the_root_lists_flags_with_the_one_line_of_the_plugin(line):
    told = line("--help", lang="de")

    assert "--alpha, --alfa" in told.out
    assert "ein Buch der Gäste" in told.out
    assert "wave" in told.out
    assert "Wave a hand." in told.out


def test_help_of_a_tool_shows_wrapper_flags_but_no_flag_of_another_mode(line):
    told = line("alpha", "hi", "--help")

    assert "--view" in told.out
    assert "--beta" not in told.out


@pytest.mark.parametrize(
    ("argv", "names"),
    [
        (["--alpha", "--beta"], ["--alpha", "--beta"]),
        (["--alfa", "--beta", "--json"], ["--alfa", "--beta"]),
        (["--beta", "alpha", "hi", "x"], ["--beta", "alpha"]),
        (["import", "--alpha", "--beta"], ["--alpha", "--beta"]),
        (["memory", "recall", "x", "--beta"], ["--beta", "memory"]),
    ],
)
def test_two_exclusive_modes_are_refused_and_both_named(line, argv, names):
    told = line(*argv)

    assert told.code == 2
    for name in names:
        assert name in told.out + told.err


def test_the_same_mode_twice_is_no_conflict(line):
    assert line("--alpha", "alpha", "hi", "Kim").code == 0


@pytest.mark.parametrize("argv", [["--view", "alpha"], ["alpha", "--sicht"]])
def test_wrapper_flag_opens_read_only_wherever_it_stands(line, argv):
    assert line(*argv, "hi", "Kim").out == "hello Kim\n"
    refused = line(*argv, "sign_book")
    assert refused.code == 1
    assert "sign_book" in refused.err


def test_wrapper_flag_behind_the_tool_counts_too(line):
    assert line("alpha", "sign_book", "--view").code == 1


def test_misspelt_wrapper_flag_never_opens_for_writing(line):
    told = line("--veiw", "alpha", "sign_book")

    assert told.code == 2
    assert "--view" in told.err


def test_import_as_a_guest_is_refused(line, tmp_path):
    assert line("import", str(tmp_path), "--view").code == 2


def test_import_into_a_mode_without_entries_names_those_that_have_them(line, tmp_path):
    told = line("import", str(tmp_path), "--alpha")

    assert told.code == 2
    assert "memory" in told.err


def test_server_takes_the_mode_of_the_flag(line, monkeypatch):
    served = []
    monkeypatch.setattr("frugal.server.serve", lambda workspace: served.append(workspace) or 0)

    assert line("--view", "--beta").code == 0
    assert line("serve", "--beta").code == 0

    assert [(item.mode.name, item.is_guest) for item in served] == [("beta", True), ("beta", False)]


def test_command_of_a_plugin_runs(line):
    told = line("wave")

    assert (told.code, told.out) == (0, "waving\n")


def test_modes_tells_distribution_version_and_wrappers(line):
    told = line("modes", "--json").json

    found = {item["name"]: item for item in told["items"]}
    assert (found["beta"]["distribution"], found["beta"]["version"]) == ("frugal-guestbook", "2.5")
    assert found["view"]["is_wrapper"] is True
    assert found["alpha"]["flags"] == ["--alpha", "--alfa"]


def test_plugin_that_does_not_load_is_told_and_the_others_work(line, plugin):
    (plugin / "guestbook" / "__init__.py").write_text("raise RuntimeError('no book')", encoding="utf-8")

    stored = line("memory", "remember", "a fact")
    told = line("modes", lang="de")

    assert stored.code == 0
    assert "no book" in stored.err
    assert "no book" in told.out


def test_only_built_in_plugins_can_be_asked_for(line):
    told = line("alpha", "hi", "Kim", FRUGAL_MEMORY_NO_PLUGINS="1")

    assert told.code == 2


def test_two_plugins_that_claim_one_flag_are_refused_by_name(line, plugin):
    (plugin / "frugal_guestbook-2.5.dist-info" / "entry_points.txt").write_text(
        "[frugal]\nguestbook = guestbook\nrival = rival\n", encoding="utf-8"
    )
    rival = (
        "from frugal.api import Mode, hookimpl\n\n\n@hookimpl\ndef frugal_modes():\n"
        "    return Mode(name='rival', package='guestbook', flags=('--alfa',))\n"
    )
    (plugin / "rival.py").write_text(rival, encoding="utf-8")

    for argv in ([], ["memory", "recall", "x"], ["--help"]):
        told = line(*argv)

        assert told.code == 2
        assert "--alfa" in told.err
        assert "guestbook" in told.err
        assert "rival" in told.err
    assert line("--version").code == 0
