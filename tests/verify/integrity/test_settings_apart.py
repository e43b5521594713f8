"""Makefiles and manifests that hold product and exam: only the product's part may change unseen."""

from donewhen.verify.integrity.settings import ChangedFile
from donewhen.verify.integrity.settings.apart import set_apart
from tests.tables import table_test

MAKE = "OUT = build\n\nclean:\n\t@true\n\ncheck: prepare\n\t@$(MAKE) clean\n\t@test ! -e build\n\nprepare:\n\tmkdir -p build\n"
GOAL = "make clean does nothing: it should remove build/"
CLEAN = ("\t@true\n", "\trm -rf build\n")


def apart(*edits: tuple[str, str], goal: str = GOAL, commands: tuple[str, ...] = ("make check",)) -> bool:
    now = MAKE
    for before, after in edits:
        assert before in now
        now = now.replace(before, after)
    return bool(set_apart([ChangedFile("Makefile", MAKE.encode(), now.encode())], commands, goal))


def test_a_target_that_the_goal_names_may_change_beside_the_exam():
    assert apart(CLEAN)
    assert apart(CLEAN, ("OUT", ".PHONY: clean\nOUT"))


@table_test(
    "case",
    [
        apart(CLEAN, ("\t@test ! -e build\n", "\t@true\n")),
        apart(CLEAN, ("\tmkdir -p build\n", "\t@true\n")),
        apart(CLEAN, ("check: prepare", "check:")),
        apart(CLEAN, ("OUT = build", "OUT = build\nSHELL = /bin/true")),
        apart(CLEAN, goal="fix the build"),
        apart(CLEAN, commands=()),
        apart(CLEAN, commands=("make clean",)),
        apart(("\t@true\n", "\t@true\n\n.IGNORE: check\n")),
    ],
)
def test_nothing_else_may(case: bool):
    assert not case


def test_a_script_of_a_manifest_may_change_if_the_goal_names_it():
    def text(build: str, test: str) -> bytes:
        return f'{{"name": "x", "scripts": {{"build": "{build}", "test": "{test}"}}}}'.encode()

    goal = "npm run build writes nothing"
    before = text("true", "npm run build && node check.js")
    fine = ChangedFile("package.json", before, text("node build.js", "npm run build && node check.js"))
    worse = ChangedFile("package.json", before, text("node build.js", "npm run build"))
    assert set_apart([fine], ("npm test",), goal) == {"package.json"}
    assert set_apart([worse], ("npm test",), goal) == frozenset()
