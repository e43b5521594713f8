"""Python linters, formatters and type checkers."""

from donewhen.commands.tools.grammar import Grammar

_RUFF_CHECK = Grammar(
    quiet="""
        -q|--quiet -v|--verbose -s|--silent --output-format= -o|--output-file= -n|--no-cache --cache-dir=
        --statistics --no-fix --no-unsafe-fixes --force-exclude --show-fixes --color= --no-show-fixes
        --show-source --exit-non-zero-on-fix""",
    widen="--extend-select= --no-respect-gitignore",
    exclude="""
        --ignore= --extend-ignore= --exclude= --extend-exclude= --per-file-ignores=
        --extend-per-file-ignores=""",
    mask="-e|--exit-zero",
    norun="--show-files --show-settings --help|-h --version|-V",
    watch="-w|--watch",
    config="--config= --isolated",
    other="""
        --fix --fix-only --unsafe-fixes --add-noqa --diff --select= --preview --target-version=
        --line-length= --stdin-filename= --fixable= --unfixable=""",
    operands="all",
)

_FORMAT = Grammar(
    quiet="""
        -q|--quiet -v|--verbose --color --no-color -n|--no-cache --cache-dir= --workers=|-W= -j|--jobs=
        --filter-files --output-format=""",
    exclude="--exclude= --extend-exclude= --force-exclude= -s|--skip=|--skip-glob= --extend-skip=",
    norun="--help|-h --version|-V --show-files --show-settings --show-config",
    config="--config= --isolated --settings-path=|--sp= --settings-file=",
    aside="--diff --df",
    other="""--check|--check-only|-c -l|--line-length= -t|--target-version= --preview --profile= --include= -S
        --skip-string-normalization --required-version= --fast --safe --code= --range= --atomic""",
    operands="config",
)

_MYPY = Grammar(
    quiet="""
        -v|--verbose --pretty --no-pretty --show-error-codes --hide-error-codes --color-output
        --no-color-output --show-column-numbers --show-error-context --show-error-end --no-error-summary
        --show-absolute-path --cache-dir= --incremental --no-incremental --sqlite-cache
        --skip-cache-mtime-checks --junit-xml= --html-report= --txt-report= --linecount-report=
        --cobertura-xml-report= --xml-report= --any-exprs-report= --non-interactive --output=|-O=
        --show-traceback|--tb --namespace-packages --explicit-package-bases --show-error-code-links
        --hide-error-context --show-traceback""",
    strict="""
        --strict --strict-equality --extra-checks --strict-optional --check-untyped-defs
        --no-implicit-optional --no-implicit-reexport --local-partial-types --enable-error-code=
        --warn-unused-configs --warn-unused-ignores --warn-redundant-casts --warn-return-any
        --warn-unreachable --warn-no-return --warn-incomplete-stub --disallow-untyped-defs
        --disallow-untyped-calls --disallow-incomplete-defs --disallow-untyped-decorators
        --disallow-any-generics --disallow-any-explicit --disallow-any-expr --disallow-any-decorated
        --disallow-any-unimported --disallow-subclassing-any --disallow-untyped-globals
        --disallow-redefinition --no-untyped-calls-exclude --no-allow-untyped-globals""",
    weaker="""
        --ignore-missing-imports --disable-error-code= --no-strict-optional --allow-untyped-defs
        --allow-untyped-calls --allow-untyped-globals --allow-redefinition --allow-any-generics
        --allow-subclassing-any --implicit-optional --follow-imports= --no-site-packages --ignore-errors
        --no-check-untyped-defs --allow-incomplete-defs --no-warn-unused-ignores --no-warn-return-any
        --no-warn-no-return --no-strict-equality --implicit-reexport --no-silence-site-packages""",
    exclude="--exclude=",
    select="-m|--module= -p|--package=",
    norun="--help|-h --version|-V",
    config="--config-file=",
    other="""
        --python-version= --platform= --python-executable= -c|--command= --install-types
        --scripts-are-modules --always-true= --always-false=""",
    operands="config",
)

_FLAKE8 = Grammar(
    quiet="""
        -v|--verbose -q|--quiet --color= --format= --output-file= --tee --show-source --no-show-source
        --statistics --count --benchmark -j|--jobs=""",
    strict="--disable-noqa --doctests",
    widen="--extend-select=",
    at_most="--max-complexity=",
    exclude="--exclude= --extend-exclude= --ignore= --extend-ignore= --per-file-ignores=",
    limit="--select= --filename= --diff",
    mask="--exit-zero",
    norun="--help|-h --version --bug-report",
    config="--config= --append-config= --isolated",
    other="--max-line-length= --max-doc-length= --enable-extensions=",
    operands="all",
)

_PYLINT = Grammar(
    quiet="""
        -v|--verbose -j|--jobs= -f|--output-format= --output= -r|--reports= -s|--score= --recursive=
        --msg-template= --persistent= --clear-cache-post-run=""",
    strict="--fail-on=",
    exclude="-d|--disable= --ignore= --ignore-patterns= --ignore-paths=",
    mask="--exit-zero",
    norun="""
        --help|-h --version --list-msgs --list-msgs-enabled --list-groups --generate-rcfile
        --generate-toml-config --help-msg=""",
    weaker="-E|--errors-only --fail-under=",
    config="--rcfile=",
    other="-e|--enable= --load-plugins= --init-hook= --py-version= --from-stdin",
    operands="config",
)

_PYRIGHT = Grammar(
    quiet="--outputjson --verbose --stats --threads# --dependencies",
    strict="--warnings",
    weaker="--level= --skipunannotated",
    norun="--help|-h --version --createstub= --verifytypes=",
    watch="-w|--watch",
    config="-p|--project=",
    other="""
        --pythonplatform= --pythonversion= --pythonpath= --typeshedpath= --venvpath=|-v= --writebaseline
        --baselinefile=""",
    operands="config",
)

_PRE_COMMIT = Grammar(
    quiet="-v|--verbose --color= --show-diff-on-failure --fail-fast",
    widen="-a|--all-files",
    limit="--files+ --from-ref=|-s= --to-ref=|-o= --last-commit",
    norun="--help|-h",
    config="-c|--config=",
    other="--hook-stage=",
    operands="all",
)

GRAMMARS: dict[str, Grammar] = {
    "ruff": Grammar(
        quiet="-q|--quiet -v|--verbose -s|--silent --color=",
        config="--config= --isolated",
        norun="--help|-h --version|-V",
    ),
    "ruff check": _RUFF_CHECK,
    "ruff format": _FORMAT._replace(operands="all"),
    "black": _FORMAT,
    "isort": _FORMAT,
    "mypy": _MYPY,
    "flake8": _FLAKE8,
    "pylint": _PYLINT,
    "pyright": _PYRIGHT,
    "basedpyright": _PYRIGHT,
    "pre-commit": Grammar(),
    "pre-commit run": _PRE_COMMIT,
    "bandit": Grammar(
        quiet="""
            -q|--quiet|--silent -v|--verbose -f|--format= -o|--output= -n|--number= -a|--aggregate=
            --ignore-nosec""",
        widen="-r|--recursive",
        exclude="-x|--exclude= -s|--skip=",
        limit="-t|--tests=",
        mask="--exit-zero",
        weaker="-l|--level -ll -lll -i|--confidence -ii -iii --severity-level= --confidence-level=",
        config="-c|--configfile= --ini= -b|--baseline= -p|--profile=",
        norun="--help|-h --version",
        operands="config",
    ),
}
