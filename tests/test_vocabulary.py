"""The terms of the code and its tests: names that were replaced stay replaced, module by module.

Old file formats keep their words: those are strings, and only identifiers are checked.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.ui.web.commands import BadCommand, parse_command
from controller.ui.web.sentences import UNKNOWN_COMMAND
from tests.support.architecture import dotted, identifiers, parse, parsed_tree, tokens, words_of
from tests.support.engine.sentences import raises
from tests.support.paths import ROOT

# Replaced everywhere: no class or function has these names any more.
REPLACED = [
    "Affairs", "Ailment", "Asked", "Attendant", "Attending", "BadLaw", "Befall", "Befalls",
    "Company", "Darkroom", "Deed", "Demands", "Desk", "Doors", "Duel", "Examination", "Eyes",
    "Figure", "Finish", "Flow", "Front", "Furniture", "Gallery", "Glances", "Glimpse", "Habits",
    "Hall", "Happening", "Hearing", "Herald", "Hosted", "InTime", "JumpyClock", "Keeping",
    "Laws", "Ledger", "LiveRoom", "Lobby", "Looking", "Matter", "MqttHerald", "News", "Parcels",
    "Past", "Photograph", "Photographed", "Pointed", "RealRoom", "Served", "Shove", "Sights",
    "SimulatedRoom", "Sitting", "Snatch", "Steady", "Stepped", "SteppedRoom", "SwitchOff",
    "Telling", "Twist", "Visitor", "Walk", "Watching", "Wish", "WornDisk", "going_on", "happens",
    "PictureOptions", "read_pictures", "update_facing", "warp_to_picture",
    "LightShowRig", "PlayAgain", "PutBackCommand", "mind", "shine", "spell", "switch_on",
]  # fmt: skip

# Replaced everywhere, also as arguments, local names and attributes.
REPLACED_IDENTIFIERS = {
    *("matter_of", "parting_ms", "told_ms", "rested_ms", "begun_ms", "seen_ms", "beneath"),
    *("awaited", "thinkers", "next_beat", "startles", "blinked", "judge", "judging", "judged"),
    *("judgement", "moods", "mining", "duels", "law", "laws", "befalls", "glances", "herald"),
    *("CONFIRMING", "mismatch_since_ms", "lives", "_surviving_defects", "look_empty_as_before"),
    *("last_facing", "takes_photos", "table_photo"),
    *("beat", "blind", "chance", "die", "goodbye", "habits", "heard", "resumes", "rude", "sit"),
    "tear",
}

# Replaced in the tests as variables, arguments and functions: `agreed` for a `GameSetup` or
# `MatchTerms`, `walk` for `CalibrationSteps`.
REPLACED_IN_TESTS = {"agreed", "walk"}

# Replaced in one module, because the name has a plain meaning elsewhere.
REPLACED_IN_MODULE = {
    "controller.benchmarks.latency": "Bench Way",
    "controller.benchmarks.leds": "Bench",
    "controller.benchmarks.startup": "Bench Start",
    "controller.benchmarks.vision": "Bench",
    "controller.benchmarks.web": "Bench",
    "controller.builder.doctor.run": "Bench",
    "controller.computer.match.game": "Played",
    "controller.computer.protocol": "Said whole",
    "controller.config.addresses.url": "choice number whole word",
    "controller.devices.bench.pty_board": "Board",
    "controller.devices.camera.board_reader": "Sight rest",
    "controller.devices.journal_file": "head",
    "controller.devices.null": "rest",
    "controller.lighting.animation.led_positions": "spots",
    "controller.lighting.renderer": "Film Lights",
    "controller.lighting.scenes": "Layer Scene",
    "controller.ports.devices": "head",
    "controller.ports.frames": "rest",
    "controller.ports.world": "away latched",
    "controller.session.effects": "Fire Say Tell",
    "controller.session.events": "Shown",
    "controller.session.move_options": "Way lying ways",
    "controller.session.replay": "Played Torn",
    "controller.session.journal": "head pluralise",
    "controller.session.setup": "Goal Occasion Start",
    "controller.session.state": "board known movers past people",
    "controller.session.turns": "shown",
    "controller.storage.export.verify": "head",
    "controller.table.loop": "Pace rest",
    "controller.table.plan": "Plan agreed unfinished",
    "controller.tournament.boards": "Board",
    "controller.tournament.local_results": "past",
    "controller.tournament.messages": "head",
    "controller.tournament.payloads": "head",
    "controller.tournament.views": "shown",
    "controller.ui.hosting.participants": "company",
    "controller.ui.intents": "Want",
    "controller.ui.terminal.player_screen": "front seated",
    "controller.ui.web.commands": "Stand Want",
    "controller.ui.web.game_view": "Moment Said head",
    "controller.ui.web.request_guard": "Gate",
    "engine.board": "quiet",
    "engine.evaluation": "Judgement",
    "engine.laser_chess.pieces": "KILL NOTHING",
    "engine.puzzle_finder": "Stand",
    "engine.strict_json": "items whole",
    "engine.turn_based": "quiet",
    "vision.cell_history": "Memory bare doubted missed owed stood",
    "vision.occupancy": "OTHER_LIGHT SAME_LIGHT SMOOTH SMOOTH_BELOW",
    "vision.settling": "_sure",
    "vision.stray_tags": "BESIDE IN_CELL SAME_PIECE TOWARDS",
}

# Folders and modules of version 0.1 whose names were replaced, by folder.
REPLACED_FOLDERS = [
    "controller/bench", "controller/bodies", "controller/building", "controller/calibrating",
    "controller/doctor", "controller/exports", "controller/flow", "controller/hall",
    "controller/light", "controller/manual", "controller/matches", "controller/sheets",
    "controller/simulated", "controller/terminal", "controller/tuning", "controller/web",
    "controller/wiring",
]  # fmt: skip
REPLACED_MODULES = {
    "controller": "address affairs agreement beginning broker_address button_settings"
    " camera_address clocks config engine_lines engine_protocol event_settings evidence"
    " evidence_drawing evidence_picture evidence_store finish game_store goals guide guide_light"
    " hosting journal judging laws layout led_address led_picture led_settings led_strips"
    " legal_targets lights loop picture_quality pictures play_settings played player_process ports"
    " ports_event ports_keys ports_service press program_address puzzling reason_words record_file"
    " referee_settings resume room rulings session session_values showing sight spoken"
    " starting_file tabletop thinking_time watching yaml_tree",
    "controller/cli": "agreed analysing calibrate_walk chaos company console event front hall"
    " kept_game live look match_records page paper ports positions print_board print_rules"
    " print_tags printing puzzle_book puzzles_make service spectator table",
    "controller/devices": "bare blind camera camera_files camera_first camera_list camera_pi"
    " camera_usb character_mode evidence_keeper eyes faults herald leds leds_adalight leds_ddp"
    " leds_local leds_port leds_serial leds_sim leds_spi native_firmware openscad player raw_keys"
    " remote_player result_file speaker speech stopwatch supervisor table wire world worn_disk",
    "engine": "arena codes duels judging mining openings primer reasons",
    "engine/*": "compiled judgement primer",
    "engine/native": "thinking",
    "engine/record": "judged sections",
    "engine/spaceships": "duel",
    "vision": "cut drift empty memory outlines pose sighted solving steady strays view",
    "vision/scene": "bodies picture planes staging",
}

# Replaced in the page protocol. Requests may have such a name as their value.
REPLACED_COMMANDS = ["arrange", "befall", "put right", "rule", "try", "want", "wish"]
REPLACED_KEYS = {
    *("arrange", "befall", "beneath", "ground", "ledger", "may", "put right", "rule", "said"),
    *("things", "told", "try", "want", "ways", "wish"),
}

# The new terms, and where they are defined.
TERMS = {
    "controller.builder.calibration.steps": "CalibrationSteps",
    "controller.builder.doctor.problems": "KnownProblem",
    "controller.builder.doctor.run": "DoctorOptions DoctorRun",
    "controller.devices.camera.board_reader": "FrameReader PolledReader ThreadedReader",
    "controller.devices.clock": "JumpingClock",
    "controller.devices.simulated.faulty_disk": "FaultyDisk",
    "controller.devices.worker": "Worker",
    "controller.lighting.animation.cell_patterns": "CellPattern",
    "controller.lighting.output": "OutputStage for_settings",
    "controller.lighting.renderer": "LightRenderer ScreenRenderer",
    "controller.lighting.scenes": "LightLayer LightScene SceneSequence",
    "controller.ports.frames": "BoardReader CapturedFrame Observed",
    "controller.ports.keyboard": "Keys",
    "controller.ports.supervisor": "Supervisor",
    "controller.session.effects": "Announce CaptureEvidence Done PlaySignal Refuse ShowBeams",
    "controller.session.events": "BeamsShown Request Requested Ruled",
    "controller.session.evidence": "EvidenceCaptured",
    "controller.session.hand_actions": "Carry HandAction Rotate Swap",
    "controller.session.move_options": "MoveOption SquareInput unfired_turn",
    "controller.session.referee.policy": "BadPolicies Incident Policy RefereePolicies",
    "controller.session.referee.state": "Proposal RefereeState",
    "controller.session.replay": "ReplayedGame",
    "controller.session.setup": "GameSetup PuzzleGoal TournamentEntry",
    "controller.session.state": "ComputerState PauseState PendingWrites PlayedTurn PuzzleState"
    " Session TablePreferences TableReading TurnInProgress",
    "controller.simulation.hand_operator": "HandOperator",
    "controller.simulation.rig": "LiveSimulatedRig SteppedSimulatedRig",
    "controller.simulation.rough_actions": "Push TakeOff",
    "controller.simulation.stepped_time": "SteppedTime",
    "controller.table.loop": "Loop Pacing Publisher RealTime",
    "controller.table.next_game": "NewGame ScheduledGame",
    "controller.table.plan": "GamePlan JournalOpener find_unfinished load_resumable plan_game",
    "controller.table.rig": "LedOnlyRig RealRig TableSpec",
    "controller.tournament.publisher": "MqttPublisher",
    "controller.tournament.subscriber": "ChangeFeed TournamentSubscriber",
    "controller.ui.hosting.participants": "Participants",
    "controller.ui.hosting.game_options": "EventOptions GameOptions",
    "controller.ui.hosting.simulated_games": "SimulationOptions",
    "controller.ui.intents": "PutBack",
    "controller.ui.position_options": "PositionOptions",
    "controller.ui.terminal.player_screen": "PlayerScreen open_player_screen",
    "controller.ui.web.auth": "Auth",
    "controller.ui.web.base_app": "BaseApp",
    "controller.ui.web.bridge": "GameBridge MessageLog",
    "controller.ui.web.camera_view": "CameraImageCache CameraView",
    "controller.ui.web.game_view": "GameSummary GameView Message",
    "controller.ui.web.http_server": "ThreadedServer",
    "controller.ui.web.permissions": "User",
    "controller.ui.web.referee_routes": "RefereeRoutes",
    "controller.ui.web.request_guard": "RequestGuard",
    "controller.ui.web.state_diff": "StateDiff",
    "controller.ui.web.viewer_routes": "ViewerRoutes",
    "engine.evaluation": "Evaluation",
    "engine.matrix_game": "SimultaneousGame",
    "engine.puzzle_finder": "PuzzleCandidate",
    "engine.sentences": "Catalogue Sentence Template pluralise",
    "vision.cell_history": "CellHistory",
    "vision.infer": "InferenceThresholds",
    "vision.occupancy": "UnreadCells",
    "vision.settling": "SettleDetector",
}


def defined(module: ast.Module) -> set[str]:
    """Classes, functions, methods, fields and module-level names."""
    names = set()
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    for node in module.body:
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


@pytest.fixture(scope="module")
def modules() -> dict[Path, ast.Module]:
    """The modules of the product and of its tests, by path."""
    paths = sorted((ROOT / "tests").rglob("*.py"))
    tests = {path.relative_to(ROOT): parse(path.read_text("utf-8")) for path in paths}
    return parsed_tree(ROOT).modules | tests


@pytest.fixture(scope="module")
def defined_names(modules: dict[Path, ast.Module]) -> dict[str, set[str]]:
    """Names that each module defines, by module."""
    return {dotted(path): defined(module) for path, module in modules.items()}


def test_replaced_names_are_defined_nowhere(defined_names: dict[str, set[str]]) -> None:
    found = {module: names & set(REPLACED) for module, names in defined_names.items()}
    assert {module: names for module, names in found.items() if names} == {}


def test_replaced_identifiers_are_used_nowhere(modules: dict[Path, ast.Module]) -> None:
    assert [
        f"{path}:{line}: {name}"
        for path, module in modules.items()
        for line, name in identifiers(module)
        if name in REPLACED_IDENTIFIERS
    ] == []


def replaced_in_javascript(path: Path) -> list[str]:
    """Names with a replaced word. Word by word: keys of sentences are joined, as `turn_judged`."""
    return [
        f"{path.name}:{line}: {name}"
        for line, name in tokens(path, path.read_text("utf-8"))
        if words_of(name) & REPLACED_IDENTIFIERS
    ]


def test_replaced_identifiers_are_used_in_no_javascript() -> None:
    folders = (ROOT / "controller", ROOT / "examples", ROOT / "tests")
    paths = [path for folder in folders for path in folder.rglob("*.*js")]
    assert {".js", ".mjs"} <= {path.suffix for path in paths}
    assert [found for path in paths for found in replaced_in_javascript(path)] == []


@pytest.mark.parametrize("name", ["a.js", "a.mjs"])
@pytest.mark.parametrize("text", ["let judged = 1;", "f(turn_judged);", "x = { lawOf: 1 };"])
def test_a_replaced_identifier_is_found_in_javascript(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert len(replaced_in_javascript(tmp_path / name)) == 1


def own_names(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Variables, arguments and functions, with their lines. `ast.walk` is an attribute."""
    for node in ast.walk(module):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield node.lineno, name
            case ast.FunctionDef(name=name):
                yield node.lineno, name


