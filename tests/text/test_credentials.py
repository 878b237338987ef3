"""The credential scanner over two tables: what must be found, class and place, and what must be left alone.

Samples are put together at run time, so that no secret scanner stumbles over this file; every one is invented.
"""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal.text.credentials import KINDS, Credential, mask, scan

UPPER = "Q7RT2LKX9WZ4MB6N"
MIXED = "aZ3kQ9xV7bN2mL5pR8tY1wC4dF6gH0jS"
LONG = MIXED + "eU7iO2qA9sD4"
HEX = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"
PEM_BODY = "\n".join(("MIIEowIBAAKCAQEAx7" + MIXED, LONG, "Qw3=="))
JWT_HEAD = "ey" + "JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"
JWT_CLAIMS = "ey" + "JzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IktpbSJ9"
JWT = f"{JWT_HEAD}.{JWT_CLAIMS}.{LONG}"
ACCOUNT_KEY = (MIXED * 3)[:86] + "=="


def pem(label: str, body: str = PEM_BODY, *, dashes: str = "-----") -> str:
    return f"{dashes}BEGIN {label}{dashes}\n{body}\n{dashes}END {label}{dashes}"


PUTTY = (
    "Pu" + "TTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: gate\nPublic-Lines: 1\n"
    f"AAAAC3NzaC1lZDI1NTE5AAAAI{MIXED}\nPrivate-Lines: 1\nAAAAI{MIXED}\nPrivate-MAC: {HEX}"
)

