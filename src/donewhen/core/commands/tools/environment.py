"""Variables that a line sets for its command: which change what runs, and which are harmless.

A variable in no table is harmless when added, and part of the command when declared. Loader, interpreter
and PATH variables are judged elsewhere: with them another program may answer.
"""

import shlex
from collections.abc import Iterator, Mapping

from donewhen.core.codec import EMPTY
from donewhen.core.commands.tools.comparing import REASONS, Finding, differences
from donewhen.core.commands.tools.grammar import Effect
from donewhen.core.commands.tools.reading import read
from donewhen.core.tree import Word

_OPTIONS: dict[str, str] = {  # variables that hold options -> the table they are read with
    "PYTEST_ADDOPTS": "pytest",
    "MAKEFLAGS": "make",
    "GNUMAKEFLAGS": "make",
    "MFLAGS": "make",
    "GOFLAGS": "go test",
    "MAVEN_ARGS": "mvn",
    "SPEC_OPTS": "rspec",
    "MAVEN_OPTS": "jvm options",
    "GRADLE_OPTS": "jvm options",
    "JAVA_OPTS": "jvm options",
    "RUSTFLAGS": "lints",
    "RUSTDOCFLAGS": "lints",
    "CTEST_OPTIONS": "ctest",
}
_HARMLESS = frozenset(
    """
        CI CONTINUOUS_INTEGRATION GITHUB_ACTIONS FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM TERM
        COLUMNS LINES TZ LANG LANGUAGE LC_ALL LC_CTYPE LC_MESSAGES DEBIAN_FRONTEND RUST_BACKTRACE RUST_LOG
        RUST_TEST_THREADS CARGO_TERM_COLOR CARGO_TERM_PROGRESS_WHEN CARGO_INCREMENTAL CARGO_TARGET_DIR
        CARGO_BUILD_JOBS CARGO_NET_RETRY CARGO_NET_OFFLINE PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED
        PYTHONHASHSEED PYTHONIOENCODING PYTHONUTF8 PYTHONFAULTHANDLER PY_COLORS GOMAXPROCS GOCACHE
        GOTRACEBACK DOTNET_NOLOGO DOTNET_CLI_TELEMETRY_OPTOUT DOTNET_CLI_UI_LANGUAGE NEXT_TELEMETRY_DISABLED
        DO_NOT_TRACK HUSKY ADBLOCK DISABLE_OPENCOLLECTIVE CTEST_OUTPUT_ON_FAILURE CTEST_PARALLEL_LEVEL
        VITEST_MAX_THREADS VITEST_MAX_FORKS JEST_WORKERS NX_DAEMON TURBO_TELEMETRY_DISABLED
        PIP_DISABLE_PIP_VERSION_CHECK PIP_NO_INPUT UV_NO_PROGRESS UV_LINK_MODE UV_CACHE_DIR
        TOX_PARALLEL_NO_SPINNER TMPDIR VERBOSE V DEBUG_COLORS COMPOSE_DOCKER_CLI_BUILD DOCKER_BUILDKIT
        BUILDKIT_PROGRESS COMPOSE_ANSI PLAYWRIGHT_HTML_OPEN PW_TEST_HTML_REPORT_OPEN MOCHA_COLORS
        npm_config_loglevel""".split()
)
_EFFECTS: dict[str, Effect] = {
    **dict.fromkeys(
        """
            TOXENV TOX_ENV NOXSESSION NOXTAGS TEST TESTS TESTARGS TEST_ARGS PYTEST_ARGS TESTFLAGS TEST_FLAGS
            TESTOPTS SPEC ARGS FILTER SUITE TEST_FILTER TEST_PATTERN TESTNAME GREP ONLY GTEST_FILTER
            GTEST_SHARD_INDEX GTEST_TOTAL_SHARDS TESTBRIDGE_TEST_ONLY PYTEST_CURRENT_TEST VITEST_SHARD
            NOSE_TESTMATCH CYPRESS_SPEC CYPRESS_grep TEST_SHARD NEXTEST_PARTITION SHARD""".split(),
        "limit",
    ),
    **dict.fromkeys(
        "TOX_SKIP_ENV SKIP SKIP_TESTS SKIP_TEST SKIP_E2E NO_TESTS GTEST_ALSO_RUN_DISABLED_TESTS".split(),
        "exclude",
    ),
    **dict.fromkeys(
        """
            UPDATE_SNAPSHOTS UPDATE_SNAPSHOT SNAPSHOT_UPDATE INSTA_UPDATE INSTA_FORCE_PASS UPDATE_EXPECT
            UPDATE_GOLDEN UPDATE_GOLDENS TRYBUILD BLESS UPDATE_EXPECTED REGENERATE JEST_UPDATE_SNAPSHOTS
            SHELL MAKESHELL PASS_WITH_NO_TESTS npm_config_if_present npm_config_script_shell APPROVE
            GOLDEN_UPDATE YARN_SCRIPT_SHELL pnpm_config_if_present pnpm_config_script_shell""".split(),
        "mask",
    ),
    **dict.fromkeys("npm_config_dry_run MAKE_DRY_RUN VITEST_MODE SKIP_BUILD".split(), "norun"),
    **dict.fromkeys(
        """
            PYTHONOPTIMIZE RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER CARGO_ENCODED_RUSTFLAGS
            CARGO_BUILD_RUSTFLAGS CARGO_BUILD_TARGET RUSTUP_TOOLCHAIN TOX_OVERRIDE PYTEST_PLUGINS
            PYTEST_DISABLE_PLUGIN_AUTOLOAD GOOS GOARCH GOTOOLCHAIN GOEXPERIMENT MAKEFILES COMPOSE_FILE
            COMPOSE_PROJECT_NAME COMPOSE_PROFILES DOCKER_HOST DOCKER_CONTEXT MIX_ENV
            DJANGO_SETTINGS_MODULE npm_config_node_options JEST_JUNIT_RUNNER npm_config_force
            MYPY_FORCE_TERMINAL_WIDTH UV_PYTHON""".split(),
        "other",
    ),
    **dict.fromkeys(
        "npm_config_ignore_scripts npm_config_omit npm_config_production ESLINT_NO_INLINE".split(), "weaker"
    ),
    **dict.fromkeys(
        "npm_config_workspace npm_config_filter pnpm_config_filter NODE_TEST_NAME_PATTERN".split(), "select"
    ),
    **dict.fromkeys(
        "ESLINT_USE_FLAT_CONFIG MYPY_CONFIG_FILE RUFF_CONFIG PYTEST_CONFIG npm_config_userconfig".split(),
        "config",
    ),
    **dict.fromkeys("npm_config_prefix UV_PROJECT UV_WORKING_DIRECTORY".split(), "where"),
}
_TEST_MODES = frozenset({"NODE_ENV", "RAILS_ENV", "RACK_ENV", "APP_ENV", "BABEL_ENV", "MIX_ENV"})
_OFF = frozenset({"", "0", "false", "no", "off"})
_SWITCHES = frozenset({"mask", "norun", "exclude", "weaker"})  # a variable of these that is off says nothing
_STARTS: tuple[tuple[str, Effect], ...] = (
    ("CARGO_PROFILE_", "other"),
    ("CARGO_TARGET_", "other"),
    ("CARGO_ALIAS_", "other"),
    ("SKIP_", "exclude"),
    ("UPDATE_", "mask"),
    ("npm_config_", "other"),
)
_QUIET_NPM = frozenset(
    "loglevel cache yes fund audit progress color update_notifier prefer_offline offline registry".split()
)


