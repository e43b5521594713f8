"""Task runners that hide what they run: make, just, task, ninja, cmake."""

from donewhen.commands.tools.grammar import Grammar

_MAKE = Grammar(
    quiet="""
        -s|--silent|--quiet -j|--jobs# -l|--load-average# -k|--keep-going -w|--print-directory
        --no-print-directory -O|--output-sync? -B|--always-make -r|--no-builtin-rules
        -R|--no-builtin-variables --trace --warn-undefined-variables -d --debug? -S|--no-keep-going|--stop
        -b -m -L|--check-symlink-times -Onone -Oline -Otarget -Orecurse -f=Makefile -f=makefile
        -f=GNUmakefile -f=./Makefile V= VERBOSE= Q= CI= NO_COLOR= FORCE_COLOR= COLOR= JOBS=""",
    mask="-i|--ignore-errors SHELL= MAKESHELL= .SHELLFLAGS= MAKEFLAGS= GNUMAKEFLAGS=",
    norun="""
        -n|--just-print|--dry-run|--recon -q|--question -t|--touch -h|--help -v|--version
        -p|--print-data-base""",
    limit="-o|--old-file|--assume-old= TEST= TESTS= T= FILTER= SUITE= PATTERN= ONLY= GREP= RUN= PKG= K=",
    exclude="SKIP= EXCLUDE=",
    where="-C|--directory=",
    config="-f|--file|--makefile= -I|--include-dir=",
    other="-e|--environment-overrides -W|--what-if|--new-file|--assume-new= --eval= -E=",
    variables=True,
    operands="targets",
)

GRAMMARS: dict[str, Grammar] = {
    "make": _MAKE,
    "just": Grammar(
        quiet="""
            -q|--quiet -v|--verbose --color= --highlight --no-highlight --timestamp --timestamp-format=
            --command-color= --unstable --explain --yes --one""",
        norun="""
            -n|--dry-run -l|--list --summary -s|--show= -h|--help -V|--version --evaluate --dump --choose
            --variables --groups --man""",
        limit="--no-deps",
        mask="--shell= --shell-arg= --shell-command -u",
        where="-d|--working-directory=",
        config="-f|--justfile= -g|--global-justfile --dotenv-path= --dotenv-filename=",
        other="--set= -c|--command= -e|--edit --init --fmt --check",
    ),
    "task": Grammar(
        quiet="""
            -s|--silent -v|--verbose -c|--color? -f|--force -p|--parallel -x|--exit-code -o|--output=
            -C|--concurrency= -y|--yes -F|--failfast""",
        norun="-n|--dry -l|--list -a|--list-all --status --summary -h|--help --version -i|--init",
        watch="-w|--watch",
        where="-d|--dir=",
        config="-t|--taskfile= -g|--global",
        mask="--ignore-error",
        variables=True,
        operands="targets",
        after="posargs",
    ),
    "ninja": Grammar(
        quiet="-v|--verbose --quiet -j= -k= -l=",
        norun="-n -t= -h|--help --version",
        where="-C=",
        config="-f=",
        other="-d= -w=",
        operands="targets",
    ),
    "cmake": Grammar(
        quiet="-v|--verbose -j|--parallel# --log-level= --progress",
        target="-t|--target+",
        other="--build= --install= -S= -B= -G= -D= --config= --preset= --clean-first -P= -E --workflow",
        norun="-h|--help --version -N",
        after="posargs",
    ),
    "ctest": Grammar(
        quiet="""
            -V|--verbose -VV|--extra-verbose --output-on-failure -j|--parallel# --timeout= -Q|--quiet
            --progress -O|--output-log= --schedule-random --stop-on-failure -F --no-label-summary
            --no-subproject-summary --output-junit= --debug --test-output-size-passed=
            --test-output-size-failed= --test-load=""",
        strict="--no-tests=error --repeat=until-fail*",
        limit="-R|--tests-regex= -L|--label-regex= -I|--tests-information= --rerun-failed -U|--union",
        exclude="-E|--exclude-regex= -LE|--label-exclude= -FA|--fixture-exclude-any=",
        mask="--no-tests=ignore",
        norun="-N|--show-only? --print-labels -h|--help --version",
        weaker="--repeat=",
        where="--test-dir=",
        other="""
            -C|--build-config= --preset= -S|--script= -D|--dashboard= -T|--test-action= -M|--test-model=
            --build-and-test""",
        long=True,
    ),
    "meson": Grammar(),
    "meson test": Grammar(
        quiet="""
            -v|--verbose -q|--quiet --print-errorlogs -j|--num-processes= --no-rebuild=false --maxfail=
            --logbase= -t|--timeout-multiplier=""",
        limit="--suite= --slice=",
        exclude="--no-suite=",
        norun="--list -h|--help",
        weaker="--no-rebuild",
        where="-C=",
        other="--wrapper=|--wrap= --setup= --gdb --benchmark",
        operands="all",
    ),
    "bazel": Grammar(other="--output_base= --bazelrc="),
    "bazel test": Grammar(
        quiet="""
            --test_output= --test_summary= -k|--keep_going --nokeep_going --color= --curses= --jobs=
            --local_test_jobs= --verbose_failures --noshow_progress --nocache_test_results
            --cache_test_results= --test_timeout= -j= --show_timestamps --remote_cache=""",
        limit="""
            --test_filter= --test_tag_filters= --test_size_filters= --test_lang_filters=
            --test_timeout_filters= --build_tests_only""",
        norun="--nobuild --noanalyze",
        mask="--test_runner_fail_fast=false",
        weaker="--flaky_test_attempts=",
        other="-c|--compilation_mode= --config= --define= --test_arg= --test_env= --platforms= --run_under=",
    ),
}

FOLDS: dict[str, str] = {}
