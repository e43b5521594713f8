"""Container engines: what of the host a container gets, and what is lost with containers, images and volumes.

The command inside a container is the walker's. Building, starting and stopping the project's own services is
ordinary; folders of the workspace may be given to a container, the rest of the machine may not unasked.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from donewhen.guard.call import Call, Nested, Reader, Words
from donewhen.guard.effects import (
    Alters,
    Destroys,
    Effect,
    Fetches,
    HostAccess,
    Publishes,
    Reads,
    Sends,
    Unknown,
    Writes,
)
from donewhen.guard.marks import BELOW, WILD
from donewhen.guard.options import Given, Options, options, read
from donewhen.guard.programs.containers import cloud as containers_cloud
from donewhen.guard.programs.containers import infra as containers_infra
from donewhen.guard.programs.containers.mounts import granted, mounted
from donewhen.guard.programs.network.address import host_of
from donewhen.guard.programs.verbs import trial

Found = Iterator[Effect | Nested]
_GLOBAL = options(
    "Dv",
    "Hcl",
    "debug tls tlsverify version help remote",
    "config context host log-level tlscacert tlscert tlskey connection url identity root namespace address",
    first=True,
)
_COMPOSE = options(
    "v",
    "fp",
    "all-resources compatibility dry-run verbose version help",
    "file project-name profile env-file project-directory progress ansi parallel",
    first=True,
)
_RUN = options(
    "ditPqTlz",
    "aceehlmpuvw",
    "detach interactive tty rm init privileged read-only sig-proxy no-healthcheck "
    "disable-content-trust "
    "oom-kill-disable publish-all quiet help replace rmi no-hosts no-hostname "
    "no-deps service-ports use-aliases build "
    "quiet-pull quiet-build remove-orphans no-TTY no-tty env-host http-proxy "
    "tls-verify passwd read-only-tmpfs",
    "add-host annotation attach blkio-weight cap-add cap-drop cgroup-parent "
    "cgroupns cidfile cpu-period cpu-quota "
    "cpu-shares cpus cpuset-cpus cpuset-mems detach-keys device device-cgroup-rule "
    "dns dns-option dns-search domainname "
    "entrypoint env env-file expose gpus group-add health-cmd health-interval "
    "health-retries health-timeout hostname ip "
    "ip6 ipc isolation label label-file link log-driver log-opt mac-address memory "
    "memory-reservation memory-swap mount "
    "name net network network-alias oom-score-adj pid pids-limit platform publish "
    "pull restart runtime security-opt "
    "shm-size stop-signal stop-timeout storage-opt sysctl tmpfs ulimit user userns "
    "uts volume volume-driver "
    "volumes-from workdir pod secret timeout",
    first=True,
)
_REST = options(
    "aqfdsvt",
    "onfteclu",
    "all force volumes quiet detach rmi-x help remove-orphans follow no-trunc archive",
    "output tag file filter format build-arg target platform cache-from cache-to "
    "secret ssh label network timeout type "
    "scale since until tail project-name iidfile metadata-file builder env-file "
    "message author change time signal rmi",
)
_DOWN = options("fsvVd", "t", "stop force volumes remove-orphans renew-anon-volumes", "rmi timeout scale")
_LOSES = frozenset(
    "volume:rm volume:remove volume:prune system:prune container:rm container:prune "
    "image:rm image:remove image:prune "
    "network:rm network:prune network:remove builder:prune buildx:rm buildx:prune "
    "service:rm stack:rm stack:down "
    "secret:rm config:rm node:rm rm: rmi: kill:- prune: pod:rm pod:prune machine:rm "
    "system:reset plugin:rm "
    "swarm:leave context:rm node:update service:update service:scale compose:rm "
    "manifest:rm volume:update".split()
)
_ALTERED = frozenset(
    "login: logout: context:use context:create context:update context:import "
    "swarm:init swarm:join swarm:update "
    "node:promote node:demote plugin:install plugin:enable plugin:set plugin:create "
    "plugin:disable stack:deploy "
    "service:create machine:init machine:set system:connection generate:systemd "
    "service:rollback trust:key".split()
)
_GROUPS = frozenset(
    "volume system container image network builder buildx service stack secret "
    "config node pod machine plugin swarm "
    "context manifest trust checkpoint generate scout model mcp sandbox".split()
)
_RUNNING = frozenset(("run", "create", "exec"))


def docker(call: Call) -> Found:
    if call.name.endswith("-compose"):
        yield from _compose(call, call.argv[1:])
        return
    given = read(call.argv[1:], _GLOBAL)
    yield from _engine(given)
    words = given.operands
    if not words or given.has("--help", "--version", "-v"):
        return
    verb, rest = words[0], words[1:]
    if verb[:1] in WILD:
        yield Unknown("guard.unknown_option", call.argv[0])
    elif verb == "compose":
        yield from _compose(call, rest)
    elif verb == "unshare":
        yield from _unshared(call, rest)
    elif verb in _GROUPS:
        yield from _verb(call, verb, rest[0] if rest else "", rest[1:])
    else:
        yield from _verb(call, "", verb, rest)


def _engine(given: Given) -> Found:
    """Another machine's engine: whatever is done is done there."""
    for host in given.all("-H", "--host", "--url"):
        if "localhost" not in host and not host.startswith("unix:"):
            yield HostAccess(f"docker -H {host}")


