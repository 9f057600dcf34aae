# Each target does its own set-up, and nothing when there is nothing to do.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
READY   = $(VENV)/.ready
OLDEST  = $(VENV)-oldest
# Tests run in several processes: each has enough with one thread.
export OPENBLAS_NUM_THREADS = 1
# Half of them wait at any time, for a table that settles, a page, a process.
WORKERS = $$(( $$(nproc) + $$(nproc) / 2 ))
PYTEST  = -m pytest -q -n $(WORKERS) --dist worksteal
AS_ROOT = $(shell test "$$(id -u)" -eq 0 || echo sudo)
# A fresh Debian has no list of packages yet, and nobody may be there to answer.
INSTALL = $(AS_ROOT) apt-get update -qq; $(AS_ROOT) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends

.PHONY: docs demo test test-native test-slow test-long test-oldest firmware-test fuzz lint bench bench-vision bench-light bench-latency bench-web bench-startup soak chaos kill-test clean help compiler fuzz-tools node browser axe broker poppler openscad venv installer-tools debian-root

help:
	@echo "make demo       play Laser Chess against the computer, on a table that is not there"
	@echo "make venv       all that is needed, in .venv; the other targets do it by themselves"
	@echo "make lint       ruff and mypy"
	@echo "make test       lint, types and tests (about ten minutes)"
	@echo "make test-slow  the long runs: every page in a browser, whole games, big fuzz"
	@echo "make test-long  the longest: every position, every moment of light, games upon games"
	@echo "make test-oldest   vision and cameras with the oldest OpenCV and numpy (also in test-slow)"
	@echo "make bench      engine speed against python-chess"
	@echo "make bench-vision  reading against OpenCV's own detector (half an hour)"
	@echo "make bench-light   pictures to the firmware and back, against the least that answers"
	@echo "make bench-latency from a settled table to its light, against one detectMarkers"
	@echo "make bench-web     a page with 100 spectators, against none"
	@echo "make bench-startup until a table is ready, and its memory, against OpenCV's import"
	@echo "make soak          100 whole games, each journal against what hands did (up to an hour)"
	@echo "make chaos         the same with bumps, glare, pulled cables, full disks and power cuts"
	@echo "make kill-test     kill -9 at 500 moments of games, and go on from each (a quarter of an hour)"
	@echo "make firmware-test the Pico's own binary in an emulator, down to its waveforms"
	@echo "make test-native   2,000 fast games of the computer player's core under sanitizers (half an hour)"
	@echo "make fuzz          ten minutes of mutated conversations for the firmware's core"
	@echo "make docs       write the pages of docs/ that the program writes about itself"
	@echo "make -C hardware   STL files of the pieces and the mast, and the guide's pictures"
	@echo "make clean      remove what the other targets made"

demo: $(READY) compiler
	@if test -t 0 && test -t 1; then $(BIN)/laserboard simulate --page --red computer:3; \
	else $(BIN)/laserboard simulate --blue computer:3 --red computer:2 --turns 6 --fast; fi \
	|| test $$? -eq 130  # Ctrl-C is a fine way to leave

test: lint compiler browser poppler openscad installer-tools
	@echo "== tests"
	@$(BIN)/python $(PYTEST)

test-slow: $(READY) compiler fuzz-tools node browser axe broker poppler openscad installer-tools debian-root test-oldest
	@echo "== slow tests"
	@$(BIN)/python $(PYTEST) -m "slow and not long"

# Grids tried from edge to edge, thousands of positions, games upon games in chaos.
test-long: $(READY) compiler fuzz-tools openscad poppler
	@echo "== the longest tests"
	@$(BIN)/python $(PYTEST) -m long

test-native: $(READY) compiler
	@$(BIN)/python -m tests.support.engine.native_self_play --games 2000 --jobs 2

firmware-test: $(READY) compiler node
	@$(MAKE) --no-print-directory -C firmware/rp2040 test

fuzz: fuzz-tools
	@$(MAKE) --no-print-directory -C firmware fuzz

# The simulated LEDs are the firmware's own C core, compiled on first use.
compiler:
	@command -v cc >/dev/null || { echo "== installing gcc"; $(INSTALL) gcc libc6-dev; }

fuzz-tools:
	@command -v clang >/dev/null || { echo "== installing clang"; $(AS_ROOT) apt-get update -qq; $(MAKE) --no-print-directory -C firmware fuzz-tools; }