# class, text before, the credential, text behind
POSITIVES = [
    ("private-key", "key:\n", pem("RSA PRIV" + "ATE KEY"), "\nbye"),
    ("private-key", "", pem("PRIV" + "ATE KEY"), ""),
    ("private-key", "钥匙", pem("OPENSSH PRIV" + "ATE KEY", "b3BlbnNzaC1rZXktdjEAAAAA" + MIXED), "在此"),
    (
        "private-key",
        "",
        pem("EC PRIV" + "ATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\n" + LONG),
        "",
    ),
    ("private-key", "", pem("PGP PRIV" + "ATE KEY BLOCK", "Version: x 1\n\n" + PEM_BODY), ""),
    ("private-key", '{"private_key": "', pem("PRIV" + "ATE KEY").replace("\n", "\\n"), '\\n"}'),
    ("private-key", "", "-----BEGIN PRIV" + f"ATE KEY-----\n{LONG}\n{LONG}", "\n\nThe last line was lost."),
    ("private-key", "", PUTTY, "\nend"),
    ("private-key", "age: ", "AGE-SEC" + "RET-KEY-1" + (UPPER * 4)[:58], "."),
    ("aws-key-id", "Key是", "AK" + "IA" + UPPER, ""),
    ("aws-key-id", "id ", "AS" + "IA" + UPPER, ","),
    ("aws-key-id", "（", "AK" + "IA" + "1234567890ABCDEF", "）"),
    ("github-token", "use ", "gh" + "p_" + LONG[:36], " now"),
    ("github-token", "令牌：", "gh" + "s_" + LONG[:36], "。"),
    ("github-token", "'", "gh" + "o_" + LONG[:40], "'"),
    ("github-token", "", "github" + "_pat_" + (LONG * 2)[:40], ""),
    ("github-token", "x ", "github" + "_pat_" + LONG[:22] + "_" + (LONG * 2)[:59], ""),
    ("gitlab-token", "clone with ", "gl" + "pat-" + MIXED[:20], "."),
    ("gitlab-token", "", "gl" + "pat-" + "ab_CD-" + MIXED[:14], ""),
    ("gitlab-token", "runner ", "gl" + "rt-" + MIXED[:20], ""),
    ("slack-token", "bot ", "xo" + "xb-123456789012-1234567890123-" + MIXED[:24], ""),
    ("slack-token", "app ", "xa" + "pp-1-A0123456789-1234567890123-" + HEX, ""),
    ("slack-token", "(", "xo" + "xp-" + "2345-6789-" + MIXED[:12], ")"),
    ("google-api-key", "maps ", "AI" + "za" + (MIXED + "-_x")[:35], ""),
    ("google-api-key", "密钥是", "AI" + "za" + ("Sy" + LONG)[:35], "，"),
    ("openai-style-key", "", "sk" + "-" + LONG[:40], ""),
    ("openai-style-key", "key ", "sk" + "-proj-" + LONG[:40], "\n"),
    ("openai-style-key", "用", "sk" + "-ant-api03-" + LONG[:20] + "-" + LONG[:20] + "_AA", "。"),
    ("openai-style-key", "`", "sk" + "-" + HEX[:32], "`"),
    ("openai-style-key", "", "sk" + "-or-v1-" + HEX, ""),
    ("stripe-key", "pay ", "sk" + "_live_" + MIXED[:24], ""),
    ("stripe-key", "", "rk" + "_live_" + MIXED[:24], ";"),
    ("stripe-key", "hook ", "wh" + "sec_" + MIXED, ""),
    ("npm-pypi-hf-token", "", "np" + "m_" + LONG[:36], ""),
    ("npm-pypi-hf-token", "upload ", "py" + "pi-AgEIcHlwaS5vcmc" + LONG, ""),
    ("npm-pypi-hf-token", "model ", "h" + "f_" + LONG[:34], "!"),
    ("jwt", "cookie=", JWT, "; path=/"),
    ("jwt", "看", JWT, "吧"),
    ("jwt", "two.", JWT, ""),
    ("bearer-header", "Authorization: Bearer ", MIXED[:24], ""),
    ("bearer-header", 'curl -H "authorization: bearer ', MIXED[:12] + "/+==", '"'),
    ("bearer-header", "send Bearer ", LONG, "."),
    ("azure-account-key", "AccountName=x;Account" + "Key=", ACCOUNT_KEY, ";EndpointSuffix=y"),
    ("azure-account-key", '"Account' + 'Key": "', ACCOUNT_KEY, '"'),
    ("url-password", "postgres://u:", "p4ssw0rd", "@h"),
    ("url-password", "地址mysql://root:", "sommer", "@db:3306/shop"),
    ("url-password", "redis://:", "s3cr-x", "@cache:6379/0"),
    ("url-password", "https://bob:", "9@zz", "@host.test/x"),
    ("url-password", "mongodb+srv://app:", "Xy%40z9", "@c0.test,c1.test/db"),
    ("assignment", "DB_PASSWORD=", "hunter2hunter2", ""),
    ("assignment", "密码：", "abcd1234x", ""),
    ("assignment", "数据库口令 = ", "abcd1234x", "，请勿外传"),
    ("assignment", "password: ", "hunter2hunter2", "."),
    ("assignment", "Passwort: ", "Gruen5Gruen", " (alt)"),
    ("assignment", "**Kennwort:** `", "Gruen5Gruen", "`"),
    ("assignment", '{"api_key": "', MIXED, '", "n": 1}'),
    ("assignment", "api key = ", HEX[:32], ""),
    ("assignment", "apiKey: '", "zz88yy77", "'"),
    ("assignment", "client-secret=", "a8Q~" + MIXED[:20], ""),
    ("assignment", "aws_secret_access_key = ", "wJalrXUtnF/K7MDENG/bPxRfiCY9" + MIXED[:12], ""),
    ("assignment", "Server=db;Uid=sa;Pwd=", "Str0ng-Pw", ";Encrypt=yes"),
    ("assignment", "DEPLOY_TOKEN=", "t0k3nt0k3n", ""),
    ("assignment", "spring.datasource.password=", "hunter2hunter2", "\nnext=1"),
    ("assignment", "userPassword: ", "hunter2hunter2", ""),
    ("assignment", "https://h.test/?user=a&password=", "hunter2hunter2", "&x=12345678"),
    ("assignment", "口令＝", "abcd1234x", ""),
    ("assignment", "passphrase => '", "c0rrect-horse-battery", "'"),
    ("assignment", '\\"secret\\": \\"', "abcd1234x", '\\"'),
    ("assignment", "accessToken: ", MIXED, ""),
    ("assignment", "(password: ", "hunter2hunter2", ")."),
    ("assignment", "password='", "h2(unter)x.", "'"),
]

