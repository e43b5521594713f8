"""Python: test runners, environments and installers."""

from donewhen.commands.tools.grammar import Grammar

_PYTEST = Grammar(
    quiet="""
        -v|--verbose -q|--quiet -s --capture= --tb= --color= --no-header --no-summary --show-capture=
        --durations= --durations-min= -r= -l|--showlocals --no-showlocals --full-trace
        --junitxml=|--junit-xml= --junit-prefix= --report-log= --html= --self-contained-html --json-report
        --json-report-file= --json-report-summary --cov-report= --no-cov-on-fail --cov-append --cov-context=
        -n|--numprocesses= --dist= --maxprocesses= --max-worker-restart= --maxfail= -x|--exitfirst
        --ff|--failed-first --nf|--new-first --cache-clear --randomly-seed= --random-order
        --random-order-bucket= --random-order-seed= --timeout= --timeout-method= --session-timeout=
        --force-sugar --instafail --verbosity= --code-highlight= --log-level= --log-cli-level=
        --log-cli-format= --log-file= --log-file-level= --log-format= --basetemp=/tmp/*
        --basetemp=/var/tmp/* --basetemp=tmp* --basetemp=.tmp* --basetemp=build/* --basetemp=.pytest*
        --disable-warnings
        --disable-pytest-warnings --no-fold-skipped --force-short-summary --xfail-tb --setup-show
        --trace-config --continue-on-collection-errors --keep-duplicates --doctest-continue-on-failure
        --doctest-report= --lsof --reruns-delay= --md-report --csv= --github-actions --emoji --tap-stream
        --tap --alluredir= --clean-alluredir --loadfile --tx= --durations-path= --store-durations --testdox
        --gherkin-terminal-reporter -p=no:cacheprovider -p=no:randomly -p=no:random_order -p=no:sugar
        -p=no:pretty -p=no:terminalreporter -p=xdist -p=no:xdist -o=console_output_style* -o=log_*
        -o=cache_dir* -o=junit_* -o=faulthandler*""",
    strict="""
        --strict --strict-markers --strict-config --cov* --cov-branch --cov-config= -W=error* --runxfail
        -o=xfail_strict=true""",
    widen="--doctest-modules --doctest-glob= --runslow|--run-slow --run-integration --run-all --no-skip",
    at_least="--cov-fail-under=",
    limit="""
        -k= -m= --lf|--last-failed --lfnf=|--last-failed-no-failures= --sw|--stepwise
        --sw-skip|--stepwise-skip --testmon --testmon-forceselect --picked? --splits= --group= --shard-id=
        --num-shards= --changed --only-changed --unit --fast --skip-slow --no-slow""",
    exclude="--ignore= --ignore-glob= --deselect= --doctest-ignore-import-errors",
    norun="""
        --collect-only|--co --collectonly --setup-only --setup-plan --fixtures --funcargs
        --fixtures-per-test --markers --help|-h --version|-V --cache-show*""",
    mask="""
        --suppress-no-test-exit-code --suppress-tests-failed-exit-code --snapshot-update --update-snapshots
        --update-snapshot --update-golden --update-goldens --regen --regen-all --force-regen
        --inline-snapshot= --snapshot-warn-unused --mpl-generate-path= --allow-no-tests --passWithNoTests
        --pass-with-no-tests --exit-zero --suppress-failed-exit-code --record-mode=rewrite --golden-update
        --approve --accept""",
    watch="--looponfail|-f --watch",
    weaker="""
        --no-cov --reruns= --only-rerun= --force-flaky --max-runs= --min-passes= -W= -o=xfail_strict=false""",
    config="-c=|--config-file= --rootdir= --confcutdir= --noconftest --inifile=",
    other="""
        -o|--override-ini= -p= --pyargs --assert= --import-mode= --pdb --pdbcls= --trace --asyncio-mode=
        --runner= --debug? --benchmark-only --benchmark-skip --ds= --create-db""",
    operands="all",
)

_UNITTEST = Grammar(
    quiet="-v|--verbose -q|--quiet -b|--buffer -f|--failfast -c|--catch --locals --durations=",
    limit="-k= -p|--pattern=",
    target="-s|--start-directory=",
    norun="-h|--help",
    other="-t|--top-level-directory=",
    operands="all",
)

_TOX = Grammar(
    quiet="""
        -v|--verbose -q|--quiet -p|--parallel# --parallel-no-spinner --parallel-live -o -r|--recreate
        --colored= --result-json= --workdir= --no-recreate-pkg --fail-fast --no-provision?
        --no-recreate-provision --no-list-dependencies --list-dependencies""",
    target="-e= -f= -m=",
    exclude="--skip-env= -s|--skip-missing-interpreters?",
    norun="""
        -n|--notest -l|--listenvs -a|--listenvs-all --showconfig --help|-h --version --devenv=
        --pkg-only|--sdistonly|-b""",
    config="-c=|--conf= --root=",
    other="-x|--override= --installpkg= --skip-pkg-install --develop --force-dep= --discover=",
    after="posargs",
)

