"""`laserboard tune`: the computer learns by playing itself how positions are to be judged."""

from __future__ import annotations

import argparse
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.cli.command import Subcommands, add_command
from controller.cli.console import BadInput, Console, write_file
from controller.cli.positions import any_number, count_number
from controller.journal import count
from engine import games, native
from engine.turn_based import TurnBased

if TYPE_CHECKING:
    from controller.tuning.proof import Contest
    from controller.tuning.selfplay import SelfPlay
    from engine.judging import Judgement

GAMES, NODES, PROOF = 2000, 4000, 200


def add(commands: Subcommands) -> None:
    tune = add_command(
        commands,
        "tune",
        _tune,
        "learn by self-play how the computer judges positions",
        "  laserboard tune --folder tuning              an hour or two; again: it goes on\n"
        "  laserboard tune --folder tuning --games 40 --nodes 500 --proof 0   to look at it",
        "Games are played and kept in the folder, each by a seed of its own; then the numbers are "
        "fitted to how games ended, and the new ones play against those in use. The file that it "
        "writes goes into engine/data/judgement, with the run that it comes from.",
    )
    tune.add_argument("--folder", metavar="DIR", required=True, help="for games and the result")
    tune.add_argument("--game", metavar="NAME", help="which game (default: the first)")
    for name, default, what in (
        ("games", GAMES, "to learn from"),
        ("nodes", NODES, "positions to look at for a move"),
        ("jobs", 2, "games at once"),
    ):
        tune.add_argument(
            f"--{name}", metavar="N", type=count_number, default=default,
            help=f"{what} (default {default})",
        )  # fmt: skip
    tune.add_argument(
        "--proof", metavar="N", type=any_number, default=PROOF,
        help=f"games of new numbers against old (default {PROOF})",
    )  # fmt: skip
    tune.add_argument(
        "--seed", metavar="S", type=any_number, default=1, help="another number, other games"
    )


def _tune(args: argparse.Namespace, console: Console) -> int:
    from controller.tuning.selfplay import SelfPlay, kept_games

    game = games.make(args.game) if args.game else games.make()
    judgement = game.judgement() if isinstance(game, TurnBased) else None
    if judgement is None:
        raise BadInput(f"nothing of how {game.title} is judged can be learnt yet")
    if native.missing():
        raise BadInput(f"{native.missing()}; without it this would take weeks")
    folder = Path(args.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as bad:
        raise BadInput(f"cannot make {folder}: {bad.strerror or bad}") from None
    plan = SelfPlay(game.name, args.seed, args.nodes)
    # Games by other numbers are others, whatever the seed.
    played_by = sha256(repr(judgement.numbers()).encode()).hexdigest()[:8]
    file = folder / f"{game.name}-{args.seed}-{args.nodes}-{played_by}.jsonl"
    try:
        return _learn(args, console, plan, judgement, file)
    except KeyboardInterrupt:
        _tell_end(console)
        kept = count(len(kept_games(file)), "game is", "games are")
        console.note(f"stopped: {kept} kept in {file}, no numbers are written; again: it goes on")
        raise


def _learn(
    args: argparse.Namespace, console: Console, plan: SelfPlay, judgement: Judgement, file: Path
) -> int:
    from controller.tuning.fit import fit, lessons, loss
    from controller.tuning.selfplay import kept_games, play_games

    _play(args, console, play_games(plan, file, args.games, args.jobs), len(kept_games(file)))
    played = sorted(kept_games(file), key=lambda each: each.number)[: args.games]
    console.note("reading positions")
    given = lessons(plan.make(), judgement, played)
    if given.held_back.all():  # or there is none at all
        raise BadInput(f"no position to learn from in {file}: play more --games")
    before = judgement.numbers()
    surprise = loss(given, before, False), loss(given, before, True)
    told = f"{given.targets.size} positions of {count(len(played), 'game', 'games')}"
    console.print(f"{told}; surprise {_four(surprise[0])}, held back {_four(surprise[1])}")
    found = None
    for found in fit(judgement, given):
        console.print(f"  fitted: {_four(found.learnt)}, held back {_four(found.held_back)}")
    assert found is not None, "a fit has at least one step"
    if surprise[1] is None or found.held_back is None:
        console.note("nothing was held back: whether it holds for other games is not known")
    elif found.held_back > surprise[1]:
        console.note(
            f"at games that were held back, the surprise rose from {_four(surprise[1])} to "
            f"{_four(found.held_back)}: the new numbers are worse there; play more --games"
        )
    run: dict[str, Any] = {
        "by": "laserboard tune", "games": len(played), "positions": given.targets.size,
        "nodes": args.nodes, "seed": args.seed,
        "surprise": [each and round(each, 4) for each in (surprise[1], found.held_back)],
    }  # fmt: skip
    if args.proof > 0:
        from controller.tuning.proof import Contest

        run["proof"] = _prove(args, console, Contest(plan, found.numbers, tuple(before)))
    target = _free(file.with_name(judgement.file))
    write_file(str(target), judgement.write(found.numbers, run), console)
    console.print(f"written: {target}")
    return 0


def _four(surprise: float | None) -> str:
    return "-" if surprise is None else f"{surprise:.4f}"


def _free(path: Path) -> Path:
    """The name, with a number where an earlier run has written there."""
    free, number = path, 1
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def _play(args: argparse.Namespace, console: Console, playing: Any, known: int) -> None:
    if known:
        console.note(f"{count(known, 'game is', 'games are')} there already")
    start_ms = console.clock.now_ms()
    for n, _ in enumerate(playing, start=1):
        done, spent_s = known + n, (console.clock.now_ms() - start_ms) / 1000
        left_s = spent_s / n * (args.games - done)
        _tell(console, f"{done} of {args.games} games, {left_s / 60:.0f} min to go", n, 50)
    _tell_end(console)


def _prove(args: argparse.Namespace, console: Console, contest: Contest) -> str:
    from controller.matches.statistics import strength

    got: list[float] = []
    for points in contest.games(args.proof, args.jobs):
        got.append(points)
        _tell(console, f"against the old numbers: {sum(got):g} of {len(got)}", len(got), 50)
    _tell_end(console)
    said = f"{sum(got):g} of {len(got)} points against the numbers before"
    found = strength([sum(pair) for pair in zip(got[::2], got[1::2], strict=False)])
    if found is None:
        console.print(f"{said}: too few to tell")
        return said
    said += f", Elo {found.elo:+.0f} [{found.low:+.0f}, {found.high:+.0f}]"
    console.print(said + ("" if found.low > 0 else ": not shown to be better"))
    return said


def _tell(console: Console, line: str, n: int, every: int) -> None:
    """On a terminal always in the same line; else now and then."""
    if console.size:
        console.out.write(f"\r{line}\x1b[K")
        console.out.flush()
    elif n % every == 0:
        console.print(line)
        console.out.flush()


def _tell_end(console: Console) -> None:
    if console.size:
        console.out.write("\r\x1b[K")
