"""Which settings of which runner matter, and how they are judged: tables only.

A key is compared by its last names, in small letters and without `-` and `_`, because every runner and every
format spells them in its own way.
"""

import re
from typing import NamedTuple

from donewhen.core.integrity.model import Policy
from donewhen.verify.integrity.settings.judging import Kind


class Rule(NamedTuple):
    keys: re.Pattern[str]  # of the whole dotted key, as `squeezed` writes it
    kind: Kind
    rule: str = "command-weakened"
    default: tuple[str, ...] = ()
    program: str = ""
    lines: bool = False
    policy: Policy | None = None  # None: the rule's own


def squeezed(key: tuple[str, ...]) -> str:
    return ".".join(part.lower().replace("-", "").replace("_", "") for part in key)


def _rule(keys: str, kind: Kind, rule: str = "command-weakened", **more: object) -> Rule:
    return Rule(re.compile(rf"(?:.*\.)?(?:{keys})", re.DOTALL), kind, rule, **more)  # type: ignore[arg-type]


def _top(keys: str, kind: Kind, rule: str = "command-weakened", **more: object) -> Rule:
    """A name that means this only at the top of a configuration, or of vitest's part in Vite's."""
    made = _rule(keys, kind, rule, **more)
    return made._replace(keys=re.compile(rf"(?:test\.)?(?:{keys})", re.DOTALL))


def _lint(keys: str, kind: Kind, rule: str = "ignores-spread", **more: object) -> Rule:
    return _rule(keys, kind, rule, policy="warn", **more)