LOOK_ALIKES = [
    "password: 已改成用密钥登录",
    "token: 见上一条记录",
    f"commit {HEX}",
    f"git show {HEX[:7]} and {HEX[:12]}",
    f"token: {HEX}",
    f"secret: {HEX}",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "client_secret: 550e8400-e29b-41d4-a716-446655440000",
    "ISBN 978-3-16-148410-0 and ISBN 3-16-148410-X",
    "password: 3-16-148410-X",
    "doi:10.1000/182 and 10.48550/arXiv.2301.01234",
    "api key: 10.1000/xyz123abc",
    f"sha256:{HEX}{HEX[:24]}",
    f"integrity sha512-{ACCOUNT_KEY}",
    f"secret key: sha256:{HEX}{HEX[:24]}",
    f"checksum {HEX[:32]}",
    "DB_PASSWORD=${DB_PASSWORD_1}",
    "password=$DB_PASSWORD1",
    "password: $(pass show db1)",
    "password: <your-password-1>",
    "password: {{ vault_db_password1 }}",
    "password={{vault_db_password1}}",
    'password = os.environ["DB_PASSWORD_1"]',
    "password: process.env.DB_PASSWORD1",
    "password = getenv('DB_PASSWORD_1')",
    "secret: /run/secrets/db1",
    "private key: ~/.ssh/id_ed25519",
    "private_key = ./keys/server1.pem",
    "private key: C:\\keys\\server1.pem",
    "api_key: keys/prod/db1.txt",
    "passphrase: id_rsa_2048.pub",
    "secret: op://vault/item1/password",
    "password: xxxxxxxxxxxx1",
    "password: ********",
    "password=aaaaaaaaaaaa",
    "password: example123",
    "password: changeme123",
    "api_key=your-api-key-123",
    "api_key=YOUR_API_KEY_1",
    "password = config.db_password1",
    "password = settings.get('db1')",
    "secret_key = get_random_key50()",
    "private_key: Ed25519PrivateKey",
    "secret = keypair[:32]",
    "password = enforce_bytes(auth[1], name)",
    "private_key = Ed448PrivateKey.from_private_bytes(d)",
    "password: short1",
    "password: onlyletters",
    "password: 1234567890",
    "the password must have 12 characters and 1 digit",
    "Passwort: mindestens 12 Zeichen, eine Ziffer",
    "Passwort: 12-stellig",
    "the secret of version2release is patience",
    "nextPageToken: abc12345",
    "token: abc12345def67890",
    "passwords: abc12345 def",
    'if password == "hunter2hunter2":',
    "root in /etc/passwd:root:x:0:0:root",
    "AK" + "IAIOSFODNN7EXAMPLE",
    "AK" + "IA" + "X" * 16,
    "AK" + "IA" + UPPER + "A",
    "TAK" + "IA" + UPPER,
    "AK" + "IA" + UPPER[:8],
    "gh" + "p_" + "x" * 36,
    "gh" + "p_short1",
    "my_gh" + "p_" + LONG[:36],
    "sk" + "-learn-compatible-estimators-and-pipelines",
    "sk" + "-proj-your-key-goes-here-please-1",
    "sk" + "-ant-api03-" + "x" * 40,
    "sk" + "_test_" + MIXED[:24],
    "ta" + "sk" + "-" + LONG[:40],
    "xo" + "xb-your-token-here",
    "h" + "f_transformers_model_configuration_names",
    "np" + "m_config_registry_and_more_configuration_1",
    "gl" + "pat-replace-with-your-token",
    "py" + "pi-publish-workflow-for-the-release-of-packages",
    "Authorization: Bearer ${ACCESS_TOKEN_1}",
    "Authorization: Bearer <token1234>",
    "Authorization: Bearer YOUR_TOKEN_12345678",
    "Bearer authentication is described in chapter 12",
    "bearer of news in 2026",
    JWT_HEAD,
    f"{JWT_HEAD}.{JWT_CLAIMS}",
    "ey" + "Jxxxxxxxxx." + "ey" + "Jxxxxxxxxx.xxxxxxxxx",
    "postgres://user:password@localhost/db",
    "postgres://user:pass@localhost/db",
    "postgres://user:<password>@host",
    "postgres://{user}:{password}@host",
    "postgres://$USER:$PASS@host and ${A}",
    "postgres://u:${DB_PASS}@host",
    "https://u:***@host, https://u:xxxxx@host",
    "http://localhost:8080/@scope/pkg",
    "git@github.com:owner/repo.git",
    "ssh://git@host:22/repo",
    "mail a:b@host.test",
    "-----BEGIN PUBLIC KEY-----\n" + LONG + "\n-----END PUBLIC KEY-----",
    "a file that begins with -----BEGIN PRIV" + "ATE KEY----- is a key",
    pem("PRIV" + "ATE KEY", "..."),
    pem("RSA PRIV" + "ATE KEY", "your key here"),
    pem("CERTIFICATE"),
    "PuTTY-User-Key-File-3: is the first line of such a file",
    "Account" + "Key=<key>;",
    "Account" + "Key=" + "x" * 88,
    "[secret: assignment]",
    "password: [secret: assignment]",
    "",
    "existingSecret: my-app-db1",
    "password: 2026-01-02T10:14:00Z",
    "Passwort: siehe https://wiki.test/page1",
]


