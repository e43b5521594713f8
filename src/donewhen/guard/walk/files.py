"""Files and links that the line itself makes: what is in them, and where links lead.

So that `echo … > x; sh x`, `curl -o x …; ./x` and `ln -s ~ h; rm -rf h/x` are seen for what they are. What a
file held before is never known, and what is written to one twice stays possible both ways.
"""

from collections.abc import Mapping, Sequence

from donewhen.guard.call import Call
from donewhen.guard.effects import Effect, Fetches, Writes
from donewhen.guard.ground import absolute
from donewhen.guard.marks import NETWORK, certain, could_be
from donewhen.guard.options import Options, options, read
from donewhen.guard.state import State
from donewhen.guard.walk.base import bounded, origins

_HOPS = 8
_STDIN = frozenset(("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"))
_COPY = options(
    flags="abdfHiLlnPpRrsTuvxDc", values="tSgmo", long_values="target-directory suffix mode owner group",
    long_flags="archive force interactive no-target-directory symbolic-link link recursive verbose symbolic",
)  # fmt: skip
_TEE = options(flags="aip")
_SPLIT = options(
    flags="dxeuksz", values="abCnltf", numbers=True,
    long_values="suffix-length bytes line-bytes lines number additional-suffix filter separator prefix",
)  # fmt: skip
_LETTERED = [("x", end) for end in ("aa", "ab", "ac", "00", "01", "02")]
# What the first pieces are called: the usual beginning, and how it goes on.
_PIECES = {"split": _LETTERED, "gsplit": _LETTERED, "csplit": [("xx", end) for end in ("00", "01", "02")]}
_COPYING: dict[str, Options] = {
    "cp": _COPY,
    "mv": _COPY,
    "install": _COPY,
    "ln": _COPY,
    "gcp": _COPY,
    "gmv": _COPY,
    "gln": _COPY,
    "rsync": options(flags="avzhrlptgoDuxnPHAXSWqcR", values="e", long_values="exclude include rsh"),
}


def resolved(path: str, state: State) -> str:
    """The path with links of the line followed."""
    links = state.links
    if not links:
        return path
    for _ in range(_HOPS):
        link = path
        while link and link not in links:
            link = link.rpartition("/")[0]
        if not link:
            break
        path = links[link].rstrip("/") + path[len(link) :] or "/"
    return path


def located(path: str, state: State) -> str:
    """The absolute path as the system would find it: `..` behind a link leads to where the link lies."""
    if not state.links:
        return absolute(path, state.folder)
    if ".." not in path:
        return resolved(absolute(path, state.folder), state)
    place = "/" if path.startswith("/") else state.folder
    for name in path.split("/"):
        place = resolved(absolute(name or ".", place), state)
    return place


def put(path: str, content: str, state: State) -> None:
    """The file may hold this now."""
    before = state.files.get(path)
    if before is None:
        state.files[path] = bounded(content)
    elif content not in before:
        state.files[path] = bounded(before + content if before.endswith("\n") else f"{before}\n{content}")


def made(
    call: Call, name: str, effects: Sequence[Effect], state: State, copies: dict[str, str]
) -> Sequence[str]:
    """What a command leaves in files and links, besides what it prints; returns files that get its input."""
    for effect in effects:
        if isinstance(effect, Fetches) and effect.path:
            put(resolved(effect.path, state), NETWORK, state)
    if name in _COPYING:
        _copied(call, name, state, copies)
    elif name == "dd":
        _transferred(call, state)
    elif name in _PIECES:
        _split(call, name, state)
    if call.stdin is not None and name not in _COPYING:
        fed = [resolved(path, state) for path in _fed(call, name, effects)]
        for path in fed:
            put(path, call.stdin, state)
        return fed
    return ()


def _fed(call: Call, name: str, effects: Sequence[Effect]) -> list[str]:
    """Files that get what the command is fed."""
    if name in ("tee", "sponge"):
        return [call.at(operand) for operand in read(call.argv[1:], _TEE).operands]
    if name == "dd":
        return [call.at(argument[3:]) for argument in call.argv[1:] if argument.startswith("of=")]
    if not origins(call.stdin or ""):
        return []
    return [one.path for one in effects if isinstance(one, Writes) and one.how == "content"]


