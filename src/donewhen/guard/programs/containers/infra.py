"""ansible, and programs that hand their words to kubectl."""

from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader, Text, Words
from donewhen.guard.effects import Alters, Destroys, Effect, Reads
from donewhen.guard.options import options, read

_ANSIBLE = options(
    "vbKkoClDChsS",
    "iaimMufePtTcelB",
    "check syntax-check list-hosts list-tasks list-tags diff ask-pass become version help",
    "inventory args module-name user forks extra-vars limit tags skip-tags "
    "private-key key-file vault-password-file "
    "become-user connection module-path start-at-task",
)
_IDLE = (
    "-C",
    "--check",
    "--syntax-check",
    "--list-hosts",
    "--list-tasks",
    "--list-tags",
    "--version",
    "--help",
    "-h",
)
_ASKING = frozenset(
    "ping setup debug stat command_info gather_facts win_ping ansible.builtin.ping "
    "ansible.builtin.setup".split()
)
_SHELLS = frozenset(
    "shell command raw ansible.builtin.shell ansible.builtin.command ansible.builtin.raw script".split()
)
Effects = Iterator[Effect | Nested]


def ansible(call: Call) -> Effects:
    """One module on many machines; the default module runs a command."""
    given = read(call.argv[1:], _ANSIBLE)
    module = given.value("-m", "--module-name") or "command"
    text = given.value("-a", "--args") or ""
    if given.has(*_IDLE) or module.rpartition(".")[2] in _ASKING or not given.operands:
        return
    local = given.operands[0] in ("localhost", "127.0.0.1")
    if module in _SHELLS and text:
        yield Text(text, call.name, elsewhere="" if local else "host")
    yield Destroys("cloud", f"{call.name} {given.operands[0]} -m {module}", sure=False)


def ansible_playbook(call: Call) -> Effects:
    given = read(call.argv[1:], _ANSIBLE)
    for path in (*given.operands, *given.all("--vault-password-file", "--private-key", "--key-file")):
        yield Reads(call.at(path))
    for value in given.all("-e", "--extra-vars"):
        yield from (Reads(call.at(value[1:])),) if value.startswith("@") else ()
    if not given.has(*_IDLE) and given.operands:
        yield Destroys("cloud", f"{call.name} {given.operands[0]}", sure=False)


def ansible_pull(call: Call) -> Effects:
    yield Alters("ansible-pull")


def _kubectl_behind(call: Call) -> Effects:
    """`k3s kubectl …`, `microk8s helm …`."""
    words = call.argv[1:]
    if words and words[0].rpartition(".")[2] in ("kubectl", "helm", "ctr", "crictl"):
        yield Words(words, call.name)
    elif words and words[0] in (
        "reset",
        "uninstall",
        "leave",
        "stop",
        "server",
        "agent",
        "enable",
        "disable",
    ):
        yield Destroys("cluster", " ".join(words[:2]), sure=words[0] == "reset")


READERS: Mapping[str, Reader] = {
    "ansible": ansible,
    "ansible-playbook": ansible_playbook,
    "ansible-pull": ansible_pull,
    "ansible-console": ansible_pull,
    "k3s": _kubectl_behind,
    "microk8s": _kubectl_behind,
    "k0s": _kubectl_behind,
}