def found_in(text: str) -> list[tuple[str, str]]:
    return [(found.kind, text[found.start : found.end]) for found in scan(text)]


@pytest.mark.parametrize(("kind", "before", "secret", "behind"), POSITIVES)
def test_credential_is_found_with_its_class_and_place(
    kind: str, before: str, secret: str, behind: str
) -> None:
    text = before + secret + behind

    assert found_in(text) == [(kind, secret)]


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_look_alike_is_left_alone(text: str) -> None:
    assert scan(text) == ()


def test_tables_cover_every_class_and_are_long_enough() -> None:
    assert {kind for kind, *_ in POSITIVES} == set(KINDS)
    assert len(KINDS) == 14
    assert len(POSITIVES) >= 60
    assert len(LOOK_ALIKES) >= 60


PREFIXED = [row[2] for row in POSITIVES if 0 < KINDS.index(row[0]) <= KINDS.index("npm-pypi-hf-token")]


@pytest.mark.parametrize("secret", PREFIXED)
def test_ascii_word_character_before_a_token_with_a_prefix_hides_it(secret: str) -> None:
    assert scan(f"x{secret}") == ()
    assert scan(f"_{secret}") == ()


def test_overlapping_matches_count_once_under_the_more_telling_class() -> None:
    token = "gh" + "p_" + LONG[:36]

    assert found_in(f"GITHUB_TOKEN={token}") == [("github-token", token)]
    assert found_in(f"Authorization: Bearer {JWT}") == [("jwt", JWT)]
    assert found_in(f"https://x:{token}@github.com") == [("github-token", token)]


def test_every_credential_of_a_text_is_found_in_order() -> None:
    first, second = "AK" + "IA" + UPPER, "gh" + "p_" + LONG[:36]
    text = f"{second} then {first} then password=hunter2hunter2 then {first}"

    assert [kind for kind, _ in found_in(text)] == ["github-token", "aws-key-id", "assignment", "aws-key-id"]


def test_place_counts_lines_and_columns_from_one_in_code_points() -> None:
    secret = "AK" + "IA" + UPPER
    text = f"eins\r\nzwei 🎉 {secret}\rdrei {secret}"

    assert scan(text) == (
        Credential("aws-key-id", 2, 8, 27, 13, 33),
        Credential("aws-key-id", 3, 6, 25, 39, 59),
    )


def test_end_column_of_a_key_over_several_lines_is_that_of_its_first_line() -> None:
    secret = pem("PRIV" + "ATE KEY")

    (found,) = scan(f"key: {secret}\n")

    assert (found.line, found.column, found.end_column) == (1, 6, 32)
    assert found.end - found.start == len(secret)


def test_mask_names_the_class_and_shows_nothing_of_the_value() -> None:
    text = f"use AK{'IA' + UPPER} and password=hunter2hunter2!"

    masked = mask(text, scan(text))

    assert masked == "use [secret: aws-key-id] and password=[secret: assignment]"


