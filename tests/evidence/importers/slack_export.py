"""A Slack export as the program writes it."""

from pathlib import Path

from import_desk import write_json

DAY = "2024-03-05"
TS = 1_709_640_000


def ts(second: int, micros: int = 0) -> str:
    return f"{TS + second}.{micros:06d}"


USERS = [
    {
        "id": "U1",
        "team_id": "T1",
        "name": "first",
        "real_name": "First Person",
        "profile": {"display_name": "first", "real_name": "First Person", "email": "first@north.example"},
    },
    {
        "id": "U2",
        "team_id": "T1",
        "name": "second",
        "profile": {"display_name": "", "real_name": "Second Person"},
    },
    {"id": "UB", "name": "robot", "is_bot": True, "profile": {"real_name": "Robot"}},
]
CHANNELS = [{"id": "C1", "name": "general", "members": ["U1", "U2"]}]
GROUPS = [{"id": "G1", "name": "secret-plans", "members": ["U1"]}]
DMS = [{"id": "D0000001", "members": ["U1", "U2"]}]
MPIMS = [{"id": "G2", "name": "mpdm-first--second--third-1", "members": ["U1", "U2"]}]

GENERAL = [
    {"type": "message", "user": "U1", "text": "root <@U2>", "ts": ts(1), "thread_ts": ts(1), "team": "T1"},
    {
        "type": "message",
        "user": "U2",
        "text": "reply &lt;@U1&gt; &amp;amp; more",
        "ts": ts(2, 7),
        "thread_ts": ts(1),
    },
    {"type": "message", "user": "U2", "text": "orphan", "ts": ts(3), "thread_ts": ts(-999)},
    {
        "type": "message",
        "subtype": "thread_broadcast",
        "user": "U1",
        "text": "to all",
        "ts": ts(4),
        "thread_ts": ts(1),
    },
    {"type": "message", "user": "U1", "text": "to all", "ts": ts(4), "thread_ts": ts(1)},
    {
        "type": "message",
        "subtype": "bot_message",
        "bot_id": "B1",
        "username": "Deployer",
        "text": "",
        "ts": ts(5),
        "attachments": [
            {"title": "Build", "text": "green", "fallback": "x", "fields": [{"title": "No", "value": "7"}]}
        ],
    },
    {
        "type": "message",
        "user": "U9",
        "text": "a stranger",
        "ts": ts(6),
        "user_profile": {"real_name": "Stranger Name", "display_name": "", "team": "T9"},
    },
    {
        "type": "message",
        "subtype": "channel_join",
        "user": "U2",
        "text": "<@U2> has joined the channel",
        "ts": ts(7),
    },
    {
        "type": "message",
        "user": "U1",
        "text": "",
        "ts": ts(8),
        "blocks": [
            {
                "type": "rich_text",
                "elements": [
                    {
                        "type": "rich_text_section",
                        "elements": [
                            {"type": "text", "text": "block for "},
                            {"type": "user", "user_id": "U2"},
                            {"type": "emoji", "name": "wave"},
                        ],
                    }
                ],
            }
        ],
    },
    {
        "type": "message",
        "user": "U1",
        "text": "",
        "ts": ts(9),
        "files": [{"name": "plan.pdf", "title": "The plan"}],
    },
    {"type": "message", "user": "U1", "text": "fixed", "ts": ts(10), "edited": {"user": "U1", "ts": ts(60)}},
    {
        "type": "message",
        "user": "U1",
        "ts": ts(11),
        "text": "see <#C1|general>, <https://a.example/x?a=1&amp;b=2|the page>, <https://b.example>, "
        "<mailto:x@y.example|x@y.example>, <!here>, <!subteam^S1|@team> "
        "<!date^1392734382^{date_num}|18 Feb>",
    },
    {"type": "message", "user": "U1", "text": "", "ts": ts(12)},
]


def write_export(folder: Path, *, general: object = None) -> Path:
    write_json(folder / "users.json", USERS)
    write_json(folder / "channels.json", CHANNELS)
    write_json(folder / "groups.json", GROUPS)
    write_json(folder / "dms.json", DMS)
    write_json(folder / "mpims.json", MPIMS)
    write_json(folder / "integration_logs.json", [])
    write_json(folder / "general" / f"{DAY}.json", GENERAL if general is None else general)
    for name, second in (("secret-plans", 21), ("D0000001", 22), ("mpdm-first--second--third-1", 23)):
        message = {"type": "message", "user": "U1", "text": f"in {name}", "ts": ts(second)}
        write_json(folder / name / f"{DAY}.json", [message])
    return folder