def test_names_replaced_in_tests_are_used_in_no_test(modules: dict[Path, ast.Module]) -> None:
    assert [
        f"{path}:{line}: {name}"
        for path, module in modules.items()
        if path.parts[0] == "tests"
        for line, name in own_names(module)
        if name in REPLACED_IN_TESTS
    ] == []


@pytest.mark.parametrize(
    "text", ["walk = 1", "def walk(): ...", "f(agreed=1)", "def f(agreed): ...", "walk.is_good"]
)
def test_a_name_replaced_in_tests_is_found(text: str) -> None:
    assert {name for _, name in own_names(ast.parse(text))} & REPLACED_IN_TESTS


def test_the_walk_of_the_library_is_allowed() -> None:
    assert not {name for _, name in own_names(ast.parse("ast.walk(tree)"))} & REPLACED_IN_TESTS


def test_names_replaced_in_a_module_are_not_defined_there(
    defined_names: dict[str, set[str]],
) -> None:
    for module, names in REPLACED_IN_MODULE.items():
        assert defined_names[module] & set(names.split()) == set(), module


def test_terms_are_defined_in_their_modules(defined_names: dict[str, set[str]]) -> None:
    for module, names in TERMS.items():
        assert set(names.split()) - defined_names[module] == set(), module


def replaced_paths(root: Path) -> list[Path]:
    folders = [root / folder for folder in REPLACED_FOLDERS if any((root / folder).glob("**/*.py"))]
    return folders + [
        path
        for folder, names in REPLACED_MODULES.items()
        for name in names.split()
        for path in root.glob(f"{folder}/{name}.py")
    ]


