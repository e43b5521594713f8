"""Ruby, PHP and Elixir: runners, linters, installers."""

from donewhen.commands.tools.grammar import Grammar

_RSPEC = Grammar(
    quiet="""
        -f|--format= -o|--out= -c|--color|--colour --force-color --no-color --order= --seed= -p|--profile#
        --no-profile -b|--backtrace -w|--warnings --fail-fast# --no-fail-fast --deprecation-out= --tty""",
    limit="-e|--example= -E|--example-matches= -t|--tag= -P|--pattern= --only-failures -n|--next-failure",
    exclude="--exclude-pattern=",
    mask="--failure-exit-code= --error-exit-code=",
    norun="--dry-run -h|--help -v|--version --init",
    config="-O|--options=",
    other="-r|--require= -I= --bisect? --default-path=",
    operands="all",
)
_RUBOCOP = Grammar(
    quiet="""
        -P|--parallel --no-parallel -f|--format= -o|--out= -D|--display-cop-names -E|--extra-details
        -S|--display-style-guide --color --no-color -d|--debug --force-exclusion --cache= -F|--fail-fast
        --server --no-server""",
    limit="--only= -l|--lint -x|--fix-layout --only-guide-cops",
    exclude="--except= --ignore-parent-exclusion",
    mask="--disable-uncorrectable --auto-gen-config --regenerate-todo",
    norun="-L|--list-target-files --show-cops? -h|--help -v|--version -V --show-docs-url? --init",
    weaker="--fail-level= --display-only-fail-level-offenses --display-only-correctable",
    config="-c|--config= --force-default-config",
    other="""
        -a|--autocorrect -A|--autocorrect-all --auto-correct --safe -r|--require= --plugin= -s|--stdin=
        --enable-pending-cops""",
    operands="all",
)
_RAILS_TEST = Grammar(
    quiet="""
        -v|--verbose -s|--seed= -b|--backtrace -d|--defer-output -f|--fail-fast -c|--color --no-color
        --profile#""",
    strict="-w|--warnings -W",
    limit="-n|--name= -i|--include=",
    exclude="-e|--exclude= -x=",
    norun="-h|--help",
    operands="all",
)
_PHPUNIT = Grammar(
    quiet="""
        --colors? --testdox -v|--verbose --debug --stop-on-failure --stop-on-error --stop-on-defect
        --log-junit= --coverage-text? --coverage-html= --coverage-clover= --coverage-xml= --no-progress
        --no-output --columns= --order-by= --random-order --random-order-seed= --cache-directory=
        --process-isolation --no-logging --teamcity --display-warnings --display-deprecations --compact
        --parallel -p --processes= --ci --disable-coverage-ignore=false --display-all-issues""",
    strict="""
        --fail-on-warning --fail-on-risky --fail-on-incomplete --fail-on-skipped --fail-on-deprecation
        --fail-on-notice --fail-on-empty-test-suite --strict-coverage --disallow-test-output --coverage
        --fail-on-all-issues""",
    at_least="--min=",
    limit="--filter= --group= --testsuite= --covers= --uses= --dirty --retry --shard= --todo --test-suffix=",
    exclude="--exclude-group= --exclude-testsuite= --exclude-filter=",
    mask="""
        --do-not-fail-on-empty-test-suite --do-not-fail-on-warning --update-snapshots --generate-baseline=
        -d= --passWithNoTests""",
    norun="--list-tests --list-tests-xml= --list-groups --list-suites -h|--help --version --check-version",
    config="-c|--configuration= --no-configuration --use-baseline= --ignore-baseline",
    other="--bootstrap= --include-path= --prepend= --no-extensions --no-coverage --atleast-version=",
    operands="all",
)

GRAMMARS: dict[str, Grammar] = {
    "rspec": _RSPEC,
    "rubocop": _RUBOCOP,
    "standardrb": _RUBOCOP,
    "rails": Grammar(),
    "rails test": _RAILS_TEST,
    "rake": Grammar(
        quiet="""
            -q|--quiet -s|--silent -v|--verbose -t|--trace? -m|--multitask -j|--jobs= --backtrace? --rules""",
        limit="TEST= TESTOPTS= SPEC= SPEC_OPTS= N= A=",
        norun="""
            -n|--dry-run -T|--tasks? -P|--prereqs -W|--where? -D|--describe? -H|--help -V|--version
            -A|--all""",
        config="-f|--rakefile= -N|--no-search|--nosearch -g|--system",
        other="-r|--require= -I|--libdir= -e|--execute= -E= -R|--rakelibdir=",
        variables=True,
        operands="targets",
    ),
    "bundle": Grammar(quiet="--quiet --no-color --verbose"),
    "bundle install": Grammar(
        quiet="-j|--jobs= --retry= --prefer-local --redownload",
        strict="--frozen --deployment",
        exclude="--without=",
        limit="--local",
    ),
    "phpunit": _PHPUNIT,
    "pest": _PHPUNIT,
    "composer": Grammar(
        quiet="-q|--quiet -v|--verbose -vv -vvv -n|--no-interaction --ansi --no-ansi --profile --no-cache",
        where="-d|--working-dir=",
    ),
    "composer install": Grammar(
        quiet="--prefer-dist --no-progress --prefer-source -o|--optimize-autoloader",
        limit="--no-dev --no-scripts --no-plugins",
        norun="--dry-run",
        weaker="--ignore-platform-reqs --ignore-platform-req=",
    ),
    "composer run": Grammar(quiet="--timeout=", limit="--no-dev", norun="-l|--list", after="posargs"),
    "phpstan": Grammar(),
    "phpstan analyse": Grammar(
        quiet="""
            --no-progress --error-format= --memory-limit= --no-ansi --ansi -q|--quiet -v|--verbose
            --debug""",
        at_least="-l|--level=",
        mask="-b|--generate-baseline? --allow-empty-baseline --fix",
        config="-c|--configuration= -a|--autoload-file=",
        operands="config",
    ),
    "mix": Grammar(),
    "mix test": Grammar(
        quiet="""
            --trace --color --no-color --seed= --max-failures= --slowest= --max-cases= --formatter=
            --timeout= --export-coverage= --raise --no-archives-check --no-deps-check""",
        strict="--warnings-as-errors --cover",
        widen="--include=",
        limit="--only= --failed --stale --partitions=",
        exclude="--exclude=",
        norun="--dry-run -h|--help",
        watch="--listen-on-stdin",
        weaker="--no-compile",
        other="--no-start --exit-status=",
        operands="all",
    ),
    "mix compile": Grammar(strict="--warnings-as-errors --force --all-warnings", quiet="--verbose"),
    "mix format": Grammar(other="--check-formatted --dry-run", config="--dot-formatter=", operands="config"),
    "mix credo": Grammar(
        strict="--strict|-a|--all",
        quiet="--format= --verbose --no-color -A",
        mask="--mute-exit-status",
        exclude="--ignore= -i=",
        limit="--only= --checks=",
        operands="all",
    ),
}

FOLDS: dict[str, str] = {
    "rails t": "rails test",
    "bundle i": "bundle install",
    "composer run-script": "composer run",
    "composer i": "composer install",
    "phpstan analyze": "phpstan analyse",
}
