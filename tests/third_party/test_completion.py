"""Completion in the real shells."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.core.events import run
from donewhen.store import open_store
from tests.helpers import RUN, Cli

pytestmark = pytest.mark.third_party


def ask(cli: Cli, shell: str, *words: str) -> str:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = cli.env | {"PATH": path, "HOME": str(cli.folder)}
    done = subprocess.run(
        [shell, *words], env=env, cwd=cli.folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


BASH = (
    'eval "$(donewhen completion bash)"; COMP_WORDS=({line}); COMP_CWORD={at}; '
    '_donewhen_completion donewhen; printf "%s\\n" "${{COMPREPLY[@]}}"'
)


def test_bash_completes_commands_options_and_runs(cli: Cli):
    with open_store("user", state=cli.state, folder=cli.folder) as opened:
        opened.store.append(RUN, run.RunStarted("goal"))
    words = ("--noprofile", "--norc", "-c")
    assert ask(cli, "bash", *words, BASH.format(line="donewhen ex", at=1)).split() == ["export"]
    assert "--state" in ask(cli, "bash", *words, BASH.format(line="donewhen list --s", at=2)).split()
    assert ask(cli, "bash", *words, BASH.format(line="donewhen show r-", at=2)).split() == [RUN]


def test_fish_completes_commands(cli: Cli):
    out = ask(
        cli, "fish", "--no-config", "-c", 'donewhen completion fish | source; complete -C "donewhen ex"'
    )
    assert out.split()[0] == "export"


def test_zsh_takes_the_script(cli: Cli):
    script = (
        'autoload -Uz compinit; compinit -D -u; eval "$(donewhen completion zsh)"; '
        "print -r -- ${_comps[donewhen]}; "
        'COMP_WORDS="donewhen ex" COMP_CWORD=1 _DONEWHEN_COMPLETE=zsh_complete donewhen'
    )
    assert ask(cli, "zsh", "-f", "-c", script).split()[:3] == ["_donewhen_completion", "plain", "export"]
