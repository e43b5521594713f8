"""The folders below a home that tools fill for later, and the variable that moves each, as data.

A tool whose cache can't be written fails or warns; so each is either laid over or moved. Nothing is read
here.
"""

CACHES: tuple[tuple[str, str], ...] = (
    (".cache/pip", "PIP_CACHE_DIR"),
    (".cache/uv", "UV_CACHE_DIR"),
    (".cache/pypoetry", "POETRY_CACHE_DIR"),
    (".cache/pre-commit", "PRE_COMMIT_HOME"),
    (".npm", "npm_config_cache"),
    (".cache/yarn", "YARN_CACHE_FOLDER"),
    (".yarn/berry/cache", "YARN_CACHE_FOLDER"),
    (".local/share/pnpm/store", "npm_config_store_dir"),
    (".bun/install/cache", "BUN_INSTALL_CACHE_DIR"),
    (".cache/deno", "DENO_DIR"),
    (".cache/node", "COREPACK_HOME"),
    (".cargo/registry", ""),
    (".cargo/git", ""),
    (".cache/go-build", "GOCACHE"),
    ("go/pkg", "GOMODCACHE"),
    (".gradle", "GRADLE_USER_HOME"),
    (".m2/repository", ""),
    (".ivy2", ""),
    (".cache/coursier", "COURSIER_CACHE"),
    (".nuget/packages", "NUGET_PACKAGES"),
    (".cache/composer", "COMPOSER_CACHE_DIR"),
    (".cache/ccache", "CCACHE_DIR"),
    (".ccache", "CCACHE_DIR"),
    (".cache/sccache", "SCCACHE_DIR"),
    (".cache/matplotlib", "MPLCONFIGDIR"),
)
