"""server-memory: lines of entities and relations, as two writers at once leave them."""

import json

import pytest

from tests.vault.readers.conftest import gather, recognise


def entity(name, *observations, kind="person"):
    return json.dumps(
        {"type": "entity", "name": name, "entityType": kind, "observations": list(observations)},
        ensure_ascii=False,
    )


def relation(start, word, end):
    return json.dumps({"type": "relation", "from": start, "to": end, "relationType": word})


def test_entity_is_one_card_with_observations_and_relations_as_lines(write):
    file = write(
        "memory.jsonl",
        "\n".join(
            [entity("Kim", "likes tea", "speaks Dutch"), entity("Shop"), relation("Kim", "works_at", "Shop")]
        ),
    )

    found = gather("server-memory", file)

    assert found.ids == ["entity:Kim", "entity:Shop"]
    kim = found.card("entity:Kim")
    assert kim.body == "likes tea\nspeaks Dutch\nworks_at Shop"
    assert (kim.title, kim.tags, kim.links, kim.line) == ("Kim", ("person",), ("Shop",), 1)
    assert [fact.text for fact in kim.facts] == ["Kim: likes tea", "Kim: speaks Dutch", "Kim: works_at Shop"]
    assert kim.facts[0].tags == ("Kim", "person")
    assert (found.problems, found.is_whole) == ([], True)


def test_two_objects_on_one_line_are_two_cards(write):
    file = write("memory.jsonl", entity("A", "one") + entity("B", "two") + "\n" + entity("C", "three"))

    found = gather("server-memory", file)

    assert found.ids == ["entity:A", "entity:B", "entity:C"]
    assert [card.line for card in found.cards] == [1, 1, 2]


def test_broken_line_is_named_and_the_rest_goes_on(write):
    file = write(
        "memory.jsonl", "\n".join([entity("A", "one"), '{"type":"entity","na', entity("C", "three")])
    )

    found = gather("server-memory", file)

    assert found.ids == ["entity:A", "entity:C"]
    assert found.reasons == [("", "line 2", "broken_record")]
    assert not found.is_whole


def test_record_behind_a_cut_one_on_the_same_line_is_saved(write):
    file = write("memory.jsonl", '{"type":"entity","name":"A","obse' + entity("B", "two") + "\n")

    found = gather("server-memory", file)

    assert found.ids == ["entity:B"]
    assert found.reasons == [("", "line 1", "broken_record")]


def test_entity_that_comes_twice_is_one_card_with_both_lines(write):
    file = write("memory.jsonl", "\n".join([entity("A", "one"), entity("A", "one", "two")]))

    found = gather("server-memory", file)

    assert found.ids == ["entity:A"]
    assert found.cards[0].body == "one\ntwo"


def test_relation_without_its_entity_is_not_lost(write):
    file = write("memory.jsonl", relation("Ghost", "knows", "Kim"))

    assert gather("server-memory", file).card("entity:Ghost").body == "knows Kim"


def test_one_object_with_both_lists_is_read(write):
    graph = {
        "entities": [{"name": "A", "entityType": "place", "observations": ["wet"]}],
        "relations": [{"from": "A", "to": "B", "relationType": "near"}],
    }
    file = write("memory.json", json.dumps(graph, indent=2))

    assert gather("server-memory", file).card("entity:A").body == "wet\nnear B"
    assert recognise(file)[0] == "server-memory"


@pytest.mark.parametrize(
    "line",
    [
        "[1, 2]",
        '"text"',
        '{"type":"entity","name":"","observations":[]}',
        '{"type":"entity","name":"A","observations":3}',
        '{"type":"relation","from":"A","relationType":"x"}',
        '{"type":"thing","name":"A"}',
    ],
)
def test_what_is_no_record_is_a_problem_with_its_line(write, line):
    file = write("memory.jsonl", entity("Z", "ok") + "\n" + line + "\n")

    found = gather("server-memory", file)

    assert found.ids == ["entity:Z"]
    assert found.reasons == [("", "line 2", "broken_record")]


def test_shape_is_recognised_by_the_first_object(write):
    assert recognise(write("a/memory.jsonl", entity("A"))) == ["server-memory", "jsonl"]
    assert recognise(write("b/other.jsonl", '{"text":"x"}')) == ["jsonl"]
    assert recognise(write("memory.jsonl", entity("A")).parent)[0] == "server-memory"


def test_default_place_is_the_variable_of_the_server(tmp_path):
    from frugal_modes.vault.readers.server_memory import READER

    assert READER.defaults({}) == ()
    assert READER.defaults({"MEMORY_FILE_PATH": str(tmp_path / "m.json")}) == (tmp_path / "m.json",)
