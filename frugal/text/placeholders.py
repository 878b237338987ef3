"""What stands where a credential could stand and is none: references, paths, placeholders, hashes, other identifiers.

Rather a miss than a false alarm.
"""

import re

_STAND_IN = re.compile(
    r"example|change[-_]?me|your[-_ ]|\byour(?:pass|key|token|secret|api)|placeholder|redacted|replace[-_]|insert[-_]"
    r"|dummy|[xX]{5,}|\*{3,}|\.{3,}|\u2026",
    re.IGNORECASE,
)
_FIELD_NAME = re.compile(
    r"pass(?:word|wd|phrase|wort)?|pwd?|kennwort|secret|token|(?:api[-_]?)?key|credentials?|密码|口令|密钥",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"""
      \$ (?: \{ | \( | [A-Za-z_]\w*+ \Z )            # ${X} $(command) $X
    | < | \[ .* \] \Z | \{{1,3} [\w.:|-]* (?: \} .* )? \Z   # <x> [x] {x} {{x}}
    | %\( | %s \Z | %\w++% \Z | \#\{               # %(x)s %s %X% #{x}
    | (?: os\.environ | process\.env | getenv | arn:aws | vault: | env: | ssm: | enc\[ | sops: )
    | @microsoft\.keyvault
    """,
    re.VERBOSE | re.IGNORECASE,
)
_INNER_REFERENCE = re.compile(r"\$\{|\{\{|os\.environ|process\.env|getenv", re.IGNORECASE)
_CODE = re.compile(
    r"""
      [a-z_]{3,}+ \w*+ (?: \.\w+ )* [(\[]                             # a call, an item
    | [A-Za-z_]\w*+ (?: \.\w+ )* [(\[] \w* [)\]]* \W? \Z                 # a call, an item
    | [a-z_]\w{0,24} (?: \.[A-Za-z_]\w{0,24} )+ (?: [(\[] .* )? \Z       # an attribute
    | [A-Z][A-Z0-9]*+ (?: _[A-Z0-9]++ )+ \Z                            # a constant
    | [A-Z]\w{0,40} (?: Key | Token | Password | Secret ) (?: s | Str | Types? )? (?: [.(\[] .* )? \Z   # a class
    """,
    re.VERBOSE,
)
_EXTENSIONS = (
    "txt|pem|key|pub|crt|cer|der|p12|pfx|jks|asc|gpg|age|kdbx|json|ya?ml|toml|ini|cfg|conf|config|env|properties|xml|csv|"
    "md|html?|log|sql|db|sqlite|py|js|ts|go|rs|rb|sh|ps1|bat|java|tf|zip|gz|tar|bak|docx?|xlsx?|pdf|png|jpe?g"
)
_PATH = re.compile(
    rf"""
      (?: ~ | \.\.? )? / [\w.+~-]{{1,32}} (?: / [\w.+~-]{{1,32}} )* /? \Z    # /etc/x ./x ~/x
    | (?: [A-Za-z]: )? \\ | [A-Za-z]:/                                   # C:\x \\host\x
    | [a-z][a-z0-9_.-]{{0,31}} (?: / [a-z][a-z0-9_.-]{{0,31}} )+ /? \Z       # secret/app/db1
    | [\w.+-]+ (?: / [\w.+-]+ )* \. (?i: {_EXTENSIONS} ) \Z               # Certs/db1.pem
    | .* ://                                                             # a link
    """,
    re.VERBOSE,
)
_IDENTIFIER = re.compile(
    r"""
      [0-9a-f]{8} (?: -[0-9a-f]{4} ){3} -[0-9a-f]{12}                    # UUID
    | [0-9a-f]{40} | [0-9a-f]{64} | [0-9a-f]{96} | [0-9a-f]{128}          # git hash, SHA checksums
    | (?: sha-? (?: 1 | 2 | 224 | 256 | 384 | 512 ) | md5 | crc32 | blake[23]\w? ) [-:=] .*
    | (?: 97[89]-? )? [0-9]{1,5}-?[0-9]{1,7}-?[0-9]{1,6}-?[0-9x]         # ISBN
    | (?: doi: )? 10\.[0-9]{4,9}/ .*
    | [0-9]{4}-[0-9]{2}-[0-9]{2} (?: t[0-9:.]+ (?: z | [+-][0-9:]+ )? )?   # a date, a time
    | v?[0-9]+ (?: \.[0-9]+ )+ (?: [-+.]?[a-z]+\.?[0-9]* )?               # a version
    | [0-9]{1,3}-[a-zäöüß]+ | [0-9]{4}-bits?                             # 32-bytes, 12-stellig
    | [\w.+-]+ @ [\w-]+ (?: \.[\w-]+ )+                                   # a mail address
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LONGEST_IDENTIFIER = 256
_SLUG_PART = re.compile(r"[A-Za-z]?[a-z]{0,19}|[0-9]{1,4}")


def is_placeholder(value: str) -> bool:
    """Tell whether *value* stands for a secret without being one: `example`, `your-`, one repeated character."""
    return len(set(value)) <= 1 or _STAND_IN.search(value) is not None


def is_reference(value: str) -> bool:
    """Tell whether *value* says where the secret is: `${X}`, `$X`, `<...>`, `{{...}}`, `os.environ`."""
    return _REFERENCE.match(value) is not None or _INNER_REFERENCE.search(value) is not None


def is_field_name(value: str) -> bool:
    """Tell whether *value* only repeats the name of the field, as in `user:password@host`."""
    return _FIELD_NAME.fullmatch(value) is not None


def is_other(value: str) -> bool:
    """Tell whether *value* is code, a path, a file name, a hash, a UUID, an ISBN, a DOI, a date, a version, an address."""
    if len(value) > _LONGEST_IDENTIFIER:
        return False
    return any(pattern.match(value) for pattern in (_CODE, _PATH)) or _IDENTIFIER.fullmatch(value) is not None


def is_slug(value: str) -> bool:
    """Tell whether *value* is several plain words or short numbers joined by `-` or `_`."""
    parts = re.split("[-_]", value)
    return len(parts) > 1 and all(_SLUG_PART.fullmatch(part) for part in parts)
