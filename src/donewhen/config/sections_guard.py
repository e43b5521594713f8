"""The schema of what an agent may do: guardrails, hooks, sandbox, approvals, agents.

Only shapes, defaults and trust rules; nothing is looked up but the names of installed hooks.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, model_validator

from donewhen.config.fields import Section, key, needed
from donewhen.config.kinds import (
    Argv,
    Commands,
    Money,
    Name,
    NotifyUrl,
    Regex,
    Seconds,
    Text,
    Texts,
    VariableName,
    WebUrl,
    hint,
    wrong,
)
from donewhen.config.rules import GUARD, NEVER, SUBSET, SUPERSET, Rule, order
from donewhen.core.hooking import Point

BUILT_IN_HOOKS = (
    "prevent-secrets-commit",
    "log-operations",
    "cleanup-worktree-on-fail",
    "enforce-pr-description",
    "format-on-write",
)
# only when trusted: format-on-write runs the project's own formatter, cleanup-worktree-on-fail deletes work
_HARMLESS_HOOKS = Rule(
    "superset", only=frozenset(BUILT_IN_HOOKS) - {"format-on-write", "cleanup-worktree-on-fail"}
)


class GuardRule(Section):
    name: Name = needed(GUARD, "Name of the rule; the same name in a higher layer replaces it.")
    pattern: Regex | None = key(
        None, GUARD, "Regular expression over the tool's name, each command as argv, each path.", regex=True
    )
    command: Text | None = key(None, GUARD, "Command that the rule is about, by its first words.")
    path: Text | None = key(None, GUARD, "Paths that the rule is about, as a glob.")
    tool: Text | None = key(None, GUARD, "Tool that the rule is about, as a glob over its name.")
    action: Literal["allow", "ask", "deny"] = needed(GUARD, "What happens to a matching action.")
    reason: Text | None = key(None, GUARD, "Said to the agent and to people.")
    match: Texts = key((), GUARD, "Examples that the rule must match, checked when rules load.")
    not_match: Texts = key((), GUARD, "Examples that the rule must not match, checked when rules load.")

    @model_validator(mode="after")
    def _has_a_matcher(self) -> Self:
        if not any((self.pattern, self.command, self.path, self.tool)):
            raise wrong("rule_without_matcher", rule=self.name)
        return self


class Guardrails(Section):
    protected_branches: Texts = key(
        ("main", "master", "dev", "staging", "release/*"),
        SUPERSET,
        "Branches no force-push or rewrite may touch.",
    )
    danger_patterns: tuple[Regex, ...] = key(
        ("delete", "drop", "force"),
        SUPERSET,
        "Matched against names of foreign tools and unknown programs.",
        regex=True,
    )
    secret_patterns: tuple[Regex, ...] = key(
        (r"\.env$", r"credentials\.json$", "secret", "password", "api_key", "private_key"),
        SUPERSET,
        "Matched against file names for commit and read.",
        regex=True,
    )
    rules: tuple[GuardRule, ...] = key((), GUARD, "Guard rules of your own; all layers add up.")


@cache
def _installed_hooks() -> tuple[str, ...]:
    from importlib.metadata import entry_points

    return tuple(sorted(entry_points(group="donewhen.hooks").names))


def _known_hook(name: str) -> str:
    if name not in BUILT_IN_HOOKS and name not in _installed_hooks():
        raise wrong("unknown_hook", hook=name, hint=hint(name, [*BUILT_IN_HOOKS, *_installed_hooks()]))
    return name


HookName = Annotated[Text, AfterValidator(_known_hook)]


class HookCommand(Section):
    name: Name = needed(NEVER, "Name of the hook; the same name in a higher layer replaces it.")
    point: Point = needed(NEVER, "When it is called.")
    command: Argv = needed(NEVER, "Program and arguments, as a list.", argv="one", min_length=1)
    timeout: Seconds | None = key(None, NEVER, "Seconds; `hooks.timeout` when absent.")
    fail_open: bool = key(False, NEVER, "Let the action pass when the hook itself fails.")
    priority: int = key(0, NEVER, "Lower is earlier among hooks of one layer.", ge=-1000, le=1000)


class Hooks(Section):
    enabled: tuple[HookName, ...] = key(
        ("prevent-secrets-commit", "log-operations", "enforce-pr-description"),
        _HARMLESS_HOOKS,
        "Hooks that are on: built in or installed.",
    )
    on_failure: tuple[HookName, ...] = key(
        ("cleanup-worktree-on-fail",), _HARMLESS_HOOKS, "Hooks called when a run fails."
    )
    commands: tuple[HookCommand, ...] = key(
        (), NEVER, "Programs called at a point of the run; all layers add up."
    )
    timeout: Seconds = key(60.0, NEVER, "Seconds before a hook counts as failed.")


class Sandbox(Section):
    short: ClassVar[tuple[str, ...]] = ("mode",)
    mode: Literal["auto", "required", "off"] = key(
        "auto", order("off", "auto", "required"), "Confine commands: where possible, always, never."
    )
    network: Literal["none", "registries", "full"] = key(
        "full", order("full", "registries", "none"), "Network of set-up and agent commands."
    )
    exam_network: Literal["none", "full"] = key("none", order("full", "none"), "Network of exam and gates.")
    temp: Literal["private", "shared"] = key(
        "private", order("shared", "private"), "Temp folder of commands: their own, or the machine's /tmp."
    )
    env: tuple[VariableName, ...] = key((), SUBSET, "Further environment variables that commands may see.")


class Approvals(Section):
    timeout: float = key(0.0, NEVER, "Seconds to wait for a human; 0 waits for ever.", ge=0, le=31_536_000)
    on_timeout: Literal["pause", "deny"] = key(
        "pause", order("pause", "deny"), "What an unanswered question becomes."
    )


class Agent(Section):
    kind: Literal["llm", "scripted", "acp", "command"] = key("llm", NEVER, "Who does the work.")
    command: Argv = key(
        (),
        NEVER,
        "Program and arguments of an acp or command agent; `{prompt}` is where the prompt goes.",
        argv="one",
    )
    provider: Text | None = key(None, NEVER, "Provider of an llm agent; `tools.llm.provider` when absent.")
    model: Text | None = key(None, NEVER, "Model; `tools.llm.model` when absent.")
    script: Text | None = key(None, NEVER, "File that a scripted agent plays.")
    env: tuple[VariableName, ...] = key((), NEVER, "Environment variables that the agent's program may see.")
    timeout: Seconds | None = key(None, NEVER, "Seconds for one call of the agent's program.")


class Notify(Section):
    urls: tuple[NotifyUrl, ...] = key(
        (), NEVER, "Webhooks, also Slack-compatible ones: https or http.", hides="all"
    )
    commands: Commands = key(
        (), NEVER, "Programs that get each message as JSON on stdin; argv lists.", argv="many"
    )
    on: tuple[Literal["escalation", "pause", "budget_warning", "completion", "figures"], ...] = key(
        ("escalation", "pause", "budget_warning", "completion", "figures"), NEVER, "What is sent."
    )


class Telemetry(Section):
    enabled: bool = key(False, NEVER, "Send OpenTelemetry traces and metrics.", idle=True)
    endpoint: WebUrl | None = key(None, NEVER, "Address of the collector.", hides="address", idle=True)
    service_name: Text = key("donewhen", NEVER, "Name under which the traces appear.", idle=True)


class Trigger(Section):
    name: Name = needed(NEVER, "Name of the trigger, also in its address.")
    on: Literal["webhook", "schedule", "path"] = needed(NEVER, "What starts it.")
    filter: Text | None = key(
        None, NEVER, "Which events count: a cron line for `schedule`, a glob for `path`."
    )
    template: Text = needed(NEVER, "The saved template that is enqueued.")
    repo: Text | None = key(None, NEVER, "Repository that it is for.")
    budget: Money | None = key(None, NEVER, "Budget of each run it starts; `budget.total` when absent.")

    @model_validator(mode="after")
    def _has_its_filter(self) -> Self:
        if self.on != "webhook" and self.filter is None:
            raise wrong("trigger_without_filter", trigger=self.name, on=self.on)
        return self


Agents = Mapping[Name, Agent]
