"""Every script is found through memory_search, whatever form it is written in; punctuation inside names too."""

import pytest

from tests.vault.conftest import Vault

CARDS = {
    "cloud.md": "我的阿里云服务器在杭州",
    "pool.md": "数据库连接池的最大值是二十",
    "device.md": "这台设备已经停产",
    "glued.md": "重跑gen-itgc后50条",
    "kana.md": "今日はしりとりをする",
    "half.md": "ｻｰﾊﾞｰの設定",
    "hangul.md": "끝말잇기 놀이를 했다",
    "mueller.md": "Herr Müller mag Käse und Dämmung",
    "cyrillic.md": "Настройка базы данных завершена",
    "paths.md": "see src/main.py and CLAUDE.md for multi-agent runs at 3 GB/s",
    "camel.md": "the function getUserById returns a row",
    "nginx.md": "nginx reload",
}


@pytest.fixture
def shelf(vault: Vault) -> Vault:
    for path, text in CARDS.items():
        vault.write(path, text)
    return vault


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("云", "cloud.md"),
        ("阿里云", "cloud.md"),
        ("连接池", "pool.md"),
        ("设备", "device.md"),
        ("itgc", "glued.md"),
        ("しりとり", "kana.md"),
        ("りとり", "kana.md"),
        ("サーバー", "half.md"),
        ("끝말잇기", "hangul.md"),
        ("말잇기", "hangul.md"),
        ("Mueller", "mueller.md"),
        ("Kase", "mueller.md"),
        ("dämm", "mueller.md"),
        ("Mu\u0308ller", "mueller.md"),
        ("НАСТРОЙКА", "cyrillic.md"),
        ("данных", "cyrillic.md"),
        ("ｎｇｉｎｘ", "nginx.md"),
        ("src/main.py", "paths.md"),
        ("CLAUDE.md", "paths.md"),
        ("multi-agent", "paths.md"),
        ("GB/s", "paths.md"),
        ("userById", "camel.md"),
    ],
)
def test_the_card_is_the_first_hit(shelf: Vault, query: str, path: str) -> None:
    hits = shelf("memory_search", query=query)["existing"]

    assert hits
    assert hits[0]["path"] == path


def test_block_lists_of_tags_and_aliases_are_found(vault: Vault) -> None:
    vault.write(
        "a.md",
        "---\ntags:\n  - wombat\n  - ops/web\naliases:\n  - quokka farm\n---\nnothing of it in the text",
    )

    assert vault("memory_search", query="wombat")["count"] == 1
    assert vault("memory_search", query="quokka farm")["existing"][0]["matched"] == "all"
    assert vault("memory_search", query="ops")["count"] == 1
