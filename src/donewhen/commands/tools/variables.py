"""Which variables configure a tool: tables only.

A tool reads its own prefix (`TOX_…`, `CARGO_…`), and most of what it reads can make a check smaller. So every
name with such a prefix counts unless it is listed as harmless: output, colour, caches, parallelism, network.
"""

import re

from donewhen.commands.tools.grammar import Effect
from donewhen.core.lazy import lazy

OPTIONS: dict[str, str] = {  # variables that hold options -> the table they are read with
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
HARMLESS = frozenset(
    """
        CI CONTINUOUS_INTEGRATION GITHUB_ACTIONS FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM TERM
        COLUMNS LINES TZ LANG LANGUAGE LC_ALL LC_CTYPE LC_MESSAGES DEBIAN_FRONTEND RUST_BACKTRACE RUST_LOG
        RUST_TEST_THREADS CARGO_INCREMENTAL CARGO_TARGET_DIR CARGO_BUILD_JOBS
        CARGO_REGISTRIES_CRATES_IO_PROTOCOL
        PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONHASHSEED PYTHONIOENCODING PYTHONUTF8
        PYTHONFAULTHANDLER PY_COLORS GOMAXPROCS GOCACHE GOTRACEBACK DOTNET_NOLOGO
        DOTNET_CLI_TELEMETRY_OPTOUT DOTNET_CLI_UI_LANGUAGE NEXT_TELEMETRY_DISABLED DO_NOT_TRACK HUSKY ADBLOCK
        DISABLE_OPENCOLLECTIVE CTEST_OUTPUT_ON_FAILURE CTEST_PARALLEL_LEVEL CTEST_PROGRESS_OUTPUT
        VITEST_MAX_THREADS VITEST_MAX_FORKS VITEST_MAX_WORKERS JEST_WORKERS NX_DAEMON NX_SKIP_NX_CACHE
        NX_NO_CLOUD NX_VERBOSE_LOGGING TURBO_FORCE TURBO_UI TURBO_CONCURRENCY PIP_DISABLE_PIP_VERSION_CHECK
        PIP_NO_INPUT UV_NO_PROGRESS UV_LINK_MODE UV_CACHE_DIR UV_OFFLINE UV_FROZEN UV_LOCKED UV_NO_SYNC
        UV_NO_CACHE UV_COMPILE_BYTECODE UV_HTTP_TIMEOUT UV_NATIVE_TLS TMPDIR VERBOSE V DEBUG_COLORS
        COMPOSE_DOCKER_CLI_BUILD COMPOSE_BAKE COMPOSE_HTTP_TIMEOUT COMPOSE_PARALLEL_LIMIT
        COMPOSE_ANSI DOCKER_BUILDKIT BUILDKIT_PROGRESS PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD
        PW_TEST_HTML_REPORT_OPEN CYPRESS_VIDEO CYPRESS_SCREENSHOT_ON_RUN_FAILURE CYPRESS_RECORD_KEY
        PIPENV_NOSPIN PIPENV_VENV_IN_PROJECT PIPENV_IGNORE_VIRTUALENVS PDM_NON_INTERACTIVE PDM_CHECK_UPDATE
        POETRY_NO_INTERACTION POETRY_VIRTUALENVS_IN_PROJECT POETRY_VIRTUALENVS_CREATE
        HATCH_QUIET COVERAGE_FILE
        COVERAGE_CORE DENO_DIR DENO_NO_UPDATE_CHECK DENO_NO_PROMPT PRE_COMMIT_HOME MIX_QUIET MIX_DEBUG
        RUFF_NO_CACHE RUFF_OUTPUT_FORMAT YARN_SILENT YARN_CACHE_FOLDER YARN_ENABLE_GLOBAL_CACHE
        YARN_ENABLE_PROGRESS_BARS YARN_ENABLE_IMMUTABLE_INSTALLS PYTEST_THEME PYTEST_THEME_MODE PYTEST_TIMEOUT
        PYTEST_XDIST_AUTO_NUM_WORKERS BUNDLE_JOBS BUNDLE_RETRY BUNDLE_PATH NODE_TEST_REPORTER
        MSBUILDDISABLENODEREUSE MSBUILDTERMINALLOGGER VSTEST_CONNECTION_TIMEOUT NO_UPDATE_NOTIFIER
        npm_config_loglevel""".split()
)
HARMLESS_SHAPES = lazy(
    r"\w+_(?:NO_)?COLORS?|\w+_COLOR_WHEN|\w+_VERBOS(?:E|ITY)|\w+_LOG_?LEVEL|\w+_(?:NO_)?(?:PROGRESS|SPINNER)"
    r"|\w+_NO_UPDATE_(?:CHECK|NOTIFIER)|\w*TELEMETRY\w*|\w+_CACHE_DIR|\w+_(?:JOBS|THREADS|WORKERS)|TERM_\w+"
    r"|CARGO_TERM_\w+|CARGO_(?:NET|HTTP)_\w+|UV_CONCURRENT_\w+|JEST_JUNIT_(?!RUNNER)\w+|TOX_PARALLEL_NO_SPINNER"
    r"|PLAYWRIGHT_(?:HTML|JUNIT|JSON|BLOB|LIST)_\w+|CYPRESS_SCREENSHOTS\w*|npm_config_\w+_color"
)
PREFIXES = lazy(
    r"(?:TOX|NOX|CYPRESS|PLAYWRIGHT|PWTEST|PW_TEST|PWDEBUG|YARN|PNPM|pnpm_config|npm_config|npm_package|GRADLE"
    r"|ORG_GRADLE_PROJECT|MAVEN|MVNW|M2_|TESTINGPLATFORM|VSTest|VSTEST|UV|PIPENV|PDM|POETRY|HATCH|COVERAGE|MYPY"
    r"|CTEST|GTEST|BUN|DENO|PRE_COMMIT|MIX|PROPTEST|QUICKCHECK|HYPOTHESIS|JEST|VITEST|MOCHA|AVA|KARMA|RUFF"
    r"|ESLINT|CARGO|RUSTUP|NEXTEST|INSTA|PYTEST|NODE_TEST|TS_NODE|NX|TURBO|BUNDLE|COMPOSE|MSBUILD|RSPEC|PHPUNIT)"
    r"(?:_\w*|(?<=_)\w+|(?<=NOX)\w+|(?<=MYPY)\w+|(?<=VITEST)\w*|(?<=VSTest)\w+|(?<=MSBUILD)\w+|(?<=PWDEBUG))"
)
REWRITES = lazy(  # names of switches that write the expectations anew
    r"(?!\w*(?:NOTIFIER|CHECK|NO_|SKIP_))(?:\w+_)?(?:SNAPSHOTS?|UPDATE|REGENERATE|REGEN|GOLDENS?|BLESS|OVERWRITE"
    r"|RERECORD)(?:_\w+)?",
    re.IGNORECASE,
)
EFFECTS: dict[str, Effect] = {
    **dict.fromkeys(
        """
            TOXENV TOX_ENV NOXSESSION NOXTAGS TEST TESTS TESTARGS TEST_ARGS PYTEST_ARGS TESTFLAGS TEST_FLAGS
            TESTOPTS SPEC ARGS FILTER SUITE TEST_FILTER TEST_PATTERN TESTNAME GREP ONLY GTEST_FILTER
            GTEST_SHARD_INDEX GTEST_TOTAL_SHARDS TESTBRIDGE_TEST_ONLY PYTEST_CURRENT_TEST VITEST_SHARD
            NOSE_TESTMATCH CYPRESS_SPEC CYPRESS_grep TEST_SHARD NEXTEST_PARTITION SHARD PROPTEST_CASES
            QUICKCHECK_TESTS""".split(),
        "limit",
    ),
    **dict.fromkeys(
        "TOX_SKIP_ENV SKIP SKIP_TESTS SKIP_TEST SKIP_E2E NO_TESTS GTEST_ALSO_RUN_DISABLED_TESTS".split(),
        "exclude",
    ),
    **dict.fromkeys(
        """
            INSTA_UPDATE INSTA_FORCE_PASS TRYBUILD SHELL MAKESHELL PASS_WITH_NO_TESTS npm_config_if_present
            npm_config_script_shell APPROVE YARN_SCRIPT_SHELL pnpm_config_if_present pnpm_config_script_shell
            TOX_SKIP_MISSING_INTERPRETERS TESTINGPLATFORM_EXITCODE_IGNORE CTEST_NO_TESTS_ACTION
            PRE_COMMIT_ALLOW_NO_CONFIG PYTHONINSPECT""".split(),
        "mask",
    ),
    **dict.fromkeys("npm_config_dry_run MAKE_DRY_RUN VITEST_MODE SKIP_BUILD".split(), "norun"),
    **dict.fromkeys(
        """
            PYTHONOPTIMIZE PYTHONBREAKPOINT RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER
            GOOS GOARCH GOTOOLCHAIN
            GOEXPERIMENT GOENV GOCACHEPROG GO111MODULE GOWORK MAKEFILES MAKEOVERRIDES
            DOCKER_HOST DOCKER_CONTEXT
            DOCKER_DEFAULT_PLATFORM DJANGO_SETTINGS_MODULE HOME USERPROFILE XDG_CONFIG_HOME XDG_CONFIG_DIRS
            VIRTUAL_ENV IsTestProject RunSettingsFilePath Configuration TargetFramework
            TargetFrameworks NoWarn
            TreatWarningsAsErrors RunAnalyzers CustomBeforeMicrosoftCommonTargets
            CustomAfterMicrosoftCommonTargets DirectoryBuildPropsPath DirectoryBuildTargetsPath""".split(),
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
TEST_MODES = frozenset({"NODE_ENV", "RAILS_ENV", "RACK_ENV", "APP_ENV", "BABEL_ENV", "MIX_ENV"})
DEFAULTS = {"GO111MODULE": "on", "GOWORK": "", "PWDEBUG": "0"}  # a value that says what holds anyway
STARTS: tuple[tuple[str, Effect], ...] = (("SKIP_", "exclude"),)
QUIET_NPM = frozenset(
    "loglevel cache yes fund audit progress color update_notifier prefer_offline offline registry".split()
)


def effect_of(name: str) -> Effect | None:
    """What setting a variable means; None: nothing that a table knows."""
    if name in EFFECTS:
        return EFFECTS[name]
    if HARMLESS_SHAPES.fullmatch(name):
        return None
    if REWRITES.fullmatch(name):
        return "mask"
    if PREFIXES.fullmatch(name):
        return "other"
    return next((each for start, each in STARTS if name.startswith(start)), None)
