"""check and remember beside servers that fail, addresses that are refused, and a plugin in place of the endpoint."""

import json
from collections.abc import Callable

import pytest
from checking import FACTS, NOTES, PORTS, pair_line, store_two
from desk import Desk
from model_server import (
    MODEL,
    ModelServer,
    completion,
    hangs_up,
    heads,
    redirects,
    says,
    stalls,
    trickles,
)

# Addresses


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org",
        "http://10.0.0.1:8080/v1",
        "http://localhost.example.org",
        "ftp://localhost",
        "localhost:1234",
    ],
)
def test_http_to_another_machine_is_refused_in_words(open_checked, model, url):
    desk = open_checked(MEMORY_FC_URL=url)
    store_two(desk)

    refusal = desk.refused("check", ids="1,2")

    assert "MEMORY_FC_URL" in refusal
    assert "https" in refusal
    assert model.connections == 0


def test_a_password_in_the_address_is_not_shown(open_checked):
    desk = open_checked(MEMORY_FC_URL="http://user:s3cretword@example.org")
    store_two(desk)

    assert "s3cretword" not in desk.refused("check", ids="1,2")


def test_such_an_address_is_no_error_of_remember(open_checked):
    desk = open_checked(MEMORY_FC_URL="http://example.org")
    store_two(desk)

    assert desk.rows("SELECT count(*) FROM entry") == [(2,)]


def test_a_redirect_is_not_followed(open_checked, model):
    other = ModelServer()
    model.behave = redirects(f"{other.url}/v1/chat/completions")
    desk = open_checked(MEMORY_FC_KEY="k3y")
    store_two(desk)

    answer = desk("check", ids="1,2")

    assert pair_line(answer) == desk.say("no_verdict")
    assert other.connections == 0
    other.close()


# Servers that fail


def test_a_server_that_does_not_offer_the_model_is_asked_nothing(checked, model):
    model.models = ["other"]
    store_two(checked)

    answer = checked("check", ids="1,2")

    assert pair_line(answer) == checked.say("no_verdict")
    assert model.asked == []


BAD = {
    "500": lambda handler, _prompt: handler.give({"error": "x"}, status=500),
    "no json": lambda handler, _prompt: handler.give(None, raw=b"<html>"),
    "json null": lambda handler, _prompt: handler.give(None),
    "no choices": lambda handler, _prompt: handler.give({"choices": []}),
    "strange": lambda handler, _prompt: handler.give([1, 2]),
    "hangs up": hangs_up,
    "stalls": stalls,
    "trickles": trickles,
    "deep": lambda handler, _prompt: handler.give(None, raw=b"[" * 100_000),
}


@pytest.mark.parametrize("behave", BAD.values(), ids=BAD)
@pytest.mark.parametrize("place", ["probe", "answer"])
@pytest.mark.parametrize("language", ["en"], indirect=True)
def test_a_failing_server_is_no_verdict_and_then_left_alone(open_checked, model, behave, place):
    if place == "probe":
        model.on_probe = behave
    else:
        model.behave = behave
    desk = open_checked(MEMORY_FC_TIMEOUT="0.3", MEMORY_FC_PROBE="0.3", MEMORY_FC_BUDGET="5")
    store_two(desk)

    answer = desk("check", ids="1,2")
    connections = model.connections
    again = desk("check", ids="1,2")

    assert pair_line(answer) == desk.say("no_verdict")
    assert pair_line(again) == desk.say("no_verdict")
    assert model.connections == connections
    assert "300 s" in answer


def test_a_refused_connection_pauses_shortly(open_checked, model):
    model.close()
    desk = open_checked()
    store_two(desk)

    answer = desk("check", ids="1,2")

    assert pair_line(answer) == desk.say("no_verdict")
    assert "15 s" in answer


def test_after_the_pause_it_is_asked_again(open_checked, model):
    model.behave = BAD["500"]
    desk = open_checked(MEMORY_FC_PAUSE="0")
    store_two(desk)
    desk("check", ids="1,2")

    model.behave = says("FORTSCHRITT")

    assert pair_line(desk("check", ids="1,2")) == desk.say("progress")


def test_pairs_the_time_did_not_reach_are_named(open_checked, model):
    def once(handler, _prompt) -> None:
        if len(model.asked) % 3 == 1:
            handler.give(completion("FORTSCHRITT"))
        else:
            stalls(handler, "")

    model.behave = once
    desk = open_checked(MEMORY_FC_BUDGET="0.3", MEMORY_FC_PAUSE="0", MEMORY_FC_PROBE="0")
    for fact in FACTS[:3]:
        desk.store(fact)

    answer = desk("check", ids="1,2,3")

    (late,) = [line for line in answer.splitlines() if line.startswith(("Not asked", "Nicht gefragt"))]
    assert "#2 <-> #3" in late
    assert "#1 <-> #2: " in answer


