"""Replays and converts the games of a record file."""

from __future__ import annotations

from controller.storage.sentences import counted
from controller.ui.commands import sentences
from controller.ui.commands.record_files import RecordReader, same_file, turn_sentence
from controller.ui.console import BadInput, Console, make_folder, printable_name, write_file
from controller.ui.terminal import render_board
from engine.draw import position_svg, turn_svg
from engine.game import AnyTurn
from engine.record import Record, RecordForm, Unwritable, detect_form, play, write_record

PROGRESS_EVERY = 1000


def replay_records(name: str, svg_folder: str | None, console: Console) -> int:
    """Print every game of a file, and draw its turns into a folder; the exit status."""
    file = RecordReader(name, console)
    for number, record in file.games():
        turns = list(play(record))
        if svg_folder is not None:
            folder = f"{svg_folder}/game-{number:04}"
            _draw(record, turns, folder, console)
            drawings = counted(len(turns) + 1, sentences.ONE_DRAWING, sentences.DRAWINGS)
            console.note(sentences.DRAWN_INTO(drawings=drawings, folder=printable_name(folder)))
        _print_game(record, number, turns, console)
    return file.status


def _print_game(record: Record, number: int, turns: list[AnyTurn], console: Console) -> None:
    game = record.rules()
    names = [record.tag(name.capitalize(), name) for name in game.players]
    start = record.setup or (
        sentences.OWN_POSITION() if record.start else sentences.FROM_SEED(seed=str(record.seed))
    )
    console.print(
        sentences.RECORDED_GAME(
            number=number, players=" - ".join(names), game=game.title, start=start
        )
    )
    last = record.first_position()
    for i, (turn, entry) in enumerate(zip(turns, record.turns, strict=True), start=1):
        console.print(f"{i:4}. {turn_sentence(game, turn)}")
        last = turn.after
        if entry.corrected is not None:
            console.print(f"      {sentences.CORRECTED(position=entry.corrected)}")
            last = game.read_position(entry.corrected)
    console.print_picture(render_board(game, last, colour=console.colour))
    ended = game.outcome(last)
    reason = record.tag("Termination")
    console.print(str(ended) if ended else f"{record.result} {reason}".rstrip())


def _draw(record: Record, turns: list[AnyTurn], folder: str, console: Console) -> None:
    game = record.rules()
    make_folder(folder)
    write_file(f"{folder}/000.svg", position_svg(game, record.first_position()), console)
    for i, turn in enumerate(turns, start=1):
        write_file(f"{folder}/{i:03}.svg", turn_svg(game, turn), console)


def convert_records(name: str, to: RecordForm | None, output: str | None, console: Console) -> int:
    """Convert the games of a file (None: to the other form); the exit status."""
    file = RecordReader(name, console)
    form: RecordForm = to or ("json" if detect_form(file.text) == "text" else "text")
    converted = []
    for number, record in file.games():
        try:
            converted.append(write_record(record, form))
        except Unwritable as error:
            reason = sentences.CONVERT_TO_JSON(reason=error.sentence)
            file.report(printable_name(name), number, reason)
        if number % PROGRESS_EVERY == 0 and console.size is not None:
            console.note(sentences.GAMES(count=number))
    if output is not None and file.broken and same_file(name, output):
        raise BadInput(sentences.BROKEN_GAMES_LOST(name=printable_name(output)))
    text = ("\n" if form == "text" else "").join(converted)
    write_file(output or "-", text, console)
    return file.status
