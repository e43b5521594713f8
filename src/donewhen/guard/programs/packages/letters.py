"""System package managers that choose by letters or by nothing at all: dpkg, rpm, pacman, nix-env, emerge."""

from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader, Text, Words
from donewhen.guard.effects import (
    Alters,
    Deletes,
    Effect,
    Installs,
    Writes,
)
from donewhen.guard.marks import BELOW
from donewhen.guard.options import options, read
from donewhen.guard.programs.packages.acts import ACTS, source
from donewhen.guard.programs.packages.engine import Turn, manager


def _letters(
    call: Call, verbs_: str, harmless: str = "", long: tuple[str, ...] = ()
) -> Iterator[Effect | Nested]:
    """Managers whose verbs are letters: an installation unless one of the harmless letters stands beside."""
    for word in call.argv[1:]:
        if word.startswith("--"):
            if word in long:
                yield Installs(call.name, "system", source(call.argv[1:]))
                return
        elif word.startswith("-") and any(letter in verbs_ for letter in word[1:]):
            if not any(letter in harmless for letter in word[1:]):
                yield Installs(call.name, "system", source(call.argv[1:]))
            return


def dpkg(call: Call) -> Iterator[Effect | Nested]:
    long = (
        "--install",
        "--remove",
        "--purge",
        "--unpack",
        "--configure",
        "--set-selections",
        "--add-architecture",
        "--force-all",
    )
    for at, word in enumerate(call.argv):
        if word in ("-x", "-X", "--extract", "--vextract", "-R") and at + 2 < len(call.argv):
            yield Writes(f"{call.at(call.argv[at + 2])}/{BELOW}")
        elif word.startswith(("--pre-invoke=", "--post-invoke=")):
            yield Text(word.partition("=")[2], "dpkg")
    yield from _letters(call, "irPa", "lLsSpCcIfeWxX", long)


def rpm(call: Call) -> Iterator[Effect | Nested]:
    for at, word in enumerate(call.argv):
        if word in ("-E", "--eval") and "%(" in " ".join(call.argv[at + 1 : at + 2]):
            yield Text(call.argv[at + 1].partition("%(")[2].rstrip(")"), "rpm")
        elif word in ("-E", "--eval") and "%{lua:" in " ".join(call.argv[at + 1 : at + 2]):
            yield Words(("lua", "-e", call.argv[at + 1].partition("%{lua:")[2].rstrip("}")), "rpm")
        elif word == "--pipe" and at + 1 < len(call.argv):
            yield Text(call.argv[at + 1], "rpm")
    yield from _letters(
        call, "iUFe", "qVK", ("--install", "--upgrade", "--erase", "--freshen", "--import", "--rebuilddb")
    )


def pacman(call: Call) -> Iterator[Effect | Nested]:
    for word in call.argv[1:]:
        if word.startswith("-") and word[1:2] in ("S", "R", "U", "D"):
            if not any(letter in _PACMAN_LOOKS.get(word[1], "") for letter in word[2:]):
                yield Installs(call.name, "system", source(call.argv[1:]))
            return
        if word in ("--sync", "--remove", "--upgrade"):
            yield Installs(call.name, "system")
            return
    if call.name in ("yay", "paru") and all(not word.startswith("-") for word in call.argv[1:]):
        yield Installs(call.name, "system")


_PACMAN_LOOKS = {"S": "sigpl", "R": "p", "U": "p"}  # letters beside the verb with which it only tells


def nix_env(call: Call) -> Iterator[Effect | Nested]:
    changing = (
        "-i",
        "-iA",
        "-e",
        "-u",
        "-U",
        "--install",
        "--uninstall",
        "--upgrade",
        "--rollback",
        "--set",
        "-G",
        "-S",
    )
    if any(word in changing or word.startswith(("-iA", "-uA")) for word in call.argv[1:]):
        yield Installs("nix-env", "user", source(call.argv[1:]))


def always_system(call: Call) -> Iterator[Effect | Nested]:
    """No verbs at all: whatever it is given is installed or taken away."""
    if len(call.argv) > 1 and call.argv[1] not in (
        "--help",
        "-h",
        "--version",
        "-V",
        "-p",
        "--pretend",
        "-s",
        "--search",
    ):
        yield Installs(call.name, "system", source(call.argv[1:]))


def apt_key(call: Call) -> Iterator[Effect | Nested]:
    if call.argv[1:2] not in ((), ("list",), ("finger",), ("export",), ("--help",)):
        yield Alters(f"{call.name} {call.argv[1]}")


def nix_collect(call: Call) -> Iterator[Effect | Nested]:
    yield Deletes("/nix/store", deep=True)


def env_manager(call: Call) -> Iterator[Effect | Nested]:
    """`virtualenv DIR`."""
    given = read(call.argv[1:], options(values="p", long_values="python prompt seeder"))
    for path in given.operands[:1]:
        yield Writes(f"{call.at(path)}/{BELOW}")


def ansible_galaxy(call: Call) -> Iterator[Effect | Nested]:
    if "publish" in call.argv or "import" in call.argv:
        yield from ACTS["publish"](Turn(call, manager(verbs={}), "publish", (), ()))
    elif "install" in call.argv:
        yield Installs(call.name, "user", source(call.argv))


READERS: Mapping[str, Reader] = {
    "dpkg": dpkg,
    "rpm": rpm,
    **dict.fromkeys(("pacman", "yay", "paru"), pacman),
    "nix-env": nix_env,
    "nix-collect-garbage": nix_collect,
    **dict.fromkeys(
        "emerge xbps-install xbps-remove pkg_add pkg_delete installer gdebi "
        "unattended-upgrade alien rpm-ostree tasksel".split(),
        always_system,
    ),
    **dict.fromkeys(
        ("apt-key", "add-apt-repository", "apt-add-repository", "dpkg-reconfigure", "dpkg-divert"), apt_key
    ),
    "virtualenv": env_manager,
    "ansible-galaxy": ansible_galaxy,
}