# remember


def test_remember_gives_the_verdict_behind_the_numbers(checked, model):
    model.behave = says("WIDERSPRUCH")
    checked.store(PORTS[0])
    before = len(model.asked)

    answer = checked("remember", text=PORTS[1])

    (line,) = [line for line in answer.splitlines() if " % #1 " in line]
    assert line.endswith("contradiction?" if checked.is_english else "Widerspruch?")
    assert [heads(seen.prompt) for seen in model.asked[before:]] == [PORTS]


def test_remember_without_similar_entries_contacts_nobody(checked, model):
    checked.store("The bastion listens on port 22")
    checked.store("Backups run at night")

    assert model.connections == 0


def test_remember_of_a_credential_contacts_nobody(checked, model):
    checked.store("The access key of the shop bucket is kept elsewhere")

    answer = checked(
        "remember", text="The access key of the shop bucket is kept elsewhere AKIAIOSFODNN7ABCDEFG"
    )

    assert " % #1 " in answer
    assert model.connections == 0


def test_remember_of_an_identical_text_contacts_nobody(checked, model):
    first, second = checked.store("The pool size is 10"), checked.store("Something else entirely")
    checked.spoil(f"UPDATE entry SET text = 'The pool size is 10' WHERE id = {second}")
    checked.upkeep()

    answer = checked("remember", text="The pool size is 10")

    assert f"#{first} " in answer
    assert " % #" in answer
    assert model.connections == 0


def test_remember_survives_a_server_that_never_answers(open_checked, model):
    model.behave = stalls
    desk = open_checked(MEMORY_FC_BUDGET="0.3")
    desk.store(PORTS[0])

    answer = desk("remember", text=PORTS[1])

    assert answer.startswith(desk.say("stored", id="#2"))
    assert " % #1 " in answer
    assert "?" not in answer


def test_remember_is_open_to_the_world_exactly_when_it_is_set_up(desk, checked):
    def is_open(one: Desk) -> bool:
        (found,) = [item for item in one.workspace.definitions() if item.name == "remember"]
        return found.is_open_world

    assert not is_open(desk)
    assert is_open(checked)


def test_a_guest_is_not_offered_it(open_desk, language, model):
    owner = open_desk(language)
    store_two(owner)
    guest = open_desk(language, is_guest=True, MEMORY_FC_URL=model.url, MEMORY_FC_MODEL=MODEL)

    guest.refused("check", ids="1,2")

    assert model.connections == 0


# A plugin in place of the endpoint


class Oracle:
    """A plugin that gives second opinions."""

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.asked: list[tuple[str, str]] = []

    def opinion(self, new: str, old: str) -> object:
        """Answer, or raise what was given."""
        self.asked.append((new, old))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def with_plugin(open_checked) -> Callable[..., tuple[Desk, Oracle]]:
    """Open a memory with a plugin that answers *answer*."""
    from frugal.hookspecs import hookimpl

    def open_it(answer: object, **environ: str) -> tuple[Desk, Oracle]:
        desk = open_checked(**environ)
        oracle = Oracle(answer)

        class Plugin:
            @hookimpl
            def frugal_second_opinion(self, new: str, old: str) -> object:
                return oracle.opinion(new, old)

        desk.workspace.engine.manager.register(Plugin())
        return desk, oracle

    return open_it


def test_a_plugin_replaces_the_endpoint_under_the_same_rules(with_plugin, model):
    desk, oracle = with_plugin("contradiction")
    store_two(desk)

    answer = desk("check", ids="1,2")

    assert pair_line(answer) == desk.say("contradiction")
    assert oracle.asked == [NOTES[::-1], NOTES]
    assert model.connections == 0


def test_a_plugin_needs_no_address(with_plugin):
    desk, _ = with_plugin("progress", MEMORY_FC_URL="", MEMORY_FC_MODEL="")
    store_two(desk)

    assert pair_line(desk("check", ids="1,2")) == desk.say("progress")


def test_the_switch_turns_a_plugin_off_too(with_plugin):
    desk, oracle = with_plugin("progress", MEMORY_FC_OFF="1")
    store_two(desk)

    desk("check", ids="1,2")

    assert oracle.asked == []


@pytest.mark.parametrize("answer", [None, "nonsense", 5, RuntimeError("broken")])
def test_a_plugin_that_fails_is_no_verdict(with_plugin, answer):
    desk, _ = with_plugin(answer)
    store_two(desk)

    assert pair_line(desk("check", ids="1,2")) == desk.say("no_verdict")


def test_json_keys_are_english(checked, model):
    model.behave = says("WIDERSPRUCH")
    store_two(checked)

    reply = checked.reply("check", ids="1,2")

    assert reply.answer is not None
    assert json.loads(json.dumps(reply.answer.items)) == [
        {"pair": [1, 2], "verdicts": ["contradiction", "contradiction"]}
    ]
