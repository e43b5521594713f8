"""The three verdicts as a user of `verify` meets them: what runs decides, and what is asked."""

import json
import sys
from pathlib import Path

import pytest

from donewhen.secrets.examples import expand
from tests.helpers import Cli, Result
from tests.projects import repository, write

GATES = False  # they have tests of their own
SOURCE = "def total(prices):\n    return sum(prices)\n"
BROKEN = "def total(prices):\n    return sum(prices) + 1\n"
TEST = """\
import unittest

from cart import total


class Total(unittest.TestCase):
    def test_adds_up(self):
        self.assertEqual(total([1, 2]), 3)

    def test_empty(self):
        self.assertEqual(total([]), 0)
"""
BENT = TEST.replace("3)", "4)").replace("0)", "1)")
SKIPPED = TEST.replace("    def test_empty", '    @unittest.skip("later")\n    def test_empty')
FILES = {"cart.py": SOURCE, "test_cart.py": TEST}
ASKED = ("--accept", "python3 -m unittest -q")


@pytest.fixture
def project(cli: Cli) -> Path:
    return repository(cli.folder, FILES)


def questions(done: Result) -> list[tuple[str, str]]:
    return [(each["kind"], each["test"].rpartition("::")[2]) for each in done.json["questions"]]


def test_rewritten_tests_that_the_old_code_passed_are_asked_about_and_a_yes_accepts(cli: Cli, project):
    write(project, {"cart.py": BROKEN, "test_cart.py": BENT})
    done = cli("verify", *ASKED, "--goal", "Make total() in cart.py faster", "--json")
    assert (done.exit, done.json["decision"]["stop_reason"]) == (4, "escalated")
    assert questions(done) == [("broken-test", "test_adds_up"), ("broken-test", "test_empty")]
    again = cli("verify", *ASKED, "--goal", "Make total() in cart.py faster", "--json")
    assert (again.exit, again.json["run"], questions(again)) == (4, done.json["run"], questions(done))
    first, second = (each["id"] for each in done.json["questions"])
    assert [each["id"] for each in cli("confirm", "--json").json["questions"]] == [first, second]
    assert cli("confirm", first, "--because", "a fee is part of the price").exit == 0
    assert cli("confirm", second[:6]).exit == 0
    done = cli("verify", *ASKED, "--json")
    assert (done.exit, done.json["questions"]) == (0, [])
    assert {each["because"] for each in done.json["answers"]} == {"a fee is part of the price", ""}
    record = json.loads(Path(done.json["record"]).read_text())
    told = [each for each in record["predicate"]["evidence"] if "question" in each]
    assert [(each["question"], each["answer"], bool(each["who"] and each["when"])) for each in told] == [
        (first, "yes", True),
        (second, "yes", True),
    ]
    assert cli("confirm").out == "No question waits here.\n"


def test_an_answer_holds_only_for_the_contents_it_was_given_for(cli: Cli, project):
    write(project, {"cart.py": BROKEN, "test_cart.py": BENT})
    cli("verify", *ASKED)
    assert cli("confirm", "--all").exit == 0
    write(project, {"test_cart.py": BENT + "\n    def test_more(self):\n        pass\n"})
    assert cli("verify", *ASKED).exit == 4


@pytest.mark.runs
def test_a_no_is_not_accepted_and_needs_its_reason(cli: Cli, project):
    write(project, {"cart.py": BROKEN, "test_cart.py": BENT})
    (first, _) = (each["id"] for each in cli("verify", *ASKED, "--json").json["questions"])
    assert cli("deny", first).exit == 2
    assert cli("deny", first, "--because", "the sum must stay").exit == 0
    done = cli("verify", *ASKED)
    assert done.exit == 1
    assert "a human answered no" in done.out


@pytest.mark.runs
def test_answers_from_outside_the_change_are_given_on_the_command_line(cli: Cli, project):
    write(project, {"cart.py": BROKEN, "test_cart.py": BENT})
    ids = [each["id"] for each in cli("verify", *ASKED, "--json").json["questions"]]
    assert cli("verify", *ASKED, "--confirmed", ids[0]).exit == 4
    assert cli("verify", *ASKED, "--confirmed", ids[0], "--confirmed", ids[1]).exit == 0
    done = cli("verify", *ASKED, "--confirmed", "yes")
    assert (done.exit, "q-0123456789" in done.err) == (2, True)


