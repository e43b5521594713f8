"""Rust: cargo and what it hands on."""

from donewhen.commands.tools.grammar import Grammar

_WHOLE = "--workspace|--all --all-features"
_PICKS = "--lib --bins --bin= --tests --test= --examples --example= --benches --bench="

_CARGO = Grammar(
    quiet="""
        -v|--verbose -q|--quiet --color= --offline -j|--jobs= --message-format= --target-dir= --timings?
        --keep-going --no-fail-fast --fail-fast --future-incompat-report --ignore-rust-version
        -Z=unstable-options --build-dir=""",
    strict="--locked --frozen",
    norun="-h|--help -V|--version --list --explain= --unit-graph --build-plan",
    where="-C= --manifest-path=",
    config="--config=",
    other="-Z= --release|-r --profile= --target= -F|--features= --no-default-features",
)
_TEST = Grammar(
    widen=_WHOLE,
    target="-p|--package=",
    pick=_PICKS + " --doc --all-targets",
    exclude="--exclude=",
    norun="--no-run",
    after="libtest",
    operands="all",
)
_BUILD = Grammar(
    widen=_WHOLE + " --all-targets --tests --benches --examples",
    target="-p|--package=",
    pick="--lib --bins --bin= --example= --test= --bench=",
    exclude="--exclude=",
    after="posargs",
)

GRAMMARS: dict[str, Grammar] = {
    "cargo": _CARGO,
    "cargo test": _TEST,
    "cargo bench": _TEST,
    "cargo build": _BUILD,
    "cargo check": _BUILD,
    "cargo clippy": _BUILD._replace(
        limit="--no-deps", other="--fix --allow-dirty --allow-staged", after="lints"
    ),
    "cargo fmt": Grammar(
        quiet="-l|--files-with-diff",
        widen="--all",
        target="-p|--package=",
        other="--check --emit= --config= --edition=",
        after="=",
    ),
    "cargo doc": Grammar(
        widen=_WHOLE + " --document-private-items", target="-p|--package=", limit="--no-deps", other="--open"
    ),
    "cargo nextest": Grammar(),
    "cargo nextest run": Grammar(
        quiet="""
            --status-level= --final-status-level= --failure-output= --success-output=
            --no-capture|--nocapture --test-threads= --no-fail-fast|--nff --fail-fast|--ff --max-fail=
            --show-progress= --hide-progress-bar --no-output-indent""",
        strict="--no-tests=fail",
        widen=_WHOLE + " --run-ignored=all",
        limit="-E|--filterset=|--filter-expr= --partition= --run-ignored= --rerun=",
        target="-p|--package=",
        pick=_PICKS + " --all-targets",
        exclude="--exclude=",
        mask="--no-tests=pass --no-tests=warn",
        weaker="--retries=",
        norun="--no-run",
        other="-P|--profile= --cargo-profile= --config-file= --tool-config-file=",
        after="libtest",
        operands="all",
    ),
    "cargo llvm-cov": _TEST._replace(
        quiet="""
            --html --text --json --lcov --output-path= --open --summary-only --codecov --cobertura
            --no-report""",
        at_least="--fail-under-lines= --fail-under-functions= --fail-under-regions=",
    ),
    "libtest": Grammar(
        quiet="""
            --nocapture|--no-capture --test-threads= --color= -q|--quiet --format= --show-output
            --report-time? --shuffle --shuffle-seed= --logfile= -Z=unstable-options --ensure-time""",
        widen="--include-ignored",
        limit="--ignored --exact --bench --exclude-should-panic",
        exclude="--skip=",
        norun="--list -h|--help",
        operands="all",
    ),
    "lints": Grammar(strict="-D|--deny= -F|--forbid= -W|--warn=", weaker="-A|--allow= --cap-lints="),
    "rustfmt": Grammar(
        quiet="-v|--verbose -q|--quiet --color= -l",
        other="--check --emit= --edition=",
        config="--config-path= --config=",
    ),
}

FOLDS: dict[str, str] = {
    "cargo t": "cargo test",
    "cargo b": "cargo build",
    "cargo c": "cargo check",
    "cargo d": "cargo doc",
    "cargo r": "cargo run",
    "cargo nextest r": "cargo nextest run",
    "cargo format": "cargo fmt",
}
