# Everything a player or a developer types. `make` alone lists it.
SHELL := /bin/sh
PY := .venv/bin/python
MANAGE := $(PY) manage.py
PYTEST := $(PY) -m pytest
ON := tests

# What was compiled is kept: without it every process of ours begins with a second of compiling.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run env test test-full test-next ready chromium read migrated bench bench-site lint types audit format messages openapi client fonts pins clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*##/\t/' | expand -t 14

run: ## start Warhost (PORT=8000 HOST=127.0.0.1); Ctrl-C stops it and its database
	@sh config/launch/env.sh
	@exec $(MANAGE) serve

env: ## make .venv and install the pinned requirements
	@sh config/launch/env.sh dev

test: ready ## lint, types of the rules, and every test that is not slow; ON=tests/armies: only those
	@HYPOTHESIS_PROFILE=ci $(PYTEST) -q -n auto --dist worksteal -m "not slow and not bench" $(ON)

test-full: ready ## the same with the slow tests, many more examples, all types and the API's document linted
	@$(MAKE) --no-print-directory types
	@sh config/launch/lint-openapi.sh
	@HYPOTHESIS_PROFILE=full $(PYTEST) -q -n auto --dist worksteal -m "not bench" $(ON)

test-next: ready ## the tests of `make test` with the latest Django, pre-releases included; what is deprecated fails
	@sh config/launch/next.sh
	@HYPOTHESIS_PROFILE=ci build/next/bin/python -m pytest -q -n auto --dist worksteal -m "not slow and not bench" \
	    -W "error::django.utils.deprecation.RemovedInNextVersionWarning" $(ON)

# Side by side, for each waits for the network or keeps one core busy.
ready:
	@$(MAKE) --no-print-directory -j 2 env chromium || { sh config/launch/chromium.sh $(ON); exit 2; }
	@$(MANAGE) compilemo
	@$(MAKE) --no-print-directory -j 2 read migrated lint

chromium:
	@sh config/launch/chromium.sh $(ON)

# The tests are compiled and the database is migrated here once: otherwise every worker would do the one for itself and
# wait for the other. What is wrong with them the tests tell afterwards.
read:
	@$(PYTEST) -qq --collect-only $(ON) >/dev/null 2>&1 || true

migrated:
	@$(PYTEST) -qq -k test_ready_when_migrated tests/config/test_settings.py >/dev/null 2>&1 || true

bench: env ## measure; prints a table and writes build/bench.json
	@$(PY) -m tests.benchmarks

bench-site: env ## a site under load: CAMPAIGNS=300 PLAYING=30 MINUTES=10 WORKERS=2; writes build/site.json
	@sh config/launch/load.sh
	@$(PY) -m tests.load build/load/bin/locust

lint: env ## style, layers and the types of the rules
	@$(PY) -m ruff check --quiet .
	@.venv/bin/lint-imports --no-cache --no-logo
	@.venv/bin/djlint templates --extend-exclude templates/jinja2 --lint --quiet
	@.venv/bin/djlint templates/jinja2 --profile jinja --lint --quiet
	@$(PY) -m mypy --no-error-summary rules

types: env ## the types of everything
	@$(PY) -m mypy

audit: ## ask whether anything we build on has a known weakness (needs the network)
	@sh config/launch/audit.sh

format: env ## write the code the way ruff does
	@$(PY) -m ruff check --quiet --fix .
	@$(PY) -m ruff format --quiet .

messages: env ## merge every sentence into locale/ and compile it; nothing to install
	@$(MANAGE) messages

openapi: env ## write openapi.yaml from the code, and what the clients generate of it
	@$(MANAGE) spectacular --lang en --validate --fail-on-warn --file openapi.yaml
	@$(MAKE) --no-print-directory client

client: env ## write the generated modules of clients/python from openapi.yaml
	@$(PY) clients/python/generate.py

fonts: env ## make static/fonts anew: all letters, the layout we use (needs node and the network)
	@sh config/launch/fonts.sh

pins: env ## renew requirements*.txt from requirements*.in
	@for name in requirements requirements-dev requirements-env requirements-load; do \
	    .venv/bin/uv pip compile --quiet --upgrade --universal --python-version 3.12 --generate-hashes --no-emit-index-url \
	        --custom-compile-command "make pins" $$name.in -o $$name.txt || exit 1; done

clean: ## remove what the targets made; your game in .warhost stays
	@rm -rf .venv build .warhost-test .pytest_cache .ruff_cache .mypy_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