def environment(declared: Mapping[str, Word], executed: Mapping[str, Word]) -> Iterator[Finding]:
    """What the variables of the executed line change, compared with the declared ones."""
    ours, theirs = _named(declared), _named(executed)
    for name in sorted(ours.keys() | theirs.keys()):
        asked, given = ours.get(name), theirs.get(name)
        if asked and given and (asked.text, asked.known) == (given.text, given.known):
            continue
        if name in _OPTIONS and (asked is None or asked.known) and (given is None or given.known):
            yield from _options(name, asked, given)
        elif not _harmless(name, given):
            yield from _one(name, asked, given)


def _named(variables: Mapping[str, Word]) -> dict[str, Word]:
    return {_canonical(name): word for name, word in (variables or EMPTY).items()}


def _canonical(name: str) -> str:
    return (
        name.lower().replace("-", "_") if name.lower().startswith(("npm_config_", "pnpm_config_")) else name
    )


def _harmless(name: str, given: Word | None) -> bool:
    if name.startswith("npm_config_") and name.removeprefix("npm_config_") in _QUIET_NPM:
        return True
    if name in _TEST_MODES and given is not None and given.known and given.text == "test":
        return True
    return name in _HARMLESS


def _one(name: str, asked: Word | None, given: Word | None) -> Iterator[Finding]:
    if name in _OPTIONS:  # what it holds can't be read
        yield Finding("tools.unclear", name)
        return
    effect = _EFFECTS.get(name) or next((each for start, each in _STARTS if name.startswith(start)), None)
    if asked is not None and (given is None or effect is None):
        yield Finding("tools.environment", name)
    elif given is not None and effect is not None:
        if effect in _SWITCHES and given.known and given.text.lower() in _OFF:
            return
        yield Finding(REASONS.get(effect, "tools.environment"), f"{name}={given.text}")
    elif name in _TEST_MODES:
        yield Finding("tools.environment", name)


def _options(name: str, asked: Word | None, given: Word | None) -> Iterator[Finding]:
    table = _OPTIONS[name]
    try:
        ours, theirs = (_split(name, each) for each in (asked, given))
    except ValueError:  # an open quote
        yield Finding("tools.unclear", name)
        return
    for finding in differences(read(table, ours), read(table, theirs)):
        yield finding._replace(detail=f"{name}: {finding.detail}")


def _split(name: str, word: Word | None) -> tuple[Word, ...]:
    parts = shlex.split(word.text) if word else []
    if (
        parts
        and name in ("MAKEFLAGS", "GNUMAKEFLAGS", "MFLAGS")
        and parts[0][0] != "-"
        and "=" not in parts[0]
    ):
        parts[0] = "-" + parts[0]
    return tuple(Word(part) for part in parts if part)
