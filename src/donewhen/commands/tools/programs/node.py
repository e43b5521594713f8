"""Node test runners and bundled tools; package managers and scripts are in `scripts`."""

from donewhen.commands.tools.grammar import Grammar

_SHARED = Grammar(  # what vitest and jest have in common, and what any test script may be given
    quiet="""
        --run --verbose --silent? --reporter= --reporters= --outputFile= --outputFile.json=
        --outputFile.junit= --color --colors --no-color --no-colors --ci --bail# --fail-fast --failFast
        --maxWorkers= --max-workers= --minWorkers= --maxConcurrency= --runInBand|-i --workerThreads
        --testTimeout= --hookTimeout= --teardownTimeout= --detectOpenHandles --detectLeaks --logHeapUsage
        --forceExit --notify --no-cache --cache --cacheDirectory= --workerIdleMemoryLimit= --seed= --showSeed
        --randomize --expand --headed --headless --errorOnDeprecated --no-watch --no-watchAll
        --openHandlesTimeout= --json --coverageReporters= --coverageDirectory= --coverage.reporter=
        --coverage.reportsDirectory= --coverage.provider= --coverage.all? --coverage.clean?
        --coverage.reportOnFailure? --collectCoverageFrom= --coverageProvider= --progress --no-progress
        --threads? --pool= --poolOptions.threads.singleThread? --poolOptions.forks.singleFork?
        --fileParallelism? --no-file-parallelism --sequence.shuffle? --sequence.seed= --sequence.concurrent?
        --hideSkippedTests --noStackTrace --clearScreen? --printConsoleTrace? --slowTestThreshold=
        --verbose=true --useStderr --injectGlobals --exit --watch=false --watchAll=false --noCache
        --disable-console-intercept --diff= --tap""",
    strict="""
        --coverage --coverage.enabled --collectCoverage --typecheck --typecheck.enabled
        --allowOnly=false --forbid-only --coverage.thresholds.100?""",
    at_least="""--coverage.thresholds.lines= --coverage.thresholds.branches= --coverage.thresholds.functions=
        --coverage.thresholds.statements=""",
    limit="""
        -t|--testNamePattern= -g|--grep= --testPathPattern= --testPathPatterns= --testMatch+ --testRegex+
        --runTestsByPath --changed? --changedSince= --changedFilesWithAncestor --since= --onlyChanged|-o
        --onlyFailures|-f --lastCommit --findRelatedTests --related --shard= --dir= --root|-r= --rootDir=
        --roots+ --filter= --only? --last-failed --typecheck.only --allowOnly""",
    exclude="--exclude= --testPathIgnorePatterns+ --skip= --grep-invert= --invert --coverage.exclude=",
    select="--project|--projects= --selectProjects+ --spec= --ignoreProjects+",
    mask="""
        --passWithNoTests --pass-with-no-tests --if-present --allow-empty --allow-no-tests --update|-u
        --updateSnapshot --update-snapshot --update-snapshots? --snapshot-update
        --dangerouslyIgnoreUnhandledErrors --exit-zero --no-fail --ignore-errors --test-update-snapshots
        --testFailureExitCode=0""",
    norun="""
        --clearCache?
        --listTests --list --list-tests --help|-h --version --showConfig --dry-run --mergeReports?
        --merge-reports? --init""",
    watch="""
        --watch|-w --watchAll --ui --ui-port= --debug --open --standalone --inspect? --inspect-brk?
        --inspectBrk?""",
    weaker="""
        --retry= --retries= --no-coverage --testFailureExitCode= --coverageThreshold= --no-forbid-only
        --coverage.thresholds.autoUpdate""",
    config="--config|-c=",
    other="""
        --environment= --env= --mode= --globals --browser? --browser.enabled? --isolate? --no-isolate
        --runner= --testRunner= --setupFiles= --setupFilesAfterEach= --globalSetup= --preset= --resolver=
        --require= --import= --loader= --api? --fix""",
    operands="all",
)

_MOCHA = Grammar(
    quiet="""
        --reporter|-R= -O|--reporter-option=|--reporter-options= --timeout=|-t= --slow=|-s= --bail|-b
        --parallel|-p --jobs|-j= --exit --color|-c --no-color|-C --full-trace --check-leaks --sort|-S --diff
        --inline-diffs --recursive""",
    strict="--forbid-only --forbid-pending --fail-zero --allow-uncaught",
    limit="-g|--grep= --fgrep|-f= --node-option=",
    exclude="--invert|-i --ignore|--exclude=",
    mask="--pass-on-failing-test-suite --no-fail-zero --update",
    norun="--dry-run --help|-h --version|-V --list-files --list-reporters --list-interfaces",
    watch="--watch|-w --inspect? --inspect-brk?",
    weaker="--retries=",
    config="--config= --package= --no-config --no-package --opts=",
    other="--require|-r= --ui|-u= --extension= --file= --delay --global= --spec= --import= -n=",
    operands="all",
)