# `@/…`, `~`, `#…` and files that are no code are mapped by honest projects.
_USUAL_ALIAS = r"\^?[@~#](?!jest|vitest|testing)|\d+\.|.*(?:css|less|scss|svg|png|jpe?g|gif|woff)"
_PYTEST = (
    _rule("addopts", "options", program="pytest"),
    _rule("testpaths", "select"),
    _rule("pythonfiles", "select", default=("test_*.py", "*_test.py")),
    _rule("pythonclasses", "select", default=("Test",)),
    _rule("pythonfunctions", "select", default=("test",)),
    _rule("norecursedirs|collectignore|collectignoreglob", "exclude"),
    _rule("xfailstrict|strictxfail|strict", "good"),
    _rule("filterwarnings", "strict_list", lines=True, policy="warn"),
    _rule("reruns|retries|flaky(?:maxreruns|reruns)", "at_most", "flaky-exam"),
)
_COVERAGE = (
    _rule("failunder", "at_least", "threshold-lowered"),
    _rule("coverage.*\\.target|project\\..*target|patch\\..*target", "at_least", "threshold-lowered"),
    _rule("coverage.*\\.threshold", "at_most", "threshold-lowered"),
    _rule("omit|ignore|exclude", "uncover", "coverage-excluded"),
    _rule("excludelines|excludealso|partialbranches", "uncover", "coverage-excluded", lines=True),
    _rule("branch", "good", "threshold-lowered"),
    _rule("source|sourcepkgs|sourcedirs|include", "select", "coverage-excluded"),
)
_JS = (
    _rule("testmatch|testregex|roots|projects|specpattern|testdir|testfiles", "select"),
    _top("spec|files|include|dir", "select"),
    _rule("testpathignorepatterns|modulepathignorepatterns|testignore|excludespecpattern", "exclude"),
    _top("ignore|exclude", "exclude"),
    _rule("coveragepathignorepatterns|coverage\\.exclude", "uncover", "coverage-excluded"),
    _rule("collectcoveragefrom|coverage\\.include", "select", "coverage-excluded"),
    _rule("testnamepattern|grepinvert|testpathpattern", "pattern"),
    _top("grep|fgrep|g|f|invert|match|shard|tags?", "pattern"),
    _rule("passwithnotests|passonfailingtestsuite|dangerouslyignoreunhandlederrors|onlychanged", "bad"),
    _top("allowempty|dryrun|allowuncaught|allowonly|allowincompletecoverage|allowemptycoverage", "bad"),
    _top(
        "forbidonly|forbidpending|failzero|failwithoutassertions|failonemptytestsuite|checkcoverage", "good"
    ),
    _rule(
        "coveragethreshold\\..*|coverage\\.thresholds?\\..*|thresholds?\\..*", "at_least", "threshold-lowered"
    ),
    _top("lines|branches|functions|statements", "at_least", "threshold-lowered"),
    _rule("setupfiles|setupfilesafterenv|globalsetup|globalteardown|testenvironment", "hook", "startup-hook"),
    _top(
        "require|import|loader|nodearguments|nodeoption|file|reporters?|testsequencer|plugin",
        "hook",
        "startup-hook",
    ),
    _rule("testrunner", "value", "startup-hook"),
    _top("runner|resolver|dependencyextractor", "value", "startup-hook"),
    _rule(f"(?:modulenamemapper|alias)\\.(?!{_USUAL_ALIAS}).*", "hook", "shim"),
    _top("retries|retry|retrytimes", "at_most", "flaky-exam", policy="warn"),
)
_LINT = (
    _lint(
        "ignore|extendignore|disable|ignorepatterns|ignores|exclude|extendexclude|disableerrorcode", "exclude"
    ),
    _lint("perfileignores\\..*|extendperfileignores\\..*|perfileignores", "exclude"),
    _lint("ignoreerrors|ignoremissingimports|skiplibcheck|skip|allowjs", "bad"),
    _lint(
        "strict\\w*|disallow\\w*|warn\\w*|checkuntypeddefs|noimplicit\\w*|nounused\\w*|nounchecked\\w*",
        "good",
    ),
    _lint("maxcomplexity|maxlinelength|linelength|maxwarnings|max\\w*", "at_most", "threshold-lowered"),
    _lint("failunder|min\\w*", "at_least", "threshold-lowered"),
)
_TOX = (
    _rule("ignoreoutcome|ignoreerrors", "bad"),
    _rule("skipmissinginterpreters", "bad", policy="warn"),
)
_CARGO = (
    _rule("test\\.[^.]+\\.name", "kept"),
    _rule("test\\.[^.]+\\.(?:test|harness)|lib\\.(?:test|harness|doctest)", "good", default=("true",)),
    _rule("autotests", "good", default=("true",)),
    _rule("runner|rustcwrapper|rustc", "value", "path-trick"),
    _rule("alias\\.(?:t|test|check|nextest)", "value", "path-trick"),
    _rule("profile\\.(?:test|dev)\\.(?:debugassertions|overflowchecks)", "good"),
)
_MAVEN = (
    _rule(
        "skiptests|maven\\.test\\.skip|skipits|skip|testfailureignore|maven\\.test\\.failure\\.ignore", "bad"
    ),
    _rule("failifnotests", "good"),
    _rule("excludedgroups|groups|configuration\\.test", "pattern"),
    _rule("excludes\\.exclude", "exclude"),
    _rule("includes\\.include", "select"),
    _rule(
        "minimum|minimumcoverage|linecoverage|branchcoverage|mutationthreshold",
        "at_least",
        "threshold-lowered",
    ),
    _rule("rerunfailingtestscount", "at_most", "flaky-exam"),
)
_NPMRC = (
    _rule("ignorescripts|ifpresent|enablescriptsoff", "bad"),
    _rule("scriptshell|yarnpath", "value", "path-trick"),
)
RULES_OF: dict[str, tuple[Rule, ...]] = {
    "pytest": _PYTEST,
    "coverage": _COVERAGE,
    "js": _JS,
    "lint": _LINT,
    "tox": _TOX,
    "cargo": _CARGO,
    "maven": _MAVEN,
    "npmrc": _NPMRC,
    "env": (),
}
