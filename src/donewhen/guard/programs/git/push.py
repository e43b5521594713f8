"""What `git push` in any spelling does to which branch of which remote.

Where a refspec is not known, it says so; it never guesses that a branch is harmless. A dry run changes
nothing, but the commands that it would start still count.
"""

from collections.abc import Iterator
from typing import NamedTuple

from donewhen.guard.effects import Connects, Pushes, SkipsHooks, Unknown
from donewhen.guard.marks import BELOW, HOLE, anything, shown
from donewhen.guard.options import Given, options, read
from donewhen.guard.programs.git.frame import (
    Found,
    Frame,
    branch_name,
    commands,
    delivered,
    doubts,
    every_branch,
    spread,
)

PUSH = options(
    flags="vqnfud46", values="o",
    long_flags="verbose quiet all branches mirror delete tags dry-run porcelain force force-with-lease "
    "force-if-includes set-upstream progress prune no-verify follow-tags signed atomic ipv4 ipv6 thin "
    "no-dry-run no-force no-force-with-lease no-mirror no-all no-delete no-thin no-tags no-prune "
    "verify no-progress "
    "no-signed no-atomic no-follow-tags no-quiet no-set-upstream no-recurse-submodules stateless-rpc "
    "helper-status stdin",
    long_values="repo receive-pack exec push-option recurse-submodules",
)  # fmt: skip


class Target(NamedTuple):
    ref: str
    force: bool = False
    delete: bool = False


def push(frame: Frame) -> Found:
    given = read(frame.args, PUSH)
    yield from doubts(frame, given)
    yield from commands(frame, given, "--receive-pack", "--exec")
    if given.has("--no-verify"):
        yield SkipsHooks("git push --no-verify")
    remote, specs = _remote(frame, given)
    if _dry(given):
        yield Connects(remote)
        return
    yield from delivered(frame, _address(frame, remote))
    for target in dict.fromkeys(_targets(frame, given, remote, specs)):
        if anything(target.ref):
            yield Unknown("guard.unknown_ref", f"git push {shown(target.ref)}")
        if target.force or target.delete or not anything(target.ref):
            yield Pushes(remote, *target)


def refspec(spec: str, frame: Frame, force: bool = False, delete: bool = False) -> Iterator[Target]:
    """The branches of the remote that a refspec names."""
    force = force or spec.startswith("+")
    spec = spec[1:] if spec.startswith("+") else spec
    if spec.startswith("^"):
        return
    source, colon, goal = spec.partition(":")
    if spec in ("", ":"):
        for name in every_branch(frame):
            yield Target(name, force, delete)
        return
    delete = delete or (bool(colon) and not source)
    for name in spread(goal or source, frame):
        yield Target(name, force, delete)


def _remote(frame: Frame, given: Given) -> tuple[str, tuple[str, ...]]:
    """The remote and the refspecs. With `--repo` the first operand may be meant as a refspec as well."""
    if given.operands:
        repo = given.value("--repo")
        return given.operands[0], given.operands if repo else given.operands[1:]
    own = frame.setting(f"branch.{frame.branch.lower()}.pushremote") or frame.setting("remote.pushdefault")
    return given.value("--repo") or own or frame.call.ground.remote, ()


def _address(frame: Frame, remote: str) -> str:
    name = remote.lower()
    return frame.setting(f"remote.{name}.pushurl") or frame.setting(f"remote.{name}.url") or remote


def _dry(given: Given) -> bool:
    last = [name for name, _ in given.options if name in ("-n", "--dry-run", "--no-dry-run")]
    return bool(last) and last[-1] != "--no-dry-run"


def _forced(given: Given) -> bool:
    # an abbreviation that fits several of them is still meant as force
    return any(name == "-f" or name.startswith("--for") for name, _ in given.options)


def _targets(frame: Frame, given: Given, remote: str, specs: tuple[str, ...]) -> Iterator[Target]:
    force = _forced(given)
    delete = given.has("-d", "--delete")
    mirror = given.has("--mirror") or frame.setting(f"remote.{remote.lower()}.mirror") in (
        "true",
        "push",
        "1",
        "yes",
    )
    if mirror or given.has("--all", "--branches"):
        for name in every_branch(frame):
            yield Target(name, force or mirror, given.has("--prune"))
    if given.has("--tags"):
        yield Target(f"refs/tags/{BELOW}", force)
    tag = False
    for spec in specs:
        if spec == "tag" and not tag:
            tag = True
            continue
        for target in refspec("refs/tags/" + spec if tag else spec, frame, force, delete):
            yield target
            if given.has("--prune") and "*" in spec:
                yield Target(target.ref, force, True)
        tag = False
    if not (specs or mirror or given.has("--all", "--branches", "--tags")):
        yield from _unnamed(frame, given, remote, force)


def _unnamed(frame: Frame, given: Given, remote: str, force: bool) -> Iterator[Target]:
    """Without a refspec: what settings of the call say, else the current branch."""
    configured = [value for key, value in frame.settings if key == f"remote.{remote.lower()}.push"]
    for spec in configured:
        yield from refspec(spec, frame, force)
    default = (frame.setting("push.default") or "simple").lower()
    if given.has("--prune"):
        yield from (Target(name, force, True) for name in every_branch(frame))
    elif default == "matching":
        yield from refspec(":", frame, force)
    elif default in ("upstream", "tracking"):
        merge = frame.setting(f"branch.{frame.branch.lower()}.merge")
        yield Target(branch_name(merge, frame) if merge else HOLE, force)
    elif not configured and default != "nothing":
        yield Target(frame.branch or HOLE, force)


VERBS = {"push": push, "send-pack": push, "http-push": push}
