"""Package managers: their own options, installs, and what may be handed to a script by its kind."""

from donewhen.commands.tools.grammar import Grammar

_MANAGER = Grammar(
    quiet="""
        -s|--silent -q|--quiet -d -dd -ddd --verbose --loglevel= --color? --no-color --progress?
        --no-progress --no-fund --fund=false --no-audit --audit=false --foreground-scripts
        --no-update-notifier --cache= --prefer-offline --offline --reporter= --stream --aggregate-output
        --parallel --no-bail=false --workspace-concurrency= --bail --yes|-y --non-interactive
        --no-engine-strict --reporter-hide-prefix --use-stderr --timing --logs-max= --no-sort --bun""",
    strict="--strict-peer-deps --engine-strict",
    widen="-r|--recursive --workspaces|-ws|--ws --include-workspace-root|-iwr --workspace-root",
    target="-w|--workspace= --filter|-F= --scope= --include= --from=",
    exclude="--filter-prod= --exclude= --omit= --ignore-scripts --no-bail",
    limit="""
        --since= --changed-files-ignore-pattern= --test-pattern= --resume-from= --production --prod|-P
        --only=""",
    mask="--if-present --script-shell= --allow-empty",
    norun="--dry-run -h|--help -v|--version --usage",
    watch="--watch --hot",
    where="--prefix= -C|--dir= --cwd=",
    config="--userconfig= --globalconfig=",
    other="""
        --force|-f --legacy-peer-deps --node-options= --shell= --global|-g --env-file= --no-optional
        --shell-emulator""",
)

_INSTALL = Grammar(
    quiet="""
        --no-fund --no-audit --prefer-offline --offline --silent --verbose --no-progress --network-timeout=
        --inline-builds --no-optional=false --reporter= --no-save --cache-folder= --foreground-scripts
        --ignore-engines=false --network-concurrency=""",
    strict="""
        --frozen-lockfile|--immutable --immutable-cache --check-cache --check-files --strict-peer-deps
        --engine-strict""",
    exclude="--ignore-scripts --omit= --no-optional --mode= --ignore-optional",
    limit="--production|--prod|-P --only= --lockfile-only --package-lock-only -D|--dev",
    norun="--dry-run -h|--help",
    weaker="--no-frozen-lockfile --no-immutable --ignore-engines --fix-lockfile",
    other="""
        --force --legacy-peer-deps --no-lockfile --no-package-lock --shamefully-hoist
        --no-strict-peer-dependencies --ignore-workspace""",
    base=("npm",),
)

_TSC = Grammar(
    quiet="""
        -p=. -p=./ -p=tsconfig.json -p=./tsconfig.json --pretty# --listFiles --diagnostics
        --extendedDiagnostics --incremental# --tsBuildInfoFile= --traceResolution --listEmittedFiles
        --explainFiles --preserveWatchOutput --noErrorTruncation --generateTrace= --generateCpuProfile=
        --verbose""",
    strict="""
        --strict# --noUnusedLocals# --noUnusedParameters# --noImplicitAny# --strictNullChecks#
        --noImplicitReturns# --noFallthroughCasesInSwitch# --noUncheckedIndexedAccess#
        --exactOptionalPropertyTypes# --noEmitOnError# --noImplicitOverride#
        --noPropertyAccessFromIndexSignature# --useUnknownInCatchVariables# --noImplicitThis#
        --forceConsistentCasingInFileNames# --isolatedModules# --stopBuildOnErrors""",
    weaker="--skipLibCheck# --skipDefaultLibCheck# --noCheck# --noResolve# --suppressImplicitAnyIndexErrors#",
    norun="--listFilesOnly --showConfig --init --help|-h --all --version|-v --dry|-d --clean",
    watch="--watch|-w",
    config="-p|--project=",
    other="""
        --noEmit# -b|--build --emitDeclarationOnly# --declaration#|-d --outDir= --target|-t= --module|-m=
        --jsx= --lib= --types= --moduleResolution= --allowJs# --checkJs# --esModuleInterop# --rootDir=
        --force --composite# --sourceMap# --resolveJsonModule#""",
    long=True,
    folded=True,
)

