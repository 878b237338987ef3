"""Sixty kinds of query, each of which finds its entry first among all the others: the complaints of the field."""

import re
from collections.abc import Iterator

import pytest

from frugal.call import Client
from frugal.engine import Workspace, build_engine
from frugal.settings import Options, load_settings

CASES = {
    "the multi-agent planner deadlocks": ["multi-agent", "multi agent", "multiagent"],
    "entry point is src/main.py today": ["src/main.py", "main.py"],
    "rules for helpers stand in CLAUDE.md": ["CLAUDE.md"],
    "parser call grammar::fa failed": ["grammar::fa"],
    "the link gives 12 GB/s at most": ["GB/s"],
    "bindings need C++ twenty": ["C++"],
    "the shim is written in C# alone": ["C#"],
    "we don't retry uploads": ["don't retry", "don’t retry"],
    "use NEAR(alpha beta) in that engine": ["NEAR(alpha", "NEAR(alpha beta)"],
    "nightly backup failed on 2026-12-15": ["2026-12-15", "backup 2026-12-15"],
    "nightly backup failed on 2026-12-16": ["2026-12-16"],
    "release v2.3.0 broke the importer": ["v2.3.0", "2.3.0"],
    "router answers at 192.168.0.1 only": ["192.168.0.1"],
    "reload after editing /etc/nginx/sites": ["/etc/nginx", "nginx/sites"],
    "the key id_ed25519 is on the runner": ["id_ed25519", "ed25519"],
    "call getUserById before caching": ["getUserById", "userById", "getuserbyid"],
    "HTTPServer drops idle clients": ["HTTPServer", "http server"],
    "set max_retry_count to nine": ["max_retry_count", "retry_count"],
    "der Fusionskatalysator wird heiß": ["Katalysator", "Fusionskatalysator"],
    "Dampf im Kessel steigt": ["Dampfkesselanlage"],
    "Herr Müller leitet das Labor": ["Mueller", "Müller", "Mu\u0308ller", "MÜLLER"],
    "Käse reift im Keller": ["Kase", "Kaese", "Ka\u0308se"],
    "Dämmung der Nordwand": ["dämm"],
    "das Modell lernt langsam": ["Modelle"],
    "die aktuelle Fassung gilt": ["aktuell"],
    "das Kartell wurde verboten": ["Kartelle"],
    "ein Gedicht vom poet": ["poet"],
    "zug mit pot voll": ["pot"],
    "café opens at seven": ["cafe", "cafe\u0301"],
    "naïve bayes was enough": ["naive bayes"],
    "серверы базы данных перезапущены": ["сервер", "базы данных"],
    "ο διακομιστής επανεκκινήθηκε": ["διακομιστης"],
    "تمت إعادة تشغيل الخادم": ["الخادم"],
    "数据库连接池的最大值是二十": ["连接池", "数据库"],
    "这台设备已经停产": ["设备", "停产"],
    "重跑gen-itgc后50条": ["itgc", "gen-itgc"],
    "しりとりを実装した": ["りとり", "しりとり"],
    "끝말잇기 규칙을 고쳤다": ["말잇기", "끝말잇기"],
    "เซิร์ฟเวอร์ล่มเมื่อคืน": ["เซิร์ฟเวอร์"],
    "ＦＵＬＬ width label printer": ["FULL width", "ｌａｂｅｌ"],
    "Deck 5 is closed for cleaning": ["Deck 5"],
    "Deck 6 is open": ["Deck 6"],
    "kubernetes quotas per namespace": ["kubernets quota", "kuberntes quotas"],
    "user display name is Kim": ["user identity name preferences"],
    "Mara's hobby is climbing": ["What are Mara's hobbies?"],
    "run 7 took 12.4 s": ["12.4"],
    "run 8 took 12.9 s": ["12.9"],
    "mail goes to ops@example.org": ["ops@example.org"],
    "see https://example.org/docs/setup for steps": ["example.org/docs/setup"],
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 broke it": ["9fceb02d0ae598e95dc970b74767f19372d61af8"],
    "error E0308 mismatched types": ["E0308"],
    "flag --no-verify skips hooks": ["--no-verify"],
    "environment LD_LIBRARY_PATH was empty": ["LD_LIBRARY_PATH", "library path"],
    "price rose to 1.299,50 euro": ["1.299,50"],
    "I/O wait dominated the benchmark": ["I/O wait"],
    "AT&T trunk was cut": ["AT&T"],
    "TLS 1.3 only since spring": ["TLS 1.3"],
    "the 3rd replica lags": ["3rd replica"],
    "rot13 is no encryption": ["rot13"],
    "emoji 🚀 launch checklist": ["launch checklist 🚀"],
    "Ångström units in the plot": ["Angstrom", "angström"],
    "straße gesperrt bis mai": ["Strasse", "STRASSE"],
    "Łódź depot moved": ["Lodz"],
    "São Paulo mirror is stale": ["sao paulo"],
    "the tandem was bought in spring": ["buy a tandem", "buying"],
    "children under six ride free": ["child"],
    "the gate script was overwritten twice": ["overwrite", "who overwrites the gate?"],
    "Bericht von Anna unterschrieben": ["unterschreiben", "Wer unterschrieb?"],
    "colour map viridis for all plots": ["color map"],
    "normalise ratings before averaging": ["normalize", "normalization"],
}
PAIRS = [(text, query) for text, queries in CASES.items() for query in queries]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A memory that holds every entry of the table."""
    file = tmp_path_factory.mktemp("rank") / "memory.db"
    engine = build_engine(load_settings(Options(db=str(file), lang="en"), {"MEMORY_NAME": "box"}))
    workspace = engine.open(engine.registry.mode("memory"))
    for text in CASES:
        workspace.call(Client(), "remember", {"text": text})
    yield workspace
    workspace.close()


def test_the_table_has_sixty_kinds_of_query():
    assert len(CASES) >= 60


@pytest.mark.parametrize(("text", "query"), PAIRS)
def test_query_finds_its_entry_first(memory, text, query):
    answer = memory.call(Client(), "recall", {"query": query}).text

    first = re.search(r"(?m)^#(\d+) ", answer)
    assert first is not None, answer
    assert list(CASES)[int(first[1]) - 1] == text, answer


@pytest.mark.parametrize(("query", "other"), [("poet", "pot"), ("ful", "fuel"), ("pot", "poet")])
def test_digraphs_are_never_reduced_to_a_bare_vowel(open_shell, query, other):
    shell = open_shell("en")
    shell("remember", text=f"only {other} stands here")

    assert shell("recall", query=query).startswith("0 match")
