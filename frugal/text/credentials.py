"""Likely credentials in a text: which class, where, never what.

Every pattern reads on from where it stopped or looks at a bounded stretch, so a scan takes linear time.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from frugal.text.placeholders import is_field_name, is_other, is_placeholder, is_reference, is_slug

PRIVATE_KEY = "private-key"
JWT = "jwt"
KINDS = (
    PRIVATE_KEY,
    "aws-key-id",
    "github-token",
    "gitlab-token",
    "slack-token",
    "google-api-key",
    "openai-style-key",
    "stripe-key",
    "npm-pypi-hf-token",
    JWT,
    "bearer-header",
    "azure-account-key",
    "url-password",
    "assignment",
)
"""The classes; where two overlap, the earlier one names the credential."""

SHORTEST_VALUE = 8
_SHORTEST_BARE_BEARER = 16
_LETTERS_THAT_ARE_NO_WORD = 32


@dataclass(frozen=True)
class Credential:
    """A place in a text: offsets *start* to *end* (exclusive); *line* and the columns count from 1.

    *end_column* is the column of the last character on the line where the credential begins.
    """

    kind: str
    line: int
    column: int
    end_column: int
    start: int
    end: int


class _Span(NamedTuple):
    start: int
    end: int
    rank: int


@dataclass(frozen=True)
class _Shape:
    """A class of credentials: every text that has one has one of *clues* in it, in lower case.

    Group `value` of *pattern* is the credential.
    """

    kind: str
    clues: tuple[str, ...]
    pattern: re.Pattern[str]
    accepts: Callable[[re.Match[str]], bool]


def scan(text: str) -> tuple[Credential, ...]:
    """Return the likely credentials of *text* in order, overlapping ones once."""
    spans = _merged(sorted(_spans(text)))
    if not spans:
        return ()
    starts = [0, *(end.end() for end in re.finditer(r"\r\n?|\n", text))]
    return tuple(_credential(text, span, starts) for span in spans)


def mask(text: str, credentials: Iterable[Credential]) -> str:
    """Return *text* with `[secret: class]` in the place of each of its *credentials*."""
    parts: list[str] = []
    done = 0
    for credential in sorted(credentials, key=lambda found: found.start):
        parts += [text[done : credential.start], f"[secret: {credential.kind}]"]
        done = credential.end
    return "".join(parts) + text[done:]


def _spans(text: str) -> Iterator[_Span]:
    folded = text.lower()
    for shape in _SHAPES:
        if not _has_any(folded, shape.clues):
            continue
        rank = KINDS.index(shape.kind)
        for match in shape.pattern.finditer(text):
            if shape.accepts(match):
                yield _Span(match.start("value"), match.end("value"), rank)
    if "private key" in folded:
        yield from _pem_spans(text)
    if "eyJ" in text:
        yield from _jwt_spans(text)
    if _has_any(folded, _KEY_WORDS):
        yield from _assignment_spans(text)


def _has_any(folded: str, clues: Iterable[str]) -> bool:
    return any(clue in folded for clue in clues)


def _merged(spans: Sequence[_Span]) -> list[_Span]:
    merged: list[_Span] = []
    for span in spans:
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            merged[-1] = _Span(last.start, max(last.end, span.end), min(last.rank, span.rank))
        else:
            merged.append(span)
    return merged


def _credential(text: str, span: _Span, starts: Sequence[int]) -> Credential:
    line = bisect_right(starts, span.start)
    line_start = starts[line - 1]
    line_end = starts[line] if line < len(starts) else len(text)
    last = min(span.end, line_start + len(text[line_start:line_end].rstrip("\r\n")))
    return Credential(
        kind=KINDS[span.rank],
        line=line,
        column=span.start - line_start + 1,
        end_column=last - line_start,
        start=span.start,
        end=span.end,
    )


# Tokens with a prefix of their own


def _has_letter_and_digit(value: str) -> bool:
    return re.search("[A-Za-z]", value) is not None and re.search("[0-9]", value) is not None


def _accepts_any(match: re.Match[str]) -> bool:
    return not is_placeholder(match["body"])


def _accepts_random(match: re.Match[str]) -> bool:
    """Accept what no word, name or phrase looks like: a digit or mixed case, or more letters than any word has."""
    body = match["body"]
    if is_placeholder(body) or is_slug(body):
        return False
    mixed = body != body.lower() and body != body.upper()
    return _has_letter_and_digit(body) or mixed or len(body) >= _LETTERS_THAT_ARE_NO_WORD


def _accepts_digits(match: re.Match[str]) -> bool:
    return not is_placeholder(match["body"]) and re.search("[0-9]", match["body"]) is not None


def _accepts_bearer(match: re.Match[str]) -> bool:
    value = match["value"]
    shortest = SHORTEST_VALUE if match["header"] else _SHORTEST_BARE_BEARER
    if len(value) < shortest or not _has_letter_and_digit(value):
        return False
    return not (is_placeholder(value) or is_reference(value) or is_other(value) or is_slug(value))


def _accepts_url(match: re.Match[str]) -> bool:
    value = match["value"]
    return not (is_placeholder(value) or is_reference(value) or is_field_name(value))


def _token(prefix: str, body: str) -> re.Pattern[str]:
    """Return a pattern for a whole token: no ASCII letter, digit or `_` on either side."""
    return re.compile(f"(?<![A-Za-z0-9_])(?P<value>{prefix}(?P<body>{body}))(?![A-Za-z0-9_])")


_BEARER = re.compile(
    r"""(?<![A-Za-z0-9_]) (?P<header> authorization [\\"'`*]{0,4} [ \t]{0,4} [:=：] [ \t]{0,4} [\\"'`*]{0,4} )?
    (?<![A-Za-z0-9_]) bearer [ \t]{1,8} (?P<value> [A-Za-z0-9._~+/=-]* [A-Za-z0-9_~+/=-] )""",
    re.VERBOSE | re.IGNORECASE,
)
_ACCOUNT_KEY = re.compile(
    r"""(?<![A-Za-z0-9_]) (?: Account | SharedAccess ) Key [\\"']{0,2} [ ]{0,4} [=:] [ ]{0,4} [\\"']{0,2}
    (?P<value> (?P<body> [A-Za-z0-9+/]{40,}+ ) ={0,2} )""",
    re.VERBOSE | re.IGNORECASE,
)
_URL = re.compile(
    r"""(?<![A-Za-z0-9_]) [A-Za-z][A-Za-z0-9+.-]{1,30} :// [^\s/?\#:@"'<>`]{0,128} :
    (?P<value> [^\s/?\#"'<>`，。；、]{1,256} ) @""",
    re.VERBOSE,
)
_PUTTY = re.compile(
    r"""(?P<value> PuTTY-User-Key-File-\d: [^\n]{0,100}\n (?: (?!PuTTY-User) [^\n]{0,120}\n ){0,80}?
    [ \t]{0,8} Private-Lines:[ ]\d{1,4} \s{1,8} (?P<body> (?: [A-Za-z0-9+/=]{1,100} (?: \s{1,8} | \Z ) )++ )
    (?: Private-(?: MAC | Hash ):[ ][0-9a-f]{0,128} )? )""",
    re.VERBOSE,
)

_GITLAB = ("pat", "ptt", "dt", "rt", "cbt", "soat", "ft", "imt", "agent", "oas", "ffct")
_SHAPES = (
    _Shape(PRIVATE_KEY, ("age-secret-key-1",), _token("AGE-SECRET-KEY-1", "[A-Z0-9]{40,}+"), _accepts_any),
    _Shape(PRIVATE_KEY, ("putty-user-key-file",), _PUTTY, _accepts_any),
    _Shape(
        "aws-key-id",
        ("akia", "asia", "abia", "acca"),
        _token("A(?:KIA|SIA|BIA|CCA)", "[A-Z0-9]{16}"),
        _accepts_any,
    ),
    _Shape(
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        _token("gh[pousr]_", "[A-Za-z0-9]{30,}+"),
        _accepts_any,
    ),
    _Shape("github-token", ("github_pat_",), _token("github_pat_", "[A-Za-z0-9_]{22,}+"), _accepts_random),
    _Shape(
        "gitlab-token",
        tuple(f"gl{name}-" for name in _GITLAB),
        _token(f"gl(?:{'|'.join(_GITLAB)})-", "[A-Za-z0-9_.-]{19,}[A-Za-z0-9_-]"),
        _accepts_random,
    ),
    _Shape(
        "slack-token", ("xox",), _token(r"xox[a-z](?:\.xox[a-z])?-", "[A-Za-z0-9-]{10,}+"), _accepts_digits
    ),
    _Shape("slack-token", ("xapp-",), _token(r"xapp-", "[0-9]-[A-Za-z0-9-]{10,}+"), _accepts_digits),
    _Shape("google-api-key", ("aiza",), _token("AIza", "[A-Za-z0-9_-]{35}"), _accepts_random),
    _Shape(
        "openai-style-key",
        ("sk-",),
        _token("sk-(?:proj-|ant-|svcacct-|admin-|or-|None-)?", "[A-Za-z0-9_-]{20,}+"),
        _accepts_random,
    ),
    _Shape("stripe-key", ("k_live_",), _token("[sr]k_live_", "[A-Za-z0-9]{16,}+"), _accepts_any),
    _Shape("stripe-key", ("whsec_",), _token("whsec_", "[A-Za-z0-9+/]{24,}+={0,2}"), _accepts_any),
    _Shape("npm-pypi-hf-token", ("npm_",), _token("npm_", "[A-Za-z0-9]{30,}+"), _accepts_random),
    _Shape("npm-pypi-hf-token", ("pypi-",), _token("pypi-", "[A-Za-z0-9_-]{40,}+"), _accepts_random),
    _Shape("npm-pypi-hf-token", ("hf_",), _token("hf_", "[A-Za-z0-9]{30,}+"), _accepts_random),
    _Shape("bearer-header", ("bearer",), _BEARER, _accepts_bearer),
    _Shape("azure-account-key", ("accountkey", "sharedaccesskey"), _ACCOUNT_KEY, _accepts_any),
    _Shape("url-password", ("://",), _URL, _accepts_url),
)


# Private keys in PEM form

_PEM = re.compile(
    r"""-{4,5}[ ]?BEGIN[ ][A-Z0-9 ]{0,40}?PRIVATE[ ]KEY(?:[ ]BLOCK)?[ ]?-{4,5}
    (?: [\s>|"'] | \\[rn] ){0,24}+
    (?: [A-Za-z-]{1,30}:[ ] [^\n]{0,200}\n \s{0,8} ){0,8}+
    (?P<body> (?: [A-Za-z0-9+/=\s>|"']++ | \\[rn] )*+ )
    (?P<end> -{4,5}[ ]?END[ ][A-Z0-9 ]{0,60}-{4,5} )?""",
    re.VERBOSE,
)
_PEM_CHUNK = re.compile(r"\\[rn]|([A-Za-z0-9+/=]++)")
_SHORTEST_PEM_LINE = 16
_SHORTEST_PEM_BODY = 6


def _pem_spans(text: str) -> Iterator[_Span]:
    """Yield keys that have a body: the header alone, or around dots and words, is talk about keys."""
    for match in _PEM.finditer(text):
        body = match["body"]
        if match["end"]:
            end = match.end()
            joined = "".join(chunk[1] or "" for chunk in _PEM_CHUNK.finditer(body))
        else:
            end, joined = _open_pem(body, match.start("body"))
        long_enough = len(joined) >= _SHORTEST_PEM_BODY and _has_letter_and_digit(joined)
        if long_enough and not is_placeholder(joined):
            yield _Span(match.start(), end, 0)


def _open_pem(body: str, offset: int) -> tuple[int, str]:
    """Return the end and the content of a key whose last line is missing: its long lines."""
    end = offset
    chunks: list[str] = []
    for chunk in _PEM_CHUNK.finditer(body):
        if chunk[1] is None:
            continue
        if len(chunk[1]) < _SHORTEST_PEM_LINE:
            break
        chunks.append(chunk[1])
        end = offset + chunk.end()
    return end, "".join(chunks)


# JSON web tokens

_DOTTED = re.compile(r"[A-Za-z0-9_.-]++")
_JWT_HEAD = re.compile(r"(?<![A-Za-z0-9_])eyJ[A-Za-z0-9_-]{8,}+")
_SHORTEST_SIGNATURE = 6


def _jwt_spans(text: str) -> Iterator[_Span]:
    """Yield two parts of encoded JSON and a signature, joined by dots."""
    rank = KINDS.index(JWT)
    for run in _DOTTED.finditer(text):
        if "eyJ" not in run[0]:
            continue
        parts = run[0].split(".")
        start = run.start()
        position = 0
        while position + 2 < len(parts):
            head, claims, signature = parts[position : position + 3]
            found = _JWT_HEAD.search(head)
            token = f"{head}.{claims}.{signature}"
            if (
                found
                and claims.startswith("eyJ")
                and len(claims) > 8
                and len(signature) >= _SHORTEST_SIGNATURE
            ):
                if not is_placeholder(token):
                    yield _Span(start + found.start(), start + len(token), rank)
                start += len(token) + 1
                position += 3
            else:
                start += len(head) + 1
                position += 1


# Assignments to a key word

_KEY_WORDS = ("passwor", "passwd", "pwd", "passphrase", "kennwort", "key", "secret", "token", "密", "口令")
_BLANKS = r"[ \t\u00a0\u3000]"
_ASSIGNED = re.compile(
    rf"""
    (?! (?<=\[) secret:[ ][a-z-]+\] )  # what `mask` leaves
    (?: (?<![A-Za-z0-9])
        (?i: passwor[dt] | (?<!/etc/) passwd | pwd | passphrase | kennwort | api[ _-]?key | private[ _-]?key
           | (?: client[ _-]? )? secret (?: [ _-]? (?: access[ _-]? )? key )? )
      | (?<= [A-Za-z0-9]_ ) (?i: token )
      | (?i: (?<![A-Za-z0-9]) (?: access | auth | refresh | bot ) [ -]? token )
      | (?<= [a-z0-9] ) (?: Password | Passwd | Passphrase | ApiKey | PrivateKey | SecretKey )
      | (?<= [a-z0-9] ) (?<!existing) (?<!Pull) Secret
      | (?: (?<=ccess) | (?<=uth) | (?<=efresh) | (?<=ecret) ) Token
      | 密码 | 密碼 | 口令 | 密钥 | 密鑰 )
    [\\"'`*_]{{0,4}} {_BLANKS}{{0,8}} (?: := | => | [:=：＝] ) (?: {_BLANKS} | [\\"'`*“„‘«(] ){{0,16}}+
    (?P<value> (?! [=~>] )
      (?: [^\s"'`,;|<&“”„‘’«»\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef] | & (?! [\w.-]{{1,64}}= ) )++ )
    """,
    re.VERBOSE,
)
_QUOTES = frozenset("\"'`")
_AFTER_VALUE = ".:*\\\u2026"
_CLOSERS = {")": "(", "]": "[", "}": "{", ">": "<"}


def _assignment_spans(text: str) -> Iterator[_Span]:
    rank = KINDS.index("assignment")
    for match in _ASSIGNED.finditer(text):
        start, end = match.span("value")
        value = match["value"]
        is_quoted = text[start - 1] in _QUOTES and text[start - 1] == text[end : end + 1]
        value = value.rstrip("\\") if is_quoted else _without_punctuation(value)
        if len(value) < SHORTEST_VALUE or not _has_letter_and_digit(value):
            continue
        if not (is_placeholder(match["value"]) or is_reference(match["value"]) or is_other(value)):
            yield _Span(start, start + len(value), rank)


def _without_punctuation(value: str) -> str:
    """Take off what belongs to the sentence: full stops, and brackets that were opened before the value."""
    loose = _AFTER_VALUE + "".join(closer for closer, opener in _CLOSERS.items() if opener not in value)
    return value.rstrip(loose)
