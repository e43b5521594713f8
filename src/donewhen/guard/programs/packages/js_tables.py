"""npm, pnpm, yarn, bun, npx and corepack as tables: their options, and what each verb does.

Data only; the acts are in `package_js`.
"""

from collections.abc import Mapping

from donewhen.guard.call import Reader
from donewhen.guard.programs.packages.engine import Manager, manager, reader, verbs
from donewhen.guard.programs.packages.js import JS_ACTS

_PKG = {"set": "pkg_set", "delete": "pkg_delete", "get": "", "fix": ""}
_CONFIG = {**verbs(config="set delete rm edit fix unset", _="list ls"), "get": "config_get"}
_OWNED = verbs(
    publish="add rm remove set create destroy grant revoke public restricted edit", _="ls list get"
)
_NPM_VALUES = (
    "-C -w -c -p -m --prefix --registry --loglevel --cache --userconfig --globalconfig "
    "--workspace --tag --access --otp "
    "--script-shell --node-options --omit --include --install-strategy --before "
    "--location --scope --message --call "
    "--package --shell --pack-destination --auth-type --depth --fetch-retries "
    "--fetch-timeout --https-proxy --proxy "
    "--noproxy --init-module --editor --git --node-gyp --save-prefix --searchlimit "
    "--sbom-format --cpu --os --libc"
)
_COMMON = {
    "npm_run": "run run-script rum urn test t tst start stop restart",
    "publish": "publish deprecate undeprecate",
    "erase": "unpublish",
    "alter": "login adduser add-user logout",
    "set_script": "set-script",
    "config": "set",
    "config_get": "get",
    "create": "init create innit",
    "link": "link ln",
}
_NPM = manager(
    values=_NPM_VALUES,
    folders=("-C", "--prefix"),
    shorthand=True,
    user_flags="-g --global",
    registries="--registry",
    targets="--pack-destination",
    loads="--script-shell --node-options",
    runs="--editor",
    verbs={
        **verbs(
            install="install i add in ins inst insta instal isnt isnta isntal isntall ci clean-install ic "
            "install-clean "
            "isntall-clean update up upgrade udpate uninstall un remove rm r unlink dedupe ddp "
            "install-test it cit "
            "install-ci-test rebuild rb prune shrinkwrap",
            runner="exec x",
            outputs="pack",
            _="view info show v outdated ls list ll la fund doctor explain why search find s se "
            "help help-search root bin "
            "completion version verison whoami ping docs home bugs issues repo diff query sbom "
            "edit stars prefix",
            skip_one_and_run="explore",
            **_COMMON,
        ),
        "audit": "audit_fix",
        "pkg": _PKG,
        "config": _CONFIG,
        "c": _CONFIG,
        "cache": {**verbs(prune="clean clear rm", _="verify ls"), "add": "install"},
        "token": verbs(alter="create revoke rm delete remove", _="list ls"),
        "profile": verbs(alter="set enable-2fa disable-2fa enable-tfa disable-tfa", _="get"),
        **dict.fromkeys(
            ("dist-tag", "dist-tags", "owner", "author", "access", "team", "hook", "org"), _OWNED
        ),
    },
)
_PNPM = manager(
    values=_NPM_VALUES.replace("-w -c ", "").replace("-m ", "")
    + " --dir --filter -F --workspace-dir --reporter --store-dir --virtual-store-dir "
    "--modules-dir --lockfile-dir "
    "--filter-prod --resume-from --workspace-concurrency --publish-branch "
    "--report-summary",
    flags="--recursive --workspace-root --shell-mode",
    joins="-c --shell-mode",
    folders=("-C", "--dir", "--prefix"),
    shorthand=True,
    user_flags="-g --global",
    registries="--registry",
    targets="--pack-destination --modules-dir --virtual-store-dir --lockfile-dir",
    loads="--script-shell --node-options",
    other="script",
    bare="",
    verbs={
        **verbs(
            install="install i add update up upgrade remove rm uninstall un rb rebuild prune dedupe "
            "import fetch unlink "
            "install-test it ci approve-builds patch-commit patch-remove",
            run="exec",
            runner="dlx",
            outputs="pack",
            _="list ls ll la why outdated licenses view info root bin help version doctor patch "
            "cat-file cat-index "
            "find-hash whoami ping search",
            again="recursive multi m",
            user="setup self-update",
            deploy_folder="deploy",
            **_COMMON,
        ),
        "audit": "audit_fix",
        "pkg": _PKG,
        "config": _CONFIG,
        "c": _CONFIG,
        "env": verbs(env_use="use add remove rm", _="list ls"),
        "store": verbs(prune="prune", _="status path add"),
        "cache": verbs(prune="delete", _="list view list-registries"),
        **dict.fromkeys(("dist-tag", "owner", "access", "team"), _OWNED),
    },
)
_YARN_GLOBAL = verbs(user="add remove upgrade upgrade-interactive", _="list bin dir")
_YARN = manager(
    values="--cwd --registry --modules-folder --cache-folder --mutex --use-yarnrc "
    "--network-timeout --tag --access --otp "
    "--new-version --pack-destination --out -o --mode --include --exclude --from -j "
    "--jobs -p --package --global-folder "
    "--link-folder --preferred-cache-folder --script-shell",
    folders=("--cwd",),
    shorthand=True,
    registries="--registry",
    targets="--modules-folder",
    loads="--script-shell --use-yarnrc",
    files="--out -o",
    other="script",
    bare="install",
    verbs={
        **verbs(
            install="install add remove upgrade up upgrade-interactive dedupe import rebuild autoclean "
            "unlink unplug",
            run="exec",
            runner="dlx",
            bun_run="run",
            outputs="pack",
            publish="publish",
            alter="login logout",
            create="create init",
            link="link",
            workspace="workspace",
            _="why info list outdated licenses constraints check bin help version versions test "
            "search explain "
            "stage policies generate-lock-entry patch patch-commit sdks set",
        ),
        "audit": "audit_fix",
        "global": _YARN_GLOBAL,
        "node": "yarn_node",
        "plugin": verbs(yarn_plugin="import", _="list runtime remove check"),
        "cache": verbs(prune="clean", _="list dir"),
        "config": _CONFIG,
        "npm": {
            **verbs(publish="publish", alter="login logout", _="whoami info audit"),
            "tag": verbs(publish="add remove", _="list"),
        },
        "tag": verbs(publish="add remove", _="list ls"),
        "owner": verbs(publish="add remove", _="list ls"),
        "workspaces": verbs(workspaces="foreach run", install="focus", _="info list"),
    },
)
_BUN = manager(
    values="--cwd --registry --config -c --filter --backend --cache-dir -r --preload --outdir "
    "--outfile --target "
    "--env-file --define -p --print -e --eval --tag --access --otp --shell --coverage-dir "
    "-t --timeout",
    folders=("--cwd",),
    shorthand=True,
    user_flags="-g --global",
    registries="--registry",
    targets="--outdir --coverage-dir",
    files="--outfile",
    other="script",
    verbs={
        **verbs(
            install="install i add a remove rm update outdated-fix patch-commit",
            runner="x",
            bun_run="run",
            publish="publish",
            user="upgrade",
            create="create c init",
            link="link unlink",
            outputs="build test",
            _="outdated why info help repl patch audit",
        ),
        "pm": {
            **verbs(
                install="trust migrate",
                outputs="pack",
                _="ls bin hash hash-string hash-print untrusted whoami version why",
            ),
            "cache": verbs(prune="rm", _=""),
            "pkg": _PKG,
        },
    },
)
_NPX = manager(
    values=_NPM_VALUES.replace("-w ", "").replace("-C ", "").replace("-m ", "") + " --node-arg -n",
    folders=("--prefix",),
    shorthand=True,
    registries="--registry",
    loads="--script-shell --shell --node-options --node-arg",
    verbs={},
    other="runner",
    bare="runner",
)
_COREPACK = manager(
    values="--install-directory -o --output",
    files="-o --output",
    targets="--install-directory",
    verbs=verbs(
        user="enable disable install prepare hydrate",
        install="use up",
        outputs="pack",
        prune="cache",
        _="help",
    ),
    other="run",
)


def _table(table: Manager) -> Reader:
    return reader(table, JS_ACTS)


READERS: Mapping[str, Reader] = {
    "npm": _table(_NPM),
    "cnpm": _table(_NPM),
    "pnpm": _table(_PNPM),
    **dict.fromkeys(("yarn", "yarnpkg"), _table(_YARN)),
    "bun": _table(_BUN),
    **dict.fromkeys(("npx", "bunx", "pnpx", "pnx"), _table(_NPX)),
    "corepack": _table(_COREPACK),
}
