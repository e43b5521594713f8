"""Infrastructure as code and other machines: plans are ordinary, applying may lose data, destroying does."""

import re
from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader, Text, Words
from donewhen.guard.effects import Alters, Destroys, Effect, Reads, Reveals, Writes
from donewhen.guard.options import options, read
from donewhen.guard.programs.code.values import secret_name
from donewhen.guard.programs.packages.acts import credential
from donewhen.guard.programs.packages.engine import Found, Manager, Turn, manager, reader, verbs
from donewhen.guard.programs.packages.verb_acts import acts, called, trial


def _apply(turn: Turn) -> Found:
    if not trial(turn.rest):
        gone = any(word in ("-destroy", "--destroy", "-destroy=true", "-replace") for word in turn.rest)
        yield Destroys("cloud", called(turn), sure=gone)


def _plan(turn: Turn) -> Found:
    """Where it is kept; its values may be credentials, but only apply reads them."""
    for word in turn.rest:
        name, equals, value = word.partition("=")
        if name.lstrip("-") == "out" and equals:
            yield Writes(turn.call.at(value))


_FILE_CALL = re.compile(r"""\b(?:file|filebase64|templatefile|fileset)\w*\(\s*"([^"\n]{1,400})\"""")


def _console(turn: Turn) -> Found:
    """Expressions on its input may show files."""
    for path in _FILE_CALL.findall(turn.call.stdin or ""):
        yield Reads(turn.call.at(path))


def _output(turn: Turn) -> Found:
    """One value in the clear."""
    if any(credential(word) or secret_name(word) for word in turn.given.operands):
        yield Reveals("credential", called(turn))


def _config(turn: Turn) -> Found:
    if any(word.startswith("--show-secrets") for word in turn.rest):
        yield Reveals("credential", called(turn))


def _again(turn: Turn) -> Found:
    """`terragrunt run-all apply`, `terragrunt run --all -- destroy`: the words behind are its own."""
    words = [word for word in turn.rest if word != "--"]
    while words and words[0].startswith("-"):
        words.pop(0)
    if words:
        yield Words((turn.call.argv[0], *words), turn.call.name)


_TERRAFORM = manager(
    values="-chdir -out --terragrunt-config --terragrunt-working-dir --working-dir --config",
    verbs={
        **verbs(
            plan="plan",
            output="output",
            console="console",
            _="validate fmt init show graph providers version test "
            "metadata get modules "
            "hclfmt hcl render-json render dag find list info stack catalog scaffold",
            apply="apply",
            sure="destroy",
            unsure="import taint untaint force-unlock refresh push rename",
            alter="login logout",
            again="run-all run",
        ),
        "state": verbs(_="list show", unsure="rm mv push replace-provider", reveal="pull"),
        "workspace": verbs(_="list show select new", unsure="delete"),
        "env": verbs(_="list select new", unsure="delete"),
    },
    other="unsure",
)
_TABLES: Mapping[str, Manager] = {
    **dict.fromkeys(("terraform", "tofu", "terragrunt", "tf", "opentofu"), _TERRAFORM),
    "pulumi": manager(
        values="-s -C --stack --cwd --config-file -m --message -e",
        verbs={
            **verbs(
                _="preview pre plan logs about whoami new install schema version history help "
                "package policy plugin convert env",
                unsure="up update import refresh cancel watch",
                sure="destroy down",
                alter="login logout",
            ),
            "stack": {
                **verbs(
                    _="ls list init select graph history tag",
                    config="output export",
                    unsure="import rename change-secrets-provider",
                    sure="rm",
                ),
                "": "config",
            },
            "config": {**verbs(_="set rm cp refresh env", config="get"), "": "config"},
            "state": verbs(unsure="unprotect rename repair upgrade move", sure="delete"),
        },
        other="",
    ),
    "sam": manager(
        values="--stack-name --region --profile -t --template --config-file --config-env",
        verbs={
            **verbs(
                _="build validate logs init list package traces pipeline docs",
                unsure="deploy sync publish",
                sure="delete",
            ),
            "local": verbs(_="invoke start-api start-lambda generate-event"),
            "remote": verbs(unsure="invoke"),
        },
    ),
    "packer": manager(
        verbs=verbs(_="validate fmt init inspect version console hcl2_upgrade plugins", unsure="build")
    ),
    "vagrant": manager(
        verbs={
            **verbs(
                _="up status global-status halt suspend resume reload provision ssh ssh-config "
                "port validate version init "
                "snapshot rdp help",
                unsure="destroy package",
                publish="push",
                alter="login",
            ),
            "box": verbs(_="list outdated", install="add update", unsure="remove prune"),
            "plugin": verbs(_="list", install="install update", alter="uninstall"),
        }
    ),
    "nixos-rebuild": manager(
        verbs=verbs(_="build dry-build dry-activate build-vm", alter="switch boot test")
    ),
    "home-manager": manager(verbs=verbs(_="build news packages generations", alter="switch"), other="alter"),
    "darwin-rebuild": manager(verbs=verbs(_="build check", alter="switch activate")),
    "puppet": manager(
        verbs=verbs(_="parser lookup module describe facts help", alter="apply agent resource")
    ),
    "chef-client": manager(verbs={}, bare="alter", other="alter"),
    "knife": manager(verbs=verbs(_="list show search status"), other="unsure"),
    "salt": manager(verbs=verbs(_="test.ping"), other="unsure"),
    "salt-call": manager(verbs=verbs(_="test.ping grains.items"), other="alter"),
    "crossplane": manager(verbs=verbs(_="beta version"), other="unsure"),
    "copilot-cli": manager(verbs=verbs(sure="delete"), other="unsure"),
    "sst": manager(
        values="--stage",
        verbs=verbs(
            _="dev diff version shell types init", unsure="deploy refresh", sure="remove", config="secret"
        ),
    ),
    "aws-nuke": manager(verbs=verbs(_="version"), bare="sure", other="sure"),
    "cloud-nuke": manager(verbs=verbs(_="version"), bare="sure", other="sure"),
    "infracost": manager(verbs={}),
    "terraformer": manager(verbs=verbs(_="plan version")),
    "clever": manager(
        verbs=verbs(_="status logs applications activity", unsure="deploy restart stop env", sure="delete")
    ),
}
_ACTS = acts(
    "cloud", apply=_apply, plan=_plan, output=_output, console=_console, config=_config, again=_again
)
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
    **{name: reader(table, _ACTS) for name, table in _TABLES.items()},
    "ansible": ansible,
    "ansible-playbook": ansible_playbook,
    "ansible-pull": ansible_pull,
    "ansible-console": ansible_pull,
    "k3s": _kubectl_behind,
    "microk8s": _kubectl_behind,
    "k0s": _kubectl_behind,
}
