"""Forms of what is written: titles, bodies, tags, kinds; how each is declared to a client and read from what arrives."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from frugal.api import Refusal, StringForm, Surface, as_text
from frugal_modes.vault.kinds import KINDS
from frugal_modes.vault.tags import one_line, read_tags, split_items
from frugal_modes.vault.validity import HIGHEST_PRIORITY, LOWEST_PRIORITY, duration, expiry

if TYPE_CHECKING:
    from frugal.api import Call

TITLE_CHARACTERS = 200
LEAST_BODY_CHARACTERS, MOST_BODY_CHARACTERS = 20, 100_000
MOST_TAGS, TAG_CHARACTERS = 20, 64
SOURCE_CHARACTERS = 200
REFERENCE_CHARACTERS = 4_096
SUFFIX, REJECT = "suffix", "reject"


def _echoed(text: str) -> str:
    """Return *text* for an error line, masked. The scanner is loaded only for that: forms are read at every start."""
    from frugal_modes.vault.secrecy import echoed

    return echoed(text)


@dataclass(frozen=True)
class OneLine(StringForm):
    """A text on one line: a line break or a control character becomes a space."""

    most: int
    is_blank_allowed: bool = False

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the line without outer blanks."""
        line = one_line(as_text(raw))
        if not line and not self.is_blank_allowed:
            raise Refusal("blank")
        if len(line) > self.most:
            raise Refusal("too_long", length=len(line), most=self.most, value=_echoed(line))
        return line


class Body(StringForm):
    """The text of a card: 20 to 100,000 characters without the blanks around it."""

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the trimmed text with LF between its lines."""
        from frugal_modes.vault.hashes import hash_comment, with_line_feeds

        text = with_line_feeds(as_text(raw)).strip()
        while comment := hash_comment(text):  # no part of a body, so that what is stored is what is read
            text = text[: comment[0]].strip()
        if len(text) < LEAST_BODY_CHARACTERS:
            raise Refusal("body_too_short", length=len(text), least=LEAST_BODY_CHARACTERS)
        if len(text) > MOST_BODY_CHARACTERS:
            raise Refusal("body_too_long", length=len(text), most=MOST_BODY_CHARACTERS)
        return text


class TagList(StringForm):
    """Tags: an array, a JSON array as text, or text with commas; how many and how long is `settled_tags`'s business."""

    takes_list: ClassVar[bool] = True

    def read(self, raw: Any, surface: Surface) -> tuple[str, ...]:
        """Return the tags, each once whatever its case."""
        items = [as_text(item) for item in raw] if isinstance(raw, list) else split_items(as_text(raw))
        return read_tags(one_line(item) for item in items)


def settled_tags(call: "Call", tool: str, tags: tuple[str, ...]) -> tuple[tuple[str, ...], list[Refusal]]:
    """Return *tags* as they are stored, and what forbids them; in the shell each `--tags` may hold several."""
    if call.is_from_shell:
        tags = read_tags(one_line(part) for tag in tags for part in split_items(tag))
    name = call.surface.parameter_word(tool, "tags")
    problems = [
        Refusal("tag_too_long", parameter=name, value=_echoed(tag), length=len(tag), most=TAG_CHARACTERS)
        for tag in tags
        if len(tag) > TAG_CHARACTERS
    ]
    if len(tags) > MOST_TAGS:
        problems.append(Refusal("too_many_tags", parameter=name, count=len(tags), most=MOST_TAGS))
    return tags, problems[:3]


class KindName(StringForm):
    """One of the kinds of the vault, in any case; nothing = as the tool says."""

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the kind in lower case, "" for nothing; another one is refused with the list."""
        kind = as_text(raw).strip().lower()
        if kind and kind not in KINDS:
            raise Refusal("card_kind", value=_echoed(kind), known=", ".join(KINDS))
        return kind


class Policy(StringForm):
    """What happens when the title is taken: `suffix` or `reject`."""

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare the words."""
        return {"type": "string", "enum": [SUFFIX, REJECT]}

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the policy; blank = `suffix`."""
        text = as_text(raw).strip().lower()
        if text not in ("", SUFFIX, REJECT):
            raise Refusal("conflict_policy", value=_echoed(text), known=f"{SUFFIX}, {REJECT}")
        return text or SUFFIX


class Reference(StringForm):
    """What names a card: a number (of JSON too), `#12`, a ref, a vault path; what it names is looked up later."""

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the reference as written."""
        text = as_text(raw).strip()
        if not text:
            raise Refusal("blank")
        if len(text) > REFERENCE_CHARACTERS:
            raise Refusal("too_long", length=len(text), most=REFERENCE_CHARACTERS, value=_echoed(text))
        return text


class Ttl(StringForm):
    """When a card expires: `30d`, `1d12h`, a date or time, `none`."""

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the text; what is neither is refused."""
        text = one_line(as_text(raw))
        if duration(text) is None and expiry(text, "") is None:
            raise Refusal("ttl_unreadable", value=_echoed(text))
        return text


class Priority:
    """A whole number from -100 to 100."""

    takes_list: ClassVar[bool] = False

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare an integer."""
        return {"type": "integer"}

    def read(self, raw: Any, surface: Surface) -> int:
        """Return the number."""
        from frugal.api import Integer

        number: int = Integer(LOWEST_PRIORITY, HIGHEST_PRIORITY).read(raw, surface)
        return number


class Age(StringForm):
    """How old something has to be: `30d`, `2w`."""

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the text; what is no span is refused."""
        text = as_text(raw).strip()
        if text and duration(text) is None:
            raise Refusal("age_unreadable", value=_echoed(text))
        return text
