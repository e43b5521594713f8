"""Programs that print credentials: the environment, password managers, key rings, histories.

Printing a variable that is called like a secret is reading it; the whole environment is a case of its own.
`env` with a command is a wrapper and not meant here.
"""

import re
from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader
from donewhen.guard.effects import Alters, Deletes, Effect, Reads, Reveals, Unknown, Writes
from donewhen.guard.marks import ENVIRONMENT, SECRET, certain
from donewhen.guard.options import names, options, read
from donewhen.guard.programs.printing.lines import secret_variable

_ENV = options("i0v", "uCSPa", "ignore-environment null debug", "unset chdir split-string", first=True)
_GPG = options(
    "abcdehkKnqstvzy", "oruNfi", "armor batch yes quiet verbose detach-sign clearsign clear-sign sign "
    "encrypt decrypt symmetric verify list-keys list-secret-keys fingerprint import export "
    "export-secret-keys export-secret-subkeys delete-keys delete-secret-keys gen-key generate-key "
    "full-generate-key edit-key recv-keys refresh-keys",
    "output recipient local-user homedir passphrase passphrase-file passphrase-fd pinentry-mode keyserver "
    "default-key trust-model status-fd keyring",
)  # fmt: skip
_GPG_WRITES = (
    "--import",
    "--gen-key",
    "--generate-key",
    "--full-generate-key",
    "--edit-key",
    "--recv-keys",
    "--delete-keys",
)
_PS = options(
    "AaCdeEfFHjlLMmNrSTvVwxXZ", "CGgkOopqstUu", "no-headers forest", "format pid ppid sort user group cols"
)
_VARIABLE = re.compile(r"\$\{?([A-Za-z_]\w{0,100})")

# Programs whose first words decide: these print secrets, those change what is stored.
_SHOWS: Mapping[str, frozenset[str]] = {
    "security": names(
        "find-generic-password find-internet-password dump-keychain export find-key find-identity"
    ),
    "secret-tool": names("lookup search"),
    "keyring": names("get"),
    "bw": names("get list export unlock"),
    "rbw": names("get code"),
    "lpass": names("show export"),
    "gopass": names("show cat otp grep find"),
    "keepassxc-cli": names("show export clip attachment-export"),
    "kwallet-query": names("-r -l"),
    "op": names("read item document inject signin"),
    "vault": names("read print") | {"kv get", "kv list", "token lookup", "token create"},
    "sops": names("-d --decrypt decrypt exec-env exec-file"),
    "ansible-vault": names("view decrypt"),
    "chamber": names("read export env"),
    "doppler": names("secrets"),
    "infisical": names("secrets export"),
    "aws-vault": names("export"),
    "age": names("-d --decrypt"),
    "credstash": names("get getall"),
    "teller": names("show env export"),
    "berglas": names("access"),
}
_ALTERS: Mapping[str, frozenset[str]] = {
    "security": names("add-generic-password add-internet-password delete-generic-password "
        "delete-internet-password import delete-keychain set-keychain-settings add-trusted-cert "
        "remove-trusted-cert authorizationdb"),
    "secret-tool": names("store clear"),
    "keyring": names("set del"),
    "bw": names("create edit delete restore"),
    "lpass": names("add edit rm"),
    "gopass": names("insert edit rm generate"),
    "op": names("vault user group"),
    "vault": names("write delete operator policy auth secrets token lease kv"),
}  # fmt: skip
_PASS_LISTS = frozenset(("ls", "list", "find", "search", "help", "version", "git", "init"))
_PASS_WRITES = frozenset(("insert", "add", "edit", "generate", "mv", "rename", "cp", "copy"))


def _echo(call: Call) -> Iterator[Effect | Nested]:
    """Words are printed, so a secret among them is shown."""
    if call.name == "printf" and call.argv[1:2] == ("-v",):
        return
    text = "".join(call.argv[1:])
    if SECRET in text:
        yield Reveals("variable")
    if ENVIRONMENT in text:
        yield Reveals("environment")


def _env(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _ENV)
    if given.has("-S", "--split-string") or any("=" not in word for word in given.operands):
        return
    if not given.has("-i", "--ignore-environment"):
        yield Reveals("environment")


def _printenv(call: Call) -> Iterator[Effect | Nested]:
    wanted = [word for word in call.argv[1:] if not word.startswith("-")]
    if not wanted:
        yield Reveals("environment")
    for name in wanted:
        if not certain(name) or secret_variable(name):
            yield Reveals("variable", name)


