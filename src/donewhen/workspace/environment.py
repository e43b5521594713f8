"""Which variables a command sees: a pass list, because what is not named can't leak or steer.

Pure: the caller brings the environment. Names that change what programs load or run are never passed, not
even when the user names them; what looks like a credential is passed only when the user named it. No value
is looked up, expanded or made up.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from urllib.parse import urlsplit, urlunsplit

from donewhen.secrets.claims import is_key_like
from donewhen.secrets.redact import Redactor

_PASSED = frozenset(
    """
    PATH HOME LANG LANGUAGE TERM TMPDIR TZ USER LOGNAME SHELL HOSTNAME COLUMNS LINES COLORTERM NO_COLOR
    FORCE_COLOR CLICOLOR CLICOLOR_FORCE CI SOURCE_DATE_EPOCH JAVA_HOME JDK_HOME GRADLE_HOME GRADLE_USER_HOME
    MAVEN_HOME M2_HOME ANT_HOME SBT_HOME KOTLIN_HOME SCALA_HOME ANDROID_HOME ANDROID_SDK_ROOT
    ANDROID_NDK_HOME GOPATH GOROOT GOCACHE GOMODCACHE GOBIN GOTOOLCHAIN GOPROXY GONOSUMDB GOPRIVATE
    CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN NVM_DIR NVM_BIN FNM_DIR VOLTA_HOME N_PREFIX PNPM_HOME
    BUN_INSTALL DENO_DIR PYENV_ROOT PYENV_VERSION PIPX_HOME PIPX_BIN_DIR POETRY_HOME UV_CACHE_DIR
    PIP_CACHE_DIR PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX_URL npm_config_cache npm_config_registry
    RBENV_ROOT GEM_HOME RVM_PATH PHPENV_ROOT COMPOSER_HOME COMPOSER_CACHE_DIR DOTNET_ROOT NUGET_PACKAGES
    SDKMAN_DIR ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR GHCUP_INSTALL_BASE_PREFIX STACK_ROOT CABAL_DIR OPAMROOT
    HOMEBREW_PREFIX HOMEBREW_CELLAR NIX_PATH NIX_PROFILES MAMBA_ROOT_PREFIX VCPKG_ROOT EMSDK FLUTTER_ROOT
    JULIA_DEPOT_PATH R_HOME CCACHE_DIR SCCACHE_DIR CMAKE_PREFIX_PATH PKG_CONFIG_PATH SSL_CERT_FILE
    SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS PIP_CERT XDG_CACHE_HOME
    XDG_CONFIG_HOME XDG_DATA_HOME
    """.split()
)
_PASSED_PREFIXES = ("LC_",)
_PROXIES = frozenset(("http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"))
_ADDRESSES = frozenset(
    ("goproxy", "pip_index_url", "pip_extra_index_url", "uv_index_url", "npm_config_registry")
)
_NEVER = frozenset(
    """
    BASH_ENV ENV SHELLOPTS BASHOPTS PS4 IFS CDPATH GLOBIGNORE PROMPT_COMMAND LD_PRELOAD LD_AUDIT
    LD_LIBRARY_PATH PYTHONSTARTUP PYTHONPATH PYTHONHOME PYTHONINSPECT PYTHONBREAKPOINT NODE_OPTIONS
    NODE_PATH VIRTUAL_ENV VIRTUAL_ENV_PROMPT PERL5OPT PERL5LIB PERL5DB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS
    _JAVA_OPTIONS JDK_JAVA_OPTIONS ZDOTDIR MAKEFLAGS SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO
    DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR
    """.split()
)
_NEVER_PREFIXES = ("BASH_FUNC_", "LD_", "DYLD_", "GIT_", "DONEWHEN_")


def command_environment(
    base: Mapping[str, str],
    extra: Sequence[str] = (),
    set: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """What a command sees of `base`; `extra` are names that the user passes, `set` is the harness's own."""
    named = frozenset(extra)
    env = {}
    for name, value in base.items():
        if _is_refused(name) or "\0" in value:
            continue
        if name in named:
            env[name] = value
        elif _is_passed(name):
            passed = _without_login(name, value)
            if passed is not None and not _is_credential(name, passed):
                env[name] = passed
    if "PATH" in env:
        env["PATH"] = _path(env["PATH"], base.get("VIRTUAL_ENV", ""))
    return env | {name: value for name, value in (set or {}).items() if not _is_refused(name)}


def ordinary_beside(base: Mapping[str, str]) -> tuple[str, ...]:
    """Names of the variables that no command sees by itself, and that hold no credential."""
    return tuple(
        name
        for name, value in base.items()
        if not _is_refused(name)
        and not _is_passed(name)
        and "\0" not in value
        and not _is_credential(name, value)
        and _without_login(name, value) == value
    )


def _is_refused(name: str) -> bool:
    return not name or "=" in name or name in _NEVER or name.startswith(_NEVER_PREFIXES)


def _is_passed(name: str) -> bool:
    return name in _PASSED or name.startswith(_PASSED_PREFIXES) or name.lower() in _PROXIES


@cache
def _shapes() -> Redactor:
    return Redactor()


def _is_credential(name: str, value: str) -> bool:
    return is_key_like(name) or _shapes().text(value) != value


def _without_login(name: str, value: str) -> str | None:
    """The value with `user:password@` taken out of each address in it; None when that can't be told."""
    if not set("@?") & set(value) or name.lower() not in _PROXIES | _ADDRESSES:
        return value
    parts = [_bare_address(part) for part in value.replace(",", " ").split()]
    if any(part is None or set("@?") & set(part) for part in parts):  # a password may hold any character
        return None
    return (" " if " " in value else ",").join(part for part in parts if part)


def _bare_address(text: str) -> str | None:
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
    except ValueError:
        return None
    bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    return bare if "://" in text else bare.removeprefix("http://")


def _path(path: str, venv: str) -> str:
    """Absolute folders only (an empty entry means the working folder), without the user's own environment."""
    own = venv.rstrip("/")
    refused = {f"{own}/bin", f"{own}/Scripts"} if own else frozenset[str]()
    folders = (folder for folder in path.split(":") if folder.startswith("/"))
    return ":".join(dict.fromkeys(folder for folder in folders if folder.rstrip("/") not in refused))
