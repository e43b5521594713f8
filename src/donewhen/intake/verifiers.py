"""Verifiers that are not ours, of the configuration and of plugins: each a gate where a check asks for it.

A plugin's entry point in the group `donewhen.verifiers` is a function that is given the folder of the tree
and gives its findings: mappings with a message and, where known, file, line, rule and severity. None of them
is a pass; what it raises is no verdict. It runs as a program, `python -m donewhen.intake.verifiers NAME
PLACE`, behind the walls of every gate.
"""

import json
import sys
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from donewhen.config import Config
from donewhen.config.kinds import hint
from donewhen.config.sections_verify import BUILT_IN_GATES, Gate
from donewhen.core.checks import Check
from donewhen.core.errors import UserError
from donewhen.core.shown import one_name
from donewhen.guard.offered import offered

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_GROUP = "donewhen.verifiers"


def verifiers_of(config: Config) -> dict[str, Gate]:
    """By name, each as a gate of one's own; what the configuration says comes first."""
    found = {
        entry.name: Gate(
            name=entry.name,
            command=(sys.executable, "-m", __spec__.name, entry.name, _place(entry)),
            parser="json",
            absolute=True,
        )
        for entry in offered(_GROUP)
    }
    for name, each in config.verification.verifiers.items():
        settings = each.model_dump(exclude={"scope"}, exclude_defaults=True)
        found[name] = Gate(name=name, absolute=True, **settings)
    return found


def _place(entry: "EntryPoint") -> str:
    """Where its package is installed: the walls of a gate leave no search path of the user's."""
    return str(entry.dist.locate_file("")) if entry.dist else ""


def scopes_of(config: Config) -> dict[str, str]:
    """What verifiers say that they verify, by name."""
    return {name: each.scope for name, each in config.verification.verifiers.items() if each.scope}


def refuse_unknown(
    checks: Iterable[Check], config: Config, tools: Callable[[], Collection[str]] = tuple
) -> None:
    """UserError for a check that asks for the word of somebody who is not there; `tools` may speak too."""
    gates = (*BUILT_IN_GATES, "semantic", *(gate.name for gate in config.verification.quality.gates))
    known = {*gates, *verifiers_of(config)}
    for check in checks:
        names = {*known, *tools()} if check.kind == "tool_fact" else known
        if check.verifier and check.verifier not in names:
            near = hint(check.verifier, sorted(names))
            values = {"kind": check.kind, "name": one_name(check.verifier), "near": near}
            raise UserError("checks.unknown_verifier", place=check.source or check.name, **values)


def main(name: str, place: str) -> int:
    sys.path.append(place)
    (entry,) = (each for each in offered(_GROUP) if each.name == name)
    findings = [dict(each) for each in entry.load()(Path.cwd())]
    sys.stdout.write(json.dumps({"findings": findings}))
    return int(bool(findings))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