def _declared(call: Call) -> Iterator[Effect | Nested]:
    """`export`, `declare -p`, `declare -p NAME`; with a name alone they print nothing."""
    words = call.argv[1:]
    flags = [word for word in words if word.startswith(("-", "+"))]
    wanted = [word for word in words if not word.startswith(("-", "+"))]
    if not wanted:
        functions = any("f" in flag or "F" in flag for flag in flags)
        if not functions:
            yield Reveals("environment")
    elif any("p" in flag for flag in flags):
        for name in wanted:
            if not certain(name) or secret_variable(name):
                yield Reveals("variable", name)


def _set(call: Call) -> Iterator[Effect | Nested]:
    if len(call.argv) == 1:
        yield Reveals("environment")


def _history(call: Call) -> Iterator[Effect | Nested]:
    words = call.argv[1:]
    if (
        not words
        or words[0].isdigit()
        or not certain(words[0])
        or (call.name == "fc" and words[0].startswith("-l"))
    ):
        yield Reveals("credential", call.name)
    elif call.name == "fc":
        yield Unknown("guard.unknown_text", " ".join(words))  # lines of the history are run again
    for at, word in enumerate(words):
        if word in ("-w", "-a"):
            yield Writes(
                call.at(words[at + 1]) if at + 1 < len(words) else f"{call.ground.home}/.bash_history"
            )
        if word in ("-r", "-n") and at + 1 < len(words):
            yield Reads(call.at(words[at + 1]))


def _ps(call: Call) -> Iterator[Effect | Nested]:
    """`e` without a dash (and -E of macOS) adds the environment of every process."""
    given = read(call.argv[1:], _PS)
    if given.has("-E") or any(word.isalpha() and word.isascii() and "e" in word for word in given.operands):
        yield Reveals("environment")
    if any("environ" in value or "env" in value.split(",") for value in given.all("-o", "-O", "--format")):
        yield Reveals("environment")


def _stored(call: Call) -> Iterator[Effect | Nested]:
    """Password managers: the first words say what they do."""
    words = [word for word in call.argv[1:] if word]
    shows, alters = _SHOWS.get(call.name, frozenset()), _ALTERS.get(call.name, frozenset())
    first = words[0] if words else ""
    acts = [word for word in words if not word.startswith("-")]
    name = acts[0] if acts else first
    if first in shows or name in shows or " ".join(acts[:2]) in shows or not certain(name):
        yield Reveals("credential", call.name)
    elif name in alters:
        yield Alters(call.name)


def _pass(call: Call) -> Iterator[Effect | Nested]:
    words = [word for word in call.argv[1:] if not word.startswith("-")]
    store = f"{call.ground.home}/.password-store"
    if not words or words[0] in _PASS_LISTS:
        return
    if words[0] in _PASS_WRITES:
        yield Writes(f"{store}/{words[-1]}" if len(words) > 1 else store)
    elif words[0] in ("rm", "remove", "delete"):
        yield from (Deletes(f"{store}/{word}", deep=True) for word in words[1:])
    else:
        yield Reveals("credential", call.name)


def _gpg(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _GPG)
    keyring = given.value("--homedir") or f"{call.ground.home}/.gnupg"
    if given.has("--export-secret-keys", "--export-secret-subkeys", "--export-ssh-key"):
        yield Reveals("credential", call.name)
    elif given.has("--delete-secret-keys", "--delete-secret-and-public-key", "--delete-secret-key"):
        yield Deletes(call.at(keyring), deep=True)
    elif given.has(*_GPG_WRITES):
        yield Alters(call.name)
    files = () if given.has("-k", "-K", "--list-keys", "--export", "--recv-keys") else given.operands
    for path in (*files, *given.all("--passphrase-file")):
        yield Reads(call.at(path))
    output = given.value("-o", "--output")
    if output is not None and output != "-":
        yield Writes(call.at(output))
    elif files and given.has("-e", "-c", "-s", "-b", "--encrypt", "--symmetric", "--sign", "--detach-sign"):
        yield from (Writes(f"{call.at(path)}.gpg") for path in files)


def _envsubst(call: Call) -> Iterator[Effect | Nested]:
    """Variables that its input names are printed."""
    if call.stdin is None or "$" not in call.stdin:
        return
    for found in _VARIABLE.finditer(call.stdin):
        if secret_variable(found[1]):
            yield Reveals("variable", found[1])


def _compgen(call: Call) -> Iterator[Effect | Nested]:
    """Names only; what they hold is not printed."""
    yield from ()


READERS: Mapping[str, Reader] = {
    "echo": _echo, "printf": _echo, "env": _env, "printenv": _printenv, "export": _declared,
        "declare": _declared,
    "typeset": _declared, "readonly": _declared, "set": _set, "compgen": _compgen, "history": _history,
        "fc": _history,
    "ps": _ps, "pass": _pass, "gpg": _gpg, "gpg2": _gpg, "envsubst": _envsubst, **dict.fromkeys(_SHOWS,
        _stored),
}  # fmt: skip
