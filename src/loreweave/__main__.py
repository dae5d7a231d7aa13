"""``python -m loreweave`` is the program ``lore``."""

from loreweave.cli import main

if __name__ == "__main__":
    main(prog_name="lore")