def _verb(call: Call, group: str, verb: str, rest: Sequence[str]) -> Found:
    if verb in _RUNNING and group in ("", "container"):
        yield from _container(call, rest, verb)
        return
    if trial(tuple(rest)):
        return
    key = f"{group}:{verb}" if group else f"{verb}:"
    if key in _LOSES:
        yield Destroys("container", f"{call.name} {group} {verb}".replace("  ", " "), sure=False)
    elif key in _ALTERED:
        yield Alters(f"{call.name} {group} {verb}".replace("  ", " "))
    elif verb == "push":
        yield Publishes(call.name, " ".join(rest[-1:]))
    elif verb == "cp":
        yield from _copied(call, rest)
    elif verb in ("build", "bake") and group in ("", "buildx", "image", "builder"):
        yield from _built(call, read(rest, _REST))
    elif verb in _WITH_FILES:
        yield from _files(call, verb, read(rest, _REST))


_WITH_FILES = frozenset("save export load import commit inspect sbom kube play diff".split())


def _files(call: Call, verb: str, given: Given) -> Found:
    for path in given.all("-o", "--output"):
        if path not in ("-", "/dev/stdout"):
            yield Writes(call.at(path))
    if verb in ("load", "import"):
        for path in (*given.all("-i", "--input"), *given.operands[:1]):
            if "://" in path:
                yield Fetches(path.split("/")[2])
            elif path != "-":
                yield Reads(call.at(path))


def _built(call: Call, given: Given) -> Found:
    """The context is read; secrets may be named, results written or pushed."""
    for path in given.operands:
        if "://" in path or path.startswith(("git@", "github.com/")):
            yield Fetches(path)
        elif path != "-" and f"{call.ground.home}/".startswith(f"{call.at(path).rstrip('/')}/"):
            yield Reads(f"{call.ground.home}/{BELOW}")  # all of a context is handed to the engine
    for path in given.all("-f", "--file"):
        yield from (Reads(call.at(path)),) if path != "-" else ()
    for row in given.all("--secret"):
        for part in row.split(","):
            name, _, path = part.partition("=")
            if name in ("src", "source"):
                yield Reads(call.at(path))
    yield from _results(call, given)
    if any("insecure" in value for value in given.all("--allow")):
        yield HostAccess("docker build --allow")


def _results(call: Call, given: Given) -> Found:
    for row in given.all("-o", "--output", "--iidfile", "--metadata-file"):
        named = next((part[5:] for part in row.split(",") if part.startswith("dest=")), "")
        path = named if "=" in row else row
        if path and path != "-":
            yield Writes(call.at(path))
        if "push=true" in row or "type=registry" in row:
            yield Publishes(call.name, "build --push")
    if given.has("--push"):
        yield Publishes(call.name, "build --push")


def _copied(call: Call, rest: Sequence[str]) -> Found:
    words = read(rest, options("aqL")).operands
    if len(words) != 2:
        return
    source, target = words
    if not _inside_container(source) and source != "-":
        yield Reads(call.at(source))
    if not _inside_container(target) and target != "-":
        yield Writes(call.at(target))


def _inside_container(word: str) -> bool:
    name, colon, _ = word.partition(":")
    return bool(colon) and "/" not in name


def _container(call: Call, rest: Sequence[str], verb: str) -> Found:
    given = read(rest, _RUN)
    for name, value in given.options:
        yield from granted(call, name, value)
    if given.operands and given.operands[0][:1] in WILD and verb != "exec" and len(given.operands[0]) == 1:
        yield Unknown("guard.unknown_option", call.argv[0])


def _compose(call: Call, words: Sequence[str]) -> Found:
    given = read(words, _COMPOSE)
    yield from (Reads(call.at(path), used=True) for path in given.all("--env-file"))
    for path in given.all("-f", "--file"):
        if "://" in path:
            yield Fetches(host_of(path))
        elif path != "-":
            yield Reads(call.at(path))
    operands = given.operands
    if not operands or given.has("--dry-run"):
        return
    yield from _compose_verb(call, operands[0], operands[1:])