_NOX = Grammar(
    quiet="""
        -v|--verbose -r|--reuse-existing-virtualenvs -N|--no-reuse-existing-virtualenvs
        -x|--stop-on-first-error --no-stop-on-first-error --no-color|--nocolor --force-color|--forcecolor
        --non-interactive --report= --envdir= --default-venv-backend=|-db= --reuse-venv= --verbose""",
    strict="--error-on-missing-interpreters --error-on-external-run",
    target="-s|--session|--sessions|-e+ -t|--tags+",
    select="-p|--python|--pythons+",
    limit="-k|--keywords=",
    norun="-l|--list|--list-sessions --install-only --help|-h --version",
    mask="--no-error-on-missing-interpreters",
    weaker="--no-error-on-external-run",
    config="-f|--noxfile=",
    other="""
        -R --no-install --force-python=|-P= --extra-pythons+ --force-venv-backend=|-fb= --no-venv
        --script-mode=""",
    after="posargs",
)

_INSTALL = Grammar(
    quiet="""
        -q|--quiet -v|--verbose --no-cache|-n --no-cache-dir --cache-dir= --offline --no-progress --color=
        --no-color --progress-bar= --disable-pip-version-check --no-input --no-interaction --no-ansi --ansi
        -n --timeout= --retries=""",
    strict="--frozen --locked --require-hashes --immutable --exact --strict",
    widen="--all-extras --all-groups --all-packages --dev --extra= -E|--extras= --group= --with= --sync",
    limit="""
        --no-dev --only-dev --only-group= --only= --package= --no-root --no-deps --no-install-project
        --only-binary=""",
    exclude="--no-group= --no-extra= --without= --no-install-package=",
    norun="--dry-run --help|-h --version",
    where="--directory= --project= -C= --project-directory=|-P=",
    other="""
        -p|--python= -U|--upgrade --upgrade-package= --reinstall --check -r|--requirement= -e|--editable=
        -c|--constraint=""",
)

_MANAGE = Grammar(
    quiet="""
        -v|--verbosity= --noinput|--no-input --parallel# --failfast --keepdb --timing --traceback --no-color
        --force-color -b|--buffer --durations= --shuffle? -r|--reverse --debug-sql""",
    limit="-k= --tag= -p|--pattern=",
    exclude="--exclude-tag=",
    norun="--help|-h --version",
    config="--settings=",
    other="--testrunner= --pdb --pythonpath= -t|--top-level-directory=",
    operands="all",
)

_COVERAGE = Grammar(
    quiet="""
        -q|--quiet --skip-covered --skip-empty -m|--show-missing --sort= --precision= --format= --data-file=
        -i""",
    at_least="--fail-under=",
    exclude="--omit=",
    limit="--include=",
    config="--rcfile=",
)

GRAMMARS: dict[str, Grammar] = {
    "pytest": _PYTEST,
    "unittest": _UNITTEST,
    "tox": _TOX,
    "tox devenv": Grammar(norun="--help"),
    "tox list": Grammar(),
    "tox config": Grammar(),
    "nox": _NOX,
    "posargs": Grammar(),
    "hatch": Grammar(
        quiet="-v|--verbose -q|--quiet --no-color --color", where="-p|--project=", other="-e|--env="
    ),
    "hatch test": Grammar(
        quiet="-v -q -r|--randomize -p|--parallel -c|--cover --cover-quiet -a|--all",
        limit="-py|--python= -i|--include=",
        exclude="-x|--exclude=",
        norun="-s|--show --help|-h",
        weaker="--retries=",
        operands="all",
        after="pytest",
    ),
    "python": Grammar(
        quiet="-B -u -v -m -P -X=utf8* -X=faulthandler -X=importtime",
        strict="-W=error* -X=dev -b -bb",
        weaker="-O -OO -W=",
        other="-c= -X= -I -E -s -S -i -x",
        norun="-V|--version -h|--help",
        inner=0,
    ),
    "manage.py": Grammar(),
    "manage.py test": _MANAGE,
    "manage.py check": Grammar(strict="--deploy", other="--fail-level= --tag=|-t="),
    "manage.py makemigrations": Grammar(other="--check --dry-run", quiet="-v|--verbosity="),
    "uv": Grammar(
        quiet="-q|--quiet -v|--verbose --no-progress --color= --offline --no-cache",
        where="--directory= --project=",
    ),
    "uv sync": _INSTALL,
    "uv lock": _INSTALL,
    "uv pip": Grammar(),
    "uv pip install": _INSTALL,
    "uv build": _INSTALL,
    "poetry": Grammar(
        quiet="-q|--quiet -v|--verbose -n|--no-interaction --no-ansi", where="-C|--directory= -P|--project="
    ),
    "poetry install": _INSTALL,
    "poetry check": Grammar(strict="--lock --strict"),
    "pdm": Grammar(quiet="-q -v", where="-p|--project="),
    "pdm install": _INSTALL,
    "pip": Grammar(quiet="-q|--quiet -v|--verbose --disable-pip-version-check --no-input"),
    "pip install": _INSTALL,
    "pip check": Grammar(),
    "coverage": Grammar(),
    "coverage report": _COVERAGE,
}

FOLDS: dict[str, str] = {
    "tox run": "tox",
    "tox r": "tox",
    "tox run-parallel": "tox",
    "tox p": "tox",
    "tox l": "tox list",
    "tox d": "tox devenv",
    "tox c": "tox config",
    "unittest discover": "unittest",
}