def test_no_module_has_the_path_of_a_replaced_one() -> None:
    assert replaced_paths(ROOT) == []


@pytest.mark.parametrize(
    "path", ["controller/web/app.py", "controller/laws.py", "engine/photon/primer.py"]
)
def test_a_replaced_path_is_found(path: str, tmp_path: Path) -> None:
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).touch()
    assert len(replaced_paths(tmp_path)) == 1


@pytest.mark.parametrize("name", REPLACED_COMMANDS)
def test_no_command_of_the_page_has_a_replaced_name(name: str) -> None:
    with raises(BadCommand, UNKNOWN_COMMAND):
        parse_command({"id": 1, "do": name})


def page_keys(module: ast.Module) -> set[str]:
    """The keys of JSON objects that a module writes, and the parts of the page's state."""
    keys: list[ast.expr | None] = []
    for node in ast.walk(module):
        if isinstance(node, ast.Dict):
            keys += node.keys
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "self._update_part":
            keys.append(node.args[0])
    values = {key.value for key in keys if isinstance(key, ast.Constant)}
    return {value for value in values if isinstance(value, str)}


def test_no_part_of_the_page_has_a_replaced_name(modules: dict[Path, ast.Module]) -> None:
    keys = {
        path: page_keys(module)
        for path, module in modules.items()
        if path.is_relative_to("controller/ui/web")
    }
    assert {"legal_moves", "permissions"} <= set().union(*keys.values())
    found = {path: names & REPLACED_KEYS for path, names in keys.items()}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize("text", ["f({'may': [1]})", "self._update_part('ways', (), (), f)"])
def test_a_replaced_key_of_the_page_is_found(text: str) -> None:
    assert page_keys(ast.parse(text)) & REPLACED_KEYS
