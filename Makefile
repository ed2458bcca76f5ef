# make demo                      train a small agent, let it play, and write a report: five minutes (Python 3.11 or later)
# make test                      run all checks and tests that every change must pass (installs PyTorch)
# make test-checked              run the tests of the rules with bounds checks
# make test-web                  test the web pages in Chromium, with all modes, hostile messages and load
# make test-cluster              test games and training on a Ray cluster of two nodes, with nodes that are killed
# make test-bridges              test TorchRL and RLlib in a separate virtual environment
# make fuzz [DECISIONS=n]        play n random decisions for each number of players (of Fuji n/40), then try hostile inputs
# make docs                      build the documentation site in build/docs; warnings are errors
# make notebooks                 run the notebooks and store their output
# make study                     play the balance study of notebooks/FINDINGS.md again, or what is missing of it
# make wheel                     build a wheel with machine code for this platform, in dist/
# make bench                     measure the speed on this machine
# make bench-against REF=commit [REPEATS=n]  compare the speed with another commit; takes a quarter of an hour
# make train [RECIPE=small]      train a network: see docs/training.md (installs PyTorch)
# make mutants [SEED=n] [CHAPTERS="craft weapon"]  put small faults into the rules and list those no test notices
# make goldens                   regenerate the games that tests compare with: see docs/goldens.md
# make tables                    regenerate code and documentation that are derived from tables in the code
# make rules-check               list the numbered rules that no test names yet
# make clean                     remove everything that make created

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
BRIDGES := .venv-bridges
PIP_INSTALL := -m pip install --quiet --quiet --disable-pip-version-check
PIP := $(PY) $(PIP_INSTALL) --constraint constraints.txt
BRIDGES_PIP := $(BRIDGES)/bin/python $(PIP_INSTALL) --constraint constraints-bridges.txt
# PyTorch is installed first, in its exact version: otherwise pip may download gigabytes for graphics cards.
TORCH := "$$(sed -n '/^torch==/p' constraints.txt)"
DECISIONS ?= 1000000
RECIPE ?= small
SEED ?= 1
REPEATS ?= 3
# Tests of rules that also run as plain Python. To save minutes, scenarios and positions run compiled only;
# tests/games/test_fuzz.py shows that their steps give the same results as plain Python.
RULE_TESTS := tests/rules tests/coop tests/fuji

.PHONY: help demo test test-checked test-web chromium test-cluster test-bridges fuzz docs notebooks study wheel bench \
	bench-against train mutants goldens tables rules-check clean
.DEFAULT_GOAL := help

help:
	@sed -n 's/^# make/make/p' Makefile

# Stamp files: an installation runs again only when its sources have changed.
%/.made:
	@echo "== creating $(@D)"
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed, this is " + sys.version.split()[0] + ": try make PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv --clear $(@D)
	@touch $@

$(VENV)/.demo: $(VENV)/.made pyproject.toml constraints.txt
	@echo "== installing fujikoro_env with the extras train and tournament (1.7 GB on disk)"
	@$(PIP) $(TORCH)
	@$(PIP) --editable '.[train,tournament]'
	@touch $@ $(VENV)/.train

$(VENV)/.dev: $(VENV)/.made pyproject.toml constraints.txt
	@echo "== installing fujikoro_env with the extra dev"
	@$(PIP) --editable '.[dev]'
	@touch $@

$(VENV)/.train: $(VENV)/.made pyproject.toml constraints.txt
	@echo "== installing fujikoro_env with the extra train"
	@$(PIP) $(TORCH)
	@$(PIP) --editable '.[train]'
	@touch $@

# Tests of training, tuning and clusters run too, so this needs four extras.
$(VENV)/.test: $(VENV)/.made pyproject.toml constraints.txt
	@echo "== installing fujikoro_env with the extras dev, train, tune and cluster"
	@$(PIP) $(TORCH)
	@$(PIP) --editable '.[dev,train,tune,cluster]'
	@touch $@ $(VENV)/.demo $(VENV)/.dev $(VENV)/.train

# RLlib needs an older gymnasium than the one the rest is tested with.
$(BRIDGES)/.bridges: $(BRIDGES)/.made pyproject.toml constraints-bridges.txt
	@echo "== installing fujikoro_env, TorchRL and RLlib"
	@$(BRIDGES_PIP) $(TORCH)
	@$(BRIDGES_PIP) --editable '.[rllib]' torchrl pytest
	@touch $@

demo: $(VENV)/.demo
	@$(PY) -m fujikoro_app.demo