node:
	@command -v npm >/dev/null || { echo "== installing Node.js"; $(INSTALL) nodejs npm; }

# The page is tested in a real browser; `make test` needs it for two tests, `make test-slow` for all.
browser:
	@command -v chromium >/dev/null || { echo "== installing chromium"; $(INSTALL) chromium chromium-sandbox fonts-liberation; }

# Sheets are tested as a printer would print them.
poppler:
	@command -v pdftoppm >/dev/null || { echo "== installing poppler-utils"; $(INSTALL) poppler-utils; }

# Boards and hall are tested with a real broker; `make test` needs none.
broker:
	@command -v mosquitto >/dev/null || test -x /usr/sbin/mosquitto || { echo "== installing mosquitto"; $(INSTALL) mosquitto; }

# What the printed parts are rendered with.
openscad:
	@$(MAKE) --no-print-directory -C hardware openscad

# What tells whether install.sh and the service are sound, and a wheel is whole; none is run by that.
installer-tools:
	@command -v git >/dev/null && command -v shellcheck >/dev/null && command -v systemd-analyze >/dev/null || { echo "== installing git, shellcheck and systemd"; $(INSTALL) git shellcheck systemd; }

# The installer is tried in a throw-away Debian, which is started with its own systemd.
debian-root:
	@test -x /usr/sbin/debootstrap && command -v systemd-nspawn >/dev/null || { echo "== installing debootstrap and systemd-container"; $(INSTALL) debootstrap systemd-container; }

# What finds out whether anybody is kept out of a page.
axe: node
	@test -e build/axe/node_modules/axe-core/axe.min.js || { echo "== installing axe-core"; npm install --silent --no-save --no-audit --no-fund --prefix build/axe axe-core@4; }

# Everything that touches OpenCV or numpy, with the oldest of both that a Raspberry Pi may have.
test-oldest: $(OLDEST)/.ready
	@echo "== vision and cameras with OpenCV 4.10 and numpy 1.24"
	@$(OLDEST)/bin/python $(PYTEST) tests/vision tests/contracts/test_cameras.py tests/cli/test_see.py tests/builder/calibration/test_watcher.py tests/benchmarks/test_move_inference.py

$(OLDEST)/.ready: pyproject.toml constraints-bookworm.txt | $(READY)
	@$(PYTHON) -m venv --clear $(OLDEST)
	@$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]' --constraint constraints-bookworm.txt
	@touch $@

# The pages that the program writes about itself.
docs: $(READY)
	@$(BIN)/python -m controller.cli.manual docs

lint: $(READY)
	@echo "== ruff, mypy"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(READY)
	@$(BIN)/laserboard bench engine

bench-vision: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps scikit-image  # its photographs
	@$(BIN)/laserboard bench vision --frames 20

bench-light: $(READY) compiler
	@$(BIN)/laserboard bench light --seconds 5

bench-latency: $(READY) compiler
	@$(BIN)/laserboard bench latency

bench-web: $(READY)
	@$(BIN)/laserboard bench web --seconds 10

bench-startup: $(READY)
	@$(BIN)/laserboard bench startup

# Stopped and started again it goes on; build/soak is removed by `make clean`.
soak: $(READY) compiler
	@$(BIN)/laserboard soak --games 100 --jobs 2 --folder build/soak

# The same with everything that may befall a table: about an hour.
chaos: $(READY) compiler
	@$(BIN)/laserboard soak --chaos --games 100 --jobs 2 --folder build/chaos

kill-test: $(READY)
	@$(BIN)/python -m tests.support.kill_runs --kills 500 --jobs 2

venv: $(READY)
	@:

# `.ready` is newer than pyproject.toml and the C sources exactly when everything is installed and built.
$(READY): pyproject.toml $(wildcard engine/native/*.[ch]) | compiler
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or newer is needed (PYTHON=... names one)"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed, $(PYTHON) is older (PYTHON=... names another)"; exit 1; }
	@echo "== setting up $(VENV) (once, about half a minute)"
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || { \
		echo "== installing python3-venv, which this Python lacks"; \
		$(INSTALL) python3-venv && $(PYTHON) -m venv --clear $(VENV); } || { \
		echo "no virtual environment could be made: install python3-venv by hand"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) $(OLDEST) build firmware/build hardware/build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
