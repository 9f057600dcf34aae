# Each target does its own set-up, and nothing when there is nothing to do.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
READY   = $(VENV)/.ready
OLDEST  = $(VENV)-oldest

.PHONY: demo test test-slow test-oldest lint bench bench-vision clean help

help:
	@echo "make demo       watch the computer play Laser Chess against itself"
	@echo "make test       lint, types and tests (a few minutes)"
	@echo "make test-slow  the long runs: big fuzz, long comparisons"
	@echo "make bench      engine speed against python-chess"
	@echo "make bench-vision  reading against OpenCV's own detector (half an hour)"
	@echo "make clean      remove what the other targets made"

demo: $(READY)
	@$(BIN)/laserboard demo || test $$? -eq 130  # Ctrl-C is a fine way to end a show

test: lint
	@echo "== tests"
	@$(BIN)/python -m pytest -q -n auto

test-slow: $(READY) test-oldest
	@echo "== slow tests"
	@$(BIN)/python -m pytest -q -n auto -m slow

# Everything that touches OpenCV or numpy, with the oldest of both that a Raspberry Pi may have.
test-oldest: $(OLDEST)/.ready
	@echo "== vision and cameras with OpenCV 4.10 and numpy 1.24"
	@$(OLDEST)/bin/python -m pytest -q -n auto tests/vision tests/contracts/test_cameras.py tests/controller/test_cli_see.py tests/controller/test_watching.py

$(OLDEST)/.ready: pyproject.toml constraints-bookworm.txt | $(READY)
	@$(PYTHON) -m venv --clear $(OLDEST)
	@$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]' --constraint constraints-bookworm.txt
	@touch $@

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

# `.ready` is newer than pyproject.toml exactly when everything it asks for is installed.
$(READY): pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or newer is needed (PYTHON=... names one)"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed, $(PYTHON) is older (PYTHON=... names another)"; exit 1; }
	@echo "== setting up $(VENV) (once, about half a minute)"
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) 2>/dev/null || { \
		echo "== installing python3-venv, which this Python lacks"; \
		$$(command -v sudo) apt-get install -y -qq python3-venv && $(PYTHON) -m venv --clear $(VENV); } || { \
		echo "no virtual environment could be made: install python3-venv by hand"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) $(OLDEST) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
