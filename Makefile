# The only task runner. Everything works on a fresh clone: a target that needs the tools sets them up first.

VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready
VAULT  := examples/vault
PIP    := $(BIN)/python -m pip -qq --disable-pip-version-check install --constraint constraints.txt
PYTEST := $(BIN)/python -m pytest -n auto

PYTHONS := python3.11 python3.12 python3.13
DIGESTS := tests/e2e/test_digests.py tests/e2e/test_example.py

FIND_PYTHON = for name in python3 python3.13 python3.12 python3.11 python; do \
	$$name -c 'import sys; sys.exit(not (3, 11, 5) <= sys.version_info < (3, 14) or print(sys.executable))' 2>/dev/null && break; done
PYTHON ?= $(shell $(FIND_PYTHON))

.DEFAULT_GOAL := help
.PHONY: help setup replay test check pythons bench specs docs clean

help:  ## say what there is
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/make \1|\2/p' Makefile | while IFS='|' read -r name does; do printf '%-12s %s\n' "$$name" "$$does"; done

setup: $(STAMP)  ## make .venv with the pinned tools; quick when nothing changed

$(STAMP): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo 'error: no Python 3.11 (from 3.11.5 on), 3.12 or 3.13 was found.' >&2; \
		echo 'hint: install one, or name it: make setup PYTHON=python3.12' >&2; exit 1; }
	@echo 'Setting up $(VENV) (once) …' >&2
	@$(BIN)/python -c '' 2>/dev/null || "$(PYTHON)" -m venv --clear $(VENV)
	@$(PIP) hatchling editables
	@$(PIP) --no-build-isolation --editable '.[dev,embedding]'
	@touch $@

MOMENT := --as-of 2025-12-15 --as-known-at 2025-12-15
ASKED  := --subject Vendor --predicate reliability --as-of 2024-09-01
SHOW    = @printf '\n$$ lore %s\n' '$(1)' && $(BIN)/lore --vault $(VAULT) $(1)

replay: $(STAMP)  ## replay the example vault: its beliefs, one question asked from two record times, the digest
	$(call SHOW,replay)
	$(call SHOW,facts $(MOMENT))
	@printf '\nWas the vendor reliable on 1 September 2024? Asked on 1 December 2024, then on 1 April 2025:\n'
	$(call SHOW,facts $(ASKED) --as-known-at 2024-12-01)
	$(call SHOW,facts $(ASKED) --as-known-at 2025-04-01)
	$(call SHOW,replay --digest)

test: $(STAMP)  ## run the whole suite: unit, laws, end to end, house and specs
	@$(PYTEST) $(ARGS)

check: $(STAMP)  ## lint, format, types, import contracts and the rules of the house
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(PYTEST) tests/house

specs: $(STAMP)  ## run the specs; UPDATE=1 rewrites their tables and outputs in place
	@$(if $(UPDATE),$(BIN)/python -m pytest specs --spec-update,$(PYTEST) specs) $(ARGS)

docs: $(STAMP)  ## write the generated pages of docs/ anew
	@$(BIN)/python docs/generate.py
	@$(BIN)/python docs/transcript.py

pythons:  ## try the digests on each interpreter of PYTHONS, in an environment of its own under build/
	@for python in $(PYTHONS); do \
		version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])') && echo "Python $$version" && \
		$(MAKE) --no-print-directory test VENV=build/python-$$version PYTHON=$$python ARGS='$(DIGESTS)' || exit 1; done

bench: $(STAMP)  ## measure; prints a table, writes JSON; SIZES=10k,100k for less, DATA=DIR for real data too
	@$(BIN)/python bench/run.py $(if $(SIZES),--sizes $(SIZES)) $(if $(DATA),--data $(DATA)) $(ARGS)

clean:  ## remove what builds and runs leave behind, the set-up too
	@rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis $(VAULT)/.lore
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
