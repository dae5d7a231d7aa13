"""Specs are tests: `pytest`, `pytest specs` and `-k` find their scenarios, `--spec-update` rewrites them."""

pytest_plugins = ("markdown_specs",)
