"""Variables that put other code into programs, and those whose value is a command.

It says what setting one does, whatever program is started with it. Values that stay inside the project, or
among the folders of the system, are ordinary.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from donewhen.core.lazy import lazy
from donewhen.core.tree import Assign, Variable, Word
from donewhen.guard.call import Text
from donewhen.guard.effects import Effect, Loads, Reads, Writes
from donewhen.guard.ground import Ground, absolute
from donewhen.guard.marks import anything
from donewhen.guard.plain_words import plain_words

_ALWAYS = frozenset(
    "LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH BASH_ENV PYTHONSTARTUP GIT_SSH GIT_SSH_COMMAND GIT_EXEC_PATH "
    "GIT_TEMPLATE_DIR PYTHONHOME PERL5DB NODE_REPL_EXTERNAL_MODULE PYTHONBREAKPOINT VIMINIT GVIMINIT EXINIT "
    "GCONV_PATH GCC_EXEC_PREFIX COMPILER_PATH BASH_CMDS PYTEST_PLUGINS".split()
)
_PREFIXES = ("DYLD_", "GIT_CONFIG", "BASH_FUNC_", "LUA_INIT")
_SWITCHES: Mapping[str, tuple[str, ...]] = {
    "NODE_OPTIONS": ("--require", "-r ", "-r=", "--import", "--loader", "--experimental-loader"),
    "PERL5OPT": ("-M", "-m", "-e", "-I", "-d"),
    "RUBYOPT": ("-r", "-I"),
    "JAVA_TOOL_OPTIONS": ("-javaagent", "-agentpath", "-agentlib"),
    **dict.fromkeys(
        ("_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "MAVEN_OPTS", "GRADLE_OPTS", "SBT_OPTS", "JAVA_OPTS"),
        ("-javaagent", "-agentpath", "-agentlib"),
    ),
    "RUSTFLAGS": ("linker=/",),
}
_PLUGIN = lazy(r"(?:^|\s)-p[ =]?(?!no:|pytest|_pytest|xdist)[\w.]")
# Settings that make a program work on another machine; those of this one are ordinary.
_ADDRESSES = frozenset("DOCKER_HOST CONTAINER_HOST BUILDKIT_HOST".split())
_LOCAL = lazy(r"(?:unix|npipe|fd)://.*|tcp://(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?/?", re.DOTALL)
# Options in variables that have a file read.
_FILES = lazy(r"--env-file(?:-if-exists)?[= ](\S+)")
# Options in variables that hold a command.
_HANDLER = lazy(r"-XX:On(?:OutOfMemory)?Error=(?:\"([^\"]*)\"|'([^']*)'|(\S+))")
# Where programs look for a person's settings, and acts that go out under the person's name.
PERSONAL = ("HOME", "XDG_CONFIG_HOME")
# Settings in a home that make these programs run something.
_SETTINGS: Mapping[str, tuple[str, ...]] = {
    "git": (".gitconfig", ".config/git/"),
    **dict.fromkeys(("bash", "sh", "dash", "rbash"), (".bash", ".profile", ".inputrc")),
    **dict.fromkeys(("zsh", "zsh5"), (".z",)),
    **dict.fromkeys(("ksh", "mksh", "oksh", "yash"), (".kshrc", ".mkshrc", ".profile", ".yash")),
    **dict.fromkeys(("csh", "tcsh"), (".cshrc", ".tcshrc", ".login")),
    "fish": (".config/fish/",),
    **dict.fromkeys(("npm", "npx", "yarn", "pnpm"), (".npmrc", ".yarnrc", ".config/pnpm/")),
    **dict.fromkeys(("ssh", "scp", "sftp"), (".ssh/",)),
    **dict.fromkeys(("vim", "vi", "view", "nvim"), (".vim", ".exrc", ".config/nvim/")),
}
_ACTS: Mapping[str, frozenset[str]] = {
    "git": frozenset(("commit", "push", "tag", "am")),
    **dict.fromkeys(("npm", "yarn", "pnpm", "bun", "cargo", "poetry", "uv"), frozenset(("publish",))),
    "gem": frozenset(("push",)),
    "twine": frozenset(("upload",)),
}
_COMMANDS = frozenset(
    "PAGER GIT_PAGER MANPAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH_COMMAND GIT_ASKPASS "
    "SSH_ASKPASS SUDO_ASKPASS GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND BROWSER LESSOPEN LESSCLOSE PROMPT_COMMAND "
    "RUSTC_WRAPPER FCEDIT RUSTC RUSTC_WORKSPACE_WRAPPER CARGO_BUILD_RUSTC CC CXX SHELL RUSTDOC GH_BROWSER "
    "GLAB_BROWSER KUBECTL_EXTERNAL_DIFF RUSTC_LINKER CVS_RSH RSYNC_RSH RSYNC_CONNECT_PROG TAR_RSH "
    "SVN_SSH HGMERGE HGEDITOR P4DIFF P4MERGE FZF_DEFAULT_COMMAND FZF_CTRL_T_COMMAND FZF_ALT_C_COMMAND".split()
)
# Names that end so hold commands, whichever program they are for.
_CALLED = lazy(r"[A-Z0-9_]+_(?:PAGER|EDITOR)|CARGO_TARGET_[A-Z0-9_]+_(?:LINKER|RUNNER)")
_PROMPTS = frozenset("PS0 PS1 PS2 PS4".split())  # expanded whenever they are printed
# Folders and files that code is taken from.
_FOLDERS = frozenset(
    "PATH PYTHONPATH PERL5LIB PERLLIB RUBYLIB NODE_PATH CLASSPATH PYTHONUSERBASE TCLLIBPATH JULIA_LOAD_PATH "
    "OPENSSL_CONF OPENSSL_ENGINES PHPRC PHP_INI_SCAN_DIR R_PROFILE R_PROFILE_USER MAKEFILES LESSKEYIN "
    "INPUTRC SCREENRC PSQLRC BUNDLE_GEMFILE TF_CLI_CONFIG_FILE TERRAFORM_CONFIG KUBECONFIG CARGO_HOME "
    "FLASK_APP RUSTUP_HOME".split()
)
# Where programs put what they write, without being told in their words.
_TARGETS = frozenset(
    "SSLKEYLOGFILE DEPENDENCIES_OUTPUT SUNPRO_DEPENDENCIES HISTFILE MYSQL_HISTFILE PSQL_HISTORY LESSHISTFILE "
    "CARGO_TARGET_DIR PYTHONPYCACHEPREFIX COVERAGE_FILE LLVM_PROFILE_FILE TMPDIR "
    "TF_LOG_PATH".split()
)
_SYSTEM = (
    "/usr/",
    "/bin",
    "/sbin",
    "/opt/homebrew/",
    "/opt/local/",
    "/snap/bin",
    "/nix/",
    "/run/current-system/",
    "/etc/ssl/",
    "/etc/php",
    "/etc/rancher/",
    "/etc/kubernetes/",
)
# Folders of a person that are the usual value.
_OWN: Mapping[str, tuple[str, ...]] = {
    "PATH": tuple(
        ".local/bin .cargo/bin .bun/bin .deno/bin go/bin .pyenv/ .rbenv/ .nvm/ .volta/ .asdf/".split()
    ),
    "KUBECONFIG": (".kube/",),
    "CARGO_HOME": (".cargo/",),
    "RUSTUP_HOME": (".rustup/",),
    "XDG_CONFIG_HOME": (".config/",),
    "TF_CLI_CONFIG_FILE": (".terraformrc", ".terraform.d/"),
}
_HARMLESS = frozenset(("", "/dev/null", "0", "1"))
_WATCHED = (
    _ALWAYS | _COMMANDS | _PROMPTS | _FOLDERS | _TARGETS | _ADDRESSES | frozenset(_SWITCHES)
    | {"ENV", "PYTEST_ADDOPTS"}
)  # fmt: skip


@lru_cache(maxsize=1024)
def watched(name: str) -> bool:
    return name in _WATCHED or name.startswith(_PREFIXES) or _CALLED.fullmatch(name) is not None


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
    if _loads(name, value, ground, folder):
        yield Loads(name)
    if name in _TARGETS and value and value not in ground.writable:
        yield Writes(absolute(value.split(" ")[0], folder))
    if name in _SWITCHES:
        yield from (Reads(absolute(found[1], folder)) for found in _FILES.finditer(value))
    text = _text(name, value)
    if text:
        yield Text(text, name)


def _loads(name: str, value: str, ground: Ground, folder: str) -> bool:
    if name in _FOLDERS:
        return any(not ordinary(one, name, ground, folder) for one in value.split(":") if one)
    if name in _ADDRESSES:
        return value != "" and _LOCAL.fullmatch(value) is None
    if name == "PYTEST_ADDOPTS":
        return _PLUGIN.search(value) is not None
    if name in _SWITCHES:
        return anything(value) or any(switch in value + " " for switch in _SWITCHES[name])
    if name == "ENV":
        return "/" in value
    return value not in _HARMLESS and (name in _ALWAYS or name.startswith(_PREFIXES))


def _text(name: str, value: str) -> str:
    """What a shell runs of it."""
    if name in _COMMANDS or _CALLED.fullmatch(name):
        return value
    if name in _SWITCHES:
        return "\n".join("".join(found) for found in _HANDLER.findall(value))
    if name in _PROMPTS and ("$(" in value or "`" in value):
        return ': "' + value.replace('"', '\\"') + '"'
    return value.partition("()")[2] if name.startswith("BASH_FUNC_") else ""


def ordinary(item: str, name: str, ground: Ground, folder: str) -> bool:
    """Does it lie in the project, in the system, or where the variable mostly points to?"""
    if anything(item):
        return False
    if item in _HARMLESS:
        return True
    path = absolute(ground.home + item[1:] if item.startswith("~/") else item, folder)
    if path == ground.workspace or path.startswith(ground.workspace + "/"):
        return True
    if f"{path}/".startswith(_SYSTEM):
        return True
    home = ground.home + "/"
    return path.startswith(home) and f"{path[len(home) :]}/".startswith(_OWN.get(name, ()))


def borrowed(argv: tuple[str, ...], given: Mapping[str, str], ground: Ground) -> Iterator[Effect]:
    """Acts in a person's name with settings out of a folder where anybody may have put them."""
    words = plain_words(argv)
    if words[1:2] and words[1] in _ACTS.get(words[0], ()):
        for name in PERSONAL:
            value = given.get(name, "")
            if value and value != ground.home and not ordinary(value, name, ground, ground.home):
                yield Loads(name)


def planted(name: str, variable: str, folder: str, files: Iterable[str], ground: Ground) -> bool:
    """Did the line write settings of the program into this folder, which is not the person's own?"""
    wanted = _SETTINGS.get(name, ())
    usual = ground.home if variable == "HOME" else f"{ground.home}/.config"
    if not wanted or folder in (usual, "/"):
        return False
    starts = tuple(
        f"{folder}/{one if variable == 'HOME' else one.removeprefix('.config/')}" for one in wanted
    )
    return any(path.startswith(starts) for path in files)
