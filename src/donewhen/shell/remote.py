"""Commands in another place: ssh, containers, clusters. What runs there is found, and marked as elsewhere.

Where their options end is known only as well as the tables below know them; when an option is not in them,
the command is not known either.
"""

from collections.abc import Callable, Mapping, Sequence

from donewhen.core.tree import Inner, Word
from donewhen.shell.feed import Feed
from donewhen.shell.frames import after_dashes, behind, fed_shell, joined, leading_assigns
from donewhen.shell.nest import Nest
from donewhen.shell.options import Given, read_options
from donewhen.shell.words import splits
from donewhen.shell.wrappers import wrapper

_Reader = Callable[[str, tuple[Word, ...], Feed, Nest], tuple[Inner, ...]]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SSH_IDLE = _names("-N -G -V -Q -O -W")
_DETACHED = _names("-d --detach")
_FOLDER = _names("-w --workdir")
_ENV = _names("-e --env")


def _ssh(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """Options may stand on both sides of the host; the words behind are one text for the shell there."""
    before = read_options(words[1:], wrapper("ssh").options)
    after = read_options(before.rest[1:], wrapper("ssh").options)
    options = Given(before.options + after.options, after.rest)
    if options.has(_SSH_IDLE) or not before.rest:
        return (Inner(name, None, False, True),) if feed.open_end else ()
    sure = before.sure and after.sure and not splits(before.rest[0])
    keeps = sure and not options.has(frozenset(("-f",)))
    inner = Inner(name, None, keeps, True, own_shell=True)
    if not after.rest:
        return fed_shell(inner, feed, nest)
    found = joined(inner, after.rest, feed, nest)
    return found if sure or any(one.script is None for one in found) else (*found, inner)


def _docker(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    given = read_options(
        words[1:], wrapper("docker compose" if name.endswith("compose") else "docker").options
    )
    rest, sure = given.rest, given.sure
    if rest and rest[0].text == "compose":
        given = read_options(rest[1:], wrapper("docker compose").options)
        rest, sure = given.rest, sure and given.sure
    elif rest and rest[0].text == "container":
        rest = rest[1:]
    if not rest or rest[0].text not in ("exec", "run"):
        return ()
    table = wrapper(f"docker {rest[0].text}").options
    return _contained(name, read_options(rest[1:], table), sure, feed, nest)


def _contained(name: str, given: Given, sure: bool, feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """A command in a container; without one the image decides."""
    folders, entries = given.values(_FOLDER), given.values(frozenset(("--entrypoint",)))
    assigns = tuple(one for word in given.values(_ENV) for one in leading_assigns((word,))[0])
    keeps = not given.has(_DETACHED)
    inner = Inner(name, None, keeps, True, folders[-1] if folders else None, assigns)
    command: Sequence[Word] = given.rest[1:]
    if entries and entries[-1].text:
        command = (entries[-1], *command)
    if not command:
        return (inner,) if given.rest or feed.open_end else ()
    return behind(inner, command, feed, nest, sure and given.sure and not splits(given.rest[0]))


def _cluster(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """kubectl and its kin: the command stands behind `--`; the old form without it is not followed."""
    if not any(word.known and word.text in _REMOTE_VERBS for word in words[1:]):
        return ()
    inner = Inner(name, None, True, True)
    rest = after_dashes(words)
    return (inner,) if rest is None else behind(inner, rest, feed, nest)


def _one_text(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """`heroku run`, `minikube ssh`: the words behind the verb are one text for the shell there."""
    at = next((n for n, word in enumerate(words[1:], 1) if word.known and word.text in _TEXTS[name]), None)
    if at is None:
        return ()
    given = read_options(words[at + 1 :], wrapper(name).options)
    inner = Inner(name, None, False, True, own_shell=True)
    rest = given.rest[1:] if given.rest and given.rest[0].text == "--" else given.rest
    found = joined(inner, rest, feed, nest)
    return found if found and given.sure else (*found, inner)


def _et(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """Its text stands behind -c, on either side of the host."""
    inner = Inner(name, None, False, True, own_shell=True)
    for at, word in enumerate(words):
        option, equals, text = word.text.partition("=")
        if option in ("-c", "--command") and (equals or at + 1 < len(words)):
            return nest.text(Word(text, word.known) if equals else words[at + 1], inner)
    return (inner,)


def _mosh(name: str, words: tuple[Word, ...], feed: Feed, nest: Nest) -> tuple[Inner, ...]:
    """Remote shells with options of their own: words behind `--`, or a text behind --command and -c."""
    if name != "mosh" and not any(word.text == "ssh" for word in words):
        return ()
    inner = Inner(name, None, False, True, own_shell=True)
    for at, word in enumerate(words):
        option, equals, text = word.text.partition("=")
        if option in ("--command", "-c", "-C") and (equals or at + 1 < len(words)):
            return (*nest.text(Word(text, word.known) if equals else words[at + 1], inner), inner)
    rest = after_dashes(words)
    return (inner,) if rest is None else behind(inner, rest, feed, nest, False)


_TEXTS = {"heroku": _names("run run:detached run:inside ps:exec"), "minikube": _names("ssh")}
_REMOTE_VERBS = _names("exec run debug rsh ssh")
READERS: Mapping[str, _Reader] = {
    **dict.fromkeys(("ssh", "slogin", "rsh", "autossh"), _ssh),
    **dict.fromkeys(("docker", "podman", "nerdctl", "docker-compose", "podman-compose"), _docker),
    **dict.fromkeys(("kubectl", "oc", "k3s", "microk8s", "flyctl", "nomad"), _cluster),
    **dict.fromkeys(_TEXTS, _one_text),
    "et": _et,
    **dict.fromkeys(("mosh", "vagrant", "gcloud", "fly"), _mosh),
}
