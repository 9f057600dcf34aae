"""Broker URLs, the section `event` of a board file, and passwords that are never shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config import sentences
from controller.config.addresses.broker import (
    PASSWORD_VARIABLE,
    BadBroker,
    Broker,
    BrokerAddress,
    load_broker,
    parse_broker_url,
    read_password,
)
from controller.config.board_file import load_board_file, read_board, write_board
from controller.config.event import EventSettings
from controller.config.yaml_tree import BadConfig
from engine import catalogue
from engine.sentences import Template
from tests.support.engine.sentences import Expected, raises

BOARD = write_board(load_board_file("demo-10x8").board)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("mqtt://broker.local", BrokerAddress("broker.local", 1883)),
        ("mqtts://broker.local", BrokerAddress("broker.local", 8883, tls=True)),
        ("mqtt://club@10.0.0.1:1884", BrokerAddress("10.0.0.1", 1884, user="club")),
        ("mqtt://a%2Fb%40c@[::1]", BrokerAddress("::1", 1883, user="a/b@c")),
        ("mqtt://%F0%9F%8E%89@host", BrokerAddress("host", 1883, user="🎉")),
        ("mqtt://host/", BrokerAddress("host", 1883)),
    ],
)
def test_a_broker_url_round_trips(url: str, address: BrokerAddress) -> None:
    assert parse_broker_url(url) == address
    assert parse_broker_url(str(address)) == address


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("broker.local", sentences.BROKER_FORM(url="'broker.local'")),
        ("http://host", sentences.BROKER_UNKNOWN_KIND),
        ("mqt://host", catalogue.DID_YOU_MEAN(name="mqtt")),
        ("mqtt://", sentences.BROKER_WITHOUT_HOST(url="'mqtt://'")),
        ("mqtt://host:0", sentences.BROKER_WITHOUT_HOST(url="'mqtt://host:0'")),
        ("mqtt://host:99999", sentences.BROKER_FORM(url="'mqtt://host:99999'")),
        ("mqtt://host/topic", sentences.BROKER_PATH(url="'mqtt://host/topic'")),
        ("mqtt://ho st", sentences.BROKER_NOT_A_WORD()),
        ("mqtt://" + "x" * 600, sentences.BROKER_NOT_A_WORD()),
        ("mqtt://[::1", sentences.BROKER_FORM(url="'mqtt://[::1'")),
    ],
)
def test_a_wrong_broker_url_says_what_to_write(url: str, expected: Expected) -> None:
    with raises(BadBroker, expected):
        parse_broker_url(url)


def test_a_password_in_a_url_is_refused_and_never_repeated() -> None:
    for url in ("mqtt://club:s3cret@host", "ftp://club:s3cret@host", "club:s3cret@host"):
        with pytest.raises(BadBroker) as caught:
            parse_broker_url(url)
        assert "s3cret" not in str(caught.value), url


def test_a_password_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "password"
    path.write_text("s3cret\n")
    path.chmod(0o644)
    with raises(BadBroker, sentences.PASSWORD_FILE_OPEN(path=str(path), mode="0644")):
        read_password(path)
    path.chmod(0o600)
    assert read_password(path) == "s3cret"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", sentences.PASSWORD_FILE_CONTENT),
        (b"\n", sentences.PASSWORD_FILE_CONTENT),
        (b"\xff\xff", sentences.PASSWORD_FILE_NOT_TEXT),
        (b"x" * 2000, sentences.PASSWORD_FILE_CONTENT),
    ],
)
def test_a_file_without_one_password_is_refused(
    tmp_path: Path, content: bytes, expected: Template
) -> None:
    path = tmp_path / "password"
    path.write_bytes(content)
    path.chmod(0o600)
    with raises(BadBroker, expected(path=str(path))):
        read_password(path)


def test_the_environment_overrides_the_password_file_and_repr_hides_it(tmp_path: Path) -> None:
    address = parse_broker_url("mqtt://club@host")
    broker = load_broker(address, tmp_path / "missing", None, {PASSWORD_VARIABLE: "s3cret"})
    assert broker.password == "s3cret"
    assert "s3cret" not in repr(broker)
    with raises(BadBroker, sentences.PASSWORD_FILE_UNREADABLE):
        load_broker(address, tmp_path / "missing", None, {})
    with raises(BadBroker, sentences.BROKER_WITHOUT_USER(url="mqtt://host")):
        load_broker(parse_broker_url("mqtt://host"), None, None, {PASSWORD_VARIABLE: "s3cret"})


def test_a_ca_file_needs_tls_and_must_exist(tmp_path: Path) -> None:
    ca = tmp_path / "ca.pem"
    with raises(BadBroker, sentences.BROKER_WITHOUT_TLS(url="mqtt://host")):
        load_broker(parse_broker_url("mqtt://host"), None, ca, {})
    with raises(BadBroker, sentences.NO_CA_FILE(path=str(ca))):
        load_broker(parse_broker_url("mqtts://host"), None, ca, {})
    ca.write_text("a certificate")
    assert load_broker(parse_broker_url("mqtts://host"), None, ca, {}) == Broker(
        parse_broker_url("mqtts://host"), "", ca
    )


def test_the_section_round_trips(tmp_path: Path) -> None:
    text = BOARD + (
        'event:\n  broker: "mqtts://club@host"\n  password_file: secret\n'
        "  ca_file: ca.pem\n  table: 4\n"
    )
    file = tmp_path / "mine.yaml"
    event = read_board(text, str(file)).event
    assert event == EventSettings(
        parse_broker_url("mqtts://club@host"), tmp_path / "secret", tmp_path / "ca.pem", 4
    )
    again = write_board(read_board(text, str(file)).board, event=event)
    assert read_board(again, str(file)).event == event
    assert read_board(BOARD, str(file)).event == EventSettings()


@pytest.mark.parametrize(
    ("lines", "key", "expected"),
    [
        ("  brocker: mqtt://host", "brocker", catalogue.DID_YOU_MEAN(name="broker")),
        ("  broker: ftp://host", "broker", sentences.BROKER_UNKNOWN_KIND),
        ("  broker: mqtt://a:s3cret@host", "broker", sentences.BROKER_PASSWORD_IN_URL),
        ("  password: s3cret", "password", sentences.PASSWORD_IN_FILE()),
        ("  password_file: x", "password_file", sentences.PASSWORD_WITHOUT_BROKER()),
        ("  broker: mqtt://h\n  ca_file: x", "ca_file", sentences.CA_FILE_WITHOUT_TLS()),
        ("  table: 0", "table", sentences.WHOLE_NUMBER_RANGE(low=1, high=9999)),
    ],
)
def test_an_error_names_its_line(lines: str, key: str, expected: Expected) -> None:
    text = f"{BOARD}event:\n{lines}\n"
    with raises(BadConfig, expected) as caught:
        read_board(text, "mine.yaml")
    slots = caught.value.sentence.slots
    assert (slots["file"], slots["key"]) == ("mine.yaml", f"event.{key}")
    assert slots["line"] == len(text.splitlines())
    assert "s3cret" not in str(caught.value)
