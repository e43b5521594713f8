"""Runners of other languages that need only a few words."""

from donewhen.commands.tools.grammar import Grammar

GRAMMARS: dict[str, Grammar] = {
    "swift": Grammar(
        quiet="-v|--verbose -q|--quiet", where="--package-path=", other="-c|--configuration= -Xswiftc= -Xcc="
    ),
    "swift test": Grammar(
        quiet="--parallel --no-parallel --num-workers= -j|--jobs= --xunit-output= --disable-sandbox",
        strict="--enable-code-coverage --sanitize=",
        limit="--filter= -s|--specifier=",
        exclude="--skip= --disable-xctest --disable-swift-testing",
        norun="-l|--list-tests --show-codecov-path -h|--help",
        weaker="--skip-build",
        other="--test-product=",
    ),
    "swift test list": Grammar(),
    "swift build": Grammar(quiet="-j|--jobs=", widen="--build-tests", select="--target= --product="),
    "bats": Grammar(
        quiet="""
            -p|--pretty -t|--tap -F|--formatter= -o|--output= -T|--timing -j|--jobs= -x|--trace
            --verbose-run --show-output-of-passing-tests --print-output-on-failure --report-formatter=
            --no-tempdir-cleanup --abort""",
        widen="-r|--recursive",
        limit="-f|--filter= --filter-tags= --filter-status=",
        exclude="--negative-filter=",
        norun="-c|--count -h|--help -v|--version",
        operands="config",
    ),
    "prove": Grammar(
        quiet="""
            -v|--verbose -q|--quiet -Q|--QUIET -j|--jobs= --color --nocolor --timer -f|--failures
            -o|--comments -s|--shuffle --merge""",
        widen="-r|--recurse",
        mask="--ignore-exit",
        norun="-D|--dry -h|--help -V|--version",
        other="-l|--lib -b|--blib -I= -e|--exec= --state=",
        operands="config",
    ),
    "flutter": Grammar(quiet="-v|--verbose --no-color --suppress-analytics"),
    "flutter test": Grammar(
        quiet="""
            -r|--reporter= --file-reporter= -j|--concurrency= --coverage --coverage-path= --timeout=
            --test-randomize-ordering-seed= --no-pub --fail-fast""",
        limit="--name= --plain-name= -t|--tags= --shard-index= --total-shards=",
        exclude="-x|--exclude-tags=",
        mask="--update-goldens",
        norun="-h|--help",
        watch="--start-paused",
        other="--flavor= --dart-define= -d|--device-id= --platform=",
        operands="all",
    ),
    "flutter analyze": Grammar(
        strict="--fatal-infos --fatal-warnings",
        weaker="--no-fatal-infos --no-fatal-warnings",
        watch="--watch",
        operands="all",
    ),
    "dart": Grammar(),
    "dart test": Grammar(
        quiet="""
            -r|--reporter= --file-reporter= -j|--concurrency= --coverage= --timeout= --color --no-color
            --test-randomize-ordering-seed= --chain-stack-traces --fail-fast""",
        limit="-n|--name= -N|--plain-name= -t|--tags= --shard-index= --total-shards=",
        exclude="-x|--exclude-tags=",
        norun="-h|--help",
        weaker="--retry= --no-retry=false",
        other="-p|--platform= -P|--preset= --pub-serve= --compiler=",
        operands="all",
    ),
    "dart analyze": Grammar(
        strict="--fatal-infos --fatal-warnings",
        weaker="--no-fatal-warnings",
        quiet="--format=",
        operands="all",
    ),
    "dart format": Grammar(
        strict="--set-exit-if-changed",
        other="-o|--output= -l|--line-length=",
        quiet="--show= --summary=",
        operands="config",
    ),
    "zig": Grammar(),
    "zig build": Grammar(
        quiet="--summary= --color= -j= --verbose", prefixes=("-D",), operands="targets", where="--build-file="
    ),
    "stack": Grammar(quiet="--color= -v --verbosity="),
    "stack test": Grammar(
        quiet="-j= --ghc-options= --fast",
        strict="--pedantic --coverage",
        norun="--no-run-tests --dry-run",
        watch="--file-watch",
        other="--ta|--test-arguments=",
        operands="all",
    ),
    "cabal": Grammar(quiet="-v? -j?"),
    "cabal test": Grammar(
        quiet="--test-show-details= -j? -v?",
        norun="--dry-run",
        mask="--test-fail-when-no-test-suites=false",
        other="--test-option= --test-options=",
        operands="all",
    ),
    "nx": Grammar(),
    "turbo": Grammar(),
}

FOLDS: dict[str, str] = {}
