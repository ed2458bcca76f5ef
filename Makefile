# make demo                      a tournament of players and one of their games: needs Python 3.11 or later and make
# make test                      everything that must hold before a change goes in (installs PyTorch)
# make test-checked              the rules with bounds checks
# make test-bridges              the bridges to TorchRL and RLlib, in an environment of their own
# make fuzz [DECISIONS=n]        n decisions for each number of players, from everywhere, with bounds checks on
# make docs                      the documentation site, in build/docs; warnings are errors
# make notebooks                 run the notebooks anew and keep their output
# make bench                     how fast it is here
# make bench-against REF=commit [REPEATS=n]  how fast it is here, against another commit; takes a quarter of an hour
# make train [MINUTES=n]         the learnability probe: a small network against random players (installs PyTorch)
# make mutants [SEED=n] [CHAPTERS="craft weapon"]  small faults put into the rules: which do the tests not notice?
# make goldens                   games that tests compare with, made anew: see docs/goldens.md
# make tables                    what is made from tables in the code: the dispatch of the engine, pages of docs/
# make rules-check               the numbered rules that no test names yet
# make clean                     remove what make made

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
BRIDGES := .venv-bridges
PIP_INSTALL := -m pip install --quiet --quiet --disable-pip-version-check
PIP := $(PY) $(PIP_INSTALL) --constraint constraints.txt
BRIDGES_PIP := $(BRIDGES)/bin/python $(PIP_INSTALL) --constraint constraints-bridges.txt
# PyTorch comes first and by its exact version: left to itself the installer may fetch gigabytes for graphics cards.
TORCH := "$$(sed -n '/^torch==/p' constraints.txt)"
DECISIONS ?= 1000000
MINUTES ?= 30
SEED ?= 1
REPEATS ?= 3
# Tests of rules that also run as plain Python. Scenarios and positions run compiled only, to save minutes: that their
# steps come out the same as plain Python is shown by tests/games/test_fuzz.py.
RULE_TESTS := tests/rules tests/coop

.PHONY: help demo test test-checked test-bridges fuzz docs notebooks bench bench-against train mutants goldens tables \
	rules-check clean
.DEFAULT_GOAL := help

help:
	@sed -n 's/^# make/make/p' Makefile

# Stamps: each install runs again only when what it was made from has changed.
%/.made:
	@echo "== making $(@D)"
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed, this is " + sys.version.split()[0] + ": try make PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv --clear $(@D)
	@touch $@

$(VENV)/.demo: $(VENV)/.made pyproject.toml constraints.txt
	@echo "== installing fujikoro_env and what tournaments need"
	@$(PIP) --editable '.[tournament]'
	@touch $@

$(VENV)/.dev: $(VENV)/.made pyproject.toml constraints.txt
	@echo "== installing fujikoro_env and the tools for development"
	@$(PIP) --editable '.[dev]'
	@touch $@ $(VENV)/.demo

$(VENV)/.train: $(VENV)/.made pyproject.toml constraints.txt
	@echo "== installing fujikoro_env and what training needs"
	@$(PIP) $(TORCH)
	@$(PIP) --editable '.[train]'
	@touch $@

# The tests of training run too, so both.
$(VENV)/.test: $(VENV)/.made pyproject.toml constraints.txt
	@echo "== installing fujikoro_env, the tools for development and what training needs"
	@$(PIP) $(TORCH)
	@$(PIP) --editable '.[dev,train]'
	@touch $@ $(VENV)/.demo $(VENV)/.dev $(VENV)/.train

# RLlib asks for an older gymnasium than the rest is tested with.
$(BRIDGES)/.bridges: $(BRIDGES)/.made pyproject.toml constraints-bridges.txt
	@echo "== installing fujikoro_env, TorchRL and RLlib"
	@$(BRIDGES_PIP) $(TORCH)
	@$(BRIDGES_PIP) --editable '.[rllib]' torchrl pytest
	@touch $@

demo: $(VENV)/.demo
	@$(PY) -m fujikoro_app.demo

