# Every target installs what it needs on first use. `make help` lists the targets.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
READY   = $(VENV)/.ready
OLDEST  = $(VENV)-oldest
# Tests run in several processes, so one thread per process is enough.
export OPENBLAS_NUM_THREADS = 1
# Tests start hundreds of programs: none of them compiles its modules again.
export PYTHONDONTWRITEBYTECODE =
# More workers than cores: tests often wait for a browser, a process or a thread.
WORKERS = $$(( $$(nproc) + $$(nproc) / 2 ))
PYTEST  = -m pytest -q -n $(WORKERS) --dist worksteal
AS_ROOT = $(shell test "$$(id -u)" -eq 0 || echo sudo)
# A fresh Debian has no package lists yet. noninteractive: apt-get must not ask questions.
INSTALL = $(AS_ROOT) apt-get update -qq; $(AS_ROOT) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends

.PHONY: docs demo test test-native test-slow test-long test-oldest firmware-test fuzz lint bench bench-vision bench-light bench-latency bench-web bench-startup soak chaos kill-test clean help compiler fuzz-tools node browser axe broker poppler openscad venv installer-tools debian-root

help:
	@echo "make demo       play Laser Chess against the computer on a simulated table"
	@echo "make venv       create .venv with all dependencies; the other targets do this themselves"
	@echo "make lint       ruff and mypy"
	@echo "make test       lint, types and tests (about five minutes)"
	@echo "make test-slow  long tests: every page in a browser, whole games, fuzzing, thorough property tests"
	@echo "make test-long  the longest tests: thousands of positions, all lights on all boards, faults"
	@echo "make test-oldest   vision and cameras with the oldest OpenCV and numpy (also in test-slow)"
	@echo "make bench      engine speed, compared with python-chess"
	@echo "make bench-vision  accuracy and speed of the reader, compared with OpenCV (half an hour)"
	@echo "make bench-light   latency of LED pictures, compared with a minimal program that answers"
	@echo "make bench-latency latency from the settled frame to the beam, compared with detectMarkers"
	@echo "make bench-web     load of 100 spectators on the page, compared with the same run without"
	@echo "make bench-startup start-up time and memory, compared with importing OpenCV"
	@echo "make soak          100 simulated games, each journal compared with the hands (up to an hour)"
	@echo "make chaos         the same with injected faults: glare, pulled cables, full disks, power cuts"
	@echo "make kill-test     kill 500 games with SIGKILL and resume each (a quarter of an hour)"
	@echo "make firmware-test the Pico's binary in an emulator, with its waveforms"
	@echo "make test-native   2,000 fast games of the compiled core under sanitizers (half an hour)"
	@echo "make fuzz          fuzz the firmware's core for ten minutes"
	@echo "make docs       write the generated pages of docs/"
	@echo "make -C hardware   STL files of the pieces and the mast, and the guide's pictures"
	@echo "make clean      remove everything that the other targets made"

demo: $(READY) compiler
	@if test -t 0 && test -t 1; then $(BIN)/laserboard simulate --page --red computer:3; \
	else $(BIN)/laserboard simulate --blue computer:3 --red computer:2 --turns 6 --fast; fi \
	|| test $$? -eq 130  # 130: ended by Ctrl-C

test: lint compiler browser poppler openscad installer-tools
	@echo "== tests"
	@$(BIN)/python $(PYTEST)

test-slow: $(READY) compiler fuzz-tools node browser axe broker poppler openscad installer-tools debian-root test-oldest
	@echo "== slow tests"
	@$(BIN)/python $(PYTEST) --hypothesis-profile thorough -m "(slow or hypothesis) and not long"

test-long: $(READY) compiler fuzz-tools openscad poppler
	@echo "== the longest tests"
	@$(BIN)/python $(PYTEST) --hypothesis-profile thorough -m long

test-native: $(READY) compiler
	@$(BIN)/python -m tests.support.engine.native_self_play --games 2000 --jobs 2

firmware-test: $(READY) compiler node
	@$(MAKE) --no-print-directory -C firmware/rp2040 test

