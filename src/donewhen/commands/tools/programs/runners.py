"""Project runners: programs that only find another one and start it, status kept."""

from donewhen.commands.tools.grammar import Grammar

_UV = Grammar(
    quiet="""
        -q|--quiet -v|--verbose --no-progress --color= --offline --no-cache|-n --cache-dir= -m|--module
        --no-sync --no-config=false --active --no-active --native-tls --python-preference= --link-mode=
        --compile-bytecode -p=2* -p=3* -p=cpython* -p=pypy*""",
    strict="--frozen --locked --exact",
    widen="--all-extras --all-groups --all-packages --extra= --group= --dev",
    limit="--no-dev --only-dev --only-group= --package=",
    exclude="--no-extra= --no-group=",
    where="--directory= --project=",
    other="""
        -p|--python= --with= --with-editable= --with-requirements= --isolated --no-project --env-file=
        -s|--script --gui-script --upgrade|-U --refresh --reinstall --default-index= --index= --resolution=
        --no-env-file --from= --no-editable""",
    norun="-h|--help --version",
    inner=0,
)
_NPX = Grammar(
    quiet="""
        -y|--yes --no-install --no --prefer-offline --offline -q|--quiet -s|--silent --loglevel= --no-color
        --verbose --bun""",
    norun="-h|--help --version|-v",
    target="-w|--workspace=",
    where="--prefix= -C|--dir= --cwd=",
    other="-p|--package= -c|--call= --node-options= --ignore-existing",
    inner=0,
)
_PLAIN = Grammar(
    quiet="-q|--quiet -v|--verbose",
    norun="-h|--help --version",
    where="-C|--directory= -p|--project=",
    other="-e= -s",
    inner=0,
)
_COVERAGE = Grammar(
    quiet="""
        -m -p|--parallel-mode|--parallel -a|--append --branch --data-file= --concurrency= --context=
        -L|--pylib --timid --source= --source-pkg= --include= --omit= --all --clean --reporter= -r=
        --reports-dir= --report-dir= -o= --temp-directory= --exclude= -x= -n= --extension= --src= --cache
        --silent --instrument --hook-require --exclude-after-remap --skip-full --temp-dir=""",
    strict="--check-coverage --100 --per-file",
    at_least="--lines= --branches= --functions= --statements=",
    config="--rcfile= --nycrc-path= --config=|-c=",
    other="--require= --cwd=",
    inner=0,
)

GRAMMARS: dict[str, Grammar] = {
    "uv run": _UV,
    "uvx": _UV,
    "uv tool": Grammar(),
    "uv tool run": _UV,
    "pipx": Grammar(),
    "pipx run": Grammar(
        quiet="-q|--quiet -v|--verbose --no-cache", other="--spec= --python= --pip-args= --with=", inner=0
    ),
    **{
        f"{each} run": _PLAIN
        for each in ("poetry", "pdm", "pipenv", "rye", "hatch", "pixi", "conda", "micromamba")
    },
    **{each: Grammar() for each in ("pipenv", "rye", "pixi", "conda", "micromamba")},
    "coverage run": _COVERAGE,
    "npx": _NPX,
    "bunx": _NPX,
    **{f"{each} exec": _NPX for each in ("npm", "pnpm", "yarn")},
    **{f"{each} dlx": _NPX for each in ("pnpm", "yarn")},
    "bun x": _NPX,
    "corepack": Grammar(inner=0),
    "yarn workspaces": Grammar(),
    "yarn workspaces foreach": Grammar(
        quiet="-p|--parallel -i|--interlaced -t|--topological --topological-dev -v|--verbose -j|--jobs=",
        widen="-A|--all -W|--worktree",
        target="--include= --from=",
        exclude="--exclude= --no-private",
        limit="--since?",
        norun="-n|--dry-run",
        inner=0,
    ),
    "c8": _COVERAGE,
    "nyc": _COVERAGE,
    "bundle exec": Grammar(quiet="--keep-file-descriptors --verbose", other="--gemfile=", inner=0),
}

FOLDS: dict[str, str] = {"npm x": "npm exec", "bundle e": "bundle exec", "bundle ex": "bundle exec"}

# Runners that also start scripts of their own: only what we know by name is taken to be that program.
WITH_SCRIPTS = frozenset({"pdm run", "rye run", "hatch run", "pixi run", "pipenv run"})
# A module or file may follow; the program is named only after `-m`.
INTERPRETERS = frozenset({"python", "coverage run"})
