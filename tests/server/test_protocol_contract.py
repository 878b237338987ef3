"""What every client gets, over every kind of connection: the same tools, answers, refusals and sizes."""

import re

import pytest
from connections import Connection, Speaker
from stdio_client import wire_bytes

from frugal import budget

STORED = re.compile(r"#(\d+)")
HIT = re.compile(r"^#(\d+) ", re.MULTILINE)

HOSTILE_TEXTS = {
    "tabs and line ends": "one\ttwo\r\nthree\n\n  four  \n",
    "quotes and backslashes": 'say "no" to C:\\new\\table \\u0041 </script>',
    "scripts": "数据库连接池 Käse Müller しりとり 끝말잇기 שלום ไทย",
    "pictographs": "done \U0001f469‍\U0001f52c \U0001f1e9\U0001f1ea",
    "decomposed": "Mu\u0308ller and Kåse",
    "line separators": "a\u2028b\u2029c\x0bd\x0ce\x85f",
    "control characters": "bell \x07 escape \x1b[31m delete \x7f",
    "900 characters": "word " * 180,
    "8,000 characters": "0123456789abcdef\t\n" * 444,
}


def stored_id(answer: str) -> str:
    found = STORED.search(answer)
    assert found, answer
    return found[1]


def test_tools_are_described_annotated_and_small(connection: Connection) -> None:
    result = connection.list_tools()

    for tool in result["tools"]:
        assert tool["description"]
        assert set(tool["annotations"]) == {
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint",
        }
        assert tool["inputSchema"]["additionalProperties"] is False
        for name, parameter in tool["inputSchema"]["properties"].items():
            assert name.isascii()
            assert parameter["description"], (tool["name"], name)
    assert wire_bytes(result) <= 6144


def test_the_tool_list_is_the_same_byte_for_byte(connection: Connection) -> None:
    first = connection.list_tools()
    second = connection.list_tools()

    assert repr(first) == repr(second)


def test_pain_37_no_other_mode_costs_a_byte(connection: Connection, say: Speaker) -> None:
    names = [tool["name"] for tool in connection.list_tools()["tools"]]

    english = ["remember", "recall", "show", "topics", "forget", "classify", "consolidate", "check"]
    assert names == [say.word(name) for name in english][: len(names)]


def test_instructions_are_short(connection: Connection) -> None:
    assert 0 < len(connection.instructions()) <= 600


@pytest.mark.parametrize("text", HOSTILE_TEXTS.values(), ids=HOSTILE_TEXTS.keys())
def test_a_text_comes_back_character_by_character(say: Speaker, text: str) -> None:
    number = stored_id(say("remember", text=text, tags="contract"))

    shown = say("show", ids=number, full=True)

    assert shown.partition("\n")[2] == text


def test_what_was_remembered_is_found(say: Speaker) -> None:
    number = stored_id(
        say("remember", text="The quokka feeder is refilled on Tuesdays.", tags="zoo", kind="pitfall")
    )

    answer = say("recall", query="quokka feeder", tag="zoo")

    assert HIT.findall(answer) == [number]


def test_part_of_a_chinese_sentence_is_found(say: Speaker) -> None:
    number = stored_id(say("remember", text="数据库连接池的最大值是二十", tags="zh"))

    answer = say("recall", query="连接池", tag="zh")

    assert HIT.findall(answer) == [number]


def test_a_superseded_entry_is_not_found_any_more(say: Speaker) -> None:
    old = stored_id(say("remember", text="The wombat gate listens on port 22.", tags="gate"))
    new = stored_id(
        say("remember", text="The wombat gate listens on port 49222.", tags="gate", supersedes=old)
    )

    answer = say("recall", query="wombat gate port", tag="gate")

    assert HIT.findall(answer) == [new]


def test_arguments_may_come_as_text_number_or_null(say: Speaker) -> None:
    number = stored_id(
        say("remember", text="The numbat burrow is 40 m long.", tags=["burrow", "numbat"], kind=None)
    )

    assert say("recall", query="numbat burrow", limit="3") == say("recall", query="numbat burrow", limit=3.0)
    assert say("show", ids=int(number)) == say("show", ids=[f"#{number}"])


def test_every_problem_of_a_call_is_refused_at_once_and_by_name(say: Speaker) -> None:
    answer = say.refused("recall", query="  ", limit="many", full="perhaps", nonsense=1)

    for name in ("query", "limit", say.word("full"), "nonsense"):
        assert name in answer
    assert len(answer) <= 800


def test_an_argument_in_the_other_language_is_refused_with_the_right_one(say: Speaker) -> None:
    wrong, right = ("kind", "art") if say.connection.language == "de" else ("art", "kind")

    result = say.connection.call("remember", {"text": "x y z", wrong: "pitfall"})

    assert result["isError"]
    assert wrong in result["content"][0]["text"]
    assert right in result["content"][0]["text"]


def test_a_missing_argument_is_refused_by_name(say: Speaker) -> None:
    assert "text" in say.refused("remember", tags="contract")


def test_an_unknown_tool_is_refused_with_the_known_ones(say: Speaker) -> None:
    answer = say.refused("remind", text="x")

    assert "remind" in answer
    assert "remember" in answer
    assert say.word("show") in answer


def test_an_over_long_text_is_refused_and_not_stored(say: Speaker) -> None:
    answer = say.refused("remember", text="pademelon " * 10_001, tags="long")

    assert "100010" in answer
    assert "100000" in answer
    assert HIT.findall(say("recall", query="pademelon", tag="long")) == []


def test_a_character_that_is_none_is_refused_with_its_position(say: Speaker) -> None:
    answer = say.refused("remember", text="abc\0def", tags="contract")

    assert "NUL" in answer
    assert "4" in answer


def test_the_frame_of_an_answer_is_counted_in_full(say: Speaker) -> None:
    result = say.ask("show", ids="999999")

    text = result["content"][0]["text"]
    assert wire_bytes(result) - budget.cost(text).size_bytes <= budget.FRAME_BYTES


def test_answers_keep_their_caps_on_the_wire(say: Speaker) -> None:
    for number in range(12):
        say("remember", text=f"bilby {number} " + '\U0001f998 "quoted"\n' * 300, tags="bilby")

    preview = say.ask("recall", query="bilby", tag="bilby")
    full = say.ask("recall", query="bilby", tag="bilby", full=True)

    assert len(preview["content"][0]["text"]) <= 1536
    assert wire_bytes(preview) <= 3072
    assert wire_bytes(full) <= 16_384
