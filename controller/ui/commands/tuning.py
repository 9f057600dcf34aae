"""Tunes the computer's evaluation: self-play, fit, and a match against the old weights."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from controller.computer.match.statistics import estimate_elo
from controller.computer.tuning.fit import build_training_set, cross_entropy, fit_weights
from controller.computer.tuning.selfplay import SelfPlaySettings, load_games, play_games
from controller.computer.tuning.validation import ValidationMatch
from controller.storage.sentences import counted
from controller.ui.commands import sentences
from controller.ui.console import BadInput, Console, file_error, write_file
from controller.ui.sentences import CANNOT_MAKE
from engine import native
from engine.evaluation import Evaluation
from engine.game import AnyGame
from engine.sentences import Sentence
from engine.turn_based import TurnBased

PROGRESS_EVERY = 50  # games between two lines, without a terminal


@dataclass(frozen=True, slots=True)
class TuningOptions:
    """Options of `laserboard tune`: folder and number of games, search depth, validation games."""

    folder: str
    games: int
    nodes: int
    seed: int
    proof_games: int
    jobs: int


def run_tuning(game: AnyGame, options: TuningOptions, console: Console) -> int:
    """Play, fit, validate and write the new weights; the exit status."""
    evaluation = game.evaluation() if isinstance(game, TurnBased) else None
    if evaluation is None:
        raise BadInput(sentences.NOTHING_TO_TUNE(game=game.title))
    reason = native.missing_reason()
    if reason:
        raise BadInput(sentences.TUNING_TOO_SLOW(reason=reason))
    folder = Path(options.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_error(CANNOT_MAKE, str(folder), error) from error
    settings = SelfPlaySettings(game.name, options.seed, options.nodes)
    # The games also depend on the weights.
    weights_hash = sha256(repr(evaluation.parameters()).encode()).hexdigest()[:8]
    file = folder / f"{game.name}-{options.seed}-{options.nodes}-{weights_hash}.jsonl"
    try:
        return _tune(options, console, settings, evaluation, file)
    except KeyboardInterrupt:
        _end_progress(console)
        stored = len(load_games(file))
        template = sentences.TUNING_STOPPED_AT_ONE if stored == 1 else sentences.TUNING_STOPPED
        console.note(template(count=stored, file=str(file)))
        raise


def _tune(
    options: TuningOptions,
    console: Console,
    settings: SelfPlaySettings,
    evaluation: Evaluation,
    file: Path,
) -> int:
    games = play_games(settings, file, options.games, options.jobs)
    _play(options, console, games, len(load_games(file)))
    played = sorted(load_games(file), key=lambda each: each.number)[: options.games]
    console.note(sentences.READING_POSITIONS())
    training = build_training_set(settings.make_game(), evaluation, played)
    if training.is_validation.all():  # also true if there are no positions
        raise BadInput(sentences.NO_POSITIONS(file=str(file)))
    before = evaluation.parameters()
    loss = cross_entropy(training, before, False), cross_entropy(training, before, True)
    console.print(
        sentences.TUNING_START(
            positions=counted(training.targets.size, sentences.ONE_POSITION, sentences.POSITIONS),
            games=counted(len(played), sentences.ONE_GAME, sentences.GAMES),
            loss=_loss_text(loss[0]),
            held_back=_loss_text(loss[1]),
        )
    )
    fit = None
    for fit in fit_weights(evaluation, training):
        console.print(
            sentences.TUNING_FIT(
                loss=_loss_text(fit.training_loss), held_back=_loss_text(fit.validation_loss)
            )
        )
    assert fit is not None, "a fit has at least one step"
    if loss[1] is None or fit.validation_loss is None:
        console.note(sentences.NOTHING_HELD_BACK())
    elif fit.validation_loss > loss[1]:
        console.note(
            sentences.FIT_IS_WORSE(
                before=_loss_text(loss[1]), after=_loss_text(fit.validation_loss)
            )
        )
    run: dict[str, Any] = {
        "by": "laserboard tune", "games": len(played), "positions": training.targets.size,
        "nodes": options.nodes, "seed": options.seed,
        "surprise": [each and round(each, 4) for each in (loss[1], fit.validation_loss)],
    }  # fmt: skip
    if options.proof_games > 0:
        match = ValidationMatch(settings, fit.weights, tuple(before))
        run["proof"] = _validate(options, console, match)
    target = _unused_path(file.with_name(evaluation.file))
    write_file(str(target), evaluation.write(fit.weights, run), console)
    console.print(sentences.WEIGHTS_WRITTEN(name=str(target)))
    return 0


def _loss_text(loss: float | None) -> str:
    return "-" if loss is None else f"{loss:.4f}"


def _unused_path(path: Path) -> Path:
    """The path, with a number if an earlier run has written it."""
    free, number = path, 1
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def _play(options: TuningOptions, console: Console, playing: Iterable[object], known: int) -> None:
    if known:
        console.note(counted(known, sentences.ONE_GAME_THERE, sentences.GAMES_THERE))
    start_ms = console.clock.now_ms()
    for n, _ in enumerate(playing, start=1):
        done, spent_s = known + n, (console.clock.now_ms() - start_ms) / 1000
        left_s = spent_s / n * (options.games - done)
        played = sentences.GAMES_PLAYED(count=done, total=options.games)
        _print_progress(
            console, sentences.TIME_LEFT(progress=played, minutes=round(left_s / 60)), n
        )
    _end_progress(console)


def _validate(options: TuningOptions, console: Console, match: ValidationMatch) -> str:
    """Let the new weights play against the old ones; the result as text."""
    got: list[float] = []
    for points in match.games(options.proof_games, options.jobs):
        got.append(points)
        progress = sentences.VALIDATION_PROGRESS(points=float(sum(got)), games=len(got))
        _print_progress(console, progress, len(got))
    _end_progress(console)
    result = sentences.VALIDATION_POINTS(points=float(sum(got)), games=len(got))
    estimate = estimate_elo([sum(pair) for pair in zip(got[::2], got[1::2], strict=False)])
    if estimate is None:
        console.print(sentences.TOO_FEW_TO_TELL(result=result))
        return str(result)
    result = sentences.VALIDATION_ELO(
        result=result,
        elo=f"{estimate.elo:+.0f}",
        low=f"{estimate.low:+.0f}",
        high=f"{estimate.high:+.0f}",
    )
    console.print(result if estimate.low > 0 else sentences.NOT_SHOWN_BETTER(result=result))
    return str(result)


def _print_progress(console: Console, line: Sentence, n: int) -> None:
    """On a terminal in one line; else a line every 50 games."""
    if console.size:
        console.out.write(f"\r{line}\x1b[K")
        console.out.flush()
    elif n % PROGRESS_EVERY == 0:
        console.print(line)
        console.out.flush()


def _end_progress(console: Console) -> None:
    if console.size:
        console.out.write("\r\x1b[K")
