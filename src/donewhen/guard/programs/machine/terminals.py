"""Programs that run a command in another window, on other machines, or type it for the user."""

from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader, Text, Words
from donewhen.guard.effects import Effect, Reads, Unknown
from donewhen.guard.options import Options, options, read

_Found = Iterator[Effect | Nested]
_RUN = frozenset(("-e", "-x", "--command", "--execute", "--"))
_TERMINALS = (
    "xterm rxvt urxvt konsole alacritty gnome-terminal x-terminal-emulator terminator tilix st foot kitty "
    "lxterminal xfce4-terminal mate-terminal terminology wezterm zellij footclient"
).split()
# terminals that take the command as their operands, and the verb in front of it
_OPERANDS: Mapping[str, tuple[frozenset[str], Options]] = {
    "kitty": (
        frozenset(("",)),
        options(
            "1vh",
            "codTpS",
            "hold single-instance wait-for-single-instance-window-close detach dump-commands dump-bytes",
            "class name title config override directory session instance-group listen-on start-as",
            first=True,
        ),
    ),
    "foot": (
        frozenset(("",)),
        options(
            "CHLFmsdvhE",
            "cofwWtTapDl",
            "check-config hold fullscreen maximized login-shell",
            "config override font window-size-pixels window-size-chars term title app-id working-directory "
            "print-pid log-level",
            first=True,
        ),
    ),
    "wezterm": (
        frozenset(("start", "ssh", "cli spawn", "cli split-pane")),
        options("n", "", "always-new-process new-window", "cwd class workspace position domain-name pane-id "
                "percent window-id domain config config-file", first=True),
    ),
    "zellij": (
        frozenset(("run", "r", "action new-pane")),
        options("cfis", "dnxy", "close-on-exit floating in-place start-suspended", "direction name cwd width "
                "height", first=True),
    ),
}  # fmt: skip
# words in front of the text that is typed
_TYPING: Mapping[str, tuple[str, ...]] = {
    "xdotool": ("type",),
    "ydotool": ("type",),
    "wtype": (),
    "dotool": (),
    "kitty": ("@", "send-text"),
    "kitten": ("@", "send-text"),
    "wezterm": ("cli", "send-text"),
    "zellij": ("action", "write-chars"),
}
_MANY: Mapping[str, Options] = {
    "pdsh": options("NSbdqVL", "wxfltugRM", first=True),
    "pssh": options("iIPv", "hHlptoeOA", "inline", "hosts host user par timeout outdir", first=True),
    "parallel-ssh": options("iIPv", "hHlptoeOA", "inline", "hosts host user par timeout outdir", first=True),
    "dsh": options("aMcvq", "mgrfFio", first=True),
    "clush": options("abBLSqvd", "wgxXlfot", first=True),
}
_DEVCONTAINER = options(long_values="workspace-folder container-id config id-label remote-env", first=True)
_AGENT = options("csdDk", "aEPtO", first=True)


def _terminal(call: Call) -> _Found:
    words = call.argv[1:]
    if call.name in _TYPING and words[: len(_TYPING[call.name])] == _TYPING[call.name]:
        yield from _typed(call)
        return
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        behind = (value,) if equals else words[at + 1 :]
        if name in _RUN and behind:
            yield Text(behind[0], call.name) if len(behind) == 1 else Words(behind, call.name)
            return
    if call.name in _OPERANDS:
        yield from _behind(call)


def _behind(call: Call) -> _Found:
    """The command without an option in front of it, behind a verb where there is one."""
    leads, table = _OPERANDS[call.name]
    words = read(call.argv[1:], table).operands
    for lead in leads:
        front = tuple(lead.split())
        behind = read(words[len(front) :], table).operands
        if words[: len(front)] == front and behind and behind[0][:1] not in "@+":
            yield Words(behind, call.name)


def _typed(call: Call) -> _Found:
    """What is typed into another window is run there when it ends a line, or by whoever sits there."""
    front = _TYPING[call.name]
    words = call.argv[1:]
    if words[: len(front)] != front:
        return
    given = read(words[len(front) :], options(values="dt", long_values="delay pane-id window match"))
    text = " ".join(given.operands).replace("\\n", "\n").replace("\\r", "\n")
    if text.strip():
        yield Text(text, call.name)
    elif call.stdin is not None:
        yield Text(call.stdin, call.name)


def _many(call: Call) -> _Found:
    behind = read(call.argv[1:], _MANY[call.name]).operands
    if behind:
        yield Text(" ".join(behind), call.name, elsewhere="host")


def _agent(call: Call) -> _Found:
    behind = read(call.argv[1:], _AGENT).operands
    if behind:
        yield Words(behind, call.name, stdin=call.stdin)


def _devcontainer(call: Call) -> _Found:
    words = read(call.argv[1:], _DEVCONTAINER).operands
    behind = read(words[1:], _DEVCONTAINER).operands if words[:1] == ("exec",) else ()
    if behind:
        yield Words(behind, call.name, elsewhere="container")


def _mosh(call: Call) -> _Found:
    """Its own options name programs; the rest is for the other side."""
    for word in call.argv[1:]:
        name, _, value = word.partition("=")
        if name in ("--ssh", "--client") and value:
            yield Text(value, call.name)
        elif name == "--server" and value:
            yield Text(value, call.name, elsewhere="host")


def _environment(call: Call) -> _Found:
    """Loaders of `.env`: the file is read, and what they run gets it."""
    words = call.argv[1:]
    if "--" in words:
        yield Words(words[words.index("--") + 1 :], call.name, stdin=call.stdin)
        return
    given = read(words, options(values="fe", long_values="file env-file", first=True))
    verb, rest = (given.operands[0] if given.operands else ""), given.operands[1:]
    if verb in ("get", "list"):
        yield Reads(call.at(given.value("-f", "--file", "-e", "--env-file") or ".env"))
    elif verb == "run" and rest:
        yield Words(rest, call.name, stdin=call.stdin)


def _direnv(call: Call) -> _Found:
    if call.argv[1:2] and call.argv[1] in ("allow", "permit", "grant", "export", "reload"):
        yield Unknown("guard.unknown_text", ".envrc")


READERS: dict[str, Reader] = {
    **dict.fromkeys(_TYPING, _typed),
    **dict.fromkeys(_TERMINALS, _terminal),
    **dict.fromkeys(_MANY, _many),
    **dict.fromkeys(("dotenv", "dotenvx"), _environment),
    "ssh-agent": _agent,
    "devcontainer": _devcontainer,
    "mosh": _mosh,
    "direnv": _direnv,
}
