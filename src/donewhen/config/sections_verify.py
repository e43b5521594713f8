"""The schema of how a change is proven: verification, correction, evidence."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from donewhen.config.fields import Section, key, needed, section
from donewhen.config.kinds import (
    Argv,
    CallCost,
    Count,
    CountOrNone,
    Name,
    Percent,
    Ratio,
    Regex,
    Seconds,
    Slug,
    Text,
    Texts,
    hint,
    wrong,
)
from donewhen.config.rules import (
    ALLOWLIST,
    FREE,
    GATES,
    HIGHER,
    LOWER,
    NEVER,
    SUPERSET,
    TRUE_IS_STRICT,
    branches,
    chain,
    each,
    order,
)

Profile = Literal["task_only", "create_file", "docs", "config", "edit_code", "fix_bug", "refactor"]
Parser = Literal["json", "sarif", "junit", "regex"]
Policy = Literal["deny", "ask", "warn"]
BUILT_IN_GATES = (
    "tests",
    "build",
    "coverage",
    "complexity",
    "types",
    "security",
    "secrets",
    "lint",
    "integrity",
)
GATE_ALIASES = {"type-check": "types", "unit-test": "tests"}


class Gate(Section):
    short: ClassVar[tuple[str, ...]] = ("name",)
    name: Name = needed(GATES, "A built-in gate, or any name with a `command`.", words=GATE_ALIASES)
    command: Argv = key((), GATES, "Program and arguments of a gate of your own.", argv="one")
    parser: Parser | None = key(None, GATES, "How its output is read; the exit code alone when absent.")
    pattern: Regex | None = key(
        None, GATES, "For the parser `regex`: named groups file, line, message.", regex=True
    )
    required: bool = key(True, GATES, "A failure blocks acceptance.")
    absolute: bool = key(False, GATES, "Old violations fail too, not only new ones.")
    timeout: Seconds | None = key(None, GATES, "Seconds; `verification.execution.test_timeout` when absent.")
    cost: CallCost = key(0.0, GATES, "Dollars that one run of it costs; they must be left before it runs.")

    @model_validator(mode="after")
    def _is_known(self) -> Self:
        if not self.command and self.name not in BUILT_IN_GATES:
            raise wrong(
                "unknown_gate", gate=self.name, hint=hint(self.name, [*BUILT_IN_GATES, *GATE_ALIASES])
            )
        if (self.parser == "regex") != (self.pattern is not None):
            raise wrong("parser_and_pattern", entry=self.name)
        return self


class Thresholds(Section):
    coverage: Percent = key(80.0, HIGHER, "Percent of changed lines that tests must execute.")
    complexity: Count = key(10, LOWER, "Highest cyclomatic complexity of a function.")


class Semantic(Section):
    enabled: bool = key(True, TRUE_IS_STRICT, "Let a reviewer compare the change with the promise.")
    continue_on_fail: bool = key(False, TRUE_IS_STRICT, "Run the quality gates even when the review failed.")
    model: Text | None = key(None, NEVER, "Model of the reviewer.")
    command: Argv = key((), NEVER, "Program of an outside reviewer instead of a model.", argv="one")
    cost: CallCost = key(0.0, NEVER, "Dollars that one call of `command` costs; they must be left before it.")
    min_confidence: Ratio = key(0.6, LOWER, "Findings below it are warnings.")
    rounds: Annotated[int, Field(ge=1, le=20)] = key(2, NEVER, "Most reviews of one run.")


class Quality(Section):
    enabled: bool = key(True, TRUE_IS_STRICT, "Run the quality gates.")
    gates: tuple[Gate, ...] = key((), GATES, "Gates that are required, beside tests, integrity and secrets.")
    thresholds: Thresholds = section(FREE, "Numbers that gates compare with.")


class Execution(Section):
    allowed_commands: Texts = key((), ALLOWLIST, "Programs the harness may run; empty allows all not denied.")
    denied_commands: Texts = key(("rm", "sudo", "curl", "wget"), SUPERSET, "Programs the harness never runs.")
    timeout: Seconds = key(120.0, NEVER, "Seconds for a command that the harness runs.")
    test_timeout: Seconds = key(300.0, NEVER, "Seconds for tests and builds.")


class Verifier(Section):
    command: Argv = key((), NEVER, "Program and arguments.", argv="one")
    timeout: Seconds | None = key(None, NEVER, "Seconds; `verification.execution.timeout` when absent.")
    scope: Text | None = key(None, NEVER, "What it verifies, named in its evidence.")
    parser: Parser | None = key(None, NEVER, "How its output is read; the exit code alone when absent.")
    pattern: Regex | None = key(
        None, NEVER, "For the parser `regex`: named groups file, line, message.", regex=True
    )


_PROFILES = branches(
    chain("task_only", ("create_file", "docs"), "config"),
    chain("task_only", ("edit_code", "fix_bug"), "refactor"),
)


class Verification(Section):
    profile: Profile = key("edit_code", _PROFILES, "Which ordered set of checks a run gets.")
    semantic: Semantic = section(FREE, "The reviewer.", also=("superpowers",))
    quality: Quality = section(FREE, "The gates.", also=("archon",))
    execution: Execution = section(FREE, "Commands that the harness runs itself.")
    integrity: Mapping[Slug, Policy] = key(
        {}, each("warn", "ask", "deny"), "Policy per integrity rule: deny, ask or warn."
    )
    verifiers: Mapping[Name, Verifier] = key({}, NEVER, "Verifiers of your own, by name.")
    source_extensions: Texts = key(
        (), NEVER, "File extensions that count as source beside the built-in ones."
    )


class Correction(Section):
    max_retries: CountOrNone = key(3, LOWER, "Fix turns given after a failed verification.")
    max_total_attempts: Count = key(10, LOWER, "Attempts in all before a human is asked.")
    escalate_on: Texts = key(
        ("security", "infinite_loop", "no_auto_fix", "integrity"),
        SUPERSET,
        "Categories and rules of findings that ask a human at once; integrity is told to the agent first.",
    )
    escalate_action: Literal["create_pr", "notify", "pause"] = key(
        "create_pr", order("create_pr", "notify", "pause"), "How a run is handed over."
    )


class Flaky(Section):
    passes: CountOrNone = key(0, NEVER, "Passes that suffice on one tree …")
    of: CountOrNone = key(0, NEVER, "… out of so many runs; 0 of 0 allows no flaky pass.")


class Evidence(Section):
    irrelevant: Texts = key((), NEVER, "Gitignore patterns of files that can't change a result.")
    flaky: Flaky = section(NEVER, "How many passes count despite a failure on the same tree.")
    clean_room: bool = key(False, TRUE_IS_STRICT, "Run the exam in a fresh worktree of the candidate.")
    base_exam: Literal["auto", "always", "never"] = key(
        "auto",
        order("never", "auto", "always"),
        "Run the exam as it stood at the base on the new code; `auto` leaves it out above 10 minutes.",
    )
    exam: Texts = key((), NEVER, "Gitignore patterns of files of the exam, beside the usual ones.")
    known_tests: Literal["auto", "off"] = key(
        "auto",
        order("off", "auto"),
        "Run the project's own tests too where no declared command does, for at most 5 minutes.",
    )
    repeat: Literal["auto", "off"] = key(
        "auto", order("off", "auto"), "Run an exam of less than 5 seconds twice where product code changed."
    )
    strength: Literal["auto", "off"] = key(
        "auto",
        order("off", "auto"),
        "Measure by mutants of the product whether changed tests notice what they noticed before.",
    )
