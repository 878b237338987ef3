"""Made-up data small enough to count by hand."""

import json
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

# Appended, not put in front: an installed wheel is to be tested as installed, and it has no messung.
sys.path.append(str(Path(__file__).resolve().parents[2]))

collect_ignore_glob = [] if find_spec("messung") else ["test_*.py"]
"""A source distribution has no measurements, so there is nothing to test."""

TALK: dict[str, Any] = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ada",
        "speaker_b": "Ben",
        "session_1_date_time": "1:00 pm on 1 May, 2023",
        "session_1": [
            {"speaker": "Ada", "dia_id": "D1:1", "text": "The heron nests by the mill."},
            {
                "speaker": "Ben",
                "dia_id": "D1:2",
                "text": "I painted a lighthouse.",
                "blip_caption": "a red lighthouse",
            },
        ],
        "session_2_date_time": "2:00 pm on 2 May, 2023",
        "session_2": [{"speaker": "Ada", "dia_id": "D2:1", "text": "My bicycle has a flat tyre. "}],
    },
    "observation": {
        "session_1_observation": {
            "Ada": [["Ada saw a heron near the mill.", "D1:1"]],
            "Ben": [["Ben paints lighthouses.", ["D1:2", "D9:9"]]],
        },
    },
    "qa": [
        {
            "question": "Where does the heron nest?",
            "answer": "mill",
            "evidence": ["D1:1; D:2:1"],
            "category": 1,
        },
        {"question": "What did Ben paint?", "answer": "a lighthouse", "evidence": ["D1:2"], "category": 4},
        {"question": "What is flat?", "answer": "the tyre", "evidence": ["D2:1", "D7:7"], "category": 4},
        {"question": "Who flies?", "adversarial_answer": "Ben", "evidence": ["D1:1"], "category": 5},
        {"question": "Who knows?", "answer": "nobody", "evidence": [], "category": 3},
    ],
}

NOTE = """---
title: Ada and Ben
---

**Session 1, 1:00 pm on 1 May, 2023** Ada told of a heron by the mill; Ben painted a lighthouse.

**Session 2, 2:00 pm on 2 May, 2023** Ada's bicycle has a flat tyre.
"""

XQUAD = {
    "data": [
        {
            "paragraphs": [
                {
                    "context": "\ufeffThe mill grinds wheat.",
                    "qas": [{"question": "What grinds wheat?", "id": "1"}],
                },
                {"context": "The heron eats frogs.", "qas": [{"question": "What eats frogs?", "id": "2"}]},
            ]
        }
    ]
}

CRANFIELD = {
    "documents": [
        {"id": "7", "title": "wings", "text": "lift of a swept wing"},
        {"id": "8", "title": "", "text": " "},
        {"id": "9", "title": "heat", "text": "heat transfer at a wall"},
    ],
    "queries": [{"id": 1, "text": "lift of wings"}, {"id": 2, "text": "nothing"}],
    "relevance": {"1": ["7", "8"], "2": ["8"]},
}


@pytest.fixture
def made_up(tmp_path: Path) -> Path:
    """A data folder in the shape of the real one."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "conversation-1.md").write_text(NOTE, encoding="utf-8")
    files = {"locomo_dev.json": [TALK], "cranfield.json": CRANFIELD}
    files |= {f"xquad.{language}.json": XQUAD for language in ("de", "en", "zh")}
    for name, content in files.items():
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    return tmp_path


@pytest.fixture
def public_data() -> Path:
    """The real data, or a skipped test."""
    from messung.datasets import data_folder
    from messung.unavailable import NotAvailable

    try:
        return data_folder()
    except NotAvailable as reason:
        pytest.skip(str(reason))
