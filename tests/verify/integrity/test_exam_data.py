"""Files that belong to the exam because the base's exam reads them."""

from donewhen.core.accept import read_accept
from donewhen.core.view import Change
from donewhen.shell import parse
from donewhen.verify.integrity.exam_data import ExamData
from donewhen.verify.integrity.exam_reach import reach
from donewhen.verify.integrity.inspecting import Texts
from tests.tables import table_test

LOOP = 'for f in cases/*.case; do\n  [ -e "$f" ] || continue\n  bash shout.sh < "$f" || exit 1\ndone\n'
RUNNER = (
    'import pathlib, sys\nfrom bounds import inside\nskip = pathlib.Path("checks/skip.txt")\n'
    'left = skip.read_text() if skip.exists() else ""\nsys.exit(1 if left else 0)\n'
)
GOAL = "umlauts become capitals"


def told(files: dict[str, str], now: dict[str, str | None], command: str, goal: str = GOAL) -> dict[str, str]:
    """How each changed file is spoken of."""
    base = Texts({path: text.encode() for path, text in files.items()})
    after = {path: text for path, text in {**files, **now}.items() if text is not None}
    changed: dict[str, Change] = {
        path: "deleted" if text is None else "modified" if path in files else "added"
        for path, text in now.items()
    }
    data = ExamData(reach(read_accept(command, parse), (), base, goal), base, goal)
    tree = Texts({path: text.encode() for path, text in after.items()})
    return {each.file: each.message.key.removeprefix("examdata.") for each in data.findings(changed, tree)}


SHOUT = {"check.sh": LOOP, "shout.sh": "tr a-z A-Z\n", "cases/a.case": "a|A\n", "notes.txt": "x\n"}


@table_test(
    ("now", "goal", "wanted"),
    [
        ({"cases/a.case": None}, GOAL, {"cases/a.case": "gone"}),
        ({"cases/a.case": None, "cases/a.txt": "a|A\n"}, GOAL, {"cases/a.case": "gone"}),
        ({"cases/a.case": None, "cases/b.case": "a|A\n"}, GOAL, {}),
        ({"cases/a.case": "a|a\n"}, GOAL, {"cases/a.case": "edited"}),
        ({"cases/b.case": "b|B\n"}, GOAL, {}),
        ({"notes.txt": None}, GOAL, {}),
        ({"shout.sh": "cat\n"}, GOAL, {}),
        ({"cases/a.case": None}, "remove cases/a.case", {}),
        ({"cases/a.case": "a|a\n"}, "update the cases", {}),
    ],
)
def test_cases_that_a_script_loops_over(now, goal, wanted):
    assert told(SHOUT, now, "bash check.sh", goal) == wanted


def test_what_the_product_reads_as_well_is_product():
    reads = {**SHOUT, "shout.sh": "cat cases/a.case\n"}
    assert not told(reads, {"cases/a.case": "a|a\n"}, "bash check.sh")


def test_data_that_an_exam_without_product_is_about_is_the_work():
    files = {"check.sh": "for f in texts/*.md; do grep -q '^# ' $f || exit 1; done\n", "texts/a.md": "a\n"}
    assert not told(files, {"texts/a.md": "# a\n"}, "bash check.sh")


def test_a_file_that_the_runner_reads_if_it_is_there():
    files = {"run_checks.py": RUNNER, "bounds.py": "def inside(): ...\n"}
    assert told(files, {"checks/skip.txt": "high\n"}, "python3 run_checks.py") == {"checks/skip.txt": "made"}
    named = "inside() is wrong; write checks/skip.txt"
    assert not told(files, {"checks/skip.txt": "high\n"}, "python3 run_checks.py", named)


def test_code_that_is_run_by_a_glob_and_code_that_is_compiled_by_one():
    files = {
        "all.sh": 'set -e\nfor f in t/*.py src/*.py; do python3 "$f"; done\n',
        "t/a.py": "from b import c\nassert c\n",
        "src/b.py": "assert True\nc = 1\n",
    }
    base = Texts({path: text.encode() for path, text in files.items()})
    data = ExamData(reach(read_accept("bash all.sh", parse), (), base), base, "")
    assert data.ran(["t/a.py", "src/b.py", "all.sh"]) == {"t/a.py"}


def test_names_that_are_no_text_and_odd_names_do_no_harm():
    odd = {"cases/\udcff\n.case": "a|A\n", "cases/-rf.case": "b|B\n", **SHOUT}
    found = told(odd, {"cases/-rf.case": None, "cases/\udcff\n.case": None}, "bash check.sh")
    assert set(found.values()) == {"gone"}


PAGE = {
    "README.md": "# dur\n\n    >>> from dur import dur\n    >>> dur(61)\n    '1:01'\n",
    "dur.py": "def dur(s): ...\n",
}


@table_test(
    ("command", "goal", "wanted"),
    [
        ("python3 -m doctest README.md", "dur() prints m:ss as in README.md", {"README.md": "edited"}),
        ("python3 -m pytest '--doctest-glob=*.md'", "dur() prints m:ss", {"README.md": "edited"}),
        ("python3 -m pytest --doctest-glob '*.md'", "dur() prints m:ss", {"README.md": "edited"}),
        ("python3 -m doctest README.md", "update README.md: dur() prints m:ss", {}),
        ("python3 check.py README.md", "dur() prints m:ss", {}),
    ],
)
def test_a_page_whose_examples_are_run_is_the_exam(command, goal, wanted):
    assert told(PAGE, {"README.md": "# dur\n"}, command, goal) == wanted


def test_a_page_that_a_script_of_the_exam_runs_is_the_exam():
    script = "import doctest, sys\nsys.exit(doctest.testfile('README.md').failed)\n"
    files = {**PAGE, "check_page.py": script}
    goal = "dur() prints m:ss"
    assert told(files, {"README.md": "# dur\n"}, "python3 check_page.py", goal) == {"README.md": "edited"}
    suite = {**PAGE, "tests/test_page.py": "import doctest\ndoctest.DocFileSuite('../README.md')\n"}
    assert told(suite, {"README.md": "# dur\n"}, "python3 -m unittest", goal) == {"README.md": "edited"}


def test_settings_that_the_exam_sources_where_they_are_there_are_told():
    files = {"check.sh": "[ -f .env ] && . ./.env\nbash conv.sh ${CASES-a b} || exit 1\n", "conv.sh": "cat\n"}
    assert told(files, {".env": "CASES=\n"}, "bash check.sh") == {".env": "made"}
    assert told(files, {".editorconfig": "root = true\n"}, "bash check.sh") == {}


FOUND = {
    "run.sh": "find cases -name '*.sh' -not -path '*/.*' | while read -r f; do bash \"$f\" || exit 1; done\n",
    "low.sh": 'echo "$1"\n',
    "cases/a.sh": 'test "$(bash low.sh A)" = a\n',
}


@table_test("place", ["cases/.d/a.sh", "cases/d/a.sh", "cases/_a.sh"])
def test_a_case_that_moves_to_where_it_may_not_be_looked_for_is_put_back(place):
    now = {"cases/a.sh": None, place: FOUND["cases/a.sh"]}
    assert told(FOUND, now, "bash run.sh", "low.sh prints lower case") == {"cases/a.sh": "gone"}


def test_a_case_with_another_name_in_its_folder_is_still_read():
    now = {"cases/a.sh": None, "cases/b.sh": FOUND["cases/a.sh"]}
    assert told(FOUND, now, "bash run.sh", "low.sh prints lower case") == {}
