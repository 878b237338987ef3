"""HTML of a mail as plain text: blocks become lines, quotes get their sign, what nobody sees is left out."""

import re
from html.parser import HTMLParser

HIDDEN = frozenset({"script", "style", "head", "title", "template", "noscript"})
BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "tr",
        "ul",
    ]
)
MOST_DEPTH = 40
_BLANKS = re.compile(r"[ \t\n\r\f\v\u00a0]+")
_VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "wbr", "col", "area", "base", "source"})


class _Text(HTMLParser):
    """Collects lines with the depth of quoting in front."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._line: list[str] = []
        self._hidden: list[str] = []
        self._quotes: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a block, a quote or what is not shown."""
        names = dict(attrs)
        classes = (names.get("class") or "").split()
        if tag in HIDDEN and tag not in _VOID:
            self._hidden.append(tag)
        if tag == "body":
            self._hidden.clear()
        if tag == "br" or tag in BLOCKS:
            self._break()
        if tag == "blockquote" and len(self._quotes) < MOST_DEPTH:
            self._quotes.append(tag)
        if tag == "li":
            self._line.append("- ")
        if {"gmail_signature", "moz-signature"} & set(classes):
            self.lines.append("-- ")

    def handle_endtag(self, tag: str) -> None:
        """End it."""
        if self._hidden and tag == self._hidden[-1]:
            self._hidden.pop()
        if tag == "body":
            self._hidden.clear()
        if tag in BLOCKS:
            self._break()
        if tag == "blockquote" and self._quotes:
            self._quotes.pop()
        if tag in ("td", "th"):
            self._line.append(" ")
        if tag == "p":
            self.lines.append(self._prefix())

    def handle_data(self, data: str) -> None:
        """Take text that is shown."""
        if not self._hidden:
            self._line.append(data)

    def finish(self) -> str:
        """Return the whole text."""
        self._break()
        text = "\n".join(self.lines)
        return re.sub(r"\n{3,}", "\n\n", text).strip("\n")

    def _prefix(self) -> str:
        return "> " if self._quotes else ""

    def _break(self) -> None:
        line = _BLANKS.sub(" ", "".join(self._line)).strip()
        self._line = []
        if line:
            self.lines.append(self._prefix() + line)


def html_text(html: str) -> str:
    """Return *html* as plain text."""
    parser = _Text()
    try:
        parser.feed(html)
        parser.close()
    except (AssertionError, ValueError, RecursionError):
        pass  # what was read before the markup broke is kept
    return parser.finish()
