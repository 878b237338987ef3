"""One file, two languages."""

import re

import pytest

GERMAN = re.compile(
    r"veraltet|ersetzt|marke|eintr|treffer|zeichen|teil |gespeichert|lesen|seite|unbekannt|ohne|fallstrick|verlauf"
    r"|gemischt|voll\b|alle\b|zeige|themen|einordnen|vergessen|nummer|[äöüß]",
    re.IGNORECASE,
)
ENGLISH = re.compile(
    r"superseded|hidden|chars|part |match|stored|unknown|entries|read|page|untagged|pitfall|history|unsorted"
    r"|full=|all=|\bshow\(|topics\(|classify|forget\(|undo|\bof\b|\bin the\b",
    re.IGNORECASE,
)


def every_answer(memory) -> str:
    """Return an answer of every tool on every branch that has words of ours; what users wrote is neutral."""
    answers = [memory("topics"), memory("recall", query="xx")]
    for number in range(45):
        kind = ("pitfall", "history", "unsorted")[number % 3]
        answers.append(
            memory("remember", text=f"xx {number} " + "yy " * 900, kind=kind, tags=f"zz zz-{number}")
        )
    memory.make_memo([7, 10])
    answers += [
        memory("remember", text="xx", tags="ww", also="vv", supersedes="1,999"),
        memory("remember", text="xx", tags="uu", also="tt", kind="decision", supersedes="1,46"),
        memory("remember", text="xx", kind="pitfall", supersedes="7"),
        memory("recall", query="xx qq", limit=99, include_superseded=True),
        memory("recall", query="xx", tag="zz", kind="pitfall unsorted"),
        memory("recall", query="xx", full=True),
        memory("recall", query="qq xx 1", tag="-"),
        memory("recall", query="xx", limit=1),
        memory("show", ids="1,2,10,99"),
        memory("topics"),
        memory("topics", page=99),
        memory("topics", tag="zz", limit=999),
        memory("topics", tag="zz", all=True, page=2),
        memory("topics", tag="- zzz"),
        memory("topics", tag="qq"),
        memory("forget", ids="2,3,1,99", reason="rr"),
        memory("forget", ids="2,3", reason="ss"),
        memory("forget", ids="1-4,99", undo=True),
        memory("classify", ids="1-4,99", kind="workflow"),
        memory("classify", ids="1-4", kind="unsorted"),
        memory.refused("remember", text="", tags="...", kind="xx"),
        memory.refused("remember", text="x" * 100_001, kind="all"),
        memory.refused("recall", query="xx", limit=-1, full="xx"),
        memory.refused("show", ids="xx"),
        memory.refused("show", ids="attic#1"),
        memory.refused("classify", ids="1-2000", kind=[memory.kind("pitfall"), memory.kind("workflow")]),
    ]
    return "\n".join(answers)


def test_no_german_word_of_ours_in_an_english_answer(open_memory):
    assert set(GERMAN.findall(every_answer(open_memory("en")))) == set()


def test_no_english_word_of_ours_in_a_german_answer(open_memory):
    assert set(ENGLISH.findall(every_answer(open_memory("de")))) == set()


@pytest.mark.parametrize(("first", "second"), [("en", "de"), ("de", "en")])
def test_one_file_serves_both_languages_with_the_same_hits(open_memory, first, second):
    one, other = open_memory(first), open_memory(second)
    one.store("Die Verbindungen laufen über Port 22", kind="pitfall", tags="shop")
    other.store("Connections use port 49222", kind="fallstrick", tags="shop")

    answers = [memory("recall", query="port verbindung", tag="shop") for memory in (one, other)]

    assert [re.findall(r"(?m)^#\d+", answer) for answer in answers] == [["#1", "#2"]] * 2
    assert f"[{one.kind('pitfall')}]" in answers[0]
    assert f"[{other.kind('pitfall')}]" in answers[1]


@pytest.mark.parametrize("language", ["en", "de"])
def test_new_file_records_the_language_it_is_created_in(open_memory, language):
    memory = open_memory(language)
    memory.store("one")

    assert memory.rows("SELECT value FROM record WHERE key = 'language'") == [(language,)]


def test_other_language_leaves_the_record_unchanged(open_memory):
    open_memory("de").store("one")

    memory = open_memory("en")
    memory.store("two")

    assert memory.rows("SELECT value FROM record WHERE key = 'language'") == [("de",)]


def test_recorded_language_speaks_when_no_setting_does(open_shell):
    german = open_shell("de")
    german("remember", text="port 22")

    assert open_shell("")("recall", query="port").startswith("1 von 1 Treffer")


def test_what_a_user_wrote_is_shown_as_written(open_memory):
    memory = open_memory("en")
    memory.store("Veraltet: der Port")
    memory("forget", ids="1", reason="Grund: veraltet")

    assert "superseded: Grund: veraltet" in memory("show", ids="1")


# Names


def test_ids_of_a_guest_carry_the_name_everywhere(open_memory):
    owner = open_memory("en")
    for number in range(30):
        owner.store(f"port {number} " + "x" * 900, tags="shop", kind="pitfall")
    owner.store("corrected", supersedes="1")
    owner.make_memo([2, 3])
    guest = open_memory("en", is_guest=True)

    answers = [
        guest("recall", query="port"),
        guest("recall", query="1,2"),
        guest("recall", query="port", full=True),
        guest("show", ids="1-30,99"),
        guest("topics", tag="shop"),
    ]

    for answer in answers:
        outside = re.sub(r"(?m)^(?:port \d+ )?x+$", "", answer)
        assert "#" in outside
        assert re.findall(r"(?<!box)#\d+", outside) == []
    assert 'show("box#' in answers[0]
    assert 'show("box#1,box#2")' in answers[1]
    assert re.search(r'show\("box#\d+-box#30"\)', answers[3])


def test_owner_prints_bare_ids(open_memory):
    memory = open_memory("en")

    assert "box" not in memory("remember", text="one")