def _transferred(call: Call, state: State) -> None:
    """`dd if=a of=b`."""
    given = dict(argument.partition("=")[::2] for argument in call.argv[1:])
    known = content(call.at(given["if"]), state) if "if" in given else None
    if known is not None and "of" in given:
        put(resolved(call.at(given["of"]), state), known, state)


def _split(call: Call, name: str, state: State) -> None:
    """Pieces of a file: each may hold any of it."""
    given = read(call.argv[1:], _SPLIT)
    source = given.operands[0] if given.operands else "-"
    known = call.stdin if source == "-" else content(call.at(source), state)
    if known is None or given.has("--filter"):
        return
    named = given.value("-f", "--prefix") if name == "csplit" else "".join(given.operands[1:2])
    for piece in _PIECES[name]:
        put(resolved(call.at((named or piece[0]) + piece[1]), state), known, state)


def _copied(call: Call, name: str, state: State, copies: dict[str, str]) -> None:
    given = read(call.argv[1:], _COPYING[name])
    operands = given.operands
    folder = given.value("-t", "--target-directory") if name != "install" or not given.has("-d") else None
    link = name.endswith("ln") or given.has("-s", "--symbolic-link", "-l", "--link")
    if folder is not None:
        sources, into = operands, folder
    elif len(operands) == 1 and link:
        sources, into = operands, "."
    elif len(operands) > 1:
        sources, into = operands[:-1], operands[-1]
    else:
        return
    goal = call.at(into)
    for source in sources:
        name_in = f"{goal}/{source.rstrip('/').rpartition('/')[2]}"
        # whether the last operand is a folder is not known: it may be either
        targets = (
            [name_in] if folder is not None or len(sources) > 1 or len(operands) == 1 else [goal, name_in]
        )
        _placed(call, source, targets, link, state)
        copies.update((target, resolved(call.at(source), state)) for target in targets if not link)


def _placed(call: Call, source: str, targets: Sequence[str], link: bool, state: State) -> None:
    path = resolved(call.at(source), state)
    for target in targets:
        if link and target != path:
            # a relative target of a symbolic link counts from the link's own folder
            state.links[target] = (
                path
                if source.startswith("/")
                else call._replace(folder=target.rpartition("/")[0] or "/").at(source)
            )
        elif path in state.files:
            put(resolved(target, state), state.files[path], state)
        elif any(name.startswith(f"{path}/") for name in state.files):
            for name in [name for name in state.files if name.startswith(f"{path}/")]:
                put(resolved(target, state) + name[len(path) :], state.files[name], state)
        elif path in _STDIN and call.stdin is not None:
            put(resolved(target, state), call.stdin, state)


def made_program(name: str, state: State, env: Mapping[str, str]) -> str:
    """The file of the line that a name means by PATH; empty for none."""
    for folder in env.get("PATH", state.one("PATH")).split(":"):
        path = absolute(f"{folder or '.'}/{name}", state.folder)
        if path in state.files:
            return path
    return ""


def called(word: str, state: State, env: Mapping[str, str], copies: Mapping[str, str]) -> str:
    """The program behind a link or a copy of the line; the word itself where there is none."""
    folders = [""] if "/" in word else env.get("PATH", state.one("PATH")).split(":")
    for folder in folders:
        path = first = absolute(word if "/" in word else f"{folder or '.'}/{word}", state.folder)
        for _ in range(_HOPS):
            path = resolved(path, state)
            if path not in copies:
                break
            path = copies[path]
        if path != first:
            return word if path.rpartition("/")[2] in _MANY else path
    return word


# Programs that are whatever they are called.
_MANY = frozenset("busybox toybox coreutils uutils".split())


def globbed(path: str, state: State) -> str | None:
    """What the line put into files that a marked path may be."""
    if certain(path):
        return None
    found = [
        text for name, text in state.files.items() if not name.startswith("/dev/") and could_be(path, name)
    ]
    return bounded("\n".join(found)) if found else None


def content(path: str, state: State) -> str | None:
    """What the line itself put into a file; None: the line did not make it."""
    return state.files.get(resolved(path, state)) if state.files else None