# Tests keep compiled code in a separate folder. With CI=true it is emptied first, so that the results of an earlier run
# can't hide a problem of the first start. `warmup` fills it, so that the two workers don't both compile. Checks that need
# no compiled code run meanwhile, so that no core is idle.
test: export FUJIKORO_CACHE := $(CURDIR)/$(VENV)/test-cache
test: $(VENV)/.test chromium
	@if [ "$$CI" = true ]; then rm -rf "$$FUJIKORO_CACHE"; fi
	@echo "== warm-up: compiling the rules, in the background"
	@$(VENV)/bin/fujikoro warmup > $(VENV)/warmup.log 2>&1 & warmup=$$!; \
	echo "== ruff check" && $(PY) -m ruff check && \
	echo "== ruff format" && $(PY) -m ruff format --check && \
	echo "== mypy" && $(PY) -m mypy && \
	echo "== import layers" && $(VENV)/bin/lint-imports --no-logo && \
	echo "== pytest, the rules as plain Python" && \
	NUMBA_DISABLE_JIT=1 $(PY) -m pytest -q -n 2 --dist worksteal -m "rule and not slow and not long" $(or $(PYTEST_ARGS),$(RULE_TESTS)); \
	clean=$$?; wait $$warmup; compiled=$$?; cat $(VENV)/warmup.log; test $$clean = 0 -a $$compiled = 0
	@echo "== pytest, compiled"
	@$(PY) -m pytest -q -n 2 --dist worksteal -m "not long and not web and not cluster" $(PYTEST_ARGS)

# Not part of `make test`, because `make fuzz` also plays with bounds checks and covers more.
test-checked: $(VENV)/.test
	@FUJIKORO_CHECKED=1 $(VENV)/bin/fujikoro warmup
	@FUJIKORO_CHECKED=1 $(PY) -m pytest -q -n 2 --dist worksteal -m "rule and not slow" $(PYTEST_ARGS)

# Tests in a browser are skipped, with the reason, where Chromium can't be installed.
chromium:
	@command -v chromium > /dev/null || { test "$$(id -u)" = 0 && command -v apt-get > /dev/null && \
	echo "== installing Chromium" && apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium > /dev/null; } || true

test-web: export FUJIKORO_CACHE := $(CURDIR)/$(VENV)/test-cache
test-web: $(VENV)/.test chromium
	@$(VENV)/bin/fujikoro warmup
	@$(PY) -m pytest -q -m "not long" tests/web $(PYTEST_ARGS)

test-cluster: export FUJIKORO_CACHE := $(CURDIR)/$(VENV)/test-cache
test-cluster: $(VENV)/.test
	@$(VENV)/bin/fujikoro warmup
	@$(PY) -m pytest -q tests/cluster $(PYTEST_ARGS)

test-bridges: export FUJIKORO_CACHE := $(CURDIR)/$(BRIDGES)/test-cache
test-bridges: export RAY_USAGE_STATS_ENABLED := 0
test-bridges: $(BRIDGES)/.bridges
	@echo "== warm-up: compiling the rules"
	@$(BRIDGES)/bin/fujikoro warmup
	@echo "== pytest, TorchRL and RLlib"
	@$(BRIDGES)/bin/python -m pytest -q tests/bridges $(PYTEST_ARGS)

fuzz: $(VENV)/.dev
	@echo "== random play with bounds checks"
	@FUJIKORO_CHECKED=1 $(PY) -m tests.helpers.fuzz --decisions $(DECISIONS) --seed $(SEED)
	@FUJIKORO_CHECKED=1 $(PY) -m tests.helpers.fuji_fuzz --decisions $$(($(DECISIONS) / 40)) --seed $(SEED)
	@echo "== pytest, the long tests and all that try hostile inputs; the last line has their number"
	@$(PY) -m pytest -q -n 2 -m "(long or hostile) and not web and not cluster"

docs: $(VENV)/.dev
	@$(PY) -m sphinx -b html -W --keep-going -q docs build/docs
	@echo "the site is build/docs/index.html"

notebooks: $(VENV)/.test
	@$(PY) tools/run_notebooks.py

study: $(VENV)/.dev
	@$(PY) tools/run_study.py

wheel: $(VENV)/.dev
	@mkdir -p build && rm -f build/machine_code.zip
	@$(VENV)/bin/fujikoro warmup --export build/machine_code.zip
	@FUJIKORO_MACHINE_CODE=build/machine_code.zip $(PY) -m build --wheel --no-isolation --outdir dist
	@rm build/machine_code.zip

bench: $(VENV)/.dev
	@$(VENV)/bin/fujikoro bench

bench-against: $(VENV)/.dev
	@test -n "$(REF)" || { echo "usage: make bench-against REF=<commit> [REPEATS=<n>]" >&2; exit 2; }
	@$(PY) tools/bench_against.py "$(REF)" --repeats $(REPEATS)

train: $(VENV)/.train
	@$(VENV)/bin/fujikoro train $(RECIPE)

mutants: $(VENV)/.dev
	@$(PY) tools/mutants.py --seed $(SEED) $(CHAPTERS)

goldens: $(VENV)/.dev
	@$(PY) -m tools.make_goldens

# The dispatch comes first, because the rules, and with them the tables of the docs, can't be imported without it.
tables: $(VENV)/.dev
	@$(PY) tools/make_phases.py
	@$(PY) tools/make_docs.py
	@$(PY) tools/make_benchmark.py

rules-check: $(VENV)/.dev
	@$(PY) tests/house/test_house.py

clean:
	rm -rf $(VENV) $(BRIDGES) dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
