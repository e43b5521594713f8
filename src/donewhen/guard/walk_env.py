"""Variables that put other code into programs, and those whose value is a command.

It says what setting one does, whatever program is started with it. Values that stay inside the project, or
among the folders of the system, are ordinary.
"""

from collections.abc import Iterator, Mapping

from donewhen.core.tree import Assign, Variable, Word
from donewhen.guard.call import Text
from donewhen.guard.effects import Effect, Loads
from donewhen.guard.ground import Ground, absolute
from donewhen.guard.marks import anything

_ALWAYS = frozenset(
    "LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH BASH_ENV PYTHONSTARTUP GIT_SSH GIT_SSH_COMMAND GIT_EXEC_PATH "
    "GIT_TEMPLATE_DIR PYTHONHOME PERL5DB NODE_REPL_EXTERNAL_MODULE".split()
)
_PREFIXES = ("DYLD_", "GIT_CONFIG")
_SWITCHES: Mapping[str, tuple[str, ...]] = {
    "NODE_OPTIONS": ("--require", "-r ", "-r=", "--import", "--loader", "--experimental-loader"),
    "PERL5OPT": ("-M", "-m", "-e", "-I", "-d"),
    "RUBYOPT": ("-r", "-I"),
    "JAVA_TOOL_OPTIONS": ("-javaagent", "-agentpath", "-agentlib"),
    "_JAVA_OPTIONS": ("-javaagent", "-agentpath", "-agentlib"),
}
_COMMANDS = frozenset(
    "PAGER GIT_PAGER MANPAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH_COMMAND GIT_ASKPASS "
    "SSH_ASKPASS SUDO_ASKPASS GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND BROWSER LESSOPEN LESSCLOSE PROMPT_COMMAND "
    "RUSTC_WRAPPER FCEDIT KUBE_EDITOR".split()
)
_FOLDERS = frozenset(("PATH", "PYTHONPATH", "PERL5LIB", "RUBYLIB", "NODE_PATH", "CLASSPATH"))
_SYSTEM = (
    "/usr/",
    "/bin",
    "/sbin",
    "/opt/homebrew/",
    "/opt/local/",
    "/snap/bin",
    "/nix/",
    "/run/current-system/",
)
_OWN = (
    ".local/bin",
    ".cargo/bin",
    ".bun/bin",
    ".deno/bin",
    "go/bin",
    ".pyenv/",
    ".rbenv/",
    ".nvm/",
    ".volta/",
    ".asdf/",
)
_HARMLESS = frozenset(("", "/dev/null", "0", "1"))
WATCHED = _ALWAYS | _COMMANDS | _FOLDERS | frozenset(_SWITCHES) | {"ENV"}


def watched(name: str) -> bool:
    return name in WATCHED or name.startswith(_PREFIXES)


def without_itself(assign: Assign) -> Assign:
    """The assignment without the variable's old value (`PATH=x:$PATH`): only what is new counts."""
    parts = tuple(
        part for part in assign.value.parts if not (isinstance(part, Variable) and part.name == assign.name)
    )
    if len(parts) == len(assign.value.parts):
        return assign
    return assign._replace(value=Word(assign.value.text, False, parts) if parts else Word(""))


def setting(name: str, value: str, ground: Ground, folder: str) -> Iterator[Effect | Text]:
    """What comes with a watched variable of this value."""
    if name in _FOLDERS:
        if any(not _ordinary(one, name, ground, folder) for one in value.split(":") if one):
            yield Loads(name)
    elif name in _SWITCHES:
        if anything(value) or any(switch in value + " " for switch in _SWITCHES[name]):
            yield Loads(name)
    elif name == "ENV":
        if "/" in value:
            yield Loads(name)
    elif value not in _HARMLESS and (name in _ALWAYS or name.startswith(_PREFIXES)):
        yield Loads(name)
    if name in _COMMANDS and value:
        yield Text(value, name)


def _ordinary(item: str, name: str, ground: Ground, folder: str) -> bool:
    if anything(item):
        return False
    path = absolute(item, folder)
    if path == ground.workspace or path.startswith(ground.workspace + "/"):
        return True
    if name != "PATH":
        return False
    if f"{path}/".startswith(_SYSTEM):
        return True
    home = ground.home + "/"
    return path.startswith(home) and f"{path[len(home) :]}/".startswith(_OWN)
