"""What the order of hits promises beyond the score."""

from collections.abc import Sequence

from bare_store import ids

from frugal.search import Document, add


def test_search_words_rank_below_any_text_with_the_same_words(store):
    with store.write() as db:
        add(db, Document(1, "", "many other words stand around the pump and its pressure here " * 20))
        add(db, Document(2, "", "valve", (), "pump pressure"))
        add(db, Document(3, "", "wall", (), "pump"))

        assert ids(db, "pump pressure")[0] == 1
        assert ids(db, "pump") == [1, 3, 2]


def test_search_words_with_more_of_the_query_rank_above_a_text_with_little_of_it(store):
    with store.write() as db:
        for number in range(1, 9):
            add(db, Document(number, "", f"the shed number {number} needs paint"))
        add(db, Document(20, "", "it trips above five bar", (), "shed pump pressure shutdown"))

        assert ids(db, "shed pump pressure shutdown")[0] == 20


def test_equal_scores_are_settled_by_age_then_by_id(store):
    created = {1: "2026-03-01 00:00:00", 2: "2026-01-01 00:00:00", 3: "2026-03-01 00:00:00"}

    def created_of(wanted: Sequence[int]) -> dict[int, str]:
        return {number: created[number] for number in wanted}

    with store.write() as db:
        for number in created:
            add(db, Document(number, "", "zebra crossing"))

        assert ids(db, "zebra", created_of=created_of) == [3, 1, 2]
        assert ids(db, "zebra") == [3, 2, 1]


def test_a_quoted_phrase_does_not_reach_from_one_identifier_to_the_next(store):
    with store.write() as db:
        add(db, Document(1, "", "GitHub was left for GitLab"))

        assert ids(db, '"github"') == [1]
        assert ids(db, '"github gitlab"') == []


def test_bare_stop_words_do_not_count_beside_a_quoted_phrase(store):
    with store.write() as db:
        add(db, Document(1, "", "Little Women, read by Joanna"))

        assert ids(db, 'what is "little women" with Joanna') == [1]
        assert ids(db, '"the little women"') == []


def test_entries_written_together_support_each_other_and_never_join_the_matches(store):
    with store.write() as db:
        add(db, Document(1, "", "Mara keeps bees", sitting=1))
        add(db, Document(2, "", "their honey won a prize", sitting=1))
        add(db, Document(3, "", "silence", sitting=1))
        add(db, Document(4, "", "their honey won a prize", sitting=2))

        assert ids(db, "Mara honey") == [1, 2, 4]
