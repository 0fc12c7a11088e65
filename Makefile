# All tasks of this repository. `make` alone lists the targets.
# Needs Python 3.11 or later, make and git; each target installs what else it needs and says so.

SHELL  := /bin/bash
PYTHON := .venv/bin/python

# A path or a -k expression narrows the run: make test ARGS="testing/harness -k resume"
ARGS ?=

# Libraries that only some runs need: make setup EXTRAS="litellm plots" (assay doctor lists them)
EXTRAS ?=

.DEFAULT_GOAL := help
.PHONY: help setup setup-test demo test test-all euler-oracle weirdml-full check fix image bench docs site clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:  ## install what running needs into .venv, and a sandbox
	@scripts/setup.sh run $(EXTRAS)

setup-test:  ## the same, with what the project's own tests need
	@scripts/setup.sh test

demo: setup  ## run the oracle on every test that works here, and write the report
	@$(PYTHON) scripts/demo.py $(ARGS)

# On all cores, with one line of progress. Bytecode is kept, whatever the environment says: without it each
# process that a test starts would compile Assay and its libraries anew.
PYTEST := PYTHONDONTWRITEBYTECODE= $(PYTHON) -m pytest -q -n auto --one-line -o console_output_style=classic

test: setup-test  ## run the project's own tests except the slow ones: less than 10 minutes
	@$(PYTEST) --quick $(ARGS)

test-all: setup-test  ## run all of the project's own tests: less than half an hour
	@$(PYTEST) $(ARGS)

euler-oracle: setup-test  ## run all 400 reference programs of the Euler suite (make test runs a part)
	@$(PYTEST) testing/euler/test_euler_oracle.py --durations=5 $(ARGS)

check: setup-test  ## check lint, format, types and layers
	@echo .venv/bin/ruff check; .venv/bin/ruff check || { echo "make fix fixes what it can"; exit 1; }
	@echo .venv/bin/ruff format --check; .venv/bin/ruff format --check || { echo "make fix fixes it"; exit 1; }
	.venv/bin/mypy
	$(PYTHON) -m pytest -q testing/house/test_layers.py

fix: setup-test  ## let ruff fix what it can
	.venv/bin/ruff check --fix; left=$$?; .venv/bin/ruff format && exit $$left

image: setup  ## build the sandbox image (compilers, browser, numeric Python)
	@scripts/system_tools.sh image
	$(PYTHON) main.py image $(ARGS)

weirdml-full: override EXTRAS += weirdml
weirdml-full: setup  ## run WeirdML's references of all tasks: about 20 minutes, mostly programs that hang
	$(PYTHON) main.py run weirdml --model oracle --model saboteur --threads 1 --iterations 3 --time-limit 300 --no-cache $(ARGS)

bench: setup-test  ## measure against other tools, and write docs/benchmarks.md
	$(PYTHON) -m bench $(ARGS)

docs: setup  ## write docs/tests.md, the list of applied tests
	@$(PYTHON) scripts/test_table.py

site: setup-test  ## build the documentation site into build/site
	@NO_MKDOCS_2_WARNING=1 .venv/bin/python -m mkdocs build --strict --quiet
	@echo "the site is build/site/index.html; for its search, run: python3 -m http.server -d build/site"

clean:  ## remove caches and the virtual environment; results stay
	rm -rf .venv .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
