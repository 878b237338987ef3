"""Mailboxes: where a mail begins, what it says, in which charset, and what was only quoted."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from import_desk import Desk, messages_in, read, rejects_in

from frugal_modes.evidence.records import Repair

FROM = "From a@example.org Mon Jan  1 12:00:00 2024\n"


def write(path: Path, *mails: str | bytes) -> Path:
    data = [mail if isinstance(mail, bytes) else mail.encode() for mail in mails]
    path.write_bytes(b"\n".join(mail if mail.endswith(b"\n") else mail + b"\n" for mail in data))
    return path


def mail(number: int, body: str = "hello", *, head: str = "", subject: str = "Topic") -> str:
    return (
        f"{FROM}From: First Person <First@North.example>\nSubject: {subject}\nMessage-ID: <{number}@x.example>\n"
        f"Date: Mon, 01 Jan 2024 10:00:{number:02d} +0100\n{head}\n{body}\n"
    )


def test_subject_comes_first_and_the_sender_is_the_address(desk: Desk, tmp_path: Path) -> None:
    desk.take(write(tmp_path / "list.mbox", mail(1)))

    found = desk.one("Topic\n\nhello")
    assert (found["sender"], found["sender_name"]) == ("first@north.example", "First Person")
    assert (found["conversation"], found["conversation_type"]) == ("list", "mailbox")
    assert (found["sent_at"], found["zone_known"]) == (1_704_099_601_000, 1)


def test_only_a_full_from_line_behind_an_empty_one_begins_a_mail(tmp_path: Path) -> None:
    body = (
        "From here on it gets better.\n\nFrom nobody in particular\n\n"
        "text\nFrom a@example.org Mon Jan  1 12:00:00 2024\n\n"
        "From a@example.org Mon Jan  1 12:00:00 2024\nno header follows\n"
    )

    found = messages_in(write(tmp_path / "a.mbox", mail(1, body), mail(2)))

    assert len(found) == 2
    assert "no header follows" in found[0].text


def test_protected_from_lines_lose_one_sign(tmp_path: Path) -> None:
    (message,) = messages_in(write(tmp_path / "a.mbox", mail(1, ">From the start\n")))

    assert message.text == "Topic\n\nFrom the start"


@pytest.mark.parametrize(
    "line",
    [
        "From 1234@xxx Mon Jan 01 12:00:00 +0000 2024",
        "From - Mon Jan  1 12:00:00 2024",
        "From user at example.org  Mon Jan  1 12:00:00 2024",
        "From MAILER-DAEMON Mon Jan  1 12:00:00 UTC 2024",
    ],
)
def test_from_lines_of_many_programs_are_known(tmp_path: Path, line: str) -> None:
    source = write(tmp_path / "a.mbox", f"{line}\nFrom: a@example.org\nDate: unreadable\n\nhello\n")

    (message,) = messages_in(source)

    assert message.sent_at == int(datetime(2024, 1, 1, 12, tzinfo=UTC).timestamp()) * 1000


def test_answers_stand_in_the_thread_of_the_first_mail(desk: Desk, tmp_path: Path) -> None:
    desk.take(
        write(
            tmp_path / "a.mbox",
            mail(1, "root"),
            mail(2, "second", head="In-Reply-To: <1@x.example>\n"),
            mail(3, "third", head="References: <1@x.example>\n <2@x.example>\nIn-Reply-To: <2@x.example>\n"),
            mail(4, "fourth", head="In-Reply-To: <2@x.example>\n"),
            mail(5, "orphan", head="References: <gone@x.example>\n"),
        )
    )

    threads = [message["thread"] for message in desk.messages()]
    assert threads == ["1@x.example"] * 4 + ["gone@x.example"]
    assert desk.one("Topic\n\nthird")["reply_to"] == "2@x.example"


def test_a_mail_without_an_id_is_known_by_its_content(desk: Desk, tmp_path: Path) -> None:
    text = f"{FROM}From: a@example.org\nDate: Mon, 01 Jan 2024 10:00:00 +0000\n\nhello\n"
    source = write(tmp_path / "a.mbox", text)

    first, second = desk.take(source), desk.take(source)

    assert (first["inserted"], second["unchanged"]) == (1, 1)


@pytest.mark.parametrize(
    ("charset", "data", "text", "is_repaired"),
    [
        ("iso-8859-1", "café".encode("latin-1"), "café", False),
        ("utf-8", "naïve 名".encode(), "naïve 名", False),
        ("koi8-r", "привет".encode("koi8-r"), "привет", False),
        ("bogus-8", "café".encode(), "café", True),
        ("utf-8", "café".encode("cp1252"), "café", True),
        ("us-ascii", "“café”".encode("cp1252"), "“café”", True),
        ("", "café".encode(), "café", True),
    ],
)
def test_a_wrong_or_missing_charset_is_repaired_and_counted(
    tmp_path: Path, charset: str, data: bytes, text: str, is_repaired: bool
) -> None:
    kind = f"Content-Type: text/plain; charset={charset}\n" if charset else ""
    head = f"{FROM}From: a@example.org\nMessage-ID: <1@x>\nDate: Mon, 01 Jan 2024 10:00:00 +0000\n{kind}\n"
    source = write(tmp_path / "a.mbox", head.encode() + data)

    found = read(source)

    assert [message.text for message in messages_in(source)] == [text]
    assert [item.what for item in found if isinstance(item, Repair)] == ["charset"] * is_repaired


def test_encoded_words_and_transfer_encodings_are_undone(tmp_path: Path) -> None:
    head = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n"
    subject = "=?utf-8?b?TmHDr3Zl?= =?iso-8859-1?q?_caf=E9?="

    (message,) = messages_in(
        write(tmp_path / "a.mbox", mail(1, "one =C3=A9 two=\n three", head=head, subject=subject))
    )

    assert message.text == "Naïve café\n\none é two three"


HTML = (
    "<html><head><style>p {color: red}</style><title>x</title></head><body><p>Hello <b>you</b> &amp; all</p>"
    "<ul><li>one</li><li>two</li></ul><script>alert(1)</script>last<br>line"
    "<blockquote>what you said</blockquote></body></html>"
)


def test_html_is_told_as_text_without_what_nobody_sees(desk: Desk, tmp_path: Path) -> None:
    desk.take(write(tmp_path / "a.mbox", mail(1, HTML, head="Content-Type: text/html; charset=utf-8\n")))

    found = desk.one("Topic\n\nHello you & all\n\n- one\n- two\nlast\nline")
    assert "> what you said" in found["text_raw"]


def test_of_alternatives_the_plain_text_is_read_and_attachments_are_not(tmp_path: Path) -> None:
    head = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n'
    body = (
        '--b\nContent-Type: multipart/alternative; boundary="c"\n\n'
        "--c\nContent-Type: text/plain\n\nplain words\n--c\nContent-Type: text/html\n\n<p>html words</p>\n--c--\n"
        "--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nattached words\n--b--\n"
    )

    (message,) = messages_in(write(tmp_path / "a.mbox", mail(1, body, head=head)))

    assert message.text == "Topic\n\nplain words"


@pytest.mark.parametrize(
    "body",
    [
        "my answer\n\nOn Mon, Jan 1, 2024 at 10:00 AM First wrote:\n> old words\n> more\n",
        "my answer\n\nOn Mon, Jan 1, 2024 at 10:00 AM First Person\n<first@example.org> wrote:\n> old words\n",
        "Am 01.01.2024 um 10:00 schrieb First:\n> old words\n\nmy answer\n",
        "my answer\n\n-----Original Message-----\nFrom: First\nold words\n",
        "my answer\n\n-----Ursprüngliche Nachricht-----\nVon: First\nold words\n",
        "my answer\n\nFrom: First\nSent: Monday\nTo: Second\nSubject: Topic\n\nold words\n",
        "my answer\n-- \nFirst Person\nold words\n",
        "my answer\n\n________________________________\nFrom: First\nold words\n",
    ],
)
def test_quoted_replies_and_signatures_stay_in_the_raw_text_only(
    desk: Desk, tmp_path: Path, body: str
) -> None:
    desk.take(write(tmp_path / "a.mbox", mail(1, body)))

    found = desk.one("Topic\n\nmy answer")
    assert "old words" in found["text_raw"]


def test_answers_between_quotes_are_kept(tmp_path: Path) -> None:
    (message,) = messages_in(write(tmp_path / "a.mbox", mail(1, "> one?\nyes\n> two?\nno\n")))

    assert message.text == "Topic\n\nyes\nno"


def test_a_mail_that_only_quotes_keeps_its_subject(tmp_path: Path) -> None:
    (message,) = messages_in(write(tmp_path / "a.mbox", mail(1, "> one?\n")))

    assert (message.text, message.text_raw) == ("Topic", "Topic\n\n> one?")


def test_a_mail_that_says_nothing_is_named_with_its_line(tmp_path: Path) -> None:
    empty = f"{FROM}From: a@example.org\nMessage-ID: <9@x>\nDate: Mon, 01 Jan 2024 10:00:00 +0000\n\n"

    assert rejects_in(write(tmp_path / "a.mbox", mail(1), empty)) == [(9, "text_missing")]


def test_several_mailboxes_of_a_folder_are_conversations(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "mail"
    folder.mkdir()
    write(folder / "inbox.mbox", mail(1))
    write(folder / "sent", mail(2))

    assert desk.take(folder)["format"] == "mbox"

    assert {message["conversation"] for message in desk.messages()} == {"inbox", "sent"}
