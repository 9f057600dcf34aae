"""Shows a tournament until Ctrl-C or once, and sends the results of this computer again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.config.addresses.broker import Broker
from controller.config.board_file import load_board_file
from controller.config.board_names import own_board_path
from controller.devices.factory.clocks import today_ordinal
from controller.session.sentences import join_and
from controller.storage.games import games_folder
from controller.tournament import sentences
from controller.tournament.connect import BrokerOptions, listen, open_results_file, send_results
from controller.tournament.local_results import read_local_results
from controller.tournament.messages import UNFINISHED
from controller.tournament.pairings import read_players
from controller.tournament.subscriber import ChangeFeed, TournamentSubscriber
from controller.tournament.topics import event_filter, read_event_name
from controller.tournament.views import tournament_json, tournament_text
from controller.tournament.web_page import TournamentPage
from controller.ui.console import BadInput, Console, read_file
from controller.ui.hosting.page import address_for_others
from controller.ui.web.auth import new_key, new_pin
from controller.ui.web.auth_store import auth_store_path
from controller.ui.web.page_server import PageSettings
from engine.sentences import Sentence

POLL_MS = 250.0
CONNECT_TIMEOUT_MS = 6_000.0  # with `--once`
LISTEN_MS = 1_600.0  # longer than the interval of the boards' heartbeats
SEND_TIMEOUT_MS = 15_000.0


@dataclass(frozen=True, slots=True)
class TournamentOptions:
    """Options of `laserboard tournament`: event, broker, players; print once or serve a page."""

    event: str
    broker: BrokerOptions
    players_file: str | None = None  # None: no pairings
    once: bool = False
    json: bool = False  # once, as JSON
    lan: bool = False
    port: int | None = None  # None: the usual port, or any free one


def show_tournament(options: TournamentOptions, console: Console) -> int:
    """Listen to the broker; print the state once, or serve the page until Ctrl-C."""
    event, clock = read_event_name(options.event), console.clock
    broker = _load_broker(options.broker)
    players: tuple[str, ...] = ()
    if options.players_file is not None:
        players = read_players(read_file(options.players_file), options.players_file)
    subscriber = TournamentSubscriber(
        event, players, str(broker.address), clock, open_results_file(event, clock)
    )
    stop = listen(
        broker, clock, event_filter(event), subscriber.on_message, subscriber.on_connection_change
    )
    try:
        if options.once or options.json:
            return _print_once(options, console, subscriber)
        return _serve(options, console, subscriber)
    finally:
        stop()
        subscriber.close()


def _load_broker(choice: BrokerOptions) -> Broker:
    """The broker that is named, else that of the user's own board file."""
    own = own_board_path()
    broker = choice.load(None if own is None else load_board_file(own))
    if broker is None:
        raise BadInput(sentences.NO_BROKER_NAMED())
    return broker


def _print_once(
    options: TournamentOptions, console: Console, subscriber: TournamentSubscriber
) -> int:
    """Print the state; without a connection, the state on disk."""
    clock = console.clock
    end_ms = clock.now_ms() + CONNECT_TIMEOUT_MS
    while subscriber.view().trouble != "" and clock.now_ms() < end_ms:
        if subscriber.view().trouble:  # `--once` does not wait for the next try
            break
        clock.wait_ms(POLL_MS / 5)
    if subscriber.view().trouble == "":
        clock.wait_ms(LISTEN_MS)
    view, now_ms = subscriber.view(), clock.now_ms()
    if options.json:
        console.print(json.dumps(tournament_json(view, now_ms), indent=2, ensure_ascii=False))
    else:
        console.print(tournament_text(view, now_ms))
    for remark in subscriber.remarks():
        console.note(f"laserboard: {remark}")
    if view.trouble == "":
        return 0
    console.note(f"laserboard: {view.trouble or sentences.BROKER_SILENT()}")
    return 1


def _serve(options: TournamentOptions, console: Console, subscriber: TournamentSubscriber) -> int:
    """Serve the page until Ctrl-C."""
    pin = new_pin() if options.lan else None
    # `hall` is the name of version 0.1.
    login_store = auth_store_path().parent.parent / "hall" / "entered.json"
    page = TournamentPage(
        PageSettings(new_key(), options.port, pin, today_ordinal(), login_store),
        console.clock,
        subscriber,
    )
    try:
        console.print(sentences.TOURNAMENT_ADDRESS(url=page.address))
        if pin is not None:
            console.print(address_for_others(page, pin))
        feed = ChangeFeed()
        while True:
            for line in (
                *subscriber.remarks(),
                *feed.changes(subscriber.view(), console.clock.now_ms()),
            ):
                console.print(line)
            console.out.flush()
            console.clock.wait_ms(POLL_MS)
    finally:
        page.close()


def publish_results(event_name: str, choice: BrokerOptions, console: Console) -> int:
    """Send the results of this computer's games of an event."""
    event, broker = read_event_name(event_name), _load_broker(choice)
    bodies = list(read_local_results(games_folder(), event))
    if not bodies:
        raise BadInput(sentences.NO_RESULTS_STORED(event=event, folder=str(games_folder())))
    trouble = send_results(broker, console.clock, bodies, SEND_TIMEOUT_MS)
    if trouble is not None:
        raise BadInput(trouble)
    template = sentences.ONE_RESULT_SENT if len(bodies) == 1 else sentences.RESULTS_SENT
    console.print(template(count=len(bodies), event=event))
    for body in bodies:
        reason = _open_reason(body)
        if reason is not None:
            console.print(
                sentences.OPEN_RESULT(round=body["round"], table=body["table"], reason=reason)
            )
    return 0


def _open_reason(body: Mapping[str, Any]) -> Sentence | None:
    """The reason why a result does not count yet; None if it counts."""
    if body["result"] == UNFINISHED:
        return sentences.RESULT_TAKEN_BACK()
    if not body["waits"]:
        return None
    return sentences.RESULT_AWAITS(result=body["result"], names=join_and(body["waits"]))
