"""Rules about the machine, other people's data, rights, shown credentials, and what can't be told."""

import re
from functools import lru_cache

from donewhen.guard.decision import Found
from donewhen.guard.effects import (
    Alters,
    Destroys,
    Disguises,
    Executes,
    Exhausts,
    HostAccess,
    Loads,
    Persists,
    Raises,
    Reveals,
    Signals,
    Unknown,
)
from donewhen.guard.programs import readers
from donewhen.guard.rules.rule import Rule, Setting, always


def _sure(effect: Destroys, found: Found, setting: Setting) -> bool:
    return effect.sure


def _device(effect: Destroys, found: Found, setting: Setting) -> bool:
    return effect.what == "disk" and effect.target.startswith("/dev/")


def _unsure(effect: Destroys, found: Found, setting: Setting) -> bool:
    return not effect.sure


def _all(effect: Signals, found: Found, setting: Setting) -> bool:
    return effect.target == "everything"


def _some(effect: Signals, found: Found, setting: Setting) -> bool:
    return effect.target in ("process", "named")


def _environment(effect: Reveals, found: Found, setting: Setting) -> bool:
    return effect.what == "environment"


def _credential(effect: Reveals, found: Found, setting: Setting) -> bool:
    return effect.what != "environment"


def _dangerous_name(effect: Executes, found: Found, setting: Setting) -> bool:
    patterns = setting.ground.danger_patterns
    return bool(patterns) and effect.program not in readers() and named_dangerous(effect.program, patterns)


def named_dangerous(name: str, patterns: tuple[str, ...]) -> bool:
    return _compiled(patterns).search(name) is not None


@lru_cache(maxsize=32)
def _compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in patterns) or r"(?!)", re.IGNORECASE)


RULES = (
    Rule(
        "data-loss",
        (Destroys,),
        "deny",
        _sure,
        match=("dropdb production", "mkfs.ext4 /dev/sda1", "kubectl delete namespace prod"),
        not_match=("kubectl get pods", "grep -rn 'DROP TABLE' migrations/"),
        locked=_device,
    ),
    Rule(
        "data-change",
        (Destroys,),
        "ask",
        _unsure,
        match=("kubectl apply -f prod.yml", "terraform apply"),
        not_match=("terraform plan", "docker compose up -d"),
    ),
    Rule(
        "signal-all",
        (Signals,),
        "deny",
        _all,
        match=("kill -9 -1", "pkill -u dev"),
        not_match=("kill %1", "kill -l"),
    ),
    Rule(
        "signal",
        (Signals,),
        "ask",
        _some,
        match=("pkill node", "kill 4321"),
        not_match=("kill %1",),
    ),
    Rule(
        "privilege",
        (Raises,),
        "ask",
        always,
        match=("sudo make install", "chmod u+s tool"),
        not_match=("echo sudo", "grep sudo docs/install.md"),
    ),
    Rule(
        "persistent-job",
        (Persists,),
        "deny",
        always,
        match=("crontab jobs.txt", "systemctl enable --now x.service"),
        not_match=("crontab -l", "systemctl status x"),
    ),
    Rule(
        "machine-state",
        (Alters,),
        "ask",
        always,
        match=("mount /dev/sdb1 /mnt", "iptables -F"),
        not_match=("mount", "date"),
    ),
    Rule(
        "host-access",
        (HostAccess,),
        "ask",
        always,
        match=("docker run -v /:/host alpine ls /host",),
        not_match=("docker run --rm alpine true", "docker run -v ./data:/data alpine true"),
    ),
    Rule(
        "loaded-code",
        (Loads,),
        "ask",
        always,
        match=("LD_PRELOAD=./x.so git status", "PATH=/tmp/bin:$PATH git status"),
        not_match=("NODE_ENV=test npm test",),
    ),
    Rule(
        "exhaustion",
        (Exhausts,),
        "deny",
        always,
        match=(":(){ :|:& };:", "perl -e 'fork while 1'"),
        not_match=("f() { echo hi; }; f",),
    ),
    Rule(
        "look-alike",
        (Disguises,),
        "ask",
        always,
        match=("g\u0456t status",),
        not_match=("echo 'für alle'", "git commit -m 'naïve'"),
    ),
    Rule(
        "environment",
        (Reveals,),
        "ask",
        _environment,
        match=("env", "printenv"),
        not_match=("env NODE_ENV=test npm test", "printenv PATH"),
    ),
    Rule(
        "credential",
        (Reveals,),
        "deny",
        _credential,
        match=("echo $GITHUB_TOKEN", "env | grep -i secret", "gh auth token"),
        not_match=("echo $PATH",),
        locked=always,
    ),
    Rule(
        "dangerous-name",
        (Executes,),
        "ask",
        _dangerous_name,
        match=("./tools/drop-all-tables",),
        not_match=("./tools/build", "grep -rn force src"),
    ),
    Rule(
        "unknown",
        (Unknown,),
        "ask",
        always,
        match=("$COMMAND x", 'eval "$TEXT"', "cat x.txt | sh"),
        not_match=("npm test", "echo $HOME"),
    ),
)
