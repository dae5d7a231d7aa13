"""The entry for the registry of servers: it says what the package is, and starts what the program has."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import click
import jsonschema

import loreweave
from house.tree import ROOT
from loreweave.cli import main

ENTRY = json.loads((ROOT / "server.json").read_text("utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
(PACKAGE,) = ENTRY["packages"]

TEXT = {"type": "string", "minLength": 1}
ARGUMENT: dict[str, Any] = {
    "type": "object",
    "required": ["type"],
    "properties": {
        "type": {"enum": ["positional", "named"]},
        "name": TEXT,
        "value": TEXT,
        "description": TEXT,
        "format": {"enum": ["string", "number", "boolean", "filepath"]},
        "isRequired": {"type": "boolean"},
    },
    "additionalProperties": False,
    "oneOf": [{"required": ["name"]}, {"required": ["value"]}],
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["$schema", "name", "title", "description", "version", "packages"],
    "additionalProperties": False,
    "properties": {
        "$schema": {
            "pattern": r"^https://static\.modelcontextprotocol\.io/schemas/\d{4}-\d\d-\d\d/server\.schema\.json$"
        },
        "name": {"type": "string", "pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "minLength": 3, "maxLength": 200},
        "title": {**TEXT, "maxLength": 100},
        "description": {**TEXT, "maxLength": 100},
        "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+$"},
        "packages": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["registryType", "identifier", "version", "transport"],
                "additionalProperties": False,
                "properties": {
                    "registryType": {"const": "pypi"},
                    "identifier": TEXT,
                    "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+$"},
                    "runtimeHint": TEXT,
                    "transport": {"const": {"type": "stdio"}},
                    "packageArguments": {"type": "array", "items": ARGUMENT},
                },
            },
        },
    },
}
"""What of the registry's own schema the entry uses, and no more than that."""


def test_the_entry_has_the_form_that_the_registry_asks_for() -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(ENTRY)


def test_the_entry_is_of_this_version_and_this_package() -> None:
    assert ENTRY["version"] == PACKAGE["version"] == loreweave.__version__
    assert PACKAGE["identifier"] == PROJECT["name"]
    assert PACKAGE["identifier"] in PROJECT["scripts"], "what runs the package by its name finds a command so called"


def test_the_readme_says_that_the_entry_is_its_own() -> None:
    assert f"<!-- mcp-name: {ENTRY['name']} -->" in (ROOT / "README.md").read_text("utf-8")


def test_what_the_entry_starts_exists_with_each_of_its_flags() -> None:
    words = [each["value"] for each in PACKAGE["packageArguments"] if each["type"] == "positional"]
    named = [each["name"] for each in PACKAGE["packageArguments"] if each["type"] == "named"]
    command = main.get_command(click.Context(main), words[0])
    assert command is not None
    known = {option for each in (*command.params, *main.params) for option in each.opts}
    assert {*words[1:], *named} <= known
    assert all(re.fullmatch(r"--[a-z-]+", flag) for flag in (*words[1:], *named))
