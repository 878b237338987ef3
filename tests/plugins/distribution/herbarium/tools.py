"""What the tools do."""

from frugal.api import Answer, Call, Kind

INSERT = "INSERT INTO specimen (plant, kind, place, pressed_at) VALUES (:plant, :kind, :place, :now)"
NEWEST = """
SELECT id, plant, kind, place FROM specimen
WHERE :kind = '' OR kind = :kind
ORDER BY id DESC LIMIT :limit
"""


def press(call: Call, *, plant: str, kind: Kind | None, place: str) -> Answer:
    """Keep one plant."""
    values = {"plant": plant, "kind": kind.stored if kind else "", "place": place, "now": call.stamp()}
    with call.store.write() as connection:
        number = connection.execute(INSERT, values).lastrowid or 0
    return Answer(
        call.surface.text("pressed", id=call.surface.id(number), plant=plant), items=({"id": number},)
    )


def leaf_through(call: Call, *, limit: int, kind: Kind | None) -> Answer:
    """List the newest plants."""
    with call.store.read() as connection:
        rows = connection.execute(NEWEST, {"limit": limit, "kind": kind.stored if kind else ""}).fetchall()
    lines = [f"{call.surface.id(row['id'])} {row['plant']} ({row['place']})" for row in rows]
    return Answer(
        "\n".join(lines) or call.surface.text("empty"),
        items=tuple({"id": row["id"], "plant": row["plant"], "kind": row["kind"]} for row in rows),
        is_empty=not rows,
    )
