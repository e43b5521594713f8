"""Rules of the configuration: matchers, examples, and that `allow` never lifts a denial."""

import pytest

from donewhen.config import config_from_mapping
from donewhen.core.errors import UserError
from donewhen.guard import Guard, ToolCall
from donewhen.guard.cases import GROUND
from donewhen.guard.guard import RULE_NAMES, example_matches
from donewhen.guard.own_rules import compiled
from tests.tables import table_test


def _rules(*rules):
    config = config_from_mapping({"guardrails": {"rules": list(rules)}})
    return compiled(
        config.guardrails.rules,
        RULE_NAMES,
        lambda rule, text: example_matches(rule, text, GROUND),
        lambda _: "x.yml:3",
    )


def _guard(*rules):
    return Guard(GROUND, rules=_rules(*rules))


def test_a_command_rule_finds_it_at_any_depth_and_in_any_spelling():
    guard = _guard({"name": "no-deploy", "command": "make deploy", "action": "deny", "reason": "ops does it"})
    for line in ("make deploy", "sudo make deploy", "bash -c 'make deploy PROD=1'", "x=make; $x deploy"):
        assert guard.command(line).rule == "no-deploy", line
    assert guard.command("make deploy-docs").action == "allow"
    assert guard.command("echo make deploy").action == "allow"


def test_git_is_found_behind_its_global_options():
    guard = _guard({"name": "no-tags", "command": "git tag", "action": "ask"})
    assert guard.command("git -C . -c a=b tag v1").rule == "no-tags"


def test_paths_patterns_and_tools():
    guard = _guard(
        {"name": "migrations", "path": "db/migrations/**", "action": "ask"},
        {"name": "no-curl", "pattern": r"\bcurl\b.*--insecure", "action": "deny"},
        {"name": "no-mcp-mail", "tool": "mail_*", "action": "deny"},
    )
    assert guard.command("rm db/migrations/1.sql").rule == "migrations"
    assert guard.command("rm -rf db").rule == "migrations"
    assert guard.command("rm -rf dbs").action == "allow"
    assert guard.tool(ToolCall("write_file", {"path": "db/migrations/2.sql"})).rule == "migrations"
    assert guard.command("curl --insecure https://x.example").rule == "no-curl"
    assert guard.tool(ToolCall("mail_send", {}, foreign=True)).rule == "no-mcp-mail"


def test_allow_permits_what_would_be_asked_and_nothing_else():
    guard = _guard({"name": "publish-ok", "command": "npm publish", "action": "allow"})
    decision = guard.command("npm publish")
    assert (decision.action, decision.findings[0].allowed_by) == ("allow", "publish-ok")
    assert guard.command("npm publish && cargo publish").action == "ask"
    assert guard.command("npm publish && rm -rf ~").action == "deny"
    assert guard.command("npm publish; npm publish --tag x").action == "allow"
    assert guard.command("NPM_CONFIG_REGISTRY=https://x.example npm publish").action == "ask"
    assert guard.command("export NPM_CONFIG_REGISTRY=https://x.example; npm publish").action == "ask"
    everything = _guard({"name": "all", "pattern": ".", "action": "allow"})
    assert everything.command("rm -rf ~").action == "deny"


def test_an_exact_allow_rule_permits_that_command_alone():
    guard = _guard({"name": "always-1", "pattern": "^npm publish$", "action": "allow"})
    assert guard.command("npm publish").action == "allow"
    assert guard.command("npm publish && npm publish --registry https://x.example").action == "ask"
    many = " ".join(f"a{n}" for n in range(20))
    long = _guard({"name": "always-1", "pattern": f"^npm publish {many}$", "action": "allow"})
    assert long.command(f"npm publish {many}").action == "allow"
    assert long.command(f"npm publish {many}; npm publish {many} b").action == "ask"


def test_an_allow_rule_permits_nothing_on_another_machine():
    guard = _guard({"name": "mine", "command": "npm publish", "action": "allow"})
    assert guard.command("npm publish").action == "allow"
    assert guard.command("ssh prod npm publish").action == "ask"
    assert guard.command("docker exec box npm publish").action == "ask"
    strict = _guard({"name": "mine", "command": "make deploy", "action": "deny"})
    assert strict.command("ssh prod make deploy").action == "deny"


def test_no_length_hides_a_word_and_a_piece_of_a_text_allows_nothing():
    strict = _guard({"name": "mine", "pattern": "to-prod", "action": "deny"})
    for size in (0, 2000, 4090, 4096, 6140, 8190, 20_000):
        assert strict.command(f"deploy {'x' * size} to-prod").action == "deny"
    loose = _guard({"name": "mine", "pattern": r"\Anpm publish [x ]*\Z", "action": "allow"})
    assert loose.command(f"npm publish {'x' * 4000}").action == "allow"
    assert loose.command(f"npm publish {'x' * 4084} --registry https://y.example").action == "ask"


@table_test(
    ("rule", "said"),
    [
        ({"match": ["npm test"]}, "does not match its own example `npm test`"),
        ({"not_match": ["make deploy now"]}, "matches `make deploy now`"),
    ],
)
def test_a_wrong_example_is_an_error_that_names_rule_example_and_place(rule, said):
    with pytest.raises(UserError) as error:
        _rules({"name": "no-deploy", "command": "make deploy", "action": "deny", **rule})
    assert said in str(error.value)
    assert "no-deploy" in str(error.value)
    assert "x.yml:3" in str(error.value)


def test_right_examples_pass():
    rule = {"name": "no-deploy", "command": "make deploy", "action": "deny"}
    assert _rules({**rule, "match": ["sudo make deploy"], "not_match": ["make test", "echo make deploy"]})


def test_the_name_of_a_built_in_rule_is_taken():
    with pytest.raises(UserError, match="built-in"):
        _rules({"name": "secret-read", "command": "x", "action": "ask"})


def test_a_command_that_is_no_plain_words_is_refused():
    with pytest.raises(UserError, match="can't be read"):
        _rules({"name": "x", "command": "make $(x", "action": "ask"})
    with pytest.raises(UserError, match="can't be read"):
        _rules({"name": "x", "command": "make; rm x", "action": "ask"})
