"""Settings of git that run something, pass hooks by or send pushes elsewhere, however they are given: by
`-c`, by the environment, by `git config`.

A setting is judged when it is made, not when it would be used: the line that uses it may come later.
Settings that are not in the tables are ordinary.
"""

import shlex

from donewhen.guard.call import Text, Words
from donewhen.guard.effects import Pushes, Reads, Reveals, SkipsHooks, Unknown, Writes
from donewhen.guard.ground import absolute
from donewhen.guard.marks import certain, shown
from donewhen.guard.options import Given, options, read
from donewhen.guard.programs.git.frame import Found, Frame, touched, transport
from donewhen.guard.programs.git.push import refspec

_COMMANDS = frozenset(
    "core.pager core.editor core.sshcommand core.askpass core.gitproxy core.alternaterefscommand "
    "diff.external "
    "sequence.editor gpg.program interactive.difffilter uploadpack.packobjectshook gc.recentobjectshook "
    "sendemail.sendmailcmd sendemail.tocmd sendemail.cccmd sendemail.headercmd imap.tunnel instaweb.browser "
    "instaweb.httpd".split()
)
# first and last part of names with a part of the user's between them
_COMMANDS_BY_PARTS = frozenset(
    "filter.clean filter.smudge filter.process diff.command diff.textconv merge.driver mergetool.cmd "
    "mergetool.path "
    "difftool.cmd difftool.path browser.cmd browser.path man.cmd man.path guitool.cmd trailer.command "
    "trailer.cmd "
    "tar.command remote.uploadpack remote.receivepack gpg.program gpg.defaultkeycommand hook.command "
    "credential.helper".split()
)
# where things come from or go to, what is trusted: not for an agent to change unasked
_ASKED = frozenset(
    "include.path init.templatedir http.sslverify http.proxy https.proxy protocol.allow core.gitproxy "
    "core.attributesfile core.worktree http.sslcainfo http.sslbackend".split()
)
_ASKED_BY_PARTS = frozenset(
    "includeif.path url.insteadof url.pushinsteadof remote.url remote.pushurl remote.vcs remote.proxy "
    "http.sslverify "
    "http.proxy protocol.allow submodule.url".split()
)
_PLAIN = frozenset(("", "true", "false", "yes", "no", "on", "off", "0", "1", "auto", "never", "always"))
_CREDENTIAL_WORDS = ("token", "password", "passwd", "secret", "extraheader", "apikey", "api_key", "smtppass")
_SWITCHES = frozenset(("-l", "--list", "--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color"))
_CONFIG = options(
    flags="lez", values="ft",
    long_flags="global system local worktree get get-all get-regexp get-urlmatch replace-all add unset "
    "unset-all "
    "rename-section remove-section list edit get-color get-colorbool bool int bool-or-int bool-or-str path "
    "expiry-date null name-only show-origin show-scope includes no-includes fixed-value all regexp "
    "append show-names "
    "no-type",
    long_values="file blob type default value url comment",
)  # fmt: skip
_SUBCOMMANDS = frozenset(("set", "get", "unset", "list", "rename-section", "remove-section", "edit"))


def setting(frame: Frame, key: str, value: str) -> Found:
    """What it means that this setting gets this value."""
    section, _, last = key.partition(".")
    last = last.rpartition(".")[2]
    parts = f"{section}.{last}" if key.count(".") > 1 else ""
    if not certain(key):
        yield Unknown("guard.unknown_option", f"git config {shown(key)}")
    elif key == "core.hookspath" or (parts == "hook.enabled" and value in ("false", "0", "no", "off")):
        yield SkipsHooks(key)
    elif section == "alias":
        yield from alias(frame, value, ())
    elif key == "credential.helper" or parts == "credential.helper":
        yield from _helper(frame, value)
    elif _runs(key, parts, section, value):
        yield Text(value, "git", frame.folder)
    elif parts == "submodule.update" and value.startswith("!"):
        yield Text(value[1:], "git", frame.folder)
    elif parts == "remote.push":
        for target in refspec(value, frame):
            yield Pushes(key[7:-5], *target)
    elif key in _ASKED or parts in _ASKED_BY_PARTS:
        yield from transport(frame, value)
        yield Unknown("guard.unknown_option", f"{key}={shown(value)}")


def _runs(key: str, parts: str, section: str, value: str) -> bool:
    if key in _COMMANDS or parts in _COMMANDS_BY_PARTS:
        return bool(value)
    return (key == "core.fsmonitor" or (section == "pager" and not parts)) and value.lower() not in _PLAIN


def _helper(frame: Frame, value: str) -> Found:
    """A credential helper: a shell text, a program by its path, or a git program of that name."""
    if value.startswith("!"):
        yield Text(value[1:], "git", frame.folder)
    elif value.startswith("/") or not certain(value[:1]):
        yield Text(value, "git", frame.folder)


