"""What of the host a container is given by its options: folders, devices, privileges.

Folders of the workspace and the temporary ones are the container's to use; the rest of the machine is said.
"""

from collections.abc import Iterator

from donewhen.guard.call import Call, Nested
from donewhen.guard.effects import Effect, HostAccess, Reads, Writes
from donewhen.guard.ground import TEMPORARY
from donewhen.guard.marks import anything

Found = Iterator[Effect | Nested]
# Options that give the host away by their mere value.
_HOST = ("--pid", "--ipc", "--uts", "--userns", "--cgroupns")
_STRONG = frozenset(
    "all sys_admin sys_ptrace sys_module dac_read_search sys_rawio dac_override net_admin bpf".split()
)
_SOFT_DEVICES = (
    "/dev/fuse",
    "/dev/dri",
    "/dev/kvm",
    "/dev/net/tun",
    "/dev/snd",
    "/dev/video",
    "/dev/nvidia",
    "/dev/tty",
    "nvidia.com",
)


def granted(call: Call, name: str, value: str) -> Found:
    value = value.removeprefix("=")  # behind a single letter it may stand, and means nothing
    low = value.lower()
    if name == "--privileged" and low not in ("false", "0"):
        yield HostAccess("--privileged")
    elif (name in _HOST and low == "host") or (
        name == "--security-opt" and ("unconfined" in low or "disable" in low)
    ):
        yield HostAccess(f"{name}={value}")
    elif name == "--cap-add" and any(one.removeprefix("cap_") in _STRONG for one in low.split(",")):
        yield HostAccess(f"--cap-add={value}")
    elif name == "--device" and not low.startswith(_SOFT_DEVICES):
        yield HostAccess(f"--device={value}")
    elif name in ("-v", "--volume"):
        yield from mounted(call, value.split(":")[0] if ":" in value else "", value.endswith((":ro", ",ro")))
    elif name == "--mount":
        yield from _mount(call, value)
    elif name in ("--env-file", "--label-file"):
        yield Reads(call.at(value), used=name == "--env-file")
    elif name == "--cidfile":
        yield Writes(call.at(value))


def _mount(call: Call, value: str) -> Found:
    parts = dict(part.partition("=")[::2] for part in value.split(","))
    if parts.get("type", "volume") == "bind" or "/" in parts.get("source", parts.get("src", "")):
        readonly = any(name in parts and parts[name] in ("", "true", "1") for name in ("readonly", "ro"))
        yield from mounted(call, parts.get("source", parts.get("src", "")), readonly)


def mounted(call: Call, source: str, readonly: bool) -> Found:
    """A folder of the host: the workspace's are the container's to use, others are said."""
    if not source or ("/" not in source and source[0] not in ".~" and not anything(source)):
        return  # a volume has a name
    path = call.at(source)
    ground = call.ground
    if anything(path):
        yield HostAccess(source)
    elif path.endswith(".sock"):
        yield HostAccess(path)
    elif path == ground.workspace or path.startswith(
        (f"{ground.workspace}/", *(f"{one}/" for one in TEMPORARY))
    ):
        yield Reads(path)
    elif (
        f"{ground.home}/".startswith(f"{path.rstrip('/')}/")
        or not readonly
        or (
            path.startswith(("/proc", "/sys", "/dev", "/etc", "/root", "/var", "/boot", "/run"))
            and path not in _ORDINARY_MOUNTS
        )
    ):
        yield HostAccess(path)
    else:
        yield Reads(path)


_ORDINARY_MOUNTS = frozenset(("/etc/localtime", "/etc/timezone", "/etc/ssl/certs", "/etc/hosts", "/dev/shm"))  # noqa: S108
