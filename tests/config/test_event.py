"""Broker URLs, the section `event` of a board file, and passwords that are never shown."""

from __future__ import annotations

from pathlib import Path

import pytest

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
    ("url", "complaint"),
    [
        ("broker.local", "write mqtt://USER@HOST:PORT"),
        ("http://host", "unknown kind"),
        ("mqt://host", "did you mean 'mqtt'"),
        ("mqtt://", "names no host"),
        ("mqtt://host:0", "names no host"),
        ("mqtt://host:99999", "write mqtt://"),
        ("mqtt://host/topic", "nothing may stand behind the host"),
        ("mqtt://ho st", "one short printable word"),
        ("mqtt://" + "x" * 600, "one short printable word"),
        ("mqtt://[::1", "write mqtt://"),
    ],
)
def test_a_wrong_broker_url_says_what_to_write(url: str, complaint: str) -> None:
    with pytest.raises(BadBroker, match=complaint):
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
    with pytest.raises(BadBroker, match=r"can be read by others \(mode 0644\): `chmod 600"):
        read_password(path)
    path.chmod(0o600)
    assert read_password(path) == "s3cret"


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xff", b"x" * 2000])
def test_a_file_without_one_password_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "password"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(BadBroker, match="password"):
        read_password(path)


def test_the_environment_overrides_the_password_file_and_repr_hides_it(tmp_path: Path) -> None:
    address = parse_broker_url("mqtt://club@host")
    broker = load_broker(address, tmp_path / "missing", None, {PASSWORD_VARIABLE: "s3cret"})
    assert broker.password == "s3cret"
    assert "s3cret" not in repr(broker)
    with pytest.raises(BadBroker, match="cannot read the password file"):
        load_broker(address, tmp_path / "missing", None, {})
    with pytest.raises(BadBroker, match="for which user"):
        load_broker(parse_broker_url("mqtt://host"), None, None, {PASSWORD_VARIABLE: "s3cret"})


def test_a_ca_file_needs_tls_and_must_exist(tmp_path: Path) -> None:
    ca = tmp_path / "ca.pem"
    with pytest.raises(BadBroker, match="a CA file is for TLS"):
        load_broker(parse_broker_url("mqtt://host"), None, ca, {})
    with pytest.raises(BadBroker, match="there is no CA file"):
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
    ("lines", "complaint"),
    [
        ("  brocker: mqtt://host", r"event.brocker: unknown key, did you mean 'broker'\?"),
        ("  broker: ftp://host", r"event.broker: broker 'ftp://host': unknown kind"),
        ("  broker: mqtt://a:s3cret@host", r"event.broker: .*does not belong in a URL"),
        ("  password: s3cret", r"event.password: a password does not belong in this file"),
        ("  password_file: x", r"event.password_file: there is no broker"),
        ("  broker: mqtt://h\n  ca_file: x", r"event.ca_file: only a broker with TLS"),
        ("  table: 0", r"event.table: got '0', want a whole number from 1 to 9999"),
    ],
)
def test_an_error_names_its_line(lines: str, complaint: str) -> None:
    with pytest.raises(BadConfig, match=rf"mine.yaml:\d+: {complaint}") as caught:
        read_board(f"{BOARD}event:\n{lines}\n", "mine.yaml")
    assert "s3cret" not in str(caught.value)