@pytest.mark.runs
def test_a_permit_answers_beforehand(cli: Cli, project):
    write(project, {"cart.py": BROKEN, "test_cart.py": BENT})
    assert cli("verify", *ASKED, "--permit", "test_cart.py").exit == 0
    assert cli("verify", *ASKED, "--permit", "docs/**").exit == 4


def test_tests_that_are_only_moved_and_split_ask_nothing(cli: Cli, project):
    one, _, two = TEST.partition("\n    def test_empty")
    head = TEST.partition("    def test_adds_up")[0]
    (project / "test_cart.py").unlink()
    write(project, {"tests/__init__.py": "", "tests/test_sums.py": one + "\n"})
    write(project, {"tests/test_empty.py": f"{head}    def test_empty{two}"})
    done = cli("verify", *ASKED, "--json")
    assert (done.exit, done.json["questions"]) == (0, []), done.out


def test_a_failing_test_that_is_only_switched_off_is_refused(cli: Cli):
    project = repository(cli.folder, {"cart.py": BROKEN.replace("+ 1", "or 1"), "test_cart.py": TEST})
    write(project, {"test_cart.py": SKIPPED})
    done = cli("verify", *ASKED, "--json")
    assert (done.exit, done.json["decision"]["stop_reason"]) == (1, "integrity_violation")
    assert "test_empty" in done.json["decision"]["details"][0]


@pytest.mark.runs
def test_a_setting_that_keeps_an_unchanged_test_from_running_is_refused(cli: Cli):
    files = {"cart.py": BROKEN, "test_cart.py": TEST, "run.sh": "python3 -m unittest -q test_cart\n"}
    project = repository(cli.folder, {**files, "Makefile": "test:\n\tsh run.sh\n"})
    write(
        project, {"cart.py": BROKEN + "\n# said\n", "test_ok.py": TEST.replace("cart import", "fine import")}
    )
    write(project, {"fine.py": SOURCE, "Makefile": "test:\n\tpython3 -m unittest -q test_ok\n"})
    assert cli("verify", "--accept", "make test").exit in (1, 4)


@pytest.mark.runs
def test_a_file_that_could_not_be_loaded_and_is_left_out_is_refused(cli: Cli):
    lazy = "from cart import lazy\n\n\ndef test_lazy():\n    assert lazy() == 0\n"
    fine = "from cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n"
    project = repository(
        cli.folder, {"cart.py": SOURCE, "tests/test_lazy.py": lazy, "tests/test_fine.py": fine}
    )
    write(project, {"conftest.py": "collect_ignore = ['tests/test_lazy.py']\n"})
    alone = "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1"  # a plugin of a checkout below /tmp is out of the exam's sight
    done = cli("verify", "--accept", f"{alone} {sys.executable} -m pytest -q", "--json")
    assert (done.exit, done.json["decision"]["stop_reason"]) == (1, "integrity_violation"), done.out
    assert "tests/test_lazy.py" in done.json["decision"]["details"][0]


def test_what_was_red_before_is_named_and_does_not_block(cli: Cli):
    files = {"cart.py": BROKEN.replace("+ 1", "or 1"), "test_cart.py": TEST, "other.py": "x = 1\n"}
    project = repository(cli.folder, files)
    write(project, {"other.py": "x = 2\n"})
    done = cli("verify", "--json")
    assert done.exit == 0, done.out
    assert any("1 red before" in note and "test_empty" in note for note in done.json["notes"])
    declared = cli("verify", *ASKED)
    assert declared.exit == 1
    write(project, {"cart.py": files["cart.py"] + "\n\ndef more():\n    return 1\n"})
    touched = cli("verify", "--json")
    assert (touched.exit, questions(touched)) == (4, [("red-before", "test_empty")])
    write(project, {"cart.py": "def total(prices):\n    return 7\n"})
    assert cli("verify").exit == 1


