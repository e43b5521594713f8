# Everything here needs only python3 (3.11 or newer), git and make; the rest is installed into .venv.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
READY := $(VENV)/.ready
GROUPS := faults third-party integrity gates runs models clients walls
FAST := not (faults or third_party or integrity or gates or clients) and (contract or not runs)

unexport PYTHONDONTWRITEBYTECODE
unexport VIRTUAL_ENV

.PHONY: demo install uninstall test check fix bench pictures coverage faults lock test-fuzz $(addprefix test-,$(GROUPS))

# For who uses it: donewhen in an environment of its own, the command in PREFIX/bin.
PREFIX ?= $(HOME)/.local
install:
	@$(PYTHON) scripts/bootstrap.py --user "$(PREFIX)"

uninstall:
	@$(PYTHON) scripts/bootstrap.py --remove "$(PREFIX)"

demo: $(READY)
	@$(RUN) -m donewhen demo

test: $(READY)
	@$(RUN) -m pytest -n auto --dist worksteal -m "$(FAST)" $(ARGS)

$(addprefix test-,$(GROUPS)): test-%: $(READY)
	@$(RUN) -m pytest -n auto --dist worksteal -m "$(or $(MARKS_$*),$(subst -,_,$*))"

MARKS_runs := runs and not (contract or integrity or models)
MARKS_models := runs and models
MARKS_walls := walls and $(FAST)

test-faults: export DONEWHEN_TEST_KILLS ?= 21

# The agents of others, into .venv/clients; CLIENTS="claude codex" takes only these.
test-clients: clients
.PHONY: clients
clients: $(READY)
	@$(RUN) scripts/clients.py $(VENV)/clients $(CLIENTS)

# The long campaign: scripted runs are killed at named and random points, resumed and compared.
faults: export DONEWHEN_TEST_KILLS ?= 500
faults: $(READY)
	@$(RUN) -m tests.faults.campaign $(if $(JSON),--json $(JSON)) $(if $(JOBS),--jobs $(JOBS))

# The properties of the fast tests again, with many examples each.
test-fuzz: $(READY)
	@$(RUN) -m pytest -n auto --dist worksteal --hypothesis-profile=many -m "hypothesis and $(FAST)"

test-%: $(READY)
	@echo "there is no test group $*; the groups are: $(GROUPS) fuzz" >&2; exit 2

check: $(READY)
	@$(RUN) -m ruff check --quiet .
	@$(RUN) -m ruff format --quiet --check .
	@$(RUN) -m mypy
	@$(VENV)/bin/lint-imports --no-cache
	@$(RUN) scripts/sizes.py

fix: $(READY)
	@$(RUN) -m ruff check --quiet --fix .
	@$(RUN) -m ruff format --quiet .

bench: $(READY)
	@$(RUN) benchmarks/run.py

# Needs a browser (Debian: chromium); nothing else does.
pictures: $(READY)
	@$(RUN) scripts/pictures.py

coverage: $(READY)
	@$(RUN) -m coverage erase
	@$(RUN) -m coverage run -m pytest -n auto -m "$(FAST)"
	@$(RUN) -m coverage combine --quiet
	@$(RUN) -m coverage report

# Pins every package with its hashes, for Python 3.11 and newer on any system; records no download address.
lock: $(READY)
	@$(RUN) -m pip install --quiet uv
	@$(VENV)/bin/uv pip compile -q pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -o requirements/base.txt
	@$(VENV)/bin/uv pip compile -q pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -o requirements/dev.txt

$(READY): pyproject.toml requirements/dev.txt scripts/bootstrap.py
	@$(PYTHON) scripts/bootstrap.py $(VENV)
	@touch $@
