"""A server used from start to end by a real client speaks one language only; what users wrote is neutral here."""

import re
from collections.abc import Iterator

import pytest
from desk import KINDS, NAMES
from model_server import MODEL, ModelServer, says
from stdio_client import StdioClient, text_of, wire_bytes

GERMAN = """
    aber alle als art auch auf aus bei bis das dem den der des diese dieses durch eine einem einen einer eines er für
    gibt hat haben hier ist kein keine keinen mit nach nicht nichts noch nur oder ohne schon sich sie sind über und
    unter vom von vor war wenn werden wie wird zu zum zur
    anfang antwort aufruf aufrufe datei dateien eintrag einträge fragen gedächtnis gespeichert lesen marke marken
    nummer nummern seite suchen tatsache tatsachen text texte treffer unbekannt veraltet verborgen wörter zeichen
    zeile zeilen ähnlich widerspruch fortschritt unabhängig fallstrick verlauf gemischt zeige themen einordnen
    vergessen verdichten pruefe gelernt
"""
ENGLISH = """
    a all and any are as at be been but by can do does for from give given has have if into is it its not nothing of
    once one only other out over than that the their them then there these they this those to too was when which
    with without words you your
    already answer call calls entries entry fact facts file files found hidden hit hits kind kinds match memory most
    need new page projects question read same search see several similar some stored superseded tag tags tool tools
    unknown unsorted contradiction progress independent pitfall history show topics forget classify consolidate check
    learned
"""
SHARED = {
    "de": {"tags", "memory", "was"},
    "en": {"text", "die", "war"},
}
"""Words that are right in the language they stand in: names of both languages, and words that both have."""


def words(text: str) -> set[str]:
    """Return the words of *text*, without the names of variables, options, commands and values in code marks."""
    plain = re.sub(
        r"\b[A-Z]+_[A-Z_]+\b|\b(?:AND|OR|NOT)\b|--[a-z-]+|`[^`]*`|frugal-memory[ a-z-]*|\"(?:pitfall|tags?)\"|https?://\S*",
        " ",
        text,
    )
    return {word.casefold() for word in re.findall(r"[^\W\d_]+", plain)}


def foreign(text: str, language: str) -> set[str]:
    """Return the words of the other language in *text*."""
    other = ENGLISH if language == "de" else GERMAN
    found = words(text) & set(other.split())
    return found - SHARED[language]


@pytest.fixture
def model() -> Iterator[ModelServer]:
    server = ModelServer(says("WIDERSPRUCH"))
    yield server
    server.close()