@pytest.mark.runs
def test_code_that_is_right_only_the_first_time_is_asked_about(cli: Cli, project):
    once = (
        "import pathlib\n\n\ndef total(prices):\n    seen = pathlib.Path('seen.log')\n"
        "    seen.write_text(seen.read_text() + 'x' if seen.exists() else 'x')\n"
        "    return sum(prices) + (len(seen.read_text()) > 2)\n"
    )
    write(project, {".gitignore": "*.log\n__pycache__/\n", "cart.py": once})
    done = cli("verify", *ASKED, "--json")
    assert done.exit == 4, done.out
    assert ("unstable-test", "test_adds_up") in [(k, t.partition(" ")[0]) for k, t in questions(done)]


@pytest.mark.runs
@pytest.mark.parametrize(("policy", "exit"), [("warn", 0), ("ask", 4), ("deny", 1)])
def test_the_policy_of_a_reader_can_be_set(cli: Cli, project, policy: str, exit: int):
    write(project, {"cart.py": "import sys\n\nFAST = 'pytest' in sys.modules\n" + SOURCE})
    done = cli("verify", *ASKED, "--set", f"verification.integrity={{test-aware: {policy}}}")
    assert done.exit == exit, done.out + done.err


@pytest.mark.runs
@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "md", "github", "html"])
def test_every_report_names_the_question(cli: Cli, project, form: str):
    write(project, {"cart.py": BROKEN, "test_cart.py": BENT})
    done = cli("verify", *ASKED, "--format", form)
    assert done.exit == 4
    assert "q-" in done.out
    assert "test_empty" in done.out


def test_no_base_is_nothing_to_compare_with(cli: Cli):
    cli.folder.mkdir(exist_ok=True)
    repository(cli.folder)
    write(cli.folder, FILES)
    assert cli("verify", *ASKED, "--json").exit == 0


def test_what_only_may_be_a_secret_is_a_question_and_a_providers_key_is_none(cli: Cli, project):
    word, token = "x7Gq9ZpL2mNv8RtYw4Kc", expand("ghp_{w36}")
    write(project, {"cart.py": f"{SOURCE}password = '{word}'\n"})
    done = cli("verify", *ASKED, "--json")
    assert (done.exit, questions(done)) == (4, [("secret", "")])
    assert word not in done.out
    write(project, {"cart.py": SOURCE, "tests/data.txt": f"{token}\n"})
    done = cli("verify", *ASKED, "--json")
    assert (done.exit, [each["file"] for each in done.json["questions"]]) == (4, ["tests/data.txt"])
    write(project, {"data.txt": f"{token}\n"})
    assert cli("verify", *ASKED).exit == 1


def test_known_tests_run_beside_a_declared_command_and_only_new_reds_count(cli: Cli):
    red = "import unittest\n\n\nclass Red(unittest.TestCase):\n    def test_red(self):\n        self.fail()\n"
    project = repository(cli.folder, {**FILES, "test_red.py": red})
    write(project, {"cart.py": SOURCE + "# said\n"})
    declared = ("--accept", "grep -q def cart.py")
    done = cli("verify", *declared, "--json")
    assert done.exit == 0, done.out
    assert "test_red" in str(done.json["notes"])
    write(project, {"cart.py": BROKEN})
    done = cli("verify", *declared, "--json")
    assert (done.exit, done.json["decision"]["status"]) == (1, "failed")
    assert cli("verify", *declared, "--set", "evidence.known_tests=off").exit == 0


def test_known_tests_that_take_too_long_are_told_and_left_out(cli: Cli):
    slow = "import time\n\ntime.sleep(60)\n"
    project = repository(cli.folder, {**FILES, "test_slow.py": slow})
    write(project, {"cart.py": SOURCE + "# said\n"})
    limit = "verification.execution.test_timeout=2"
    done = cli("verify", "--accept", "grep -q def cart.py", "--set", limit, "--json")
    assert done.exit == 0, done.out
    assert "unittest" in str(done.json["notes"])