def alias(frame: Frame, value: str, args: tuple[str, ...], lead: tuple[str, ...] = ("git",)) -> Found:
    """An alias with its arguments: a shell text behind `!`, run at the tree's root, or words for git."""
    if value.startswith("!"):
        yield Text(" ".join((value[1:], *map(_quoted, args))), "git", frame.tree)
        return
    try:
        words = shlex.split(value)
    except ValueError:
        yield Unknown("guard.unreadable", shown(value))
        return
    if words:
        # settings of the environment were judged already; without them an alias can't come round again
        env = {name: text for name, text in frame.call.env.items() if not name.startswith("GIT_CONFIG_")}
        yield Words((*lead, *words, *args), "git", "", env, frame.call.stdin)


def _quoted(word: str) -> str:
    return shlex.quote(word) if certain(word) else word


def config(frame: Frame) -> Found:
    given = read(frame.args, _CONFIG)
    words = given.operands
    verb = words[0] if words and words[0] in _SUBCOMMANDS else ""
    words = words[1:] if verb else words
    for word in words[:1]:
        if not certain(word):
            yield Unknown("guard.unknown_option", f"git config {shown(word)}")
    action = _action(given, verb, words)
    file = given.value("-f", "--file") or frame.call.env.get("GIT_CONFIG")
    if action == "get":
        yield from _got(frame, given, words, file)
        return
    yield from touched(frame)
    yield from _stored(frame, given, file)
    key = words[0].lower() if words else ""
    if action == "edit":
        yield Unknown("guard.unknown_option", "git config --edit")
    elif action == "section":
        if key in ("core", "hook") or key.startswith("hook."):
            yield SkipsHooks(f"git config {verb or 'section'} {key}")
    elif action == "unset":
        if key == "core.hookspath" or key.startswith("hook."):
            yield SkipsHooks(key)
    elif words:
        yield from setting(frame, key, words[1] if len(words) > 1 else "")


def _action(given: Given, verb: str, words: tuple[str, ...]) -> str:
    if verb in ("rename-section", "remove-section") or given.has("--rename-section", "--remove-section"):
        return "section"
    if verb == "unset" or given.has("--unset", "--unset-all"):
        return "unset"
    if verb == "edit" or given.has("-e", "--edit"):
        return "edit"
    if verb == "set" or given.has("--add", "--replace-all"):
        return "set"
    if verb or given.has(*_SWITCHES, "--get-colorbool") or len(words) < 2:
        return "get"
    return "set"


def _got(frame: Frame, given: Given, words: tuple[str, ...], file: str | None) -> Found:
    if file:
        yield Reads(frame.at(file))
    if given.has("--blob"):
        yield Reads(absolute((given.value("--blob") or "").rpartition(":")[2], frame.tree))
    asked = " ".join(words).lower()
    if not given.has("--name-only") and any(word in asked for word in _CREDENTIAL_WORDS):
        yield Reveals("credential", shown(asked))


def _stored(frame: Frame, given: Given, file: str | None) -> Found:
    """The file that changes, when it is not the repository's own."""
    if file:
        path = frame.at(file)
        own = frame.call.ground.workspace + "/.git/"
        if path not in (own + "config", own + "config.worktree"):
            yield Writes(path)
    elif given.has("--global"):
        yield Writes(frame.call.ground.home + "/.gitconfig")
    elif given.has("--system"):
        yield Writes("/etc/gitconfig")


_PLACES = frozenset(("GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"))
# hook managers that a variable switches off: when it has one of these values (none: any but empty, 0, false)
_HOOK_SWITCHES: dict[str, tuple[str, ...]] = {
    "HUSKY": ("0", "false"), "LEFTHOOK": ("0", "false"), "HUSKY_SKIP_HOOKS": (), "SKIP": (),
    "LEFTHOOK_EXCLUDE": (), "PRE_COMMIT_ALLOW_NO_CONFIG": (), "OVERCOMMIT_DISABLE": (),
    "SKIP_SIMPLE_GIT_HOOKS": (), "SKIP_YORKIE": (),
    "LEFTHOOK_SKIP": (), "PRE_COMMIT_SKIP": (), "GIT_HOOKS_SKIP": (), "CAPTAINHOOK_DISABLE": (),
}  # fmt: skip
HOOKED = frozenset(
    "commit push merge rebase am checkout switch pull cherry-pick revert worktree clone receive-pack "
    "hook".split()
)


def environment(frame: Frame) -> Found:
    """What variables do to git alone; those that name commands or load code count for any program."""
    for name, value in frame.call.env.items():
        if name in _HOOK_SWITCHES:
            if frame.verb in HOOKED and _switches_off(name, value):
                yield SkipsHooks(f"{name}={shown(value)}")
        elif _is_place(name, value) and not frame.inside(frame.at(value)):
            yield Writes(frame.at(value))


def _is_place(name: str, value: str) -> bool:
    return (name in _PLACES and bool(value)) or (name.startswith("GIT_TRACE") and value.startswith("/"))


def _switches_off(name: str, value: str) -> bool:
    values = _HOOK_SWITCHES[name]
    if not certain(value):
        return True
    return value in values if values else value not in ("", "0", "false")


VERBS = {"config": config}
