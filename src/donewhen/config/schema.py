"""The whole configuration: every section and key with its default, bounds and trust rule.

Frozen and strict. Files are not read here; spelling, layers and trust are applied before a Config is made.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from donewhen.config.fields import Section, key, section
from donewhen.config.kinds import (
    Argv,
    Count,
    CountOrNone,
    Money,
    Name,
    Ratio,
    Seconds,
    Setup,
    StoreUrl,
    Text,
    Texts,
    VariableName,
    WebUrl,
)
from donewhen.config.rules import FREE, HIGHER, INSIDE, LOWER, NEVER, SUBSET, TRUE_IS_STRICT, order
from donewhen.config.sections_guard import (
    Agents,
    Approvals,
    Guardrails,
    Hooks,
    Notify,
    Sandbox,
    Telemetry,
    Trigger,
)
from donewhen.config.sections_stats import Stats
from donewhen.config.sections_verify import Correction, Evidence, Profile, Verification


class Project(Section):
    name: Name | None = key(None, FREE, "Name shown to people.")
    open_spec_path: Text | None = key(
        None, INSIDE, "OpenSpec change that is the promise when no goal is given.", name="openSpecPath"
    )
    target_branch: Text = key("main", NEVER, "Branch that accepted work goes to.", name="targetBranch")


class Loop(Section):
    max_total_time: Seconds = key(3600.0, LOWER, "Seconds that a run may take.")
    max_state_cycles: Count = key(10, LOWER, "How often a run may go back to an earlier state.")
    deadlock_detection: bool = key(True, TRUE_IS_STRICT, "Notice when nothing can move any more.")
    on_deadlock: Literal["escalate_to_human", "pause", "fail"] = key(
        "escalate_to_human", order("escalate_to_human", "pause", "fail"), "What a deadlock leads to."
    )
    max_turns: Count = key(90, LOWER, "Turns of the agent.")
    max_tool_calls: Count = key(1000, LOWER, "Tool calls of a run.")


class ContextBudget(Section):
    prompt_budget: Count | None = key(None, NEVER, "Tokens of a prompt before history is compressed.")
    reserve_tokens: Count | None = key(None, NEVER, "Tokens kept free for the answer.")
    fallback_prompt_budget: Count | None = key(None, NEVER, "Prompt budget for models of unknown size.")


class Context(Section):
    max_tokens: Count = key(64000, NEVER, "Tokens that a model may see at once.")
    relevance_threshold: Ratio = key(0.7, NEVER, "Lowest score of a file that is shown.", idle=True)
    compression_method: Literal["none", "sliding-window", "claude-style"] = key(
        "claude-style", NEVER, "How old turns are shortened."
    )
    include_history: bool = key(True, NEVER, "Show earlier turns.")
    max_history_turns: CountOrNone = key(3, NEVER, "Last turns that stay whole.")
    file_relevance_cache_ttl: CountOrNone = key(
        3600, NEVER, "Seconds that relevance scores are kept.", idle=True
    )
    budget: ContextBudget = section(FREE, "When compression begins.")


class Price(Section):
    short: ClassVar[tuple[str, ...]] = ("input", "output")
    input: Money = key(15.0, HIGHER, "Dollars for a million input tokens.")
    output: Money = key(75.0, HIGHER, "Dollars for a million output tokens.")


class ModelPrice(Section):
    input: Money | None = key(None, NEVER, "Dollars for a million input tokens.")
    output: Money | None = key(None, NEVER, "Dollars for a million output tokens.")
    cache_read: Money | None = key(None, NEVER, "Dollars for a million tokens read from the cache.")
    cache_write: Money | None = key(None, NEVER, "Dollars for a million tokens written to the cache.")


class Budget(Section):
    total: Money = key(10.0, LOWER, "Dollars that a run may spend.")
    tokens: Count | None = key(None, LOWER, "Tokens that a run may use, input and output together.")
    warn_threshold: Ratio = key(0.2, HIGHER, "Part of the budget left when a warning is given.")
    stop_on_exhausted: bool = key(True, TRUE_IS_STRICT, "Stop; false pauses and asks, it never overspends.")
    floor: Money = key(0.1, HIGHER, "Dollars below which no action is started; at most a tenth of the total.")
    unknown_price: Price = section(FREE, "Assumed price of a model that no table knows.")
    prices: Mapping[Name, ModelPrice] = key({}, NEVER, "Prices that win over the table, by model.")


class Roles(Section):
    plan: Text | None = key(None, NEVER, "Model that plans.")
    execute: Text | None = key(None, NEVER, "Model that works.")
    review: Text | None = key(None, NEVER, "Model that reviews.")
    fix: Text | None = key(None, NEVER, "Model that corrects.")


class Llm(Section):
    provider: Text | None = key(None, NEVER, "Who runs the model.")
    model: Text | None = key(None, NEVER, "The model.")
    base_url: WebUrl | None = key(None, NEVER, "Address of a compatible endpoint.", hides="address")
    protocol: Literal["auto", "chat", "responses", "anthropic", "gemini", "library"] = key(
        "auto", NEVER, "How the endpoint is spoken to; `auto` goes by the provider."
    )
    key_env: VariableName | None = key(
        None, NEVER, "Environment variable that holds the key; the provider's usual one when absent."
    )
    stream: bool = key(True, NEVER, "Take answers as they come.")
    timeout: Seconds = key(600.0, NEVER, "Seconds that an endpoint may be silent.")
    retries: CountOrNone = key(4, NEVER, "How often a call is tried again before the next model is.")
    temperature: Annotated[float, Field(ge=0, le=2)] | None = key(
        None, NEVER, "Left out for models that refuse it."
    )
    max_output: Count = key(8192, NEVER, "Tokens of one answer.")
    roles: Roles = section(NEVER, "Models by role.")
    by_profile: Mapping[Profile, Text] = key({}, NEVER, "Models by verification profile.")
    fallback: Texts = key((), NEVER, "Models tried in this order when one fails.")


class Git(Section):
    worktree_base: Text | None = key(None, NEVER, "Folder of run workspaces, outside any repository.")


class McpServer(Section):
    command: Argv = key((), NEVER, "Program and arguments of the server.", argv="one")
    url: WebUrl | None = key(None, NEVER, "Address of a server that runs elsewhere.", hides="address")
    env: tuple[VariableName, ...] = key((), NEVER, "Environment variables that the server may see.")
    timeout: Seconds | None = key(
        None, NEVER, "Seconds for one call; `runtime.tool_timeout_sec` when absent."
    )


class Tools(Section):
    llm: Llm = section(NEVER, "The models.")
    git: Git = section(FREE, "Git.")
    mcp: Mapping[Name, McpServer] = key(
        {}, NEVER, "MCP servers whose tools the agent gets, by name.", idle=True
    )


class ExecutionMode(Section):
    level: Literal["off", "adaptive", "strict"] = key(
        "adaptive", order("off", "adaptive", "strict"), "Whether an agent is led step by step."
    )
    pending_steps_enter_threshold: Count = key(
        2, LOWER, "Open steps that lead to forced mode.", name="pendingStepsEnterThreshold"
    )
    write_targets_enter_threshold: CountOrNone = key(
        1, LOWER, "Written files above which it is forced.", name="writeTargetsEnterThreshold"
    )
    diff_lines_enter_threshold: CountOrNone = key(
        200, LOWER, "Changed lines above which it is forced.", name="diffLinesEnterThreshold"
    )
    stable_rounds_exit_threshold: Count = key(
        2, HIGHER, "Quiet rounds before it is left.", name="stableRoundsExitThreshold"
    )
    mode_lock_rounds: CountOrNone = key(2, NEVER, "Rounds before a mode may change.", name="modeLockRounds")
    forced_min_dwell_rounds: CountOrNone = key(
        1, HIGHER, "Rounds that forced mode lasts at least.", name="forcedMinDwellRounds"
    )
    readonly_tool_names: Texts = key(
        ("read_file", "glob", "grep", "list_dir"), NEVER, "Tools that only read.", name="readonlyToolNames"
    )


class Runtime(Section):
    max_repeat_cycle_streak: Count = key(3, LOWER, "Equal turns before a run is stopped.")
    tool_timeout_sec: Seconds = key(120.0, NEVER, "Seconds for a tool call, a command in front included.")
    max_accept_continues: CountOrNone = key(3, LOWER, "Refused completions in a row.")
    background_after_sec: Seconds = key(60.0, NEVER, "Seconds after which a command goes to the background.")
    parallel_tools: Annotated[int, Field(ge=1, le=64)] = key(4, LOWER, "Tool calls of a turn at once.")
    max_missing_completion: Count = key(5, LOWER, "Answers without tool call or completion.")
    max_thinking_only: Count = key(6, LOWER, "Answers that hold nothing but thinking.")


class Clients(Section):
    stop_limit: Seconds = key(120.0, NEVER, "Seconds that a stop of a client waits for its exam.")


class Workspace(Section):
    kind: Literal["clone", "worktree"] = key("clone", order("worktree", "clone"), "What a run works in.")
    setup: Setup = key("auto", NEVER, "Commands that prepare a workspace: auto, off or a list.", argv="many")
    caches: Texts = key((), SUBSET, "Cache folders of the user that runs may read.")


class Ship(Section):
    mode: Literal["branch", "merge", "pr"] = key(
        "branch", order("merge", "pr", "branch"), "What happens to accepted work."
    )
    to_protected: bool = key(
        False, order(True, False), "Merge into the target branch although it is a protected one."
    )
    remote: Text = key("origin", NEVER, "The remote that pull requests are opened at.")
    forge: Literal["auto", "github", "gitlab", "none"] = key(
        "auto", NEVER, "Who runs that remote; `auto` goes by its host."
    )
    api_url: WebUrl | None = key(
        None, NEVER, "Address of the forge's API, for a forge of one's own.", hides="address"
    )
    token_env: VariableName | None = key(
        None, NEVER, "Environment variable that holds the forge's token; the usual ones when absent."
    )


class RecordKeys(Section):
    sign: Literal["off", "ssh", "minisign"] = key("off", NEVER, "The tool that signs acceptance records.")
    key: Text | None = key(None, NEVER, "Path of the signing key.")


class Subagents(Section):
    max_concurrency: Annotated[int, Field(ge=1, le=256)] = key(2, LOWER, "Child runs at once.", idle=True)
    on_error: Literal["fail_fast", "continue_on_error"] = key(
        "fail_fast",
        order("continue_on_error", "fail_fast"),
        "What a failed child means for the others.",
        idle=True,
    )


class Store(Section):
    url: StoreUrl = key(
        "user",
        NEVER,
        "`user`, `repo`, `sqlite:///absolute/path`; `postgresql://…` in a later version.",
        hides="address",
    )


class Config(Section):
    language: Literal["auto", "en", "zh"] = key("auto", FREE, "Language of texts.")
    project: Project = section(FREE, "The project.")
    loop: Loop = section(FREE, "Limits of the turn loop.")
    context: Context = section(FREE, "What a model sees.")
    budget: Budget = section(FREE, "What a run may spend.")
    guardrails: Guardrails = section(FREE, "What an agent may do.")
    hooks: Hooks = section(FREE, "Your own code at points of a run.")
    correction: Correction = section(FREE, "What follows a failed verification.")
    verification: Verification = section(FREE, "How a change is verified.")
    tools: Tools = section(FREE, "Models, git, MCP servers.")
    execution_mode: ExecutionMode = section(FREE, "Free or forced.", name="executionMode")
    verification_exempt_dirs: Texts = key(
        (".scratch", ".temp", "tmp/"),
        NEVER,
        "Folders whose files need no proof; all layers add up.",
        name="verificationExemptDirs",
        adds=True,
    )
    evidence: Evidence = section(FREE, "What counts as evidence.")
    runtime: Runtime = section(FREE, "Limits of single steps.")
    clients: Clients = section(FREE, "Sessions of other agents.")
    workspace: Workspace = section(FREE, "Where a run works.")
    sandbox: Sandbox = section(FREE, "How commands are confined.")
    ship: Ship = section(FREE, "Where accepted work goes.")
    record: RecordKeys = section(FREE, "Acceptance records.")
    approvals: Approvals = section(FREE, "Questions to humans.")
    subagents: Subagents = section(FREE, "Child runs.")
    stats: Stats = section(FREE, "Key figures.")
    store: Store = section(NEVER, "Where sessions are kept.")
    agents: Agents = key({}, NEVER, "Agents, by name; those that `donewhen models` lists need no entry.")
    notify: Notify = section(NEVER, "Messages to people.")
    telemetry: Telemetry = section(NEVER, "Traces and metrics.")
    triggers: tuple[Trigger, ...] = key((), NEVER, "Events that start runs; all layers add up.", idle=True)
    extends: Text | None = key(None, FREE, "One other file, loaded below this one.", file_only=True)
