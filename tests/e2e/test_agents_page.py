"""What the page on agents tells people to type works as it stands there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from house.tree import ROOT
from loreweave.cli import main
from loreweave.vault.founding import TEMPLATE
from typed import vault

PAGE = (ROOT / "docs" / "agents.md").read_text("utf-8")
BLOCKS = [
    block
    for page in ("README.md", "docs/agents.md")
    for block in re.findall(r"```json\n(.*?)```", (ROOT / page).read_text("utf-8"), flags=re.DOTALL)
]


@pytest.mark.parametrize("block", BLOCKS, ids=["front page", "page on agents"])
def test_what_clients_are_given_starts_the_server(block: str) -> None:
    (server,) = json.loads(block)["mcpServers"].values()
    assert server["command"] == "lore"
    name, *words = server["args"]
    command = main.get_command(click.Context(main), name)
    assert command is not None
    context = command.make_context(name, list(words))
    assert context.params["mcp"] is True


def test_the_python_client_of_the_page_gets_its_context_pack(tmp_path: Path) -> None:
    (script,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    at = vault(tmp_path, {"vendor.md": "# Vendor\n\nThe vendor delivers before nine.\n"})
    program = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); from loreweave.cli import main; main()"
    started = f"command={sys.executable!r}, args=['-c', {program!r}, "
    script = script.replace('command="lore", args=[', started).replace("/path/to/notes", str(at))
    assert started in script
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert "'address': 'vendor.md#Vendor:1-3'" in done.stdout


def test_the_settings_of_the_page_are_settings(tmp_path: Path) -> None:
    from loreweave.vault.config import read_config

    for number, block in enumerate(re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)):
        at = vault(tmp_path / str(number), {"lore/config.toml": block})
        config = read_config(at)
        assert config.writes == "propose" or config.extraction.scopes == (("clients/alice", "alice"),)
        table, setting = block.splitlines()
        assert f"\n{table}\n# " in TEMPLATE, "the page says that the table stands there already"
        (at / "lore/config.toml").write_text(TEMPLATE.replace(f"{table}\n", f"{table}\n{setting}\n"), "utf-8")
        assert read_config(at) == config