_PLAYWRIGHT = Grammar(
    quiet="""
        --reporter= --output= --workers=|-j= --fully-parallel --quiet --trace= --timeout= --global-timeout=
        -x --max-failures= --headless --headed --repeat-each= --ignore-snapshots=false""",
    strict="--forbid-only --fail-on-flaky-tests",
    limit="-g|--grep= --last-failed --only-changed* --shard= --test-list= --tsconfig=",
    exclude="--grep-invert|-gv= --no-deps --test-list-invert=",
    select="--project+",
    mask="--pass-with-no-tests --update-snapshots?|-u --update-source-method= --ignore-snapshots",
    norun="--list --help|-h --version|-V",
    watch="--ui --ui-host= --ui-port= --debug?",
    weaker="--retries=",
    config="--config|-c=",
    other="--browser=",
    operands="all",
)

_CYPRESS = Grammar(
    quiet="""
        --quiet|-q --reporter|-r= --reporter-options|-o= --record? --headed --key=|-k= --ci-build-id=
        --headless --no-exit=false --tag= --port=|-p= --parallel --group= --posix-exit-codes
        --auto-cancel-after-failures=""",
    select="--spec|-s=",
    limit="--e2e",
    mask="--no-exit --pass-with-no-tests",
    norun="--help|-h --version|-v",
    weaker="--retries=",
    config="--config-file|-C= --config|-c=",
    where="--project|-P=",
    other="--browser|-b= --env|-e= --component --runner-ui",
    operands="all",
)

_NODE_TEST = Grammar(
    quiet="""
        --test --test-reporter= --test-reporter-destination= --test-concurrency= --test-timeout=
        --test-force-exit --experimental-test-coverage --enable-source-maps --no-warnings
        --experimental-vm-modules --trace-warnings --max-old-space-size= --experimental-strip-types
        --test-isolation= --experimental-test-module-mocks""",
    at_least="--test-coverage-lines= --test-coverage-branches= --test-coverage-functions=",
    limit="--test-name-pattern= --test-only --test-shard= --test-rerun-failures=",
    exclude="--test-skip-pattern= --test-coverage-exclude=",
    mask="--test-update-snapshots",
    watch="--watch --watch-path= --inspect? --inspect-brk?",
    norun="-c|--check -h|--help -v|--version",
    other="""
        -r|--require= --import= --loader= --experimental-loader= -e|--eval= -p|--print= --conditions=|-C=
        --env-file=""",
    operands="all",
)

_BUN_TEST = Grammar(
    quiet="""
        --coverage --coverage-reporter= --coverage-dir= --bail# --timeout= --rerun-each= --reporter=
        --reporter-outfile= --randomize --seed= --concurrent --max-concurrency= --silent --dots --todo""",
    limit="-t|--test-name-pattern= --only --path-ignore-patterns=",
    mask="-u|--update-snapshots --pass-with-no-tests",
    watch="--watch --hot --inspect? --inspect-brk?",
    norun="-h|--help",
    other="--preload|-r= --env-file= -c|--config= --conditions= --define=",
    where="--cwd=",
    operands="all",
)

GRAMMARS: dict[str, Grammar] = {
    "shared tests": _SHARED,
    "vitest args": Grammar(
        base=("shared tests",), operands="all", strict="--expect.requireAssertions", quiet="--root=."
    ),
    "jest args": Grammar(base=("shared tests",), operands="all", limit="--env="),
    "mocha args": Grammar(
        **{k: v for k, v in _MOCHA._asdict().items() if k != "base"}, base=("shared tests",)
    ),
    "playwright args": Grammar(
        **{k: v for k, v in _PLAYWRIGHT._asdict().items() if k != "base"}, base=("shared tests",)
    ),
    "cypress args": Grammar(
        **{k: v for k, v in _CYPRESS._asdict().items() if k != "base"}, base=("shared tests",)
    ),
    "test args": Grammar(base=("shared tests", "mocha args"), operands="all"),
    "e2e args": Grammar(base=("playwright args", "shared tests", "cypress args"), operands="all"),
    "node": _NODE_TEST,
    "bun": Grammar(quiet="--no-install", base=("npm",)),
    "bun test": _BUN_TEST,
    "deno": Grammar(quiet="-q|--quiet"),
    "deno test": Grammar(
        quiet="""
            -A|--allow-all -R|--allow-read? -W|--allow-write? -N|--allow-net? -E|--allow-env? --allow-run?
            --allow-sys? --allow-ffi? --parallel -j|--jobs= --coverage? --junit-path= --reporter=
            --fail-fast? --shuffle? --trace-leaks --no-prompt -q|--quiet --hide-stacktraces --allow-import?
            --unstable""",
        strict="--check? --doc --frozen? --cached-only",
        limit="--filter= --changed",
        exclude="--ignore=",
        mask="--permit-no-files",
        norun="--no-run -h|--help",
        watch="--watch? --inspect? --inspect-brk?",
        weaker="--no-check?",
        config="-c|--config= --no-config --import-map=",
        operands="all",
        after="posargs",
    ),
    "deno lint": Grammar(quiet="--json --compact -q", other="--fix", watch="--watch?", operands="all"),
    "deno fmt": Grammar(quiet="-q", other="--check", watch="--watch?", operands="all"),
    "ava": Grammar(
        quiet="""
            -v|--verbose -t|--tap -c|--concurrency= -T|--timeout= --fail-fast --color --no-color
            -s|--serial""",
        limit="-m|--match=",
        mask="-u|--update-snapshots",
        watch="-w|--watch",
        norun="--help --version",
        config="--config=",
        other="--node-arguments= -N",
        operands="all",
    ),
}
