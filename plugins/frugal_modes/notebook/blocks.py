"""The blocks of a sheet, each as lines of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from frugal.api import Surface, one_line
from frugal_modes.notebook.history import event_line, superseded_note
from frugal_modes.notebook.lines import DETAIL, ITEM, SECTION, Line, quoted, shortened
from frugal_modes.notebook.moments import Moments
from frugal_modes.notebook.rowids import EVENT, MEASUREMENT, RECIPE, RESULT, row_prefix
from frugal_modes.notebook.rows import join_fields
from frugal_modes.notebook.sheetdata import Measurement, Recipe, Result, SheetData
from frugal_modes.notebook.summaries import Summary, hints, state
from frugal_modes.notebook.vocabulary import VERDICTS, of_code

KEYS_SHOWN = 10
SOURCE_CHARACTERS = 200
REASON_CHARACTERS = 160


@dataclass(frozen=True)
class Level:
    """How much of each part is shown: counts of lines, characters of texts."""

    events: int
    rows: int
    recipes: int
    recipe_characters: int
    text_characters: int
    is_full: bool = False


@dataclass(frozen=True)
class Part:
    """What every block needs."""

    surface: Surface
    data: SheetData
    moments: Moments
    level: Level

    def text(self, text: str, limit: int | None = None) -> str:
        """Return what a user wrote, cut to *limit* (else the level's texts), its further lines indented."""
        most = self.level.text_characters if limit is None else limit
        return quoted(shortened(text, most, self.surface))

    def labelled(self, field: str, text: str, limit: int | None = None) -> str:
        """Return `Field: text`."""
        return f"{self.surface.text(f'labels.{field}')}: {self.text(text, limit)}"

    def superseded(self, event: int | None) -> str:
        """Return the mark behind a row: ` {superseded by m5, 2026-11-30 14:05}`, "" for a live one."""
        if event is None:
            return ""
        note = superseded_note(self.data.event_by_number.get(event), self.surface, self.moments)
        return f" {{{note}}}"


def head_lines(part: Part, summary: Summary) -> Iterator[Line]:
    """Yield key, state and dates, then what needs attention, then the question."""
    surface, series, moments = part.surface, part.data.series, part.moments
    yield Line(ITEM, f"{series.key} [{state(summary, surface)}]")
    dates = {
        "started": series.started_on,
        "created": moments.shown(series.created_at),
        "moved": moments.shown(series.moved_at),
        "offset": moments.offset,
    }
    yield Line(ITEM, surface.text("sheet.dates", **dates))
    if found := hints(summary, surface, moments):
        yield Line(ITEM, "!! " + "; ".join(found))
    if series.backfill:
        yield Line(ITEM, part.labelled("backfill", series.backfill))
    yield Line(ITEM, part.labelled("question", series.question))


def criterion_lines(part: Part) -> Iterator[Line]:
    """Yield the criterion with its version and place in time, the plan; earlier versions with a full level."""
    surface, data = part.surface, part.data
    criterion = data.criterion
    if criterion is None:
        yield Line(ITEM, surface.text("sheet.no_criterion"))
    else:
        yield Line(ITEM, f"{_criterion_head(part)}: {part.text(criterion.text)}")
    if part.level.is_full:
        for old in reversed(data.criteria[:-1]):
            head = surface.text("sheet.old_criterion", version=old.version, stamp=part.moments.shown(old.at))
            yield Line(DETAIL, f"{head}: {part.text(old.text)}")
    if data.plan:
        yield Line(ITEM, part.labelled("plan", data.plan))
    if part.level.is_full:
        for event, text in reversed(data.plans[:-1]):
            head = surface.text("sheet.old_plan", id=f"{row_prefix(surface)}{EVENT}{event}")
            yield Line(DETAIL, f"{head}: {part.text(text)}")


def _criterion_head(part: Part) -> str:
    """Return `Criterion v2 (late: reason), 2026-11-30 14:05`."""
    surface, data = part.surface, part.data
    criterion = data.criterion
    assert criterion is not None
    if criterion.is_late:
        relation = surface.text("sheet.late", reason=_short(criterion.reason) or "-")
    elif criterion.timing == "unknown":
        relation = surface.text("sheet.order_unknown")
    elif data.series.backfill:
        relation = surface.text("sheet.backfilled", evidence=_short(data.series.backfill))
    elif data.has_values:
        relation = surface.text("sheet.before")
    else:
        relation = surface.text("sheet.no_values")
    stamp = part.moments.shown(criterion.at)
    return surface.text("sheet.criterion", version=criterion.version, relation=relation, stamp=stamp)


def _short(text: str) -> str:
    return one_line(" ".join(text.split()), REASON_CHARACTERS)


def link_lines(part: Part) -> Iterator[Line]:
    """Yield what the series builds on, what builds on it, what it replaces."""
    surface, data = part.surface, part.data
    builds_on = [
        key if is_known else surface.text("sheet.not_yet", series=key) for key, is_known in data.builds_on
    ]
    for label, keys in (
        ("builds_on", builds_on),
        ("built_on_by", list(data.built_on_by)),
        ("replaces", list(data.replaces)),
    ):
        if keys:
            shown = keys if part.level.is_full else keys[:KEYS_SHOWN]
            more = f" (+{len(keys) - len(shown)})" if len(keys) > len(shown) else ""
            yield Line(ITEM, f"{surface.text(f'labels.{label}')}: {', '.join(shown)}{more}")


def recipe_lines(part: Part) -> Iterator[Line]:
    """Yield the live recipes, with a full level every one."""
    recipes = [row for row in part.data.recipes if part.level.is_full or row.superseded is None]
    if not recipes:
        return
    yield Line(SECTION, part.surface.text("sheet.recipes"))
    for recipe in recipes[: part.level.recipes]:
        yield from _recipe(part, recipe)
    if len(recipes) > part.level.recipes:
        count = len(recipes) - part.level.recipes
        yield Line(ITEM, part.surface.text("sheet.more_recipes", count=count, call=_full_call(part)))


def _full_call(part: Part) -> str:
    return part.surface.call("series", key=part.data.series.key, full=True)


def _recipe(part: Part, recipe: Recipe) -> Iterator[Line]:
    surface = part.surface
    head = f"{row_prefix(surface)}{RECIPE}{recipe.number} {part.moments.shown(recipe.at)}"
    mark = part.superseded(recipe.superseded)
    arm = f" {surface.text('labels.arm')} {recipe.arm}" if recipe.arm else ""
    yield Line(ITEM, head + mark + arm)
    for name, text in recipe.fields.items():
        if text:
            yield Line(DETAIL, part.labelled(name, text, part.level.recipe_characters))


def measurement_lines(part: Part, rows: Sequence[Measurement]) -> list[Line]:
    """Return rows under the headings of their sources."""
    surface = part.surface
    lines: list[Line] = []
    source: str | None = None
    for row in rows:
        if row.source != source:
            source = row.source
            lines.append(Line(SECTION, _source_heading(part, source)))
        lines.append(Line(ITEM, _measurement(part, row, row_prefix(surface))))
    return lines


def _source_heading(part: Part, source: str) -> str:
    surface = part.surface
    if not source:
        return surface.text("sheet.measurements")
    limit = None if part.level.is_full else SOURCE_CHARACTERS
    return surface.text("sheet.measurements_from", source=part.text(source, limit))


def _measurement(part: Part, row: Measurement, prefix: str) -> str:
    """Return `m12 quantity | value | arm | seed | n`; in full a live row that ends like a mark is called live."""
    text = quoted(join_fields((row.quantity, row.value, row.arm, row.seed, row.n)))
    mark = part.superseded(row.superseded)
    if part.level.is_full and not mark and text.endswith("}"):
        mark = f" {{{part.surface.text('words.live')}}}"
    return f"{prefix}{MEASUREMENT}{row.number} {text}{mark}"


def result_lines(part: Part) -> Iterator[Line]:
    """Yield the live result, with a full level every one."""
    results = [row for row in part.data.results if part.level.is_full or row.superseded is None]
    if not results:
        return
    yield Line(SECTION, part.surface.text("sheet.results"))
    for result in results:
        yield from _result(part, result)


def _result(part: Part, result: Result) -> Iterator[Line]:
    surface = part.surface
    verdict = of_code(VERDICTS, result.verdict).shown(surface.language)
    head = f"{row_prefix(surface)}{RESULT}{result.number} {part.moments.shown(result.at)} {verdict}"
    mark = part.superseded(result.superseded)
    yield Line(ITEM, f"{head}{mark}: {part.text(result.fields['conclusion'])}")
    for name in ("open_questions", "file"):
        if text := result.fields[name]:
            yield Line(DETAIL, part.labelled(name, text))


def event_lines(part: Part) -> Iterator[Line]:
    """Yield the last events, with a full level every one; what is left out is counted."""
    surface, events = part.surface, part.data.events
    shown = events[max(len(events) - part.level.events, 0) :]
    yield Line(SECTION, surface.text("sheet.history"))
    if len(shown) < len(events):
        count = len(events) - len(shown)
        yield Line(ITEM, surface.text("sheet.more_events", count=count, call=_full_call(part)))
    for event in shown:
        line = event_line(event, surface, part.moments, is_full=part.level.is_full)
        yield Line(ITEM, quoted(line))
