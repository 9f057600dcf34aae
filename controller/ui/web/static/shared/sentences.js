// All sentences of the pages, with named slots, and the texts of sentences of the page protocol: the one
// place for a translation. Labels stay in the HTML and with their buttons.

const SENTENCES = {
  and: "{first} and {second}",
  or: "{first} or {second}",
  minutes: "{count} min",
  seconds: "{count} s",

  // connection and login
  connecting: "connecting",
  connection_lost: "the connection was lost",
  game_silent: "the game does not answer",
  log_in_first: "log in with the PIN first",
  login_failed: "login failed: try again",
  no_connection: "no connection",
  no_connection_to_table: "no connection to the table: trying again",
  no_messages: "no messages from the table",
  not_connected: "not connected: try again in a moment",
  stale: "{trouble}. What you see may be old.",

  // the game
  appears_soon: "The game appears here soon",
  asks_take_back: "{player} would like to take back a turn.",
  captured: "captured {cells}",
  computer_level: "computer, level {level}",
  delayed: "{delay} later",
  delayed_without_camera: "You see this game {delay} later. The camera is for the players and the referee.",
  draw_because: "a draw: {reason}",
  game_is_drawn: "The game is drawn",
  give_up: "Give up {puzzle}?",
  offers_draw: "{player} offers a draw.",
  one_piece: "{count} piece",
  one_turn: "{count} turn",
  pieces: "{count} pieces",
  place_in_tournament: "{event} · round {round} · table {table}",
  resign: "Resign this game?",
  turns: "{count} turns",
  type_moves: "type {examples}",
  wins: "{player} wins",
  wins_because: "{player} wins: {reason}",

  // the clock of a new game
  clock_bronstein: "{time}, {more} given back (Bronstein)",
  clock_delay: "{time}, {more} delay before it runs",
  clock_increment: "{time}, {more} more for each move",
  clock_per_move: "{time} for each move",

  // pieces and cells
  can_go_here: "can go here: {move}",
  cannot_go: "{start} cannot go to {end}",
  cannot_turn_left: "{cell} cannot be turned left",
  cannot_turn_right: "{cell} cannot be turned right",
  cell_empty: "{cell} is empty: choose a piece of {players}",
  cell_of_other: "{cell} is {player}'s",
  choose_move: "which is meant, on {cell}?",
  make_move_on_board: "make the move on the board, then fire",
  nothing_on_cell: "nothing stands on {cell}",
  nothing_to_do: "nothing can be done with {cell} now",
  picked_up: "{kind} {cell} is picked up",
  piece: "{player} {kind}",
  piece_crooked: "{piece}, crooked",
  piece_facing: "{piece} facing {directions}",
  piece_points_left: "{piece}, {count} hit points left",

  // camera, LEDs and presentation
  corner: "{corner} corner: move it with the arrow keys",
  lights_off: "all lights are off",
  lights_on: "{lit} of {total} lights are on",
  no_image: "there is no image",
  old_image: "an old image: {seconds} s ago",

  // replay and analysis
  accurate: "{percent} % accurate",
  ahead: "{player} ahead",
  beginning: "The beginning.",
  better: "better: {turn}",
  better_shown: "Better: {turn}.",
  link_copied: "The link is copied",
  no_mistakes: "no slips, no mistakes",
  nothing_played: "Nothing was played yet.",
  turn: "turn {turn}",
  turn_evaluated: "turn {turn}, {score}, {verdict}",
  turn_of: "turn {turn} of {total}",

  // the referee, for players and on the console
  agree_for: "Agree for {player}",
  agrees: "{player} agrees",
  confirmations: "{parts}.",
  new_proposal: "New proposal: {proposals}",
  no_referee: "This game is played without a referee.",
  not_referee: "Only the referee rules: open the console with the address that the terminal shows.",
  referee_decides: "The referee decides: {proposals}",
  referee_stopped: "the referee has stopped the game",
  result_final: "{outcome}: {reason}. It is final even without both players' confirmation.",
  result_stands: "The result stands.",
  resume_later: "Play cannot continue before that",
  waits_for: "it waits for {names}",

  // proposals and score sheet
  accept: "Accept: {effect}.",
  dismiss: "Dismiss: {effect}.",
  entry: "entry {number}",
  entry_title: "{kind}, entry {number}: {text}",
  no_longer_counts: "no longer counts: entry {number}",
  nothing_open: "Nothing is open.",
  nothing_open_yet: "Nothing is open. Incidents that need a ruling appear here, with their images.",
  play_on_board: "on a board; what the camera read is ignored",
  table_after: "The table after",
  table_before: "The table before",
  turn_is_played: "this turn is played, and its laser fires",
  turn_will_be_played: "{turn}: this turn is played, and its laser fires.",

  // rulings without a proposal
  clock_input: "{player}, as 4:30 or 1:04:30",
  conduct: "conduct",
  game_lost: "the game is lost",
  gets_time: "{player} gets {time}",
  has_time: "{player} has {time}",
  illegal_moves: "Illegal moves so far: {counts}. The next one: {penalties}.",
  move_overridden: "{moves}. What the camera read is ignored, and the laser fires at once.",
  no_clocks: "this game is played without clocks: there is none to set",
  no_turn: "no turn was played yet",
  note_recorded: "In the record: “{note}”. It cannot be removed.",
  penalised: "{player} is penalised for {reason}: {penalty}.",
  plays: "{player} plays {cell} {move}",
  position_corrected: "The board stands like this now. The players set the pieces up like this.",
  position_corrected_with_mover: "The board stands like this now, and {player} is to move. The players set the pieces up like this; repetitions and turns without a capture are counted from here.",
  result_declared: "{outcome}: {reason}.",
  result_option: "{outcome} ({result})",
  result_replaced: "{outcome}: {reason}. The result so far no longer counts; it stays in the record.",
  result_so_far: "So far: {result}, {reason}.",
  turns_taken_back: "These turns no longer count: {turns}. Clocks stay as they are.",
  warning: "a warning",

  // boards of the console
  of_most: "of {most}",
  piece_held: "{piece} on {cell}: drag it, touch where it stands, or turn it.",
  points_of: "{points} of {most}",
  put_on_board: "Put on the board: {piece}",
  spare_count: "{piece}, {count} of them",
  spare_points: "{piece}, {points} hit points",
  touch_or_drag: "Touch or drag a piece.",
  touch_piece_of: "Touch a piece of {players}.",
  touch_target: "Touch where it goes, or turn it.",
  touch_where: "Touch where the {kind} of {player} stands.",

  // the tournament
  after_turn: "{game}, after turn {turn}",
  age: "{age} ago",
  as_it_begins: "{game}, as it begins",
  board_freshness: "table {table} is {freshness}",
  boards: "{count} boards",
  broker: "Broker: {trouble}",
  console_of_table: "Referee's console of table {table}",
  game_finished: "{count} game finished",
  games_finished: "{count} games finished",
  games_played: "{played} of {total} played",
  last_turn: "turn {number}: {turn}",
  no_tournament: "No connection to the tournament: trying again. What is shown is old.",
  no_turn_yet: "no turn yet",
  not_reported: "not heard yet",
  not_understood: "{count} messages were not understood; the last: {reason}",
  nothing_known: "nothing is known of its game yet",
  one_board: "{count} board",
  open_table: "Open table {table}",
  points: "A win is 1 point, a draw ½; {tie_breaks}.",
  reported: "heard {age} ago",
  round: "round {number}",
  round_result: "round {round}, table {table}: {first} {result} {second}",
  table: "table {number}",
  tournament: "{event}: tournament",
};

/** One and several of each verdict. */
export const VERDICTS = {
  slip: ["slip", "slips"],
  mistake: ["mistake", "mistakes"],
  blunder: ["blunder", "blunders"],
  "missed win": ["missed win", "missed wins"],
};

/** The text of a sentence of this file. A slot is a text, a number, or a sentence of the page protocol. */
export function writeSentence(name, slots = {}) {
  return SENTENCES[name].replace(/\{(\w+)\}/g, (_, slot) => {
    if (!(slot in slots)) throw new Error(`${name} needs the slot ${slot}`);
    return typeof slots[slot] === "number" ? String(slots[slot]) : sentenceText(slots[slot]);
  });
}

/** `blue and red`, `blue or red` */
export const joinAnd = ([first, ...others]) => others.reduce((before, second) => writeSentence("and", { first: before, second }), sentenceText(first));
export const joinOr = ([first, ...others]) => others.reduce((before, second) => writeSentence("or", { first: before, second }), sentenceText(first));

/** The text of a sentence of the page protocol, `{key, slots, text}`; "" for null. A text stays as it is. */
export const sentenceText = (sentence) => (typeof sentence === "string" ? sentence : (sentence?.text ?? ""));
