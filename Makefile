# Everything a player or a developer types. `make` alone lists it.
SHELL := /bin/sh
PY := .venv/bin/python
MANAGE := $(PY) manage.py

.PHONY: help env run

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*##/\t/' | expand -t 14

env: ## make .venv and install the pinned requirements
	@sh config/launch/env.sh dev
