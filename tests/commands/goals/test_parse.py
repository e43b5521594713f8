"""Places, folders, reasons, files and limits of goal parsing."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from donewhen.commands.goals import Goal, GoalCommand, GoalFile, Ignored, Place, parse_goal
from donewhen.commands.goals.model import TAKEN, Frame
from donewhen.core.texts import say
from tests.tables import table_test


def labels(goal: str) -> list[str]:
    return [each.label for each in parse_goal(goal).commands]


def test_a_command_carries_its_folder_its_place_and_the_rule_that_took_it():
    text = "Implement it.\nDone when `cd web && npm test` and `make check` pass."
    assert parse_goal(text) == Goal(
        commands=(
            GoalCommand("npm test", "web", Place(24, 2), "goal.why_marker"),
            GoalCommand("make check", "", Place(49, 2), "goal.why_marker"),
        ),
        active=True,
        language="en",
        work=True,
    )


def test_places_are_those_of_the_text_as_it_was_given():
    text = "\ufeffFix it.\r\nDone when `npm\u200b test` passes."
    (command,) = parse_goal(text).commands
    assert text[command.place.offset] == "`"
    assert command.place.line == 2


def test_comments_of_html_and_struck_out_text_are_not_said_and_move_no_place():
    text = "Fix it.\n<!-- `make a`\nmust pass -->\n~~`make b` must pass.~~ <del>`make c` must pass</del>\nDone when `make d` passes."
    assert parse_goal(text).commands == (
        GoalCommand("make d", "", Place(text.index("`make d"), 5), "goal.why_marker"),
    )


def test_a_comment_that_never_ends_is_text():
    assert labels("Fix it. <!-- `make a` and `make b` must pass.") == ["make a", "make b"]


def test_a_block_of_data_names_commands_only_under_a_key_of_acceptance():
    data = "```yaml\nsteps:\n  - run: make lint\n  - make docs\naccept:\n  - make test\n```"
    assert labels(f"Implement it.\n\n{data}") == ["make test"]


def test_publishing_behind_a_condition_is_no_part_of_it():
    goal = parse_goal("Fix it. Once `make a` and `make b` pass, run `git push`.")
    assert [each.label for each in goal.commands] == ["make a", "make b"]
    assert [(each.text, each.why) for each in goal.ignored] == [("git push", "goal.not_later")]


@table_test("lead", ["Then run:", "Afterwards:", "From the repo root run:", "最后运行："])
@table_test("below", ["- {}\n- {}", "```\n{}\n{}\n```"])
def test_a_lead_in_orders_what_stands_below_it_as_words_before_a_command_do(lead, below):
    listed = below.format("npm test", "npm run build")
    assert labels(f"Implement the queue. {lead}\n{listed}") == ["npm test", "npm run build"]


@table_test("lead", ["On each push it must run:", "In CI we then run:", "脚本随后会执行："])
def test_a_lead_in_about_somebody_else_orders_nothing(lead):
    assert labels(f"Implement the queue. {lead}\n- npm test\n- npm run build") == []


def test_commands_below_a_plain_sentence_are_its_exam_but_not_beside_their_output():
    assert labels("Implement it.\n```\nmake lint\nmake test\n```") == ["make lint", "make test"]
    assert labels("Implement it.\n```\n$ make lint\n3 failed\n$ make test\n```") == []


@table_test(
    ("goal", "why"),
    [
        ("Fix it. Don't run `npm test`.", "negated"),
        ("Fix it. No need to run `npm test`.", "waived"),
        ("Fix it. If you have time, run `npm test`.", "optional"),
        ("Fix it. Yesterday `npm test` failed.", "history"),
        ("Fix it. Setup: `npm ci`.", "setup"),
        ("Review it. The author says `npm test` passes.", "report"),
        ("Why does `npm test` fail?", "question"),
        ("Fix it. FYI `npm test` is slow.", "remark"),
        ("Add a workflow that runs `npm test`.", "content"),
        ("Build a chat: when the user types `npm test`, show a panel.", "behaviour"),
        ("Fix it. Instead of `npm test` ask me.", "replaced"),
        ("Highlight commands, for example `npm test`.", "example"),
        ("Fix it. I will run `npm test` myself.", "elsewhere"),
        ("Fix it: `npm test` hangs.", "failure"),
        ("Fix it with `npm test` in mind.", "mention"),
        ("Fix it. `user_id` must pass validation, `hello world` must be shown.", "not_command"),
    ],
)
def test_what_was_seen_and_not_taken_keeps_its_reason(goal, why):
    parsed = parse_goal(goal)
    assert parsed.commands == ()
    assert {each.why for each in parsed.ignored} <= {f"goal.not_{why}", "goal.not_mention"}
    assert any(each.why == f"goal.not_{why}" for each in parsed.ignored)
    assert all(say(each.why, language) for each in parsed.ignored for language in ("en", "zh"))


@table_test(
    ("written", "parts"),
    [
        ("npm ci && npm test", ["npm ci", "npm test"]),
        ("npm ci; npm test", ["npm ci", "npm test"]),
        ("npm ci → npm test => npm run build", ["npm ci", "npm test", "npm run build"]),
        ("npm test 2>&1 | tee out.log && npm run build >/dev/null", ["npm test", "npm run build"]),
        ("npm test || exit 1", ["npm test"]),
        ("cd a && npm test && cd b && npm run build", ["npm test", "npm run build"]),
        ("(cd a; npm test)", ["npm test"]),
        ("pytest -k 'a && b; c > d'", ["pytest -k 'a && b; c > d'"]),
        ('npm test -- -t "x | tee y"', ['npm test -- -t "x | tee y"']),
        ("npm run test -- \\\n    --run", ["npm run test -- --run"]),
        ("$ npm test", ["npm test"]),
        ("PS C:\\repo> npm test", ["npm test"]),
        ("user@host:~/x$ npm test", ["npm test"]),
        ("CI=1 npm test --silent", ["CI=1 npm test --silent"]),
        ("go test -json ./... | gotestsum --raw-command", ["go test -json ./... | gotestsum --raw-command"]),
        ("npm test   # unit", ["npm test"]),
    ],
)
def test_chains_split_and_noise_goes(written, parts):
    assert labels(f"Fix it. Acceptance: `{written}`.") == parts
    assert labels(f"Fix it. Acceptance:\n```sh\n{written}\n```") == parts


def test_folders_follow_cd_through_a_block():
    text = "Fix it. Gate:\n```\ncd api\ngo test ./...\ncd sub && make lint\n```"
    assert [(each.label, each.cwd) for each in parse_goal(text).commands] == [
        ("go test ./...", "api"),
        ("make lint", "api/sub"),
    ]


@table_test(
    ("goal", "files"),
    [
        ("Write docs/guide.md and `docs/api.md`. Read SPEC.md first, update README.md.", ["docs/guide.md", "docs/api.md"]),
        ("Create a file called `out/x.json`. Fix the bug in src/app.py.", ["out/x.json"]),
        ("Save the result to out/x.json; don't write to secret.txt.", ["out/x.json"]),
        ("Create the following files:\n- src/a.py\n- `src/b.py`: helper", ["src/a.py", "src/b.py"]),
        ("Create a Makefile and a Dockerfile.", ["Makefile", "Dockerfile"]),
        ("Summarise your findings in REPORT.md", ["REPORT.md"]),
        ("Write the migration guide to docs/migration.md, as described in SPEC.md.", ["docs/migration.md"]),
        ("生成 report.csv,并把结果写入 out/summary.md。参考 docs/spec.md。不要生成 tmp/a.txt。", ["report.csv", "out/summary.md"]),
        ("把结果保存为 data/out.json，日志输出到 result.txt。", ["data/out.json", "result.txt"]),
        ("Implement a CLI that writes out.json", []),
        ("The exporter must read a.csv and write b.csv", []),
        ("Add f_to_c to tempconv.py, and mention it in the README.", []),
        ("Should I create foo.md?", []),
        ("Write Node.js code for version 1.2.3 of example.com.", []),
        ("Never create dist/bundle.js.", []),
    ],
)  # fmt: skip
def test_only_files_that_are_ordered_are_deliverables(goal, files):
    assert [each.path for each in parse_goal(goal).files] == files


@table_test("path", ["../x.md", "/etc/x.md", "~/x.md", "a/../../x.md", "C:/x.md"])
def test_a_file_outside_the_workspace_is_not_taken(path):
    parsed = parse_goal(f"Write {path}")
    assert parsed.files == ()
    assert parsed.ignored == (Ignored(path, "file", Place(6, 1), "goal.not_outside"),)


def test_a_file_has_its_place():
    assert parse_goal("Fix it.\nWrite ./docs/a.md").files == (GoalFile("docs/a.md", Place(14, 2)),)


@table_test(
    "goal",
    [
        "`",
        "``` \n",
        "Done when ```",
        "`a ``b` c``",
        "<code>",
        "「",
        "$ ",
        "- ",
        "Done when `\n\n`",
        "|||",
        "\x00",
        "\ue000",
    ],
)
def test_broken_markup_is_no_problem(goal):
    assert parse_goal(goal) == Goal(language="en", work=False)


def test_more_than_can_be_looked_at_is_said():
    many = parse_goal("Fix it. " + "".join(f"Then `npm run s{i}` must pass. " for i in range(500)))
    assert len(many.commands) == 400
    assert {each.why for each in many.ignored} == {"goal.not_too_many"}
    long = parse_goal("Fix it.\n\n" + "word\n\n" * 4000)
    assert [each.why for each in long.ignored] == ["goal.not_read"]


COMMANDS = st.sampled_from(
    ["npm test", "make lint", "cargo test -p a", "pytest -q", "go vet ./...", "./check.sh --all"]
)
WORDS = st.text("`$>|&;\n\"' ab.,:-→验收不要跑#~<code>/\\", max_size=80)


@given(
    st.lists(COMMANDS, min_size=1, max_size=5), st.sampled_from([", ", " and ", " → ", " && ", "; ", "、"])
)
def test_listed_commands_come_back_once_and_in_order(commands, joint):
    wanted = list(dict.fromkeys(commands))
    assert labels(f"Implement it. Acceptance: {joint.join(f'`{each}`' for each in commands)}.") == wanted


@given(st.lists(COMMANDS, min_size=1, max_size=5, unique=True))
def test_a_list_a_fence_and_a_sentence_say_the_same(commands):
    listed = "Implement it. Done when:\n" + "".join(f"- `{each}`\n" for each in commands)
    fenced = "Implement it. Done when:\n```\n" + "\n".join(commands) + "\n```"
    assert labels(listed) == labels(fenced) == commands


@given(WORDS, COMMANDS, WORDS)
def test_any_text_is_read_and_places_are_inside_it(before, command, after):
    text = f"{before}`{command}`{after}"
    parsed = parse_goal(text)
    assert len({each.label for each in parsed.commands}) == len(parsed.commands)
    assert parsed.active == (parsed.work and len(parsed.commands) > 1)
    places = [each.place for each in parsed.commands] + [each.place for each in parsed.ignored]
    for place in places + [each.place for each in parsed.files]:
        assert 0 <= place.offset < len(text)
        assert place.line == text.count("\n", 0, place.offset) + 1


@given(st.text(max_size=300))
def test_nothing_is_too_strange_to_read(text):
    assert isinstance(parse_goal(text), Goal)


def test_every_frame_has_its_words():
    for frame in get_args(Frame):
        rule = "why" if frame in TAKEN else "not"
        assert say(f"goal.{rule}_{frame}", "en") != say(f"goal.{rule}_{frame}", "zh")