def _compose_verb(call: Call, verb: str, rest: Sequence[str]) -> Found:
    if verb[:1] in WILD:
        yield Unknown("guard.unknown_option", call.argv[0])
    elif verb in _RUNNING:
        yield from _container(call, rest, "exec")
    elif verb in _COMPOSE_LOSES:
        lost = _COMPOSE_LOSES[verb].intersection(name for name, _ in read(rest, _DOWN).options)
        if lost and not trial(tuple(rest)):
            yield Destroys("container", f"compose {verb} {min(lost)}", sure=False)
    elif verb in ("push", "publish") or (verb == "build" and "--push" in rest):
        yield Publishes(call.name, f"compose {verb}")
    elif verb == "cp":
        yield from _copied(call, rest)


# options with which data of the project's services goes
_COMPOSE_LOSES: Mapping[str, frozenset[str]] = {
    "down": frozenset(("-v", "--volumes", "--rmi")),
    "rm": frozenset(("-v", "--volumes")),
    "up": frozenset(("-V", "--renew-anon-volumes")),
}


def _ctr(call: Call) -> Found:
    """Tools below the engines, and machines that are managed alike."""
    words = [word for word in call.argv[1:] if word[:1] != "-"]
    if any(word in _GONE for word in words[:3]):
        yield Destroys("container", " ".join((call.name, *words[:2])), sure=False)
    if any(word in ("--privileged", "security.privileged=true") for word in call.argv):
        yield HostAccess("--privileged")
    if any(word in ("mount", "transfer", "push", "copy-files") for word in words[:2]):
        yield from (Sends(call.name, "content"),) if call.name == "ctr" else ()


_GONE = frozenset(
    "rm remove delete destroy purge undefine prune vol-delete snapshot-delete rmi stopp "
    "unregistervm closemedium --purge".split()
)


def _buildah(call: Call) -> Found:
    words = read(call.argv[1:], options(first=True)).operands
    if words[:1] == ("push",):
        yield Publishes("buildah", " ".join(words[-1:]))
    elif words[:1] == ("login",):
        yield Alters("buildah login")
    elif words[:1] and words[0] in ("rm", "rmi", "prune"):
        yield Destroys("container", f"buildah {words[0]}", sure=False)
    elif words[:1] and words[0] in ("run", "from", "bud", "build"):
        yield from _volumes(call, words[1:])
    elif words[:1] == ("unshare",):
        yield from _unshared(call, words[1:])


def _unshared(call: Call, words: Sequence[str]) -> Found:
    """Another user name space: still the files of this machine."""
    behind = read(tuple(words), options(values="m", long_values="mount", first=True)).operands
    if behind:
        yield Words(behind, call.name, stdin=call.stdin)


def _volumes(call: Call, words: Iterable[str]) -> Found:
    for name, value in read(tuple(words), _RUN_ANYWHERE).options:
        yield from granted(call, name, value)


_RUN_ANYWHERE: Options = _RUN._replace(first=False)


def _singularity(call: Call) -> Found:
    """apptainer and singularity: binds by -B, images from anywhere."""
    given = read(call.argv[1:], options("cefsw", "BHWS", "", "bind home workdir scratch"))
    for row in given.all("-B", "--bind"):
        for one in row.split(","):
            yield from mounted(call, one.split(":")[0], one.endswith(":ro"))
    if given.operands[:1] == ("push",):
        yield Publishes(call.name, " ".join(given.operands[-1:]))
    elif given.operands[:1] == ("exec",) and len(given.operands) > 2:
        # home and the working folder are the host's, unless it is told otherwise
        at = call.argv.index(given.operands[1])
        yield Words(call.argv[at + 1 :], call.name, stdin=call.stdin)


READERS: Mapping[str, Reader] = {
    **dict.fromkeys(
        (
            "docker",
            "podman",
            "nerdctl",
            "docker-compose",
            "podman-compose",
            "podman-remote",
            "finch",
            "com.docker.cli",
        ),
        docker,
    ),
    **dict.fromkeys(
        (
            "ctr",
            "crictl",
            "lxc",
            "incus",
            "virsh",
            "multipass",
            "limactl",
            "colima",
            "orb",
            "lxc-destroy",
            "VBoxManage",
            "vboxmanage",
            "prlctl",
            "machinectl",
            "distrobox",
            "toolbox",
            "lima",
            "qm",
            "pct",
        ),
        _ctr,
    ),
    "buildah": _buildah,
    "singularity": _singularity,
    "apptainer": _singularity,
    **containers_infra.READERS,
    **containers_cloud.READERS,
}