_ESLINT = Grammar(
    quiet="""
        -f|--format= -o|--output-file= --color --no-color --cache --cache-file= --cache-location=
        --cache-strategy= --stats --quiet --debug --no-warn-ignored --concurrency= --no-fix""",
    strict="""
        --report-unused-disable-directives --report-unused-disable-directives-severity=
        --report-unused-inline-configs= --no-inline-config --exit-on-fatal-error""",
    at_most="--max-warnings=",
    widen="--no-ignore",
    exclude="--ignore-pattern= --ignore-path=",
    mask="""
        --no-error-on-unmatched-pattern --pass-on-no-patterns --pass-on-unpruned-suppressions --suppress-all
        --suppress-rule= --exit-zero --prune-suppressions""",
    norun="--print-config= --env-info --init -h|--help -v|--version --inspect-config",
    config="-c|--config= --no-config-lookup --no-eslintrc --resolve-plugins-relative-to=",
    other="""
        --fix --fix-dry-run --fix-type= --rule= --rulesdir= --env= --parser= --parser-options= --plugin=
        --ext= --flag= --global= --stdin""",
    operands="all",
)

_PRETTIER = Grammar(
    quiet="""
        --log-level= --loglevel= --color --no-color --cache --no-cache --cache-location= --cache-strategy=
        --no-plugin-search""",
    exclude="--ignore-path= -u|--ignore-unknown",
    mask="--no-error-on-unmatched-pattern",
    norun="-h|--help -v|--version --find-config-path= --support-info --file-info=",
    config="--config= --no-config --no-editorconfig --config-precedence=",
    other="""
        -c|--check -w|--write -l|--list-different --parser= --plugin= --stdin-filepath=
        --with-node-modules""",
    operands="config",
)

GRAMMARS: dict[str, Grammar] = {
    "npm": _MANAGER,
    "npm ci": _INSTALL,
    "npm install": _INSTALL,
    "npm audit": Grammar(
        quiet="--json", weaker="--audit-level=", limit="--omit= --production", other="--fix", base=("npm",)
    ),
    "pnpm": Grammar(base=("npm",)),
    "pnpm install": _INSTALL,
    "yarn": Grammar(base=("npm",)),
    "yarn install": _INSTALL,
    "bun install": _INSTALL._replace(base=("npm",)),
    "script args": Grammar(),
    "tsc": _TSC,
    "vue-tsc": _TSC,
    "eslint": _ESLINT,
    "prettier": _PRETTIER,
    "biome": Grammar(quiet="--colors= --verbose --log-level= --log-kind= --reporter= --max-diagnostics="),
    "biome check": Grammar(
        strict="--error-on-warnings",
        limit="--changed --staged --since= --only=",
        exclude="--skip=",
        mask="--no-errors-on-unmatched",
        weaker="--diagnostic-level=",
        other="--write --fix --apply --unsafe --apply-unsafe",
        config="--config-path=",
        operands="all",
    ),
    "stylelint": Grammar(base=("eslint",), operands="config", mask="--allow-empty-input|--aei"),
}
GRAMMARS |= {f"biome {each}": GRAMMARS["biome check"] for each in ("ci", "lint", "format")}

FOLDS: dict[str, str] = {
    **{f"npm {each}": "npm ci" for each in ("clean-install", "ic", "install-clean", "isntall-clean")},
    **{f"npm {each}": "npm install" for each in ("i", "in", "ins", "inst", "isntall", "add")},
    "pnpm i": "pnpm install",
    "bun i": "bun install",
}

SCRIPT_KINDS: tuple[tuple[str, str], ...] = (  # a part of a script's name -> what it may be given
    ("e2e", "e2e args"),
    ("playwright", "playwright args"),
    ("cypress", "cypress args"),
    ("test", "test args"),
    ("tests", "test args"),
    ("unit", "test args"),
    ("lint", "eslint"),
    ("eslint", "eslint"),
    ("typecheck", "tsc"),
    ("type-check", "tsc"),
    ("types", "tsc"),
    ("tsc", "tsc"),
    ("format", "prettier"),
    ("prettier", "prettier"),
)
