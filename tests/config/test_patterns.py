"""Patterns from files are bounded, compile without a word and can't take for ever."""

import subprocess
import sys

import pytest

from donewhen.config import ConfigError, config_from_mapping
from tests.tables import table_test

AT = ".donewhen/config.yml"


@table_test(
    "pattern",
    [
        r"(a+)+", r"(a*)*", r"(\w+\s?)*", r"(a|a)*b", r"(a|ab)*c", r"(?:a+){60}", r"(a?){50}a{50}", r"(.|a)*b",
        r"((a{0,50}){0,50})b", r".*.*x", r"\w*\w*", r".*a.*b.*c.*d", r"(?=(a+)+b)", r"(x+x+)+y", r"(?:(a+)b?)*",
        r"a*b*c*d*e*f*g*h*i*", r"(a+|b)*c", r"(?:a|b*)*", r"(?P<x>(?:[ab]+,?)+)", r"(?<!a)(a+)+",
    ],
)  # fmt: skip
def test_a_pattern_that_could_take_for_ever_is_refused_from_any_source(world, pattern):
    world.user(f"guardrails: {{secret_patterns: ['{pattern}']}}\n")
    assert (
        "repeats in nested or overlapping ways, so matching could take for ever; write one" in world.refusal()
    )


@table_test(
    "pattern",
    [
        r"\.env$", r"deploy .*prod", r"(?P<file>\S+):(?P<line>\d+): (?P<message>.*)", r"(\d{1,3}\.){3}\d{1,3}",
        r"^(foo|bar)+$", r"(?i)pass(word)?", r"(ab)*", r"[一-鿿]+", r"(?:[0-9a-f]{2}:){5}", r"a{3,}b?", r"\s*\w+",
        r"(?P<f>[^:]+):(\d+):(\d+): (warning|error): (.*)", r"git (push|commit)( -\w+)?", r"(?:https?://)?x",
        r"(?>a+)b", r"(?:a++b)*", r"(?i)[a-zà-ÿ]+", r"(?<=x)y{2,4}(?!z)",
    ],
)  # fmt: skip
def test_an_ordinary_pattern_is_taken(pattern):
    config = config_from_mapping({"guardrails": {"secret_patterns": [pattern]}})
    assert config.guardrails.secret_patterns == (pattern,)


@table_test("pattern", ["(?i)[\u0100-\u9fff]", "(?i:[\u4e00-\u9fff])", "[\u4e00-\u9fff](?i:x)"])
def test_a_large_class_without_case_is_refused(pattern):
    with pytest.raises(ConfigError, match="ignores case in a very large range of characters; name a smaller"):
        config_from_mapping({"guardrails": {"danger_patterns": [pattern]}})


def test_a_pattern_that_python_warns_of_is_refused_in_silence(tmp_path):
    code = (
        "from donewhen.config import config_from_mapping, ConfigError\n"
        "try: config_from_mapping({'guardrails': {'secret_patterns': ['[[a]']}})\n"
        "except ConfigError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", code], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == (
        "mapping:1: `guardrails.secret_patterns[0]` is no regular expression (Possible nested set at position 1); "
        "correct it\n",
        "",
    )


def test_patterns_are_counted(world):
    many = ", ".join(f"p{n}" for n in range(201))
    assert world.refusal(f"guardrails:\n  danger_patterns: [{many}]\n") == (
        f"{AT}:2: `guardrails.danger_patterns` holds more than 200 patterns; join some of them with `|`"
    )
    assert "is longer than 500 characters; split it" in world.refusal(
        f"guardrails: {{danger_patterns: [{'x' * 501}]}}\n"
    )


def test_all_patterns_of_a_file_count_together(world):
    rules = "".join(f"    - {{name: r{n}, action: deny, pattern: {'x' * 490}}}\n" for n in range(40))
    refusal = world.refusal(f"guardrails:\n  rules:\n{rules}")
    assert refusal == (
        f"{AT}:36: with `guardrails.rules[r33].pattern` the patterns of this file are longer than 16 KiB in all; "
        "shorten them"
    )