# Tests keep compiled code in a folder of their own. With CI=true it is emptied first, so that what an earlier run left
# can't hide a trouble of the first start. `warmup` fills it before two workers would both compile. What needs no compiled
# code runs meanwhile, so that no core is idle.
test: export FUJIKORO_CACHE := $(CURDIR)/$(VENV)/test-cache
test: $(VENV)/.test
	@if [ "$$CI" = true ]; then rm -rf "$$FUJIKORO_CACHE"; fi
	@echo "== warm-up: compiling the rules, in the background"
	@$(VENV)/bin/fujikoro warmup > $(VENV)/warmup.log 2>&1 & warmup=$$!; \
	echo "== ruff check" && $(PY) -m ruff check && \
	echo "== ruff format" && $(PY) -m ruff format --check && \
	echo "== mypy" && $(PY) -m mypy && \
	echo "== import layers" && $(VENV)/bin/lint-imports --no-logo && \
	echo "== pytest, the rules as plain Python" && \
	NUMBA_DISABLE_JIT=1 $(PY) -m pytest -q -n 2 --dist worksteal -m "rule and not slow" $(or $(PYTEST_ARGS),$(RULE_TESTS)); \
	clean=$$?; wait $$warmup; compiled=$$?; cat $(VENV)/warmup.log; test $$clean = 0 -a $$compiled = 0
	@echo "== pytest, compiled"
	@$(PY) -m pytest -q -n 2 --dist worksteal -m "not long" $(PYTEST_ARGS)

# Not part of `make test`: `make fuzz` plays with bounds checks too, and goes farther.
test-checked: $(VENV)/.test
	@FUJIKORO_CHECKED=1 $(VENV)/bin/fujikoro warmup
	@FUJIKORO_CHECKED=1 $(PY) -m pytest -q -n 2 --dist worksteal -m "rule and not slow" $(PYTEST_ARGS)

test-bridges: export FUJIKORO_CACHE := $(CURDIR)/$(BRIDGES)/test-cache
test-bridges: export RAY_USAGE_STATS_ENABLED := 0
test-bridges: $(BRIDGES)/.bridges
	@echo "== warm-up: compiling the rules"
	@$(BRIDGES)/bin/fujikoro warmup
	@echo "== pytest, TorchRL and RLlib"
	@$(BRIDGES)/bin/python -m pytest -q tests/bridges $(PYTEST_ARGS)

fuzz: $(VENV)/.dev
	@$(PY) -m pytest -q -n 2 -m long
	@FUJIKORO_CHECKED=1 $(PY) -m tests.helpers.fuzz --decisions $(DECISIONS) --seed $(SEED)

docs: $(VENV)/.dev
	@$(PY) -m sphinx -b html -W --keep-going -q docs build/docs
	@echo "the site: build/docs/index.html"

notebooks: $(VENV)/.dev
	@$(PY) tools/run_notebooks.py

bench: $(VENV)/.dev
	@$(VENV)/bin/fujikoro bench

bench-against: $(VENV)/.dev
	@test -n "$(REF)" || { echo "usage: make bench-against REF=<commit> [REPEATS=<n>]" >&2; exit 2; }
	@$(PY) tools/bench_against.py "$(REF)" --repeats $(REPEATS)

train: $(VENV)/.train
	@$(PY) -m fujikoro_training.probe --minutes $(MINUTES) --out runs/probe

mutants: $(VENV)/.dev
	@$(PY) tools/mutants.py --seed $(SEED) $(CHAPTERS)

goldens: $(VENV)/.dev
	@$(PY) -m tools.make_goldens

# The dispatch first: without it the rules, and so the tables of the docs, can't be imported.
tables: $(VENV)/.dev
	@$(PY) tools/make_phases.py
	@$(PY) tools/make_docs.py

rules-check: $(VENV)/.dev
	@$(PY) tests/house/test_house.py

clean:
	rm -rf $(VENV) $(BRIDGES) dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