fuzz: fuzz-tools
	@$(MAKE) --no-print-directory -C firmware fuzz

# Compiles the engine's C core, and on first use the firmware for simulated LEDs.
compiler:
	@command -v cc >/dev/null || { echo "== installing gcc"; $(INSTALL) gcc libc6-dev; }

fuzz-tools:
	@command -v clang >/dev/null || { echo "== installing clang"; $(AS_ROOT) apt-get update -qq; $(MAKE) --no-print-directory -C firmware fuzz-tools; }

node:
	@command -v npm >/dev/null || { echo "== installing Node.js"; $(INSTALL) nodejs npm; }

# The page is tested in a real browser; `make test` needs it for two tests, `make test-slow` for all.
browser:
	@command -v chromium >/dev/null || { echo "== installing chromium"; $(INSTALL) chromium chromium-sandbox fonts-liberation; }

# Tests render the PDFs of printed sheets with pdftoppm.
poppler:
	@command -v pdftoppm >/dev/null || { echo "== installing poppler-utils"; $(INSTALL) poppler-utils; }

# Slow tests of tournaments use a real MQTT broker.
broker:
	@command -v mosquitto >/dev/null || test -x /usr/sbin/mosquitto || { echo "== installing mosquitto"; $(INSTALL) mosquitto; }

# Renders the printed parts.
openscad:
	@$(MAKE) --no-print-directory -C hardware openscad

# Static checks of install.sh, the systemd service and the wheel.
installer-tools:
	@command -v git >/dev/null && command -v shellcheck >/dev/null && command -v systemd-analyze >/dev/null || { echo "== installing git, shellcheck and systemd"; $(INSTALL) git shellcheck systemd; }

# Slow tests run the installer in a throw-away Debian that boots its own systemd.
debian-root:
	@test -x /usr/sbin/debootstrap && command -v systemd-nspawn >/dev/null || { echo "== installing debootstrap and systemd-container"; $(INSTALL) debootstrap systemd-container; }

# Accessibility checker for the pages.
axe: node
	@test -e build/axe/node_modules/axe-core/axe.min.js || { echo "== installing axe-core"; npm install --silent --no-save --no-audit --no-fund --prefix build/axe axe-core@4; }

# All tests that use OpenCV or numpy, with the oldest versions on a supported Raspberry Pi OS.
test-oldest: $(OLDEST)/.ready
	@echo "== vision and cameras with OpenCV 4.10 and numpy 1.24"
	@$(OLDEST)/bin/python $(PYTEST) tests/vision tests/contracts/test_cameras.py tests/cli/test_see.py tests/builder/calibration/test_watcher.py tests/benchmarks/test_move_inference.py

$(OLDEST)/.ready: pyproject.toml constraints-bookworm.txt | $(READY)
	@$(PYTHON) -m venv --clear $(OLDEST)
	@$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]' --constraint constraints-bookworm.txt
	@touch $@

# Generated from the help texts, the board file template, the doctor's table and the rules.
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
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps scikit-image  # for its photographs
	@$(BIN)/laserboard bench vision --frames 20

bench-light: $(READY) compiler
	@$(BIN)/laserboard bench light --seconds 5

bench-latency: $(READY) compiler
	@$(BIN)/laserboard bench latency

bench-web: $(READY)
	@$(BIN)/laserboard bench web --seconds 10

bench-startup: $(READY)
	@$(BIN)/laserboard bench startup

# An interrupted run continues from build/soak, which `make clean` removes.
soak: $(READY) compiler
	@$(BIN)/laserboard soak --games 100 --jobs 2 --folder build/soak

# The same with injected faults: about an hour.
chaos: $(READY) compiler
	@$(BIN)/laserboard soak --chaos --games 100 --jobs 2 --folder build/chaos

kill-test: $(READY)
	@$(BIN)/python -m tests.support.kill_runs --kills 500 --jobs 2

venv: $(READY)
	@:

# `.ready` is newer than pyproject.toml and the C sources if everything is installed and built.
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