def calls(model: ModelServer) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the calls of one long session under the English names, refusals among them."""
    long = "2026-11-02 " + "xx yy " * 200
    yield "recall", {"query": "xx"}
    yield "topics", {}
    yield "consolidate", {}
    for number in range(4):
        yield "remember", {"text": f"xx yy zz ww vv {number}", "tags": "qq", "kind": "pitfall"}
    yield "remember", {"text": f"xx yy zz ww vv {44}", "tags": "qq-uu qqq pitfall", "supersedes": "1,999"}
    yield "remember", {"text": long + "AKIAIOSFODNN7ABCDEFG", "tags": "pp", "supersedes": "1"}
    yield "remember", {"text": long, "kind": "unsorted"}
    yield "remember", {"text": long, "kind": "history", "tags": "rr", "also": "ss"}
    yield "remember", {"text": long, "kind": "decision", "also": "tt"}
    for query in ("xx vv", '"xx yy"', "xx AND (yy", "qq nn", "nn", "xx " * 70, "5"):
        yield "recall", {"query": query}
    yield "show", {"ids": "2,99"}
    yield (
        "recall",
        {"query": "vv xx", "tag": "qq", "kind": "pitfall", "include_superseded": True, "limit": 99},
    )
    yield "recall", {"query": "xx", "tag": "pp", "full": True}
    yield "show", {"ids": "1-8", "full": True}
    yield "topics", {"tag": "qq"}
    yield "topics", {"tag": "nn", "page": 2}
    yield "topics", {"all": True, "page": 3}
    yield "forget", {"ids": "2,98", "reason": "oo"}
    yield "forget", {"ids": "2,1", "reason": "oo"}
    yield "forget", {"ids": "2,3", "undo": True}
    yield "classify", {"ids": "3,4,97", "kind": "decision"}
    yield "consolidate", {"threshold": 0.2, "groups": 99}
    yield "consolidate", {"threshold": 7, "groups": -1}
    yield "check", {"ids": "2,3"}
    yield "check", {"ids": "2,3,4,5,6,7"}
    yield "check", {"ids": "2,96"}
    model.behave = lambda handler, _prompt: handler.give({}, status=500)
    yield "check", {"ids": "3,4"}
    yield "remember", {"text": ""}
    yield "remember", {"text": "xx", "kind": "nn", "tags": "...", "supersedes": "nn,1-3,5-2"}
    yield "remember", {"text": "x" * 100_001}
    yield "recall", {"query": ":::", "limit": -1, "full": "nn"}
    yield "show", {"ids": "nn"}
    yield "show", {"ids": "nn#5"}
    yield "show", {}
    yield "classify", {"ids": "1", "kind": "all"}
    yield "topics", {"nn": 1}


def session(client: StdioClient, language: str, model: ModelServer) -> Iterator[str]:
    """Yield every text of the server from start to end."""
    yield str(client.initialize()["instructions"])
    for tool in client.ask("tools/list")["result"]["tools"]:
        described = tool["inputSchema"]["properties"]
        yield " ".join([tool["name"], tool["description"], *described])
        for parameter in described.values():
            yield " ".join([parameter["description"], *parameter.get("enum", [])])
    for tool, arguments in calls(model):
        name, named = translated(tool, arguments) if language == "de" else (tool, arguments)
        wanted = "nn" if "nn" in named else name
        yield text_of(client.ask("tools/call", name=wanted, arguments=dict(named))["result"])


def translated(tool: str, arguments: dict[str, object]) -> tuple[str, dict[str, object]]:
    """Return a call under the names of the German surface, kind words included."""
    names = {**NAMES, "page": "seite"}
    named = {names.get(name, name): value for name, value in arguments.items()}
    if named.get("art") in KINDS:
        named["art"] = KINDS[str(named["art"])]
    if "tags" in named:
        named["tags"] = str(named["tags"]).replace("pitfall", "fallstrick")
    return names.get(tool, tool), named


def test_a_session_holds_no_word_of_the_other_language(tmp_path, language, model):
    environ = {
        "MEMORY_LANG": language,
        "MEMORY_FC_URL": model.url,
        "MEMORY_FC_MODEL": MODEL,
        "MEMORY_FC_FRIST": "nn",
    }

    with StdioClient(tmp_path, environ=environ) as client:
        answers = list(session(client, language, model))
        client.end()
        answers.append(client.stderr.replace(str(tmp_path), ""))

    assert len(answers) > 80
    for answer in answers:
        assert foreign(answer, language) == set(), answer[:2_000]


@pytest.mark.parametrize("is_configured", [False, True])
def test_the_list_of_all_eight_tools_takes_at_most_six_kib(tmp_path, language, is_configured):
    environ = {"MEMORY_LANG": language}
    if is_configured:
        environ |= {"MEMORY_FC_URL": "http://127.0.0.1:9", "MEMORY_FC_MODEL": MODEL}

    with StdioClient(tmp_path, environ=environ) as client:
        client.initialize()
        listed = client.ask("tools/list")["result"]

    assert len(listed["tools"]) == 8
    assert wire_bytes(listed) <= 6_144
    for tool in listed["tools"]:
        assert tool["description"]
        assert set(tool["annotations"]) == {
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint",
        }
        assert all(item["description"] for item in tool["inputSchema"]["properties"].values())
    annotations = {tool["name"]: tool["annotations"] for tool in listed["tools"]}
    remember = annotations["remember"]
    assert remember["openWorldHint"] is is_configured
    check = annotations["check" if language == "en" else "pruefe"]
    assert (check["readOnlyHint"], check["openWorldHint"], check["idempotentHint"]) == (True, True, True)
    consolidate = annotations["consolidate" if language == "en" else "verdichten"]
    assert (consolidate["readOnlyHint"], consolidate["openWorldHint"]) == (True, False)
