"""A program that reviews is that of the base, whatever the change does to the files that it is made of."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from donewhen.core.events import facts
from tests.helpers import Cli
from tests.projects import git, write
from tests.pythons import plain_python
from tests.runs import CLAIM, FIX, bodies, broken_cart, play, settings

GATES = False
SUM = "sum(prices)"
VERIFY = ("verify", "--accept", "python3 -m unittest", "--goal", "Fix the cart", "--json")

TEXT = """
import json, os, sys
spec = " ".join(("First", "stage")) in sys.stdin.read()  # the diff shows this line too
quote = {"file": "cart.py", "line": 2, "text": "return sum(prices)"}
one = {"criterion": "c1", "verdict": "VERDICT", "reason": "so", "confidence": 1, "quotes": [quote]}
seen = {"severity": "low", "message": "sees " + " ".join(sorted(os.listdir("."))), "confidence": 1}
print(json.dumps({"findings": [seen], **({"criteria": [one]} if spec else {})}))
"""
OBJECTS, AGREES = TEXT.replace("VERDICT", "unmet"), TEXT.replace("VERDICT", "met")
MAKE = f"review:\n\t@{plain_python()} tools/review.py\n"
WAYS: dict[str, tuple[list[str], dict[str, str], str]] = {
    "script": ([sys.executable, "tools/review.py"], {}, "tools/review.py"),
    "module": ([sys.executable, "-m", "review"], {}, "review.py"),
    "make": (["make", "-s", "review"], {"Makefile": MAKE}, "tools/review.py"),
    "text": (["sh", "-c", f"exec {plain_python()} tools/review.py"], {}, "tools/review.py"),
    "sourced": (
        ["sh", "tools/review.sh"],
        {"tools/review.sh": ". tools/more.sh\n", "tools/more.sh": f"{plain_python()} tools/review.py\n"},
        "tools/review.py",
    ),
}


def reviewed_by(cli: Cli, command: list[str]) -> None:
    settings(cli, verification={"semantic": {"command": command}}, evidence={"base_exam": "never"})


def mend(folder: Path) -> None:
    write(folder, {"cart.py": (folder / "cart.py").read_text().replace("sum(prices) + 1", SUM)})


def gate(done: Any) -> Any:
    (found,) = [each for each in done.json["gates"] if each["gate"] == "semantic"]
    return found


def told(cli: Cli, done: Any) -> set[str]:
    found = bodies(cli, done.json["run"])
    (fact,) = [each for each in found if isinstance(each, facts.Verified) and each.verifier == "semantic"]
    return {each["message"].strip() for each in fact.details["violations"]}


@pytest.mark.runs
@pytest.mark.parametrize("way", WAYS)
def test_an_agent_can_not_replace_its_reviewer(cli: Cli, way: str):
    command, more, bribed = WAYS[way]
    reviewed_by(cli, command)
    broken_cart(cli, {bribed: OBJECTS, **more})
    done = play(cli, FIX, {"write": {"path": bribed, "content": AGREES}}, CLAIM)
    assert done.exit == 1, done.json["decision"]["details"]
    assert "criterion c1 is not met" in json.dumps(done.json["decision"]["details"])


@pytest.mark.runs
@pytest.mark.parametrize("way", WAYS)
def test_verify_asks_the_reviewer_of_the_base(cli: Cli, way: str):
    command, more, bribed = WAYS[way]
    reviewed_by(cli, command)
    folder = broken_cart(cli, {bribed: OBJECTS, **more})
    mend(folder)
    write(folder, {bribed: AGREES})
    done = cli(*VERIFY)
    assert (done.exit, gate(done)["verdict"]) == (1, "failed"), done


@pytest.mark.parametrize("linked", [False, True], ids=["whole path", "through a link"])
def test_a_whole_path_into_the_judged_tree_leads_to_the_base(cli: Cli, linked: bool):
    folder = broken_cart(cli, {"tools/review.py": OBJECTS})
    named = folder
    if linked:
        named = folder.parent / "elsewhere"
        named.symlink_to(folder)
    reviewed_by(cli, [sys.executable, str(named / "tools/review.py")])
    mend(folder)
    write(folder, {"tools/review.py": AGREES})
    done = cli(*VERIFY)
    assert (done.exit, gate(done)["verdict"]) == (1, "failed"), done


@pytest.mark.runs
def test_a_text_that_names_the_judged_tree_is_refused(cli: Cli):
    folder = broken_cart(cli, {"tools/review.py": AGREES})
    reviewed_by(cli, ["sh", "-c", f"cd {folder} && exec {plain_python()} tools/review.py"])
    mend(folder)
    done = cli(*VERIFY)
    assert (gate(done)["verdict"], gate(done)["required"]) == ("could_not_run", True), done
    assert "a change does not choose its reviewer" in done.out


@pytest.mark.runs
def test_a_program_that_the_change_puts_on_the_path_is_not_found(cli: Cli):
    folder = broken_cart(cli)
    mend(folder)
    write(folder, {"bin/my-review": f"#!{plain_python()}\n{AGREES}"})
    (folder / "bin/my-review").chmod(0o755)
    cli.env["PATH"] = f"{folder}/bin:bin:{cli.env['PATH']}"
    reviewed_by(cli, ["my-review"])
    done = cli(*VERIFY)
    assert gate(done)["verdict"] == "could_not_run", done
    assert "there is no program `my-review`" in done.out


@pytest.mark.runs
def test_the_reviewer_sees_the_base_and_leaves_nothing_behind(cli: Cli):
    text = AGREES.replace("print(", "open('left', 'w').close(); print(")
    outside = cli.folder.parent / "review.py"
    outside.write_text(text)
    reviewed_by(cli, [sys.executable, str(outside)])
    folder = broken_cart(cli)
    mend(folder)
    write(folder, {"new.txt": "of the change\n"})
    done = cli(*VERIFY)
    assert done.exit == 0, done
    assert told(cli, done) == {"sees .git cart.py test_cart.py"}
    assert "left" not in git(folder, "status", "--porcelain")


def test_before_the_first_commit_there_is_nothing_to_see(cli: Cli):
    outside = cli.folder.parent / "review.py"
    outside.write_text(AGREES)
    reviewed_by(cli, [sys.executable, str(outside)])
    folder = broken_cart(cli)
    mend(folder)
    git(folder, "update-ref", "-d", "HEAD")
    done = cli(*VERIFY)
    assert told(cli, done) == {"sees"}, done
