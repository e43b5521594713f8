"""Variables that decide which code is run, and those that something other than an assignment sets.

After `read`, `for`, `printf -v` or `((…))` a value is not known. One that decides which program answers, or
that programs are given, counts as set to something unknown.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from donewhen.core.lazy import lazy
from donewhen.core.tree import Variable, Word
from donewhen.shell.state import State, forget

_NAME = re.compile(r"(?:-[A-Za-z]*?)?([A-Za-z_]\w*)(?:\[.*)?", re.DOTALL)
_LONG = 200
_DECIDING = frozenset(
    "PATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONOPTIMIZE "
    "PYTHONUSERBASE PYTHONPLATLIBDIR PYTHONEXECUTABLE PYTHONPYCACHEPREFIX PYTHONCASEOK "
    "PYTEST_PLUGINS NODE_PATH RUBYOPT RUBYLIB GEM_PATH GEM_HOME BUNDLE_GEMFILE PERL5OPT "
    "PERL5LIB PERL5DB JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_HOME CLASSPATH BASH_ENV ENV IFS "
    "SHELLOPTS BASHOPTS RUSTC RUSTDOC CARGO RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER GOROOT "
    "DOTNET_STARTUP_HOOKS DOTNET_ROOT DOCKER_HOST DOCKER_CONTEXT LUA_PATH LUA_INIT PHPRC PHP_INI_SCAN_DIR "
    "DOTNET_ADDITIONAL_DEPS DOTNET_SHARED_STORE DOTNET_HOST_PATH COMSPEC PATHEXT ZDOTDIR FPATH "
    "GCONV_PATH PROMPT_COMMAND".split()
)
_DECIDING_SHAPES = lazy(
    r"DYLD_\w+|CORECLR_(?:ENABLE_)?PROFIL\w+|COR_(?:ENABLE_)?PROFIL\w+|BASH_FUNC_.*|CARGO_TARGET_\w+_RUNNER|CARGO_BUILD_RUSTC\w*"
    r"|GIT_(?!AUTHOR_|COMMITTER_|PAGER|EDITOR|TERMINAL_PROMPT|TRACE|SSH|ASKPASS|OPTIONAL_LOCKS|MERGE_AUTOEDIT)\w+"
)
# Options of node that change how much it prints or may use; any other may load code.
_NODE_HARMLESS = lazy(
    r"--(?:max[-_](?:old|semi)[-_]space[-_]size|stack[-_](?:size|trace[-_]limit)|max[-_]http[-_]header[-_]size"
    r"|dns-result-order|unhandled-rejections)=\S+"
    r"|--(?:no-(?:warnings|deprecation|experimental\S*)|trace-\S+|throw-deprecation|pending-deprecation|enable-source-maps"
    r"|experimental-(?!loader)\S+|expose-gc|inspect\S*|openssl-legacy-provider|preserve-symlinks|use-openssl-ca)"
)


def answering(env: Mapping[str, Word], declared: Mapping[str, Word] | None = None) -> bool:
    """Does a variable decide which code is run? One that is declared with the same value does not count."""
    return any(
        _decides(name, value)
        for name, value in env.items()
        if not (declared and name in declared and declared[name] == value and value.known)
    )


def _decides(name: str, value: Word) -> bool:
    if name == "NODE_OPTIONS":
        return not value.known or not all(map(_NODE_HARMLESS.fullmatch, value.text.split()))
    if name.upper() not in _DECIDING and not _DECIDING_SHAPES.fullmatch(name):
        return False
    unchanged = len(value.parts) == 1 and value.parts[0] in (Variable(name), Variable(name, quoted=True))
    return not unchanged and (not value.known or value.text != "" or name == "PATH")


def overwritten(state: State, names: Iterable[str]) -> State:
    """These variables hold something that the line does not tell."""
    gone = set(names)
    state = forget(state, gone)
    passed_on = {name: Word(f"${name}", known=False) for name in gone if _reaches_programs(name, state)}
    return state._replace(env={**state.env, **passed_on}) if passed_on else state


def _reaches_programs(name: str, state: State) -> bool:
    if name in state.env or "allexport" in state.options:
        return True
    if name == "ENV":  # a common name for a loop; only a shell for people reads it
        return False
    return name == name.upper() and (name == "CDPATH" or answering({name: Word(f"={name}", known=False)}))


def names_in(words: Sequence[Word]) -> set[str]:
    """The names among the words of `read`, `mapfile`, `getopts`; also attached ones (`-aPATH`)."""
    found: set[str] = set()
    for word in words:
        match = _NAME.fullmatch(word.text[:_LONG].partition("=")[0].rstrip("+"))
        if match is not None:
            found.add(match[1])
            found.add(match[1].lstrip("abcdefghijklmnopqrstuvwxyz"))
    return found - {""}
