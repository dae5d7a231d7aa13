"""What is built is what was written: the wheel holds every file of the package, the SQL and the grammar too."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from house.tree import PACKAGE, ROOT, tracked


def test_the_wheel_holds_the_package_and_nothing_else(tmp_path: Path) -> None:
    wheels = pytest.importorskip("hatchling.builders.wheel", reason="hatchling comes with `make setup`")
    (wheel,) = wheels.WheelBuilder(str(ROOT)).build(directory=str(tmp_path))
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == {path.relative_to(ROOT / "src").as_posix() for path in tracked() if PACKAGE in path.parents}