@given(
    st.lists(
        st.sampled_from([before + secret + behind for _, before, secret, behind in POSITIVES] + LOOK_ALIKES)
    )
)
def test_masked_text_holds_no_credential(texts: list[str]) -> None:
    text = "\n\n".join(texts)

    assert scan(mask(text, scan(text))) == ()


@given(st.text() | st.text(alphabet="sk-gh_p:=/@. \n\"'$<>{}A1eyJ密码：password"))
def test_spans_are_ordered_disjoint_and_inside_the_text(text: str) -> None:
    spans = scan(text)

    edges = [edge for found in spans for edge in (found.start, found.end)]
    assert edges == sorted(set(edges))
    assert all(0 <= edge <= len(text) for edge in edges)
    assert all(found.column <= found.end_column for found in spans)


SIZE = 100_000
PATHOLOGICAL = [
    "a" * SIZE,
    "A" * SIZE,
    "9" * SIZE,
    "a." * (SIZE // 2),
    "a-" * (SIZE // 2),
    "sk-" * (SIZE // 3),
    "sk-a1" + "-" * SIZE,
    ("sk-" + "a" * 17 + ".") * (SIZE // 21),
    "ghp_" * (SIZE // 4),
    "ghp_" + "a1" * (SIZE // 2) + "_",
    "glpat-." * (SIZE // 7),
    "glpat-" + "." * SIZE,
    "xoxb-" * (SIZE // 5),
    "eyJ" * (SIZE // 3),
    "eyJaaaaaaaaa-" * (SIZE // 13),
    "eyJaaaaaaaaa." * (SIZE // 13),
    "eyJaaaaaaaaa.x." * (SIZE // 15),
    "bearer " * (SIZE // 7),
    "bearer " + "." * SIZE,
    "Authorization: " * (SIZE // 15),
    "a://" * (SIZE // 4),
    "a://:" * (SIZE // 5),
    "a://b:" + "c" * SIZE,
    "a://b:@" * (SIZE // 7),
    "a+" * (SIZE // 2) + "://",
    "password" * (SIZE // 8),
    "password=" * (SIZE // 9),
    "password= " * (SIZE // 10),
    "password" + " " * SIZE + "=",
    "password=" + '"' * SIZE,
    "password=a1" + "/a" * (SIZE // 2),
    "password=" + "a." * 120 + "1" + "&a" * (SIZE // 2),
    "&" * SIZE,
    "password=a1" + ":" * SIZE,
    "password=a1" + ")" * SIZE,
    "password=" + "a[" * (SIZE // 2),
    "password=" + "{" * SIZE,
    "password=a.a" + "x" * 200 + "(" * SIZE,
    "a_" * (SIZE // 2) + "token=",
    "密码" * (SIZE // 2),
    "-----BEGIN PRIVATE KEY-----" * (SIZE // 27),
    "-----BEGIN PRIVATE KEY-----\nA: " * (SIZE // 31),
    "-----BEGIN PRIVATE KEY-----" + "\n" * SIZE,
    "-----BEGIN PRIVATE KEY-----" + "\\n" * (SIZE // 2),
    "-----BEGIN PRIVATE KEY-----" + "a1\n" * (SIZE // 3),
    "-" * SIZE + "private key",
    "-----BEGIN " + "A " * (SIZE // 2) + "private key",
    "PuTTY-User-Key-File-2: x\n" * (SIZE // 25),
    "PuTTY-User-Key-File-2: x\n" + "\n" * SIZE,
    "AccountKey=" * (SIZE // 11),
    "AccountKey=" + "a" * SIZE,
    ("AK" + "IA" + UPPER + "\n") * (SIZE // 21),
    "password=hunter2hunter2\n" * (SIZE // 24),
]


@pytest.mark.parametrize("text", PATHOLOGICAL, ids=range(len(PATHOLOGICAL)))
def test_hostile_text_of_100_000_characters_scans_in_linear_time(text: str) -> None:
    started = time.process_time()

    scan(text)

    assert time.process_time() - started < 0.8
