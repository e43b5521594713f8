"""Writes the index of the guard's readers anew: `python scripts/readers.py`, after a program was added."""

import textwrap
from importlib import import_module
from pathlib import Path

FAMILIES = (
    *("files", "archives", "finding", "git", "forge", "network", "packages"),
    *("machine", "data", "containers", "texts", "interpreters", "editors"),
)
MODULES = (*(f"{family}.readers" for family in FAMILIES), "donewhen")
INDEX = Path(__file__).parents[1] / "src/donewhen/guard/programs/index.py"
HEAD = (
    '"""Which module has the reader of which program; only what is needed is loaded, tests keep it true."""'
)


def main() -> None:
    homes: dict[str, str] = {}
    for module in MODULES:  # a later family's reader of the same name counts
        homes.update(dict.fromkeys(import_module(f"donewhen.guard.programs.{module}").READERS, module))
    lines = [HEAD, "", "NAMES: dict[str, str] = {"]
    for module in MODULES:
        names = " ".join(sorted(name for name, home in homes.items() if home == module))
        lines.append(f'    "{module}": """')
        lines += textwrap.wrap(
            names, 104, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
        )
        lines.append('    """,')
    INDEX.write_text("\n".join([*lines, "}", ""]))


if __name__ == "__main__":
    main()
