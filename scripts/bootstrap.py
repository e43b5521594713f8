"""Make the virtual environment of the Makefile, or install donewhen for its user. Needs nothing but Python.

Usage: bootstrap.py FOLDER, or bootstrap.py --user PREFIX: an environment in PREFIX/share/donewhen and the
command in PREFIX/bin. `--remove PREFIX` takes both away; what donewhen keeps of runs stays.

Runs under any Python 3, so that an old one gets a sentence instead of a syntax error.
"""

import os
import shutil
import subprocess
import sys

LEAST = (3, 11)
NO_PACKAGES = (
    "the packages could not be installed; check the connection to the package index and run it again"
)


def run(*words, **more):
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.call(list(words), env=env, **more)


def usable(python):
    if not os.path.exists(python):
        return False
    with open(os.devnull, "w") as nowhere:
        return run(python, "-c", "import pip", stderr=nowhere) == 0


def say(text):
    print(text, file=sys.stderr, flush=True)


def installed(pip, pinned):
    """Install what a file pins, and count the packages: a minute of silence looks like a hang."""
    with open(pinned) as file:
        total = sum("==" in line for line in file)
    command = (*pip, "--progress-bar", "off", "--require-hashes", "-r", pinned)
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    child = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, universal_newlines=True)
    seen = 0
    for line in child.stdout or ():
        if line.startswith(("Collecting ", "Installing collected")):
            seen += line.startswith("Collecting ")
            step = "installing" if line.startswith("Installing") else "fetching"
            end = "\r" if sys.stderr.isatty() else "\n"
            if sys.stderr.isatty() or step == "installing" or seen % 20 == 1:
                print(
                    "  %s %d of at most %d packages" % (step, seen, total),
                    end=end,
                    file=sys.stderr,
                    flush=True,
                )
    return child.wait()


def ready(folder):
    """The environment with its pip; else what to do."""
    if sys.version_info < LEAST:
        return (
            "donewhen needs Python 3.11 or newer, this is %d.%d; run `make PYTHON=python3.12 ...`"
            % sys.version_info[:2]
        )
    python = os.path.join(folder, "bin", "python")
    if not usable(python) and run(sys.executable, "-m", "venv", "--clear", folder):
        return (
            "python3 can't make a virtual environment; on Debian and Ubuntu install the package python3-venv"
        )
    return None


def main(folder):
    """For work on donewhen: everything, and donewhen itself as it stands here."""
    trouble = ready(folder)
    if trouble:
        return trouble
    python = os.path.join(folder, "bin", "python")
    pip = (python, "-m", "pip", "install", "--disable-pip-version-check")
    say("Setting up %s, once; this takes a minute or two." % folder)
    if installed(pip, "requirements/dev.txt"):
        return NO_PACKAGES
    say("  donewhen itself" + " " * 20)
    if run(*pip, "--quiet", "--no-deps", "--no-build-isolation", "-e", "."):
        return "donewhen itself could not be installed; see above"
    run(python, "-m", "compileall", "-q", "src")
    return 0


def places(prefix):
    prefix = os.path.abspath(os.path.expanduser(prefix))
    return os.path.join(prefix, "share", "donewhen"), os.path.join(prefix, "bin", "donewhen")


def install(prefix):
    """For who uses it: a copy of its own, which needs this repository no more."""
    folder, command = places(prefix)
    program = os.path.join(folder, "bin", "donewhen")
    if os.path.lexists(command) and os.path.realpath(command) != os.path.realpath(program):
        return "%s is there already and is not ours; remove it, or run `make install PREFIX=...`" % command
    trouble = ready(folder)
    if trouble:
        return trouble
    pip = (os.path.join(folder, "bin", "python"), "-m", "pip", "install", "--disable-pip-version-check")
    say("Installing donewhen into %s." % folder)
    if installed(pip, "requirements/base.txt"):
        return NO_PACKAGES
    if run(*pip, "--quiet", "--no-deps", "--force-reinstall", "."):
        return "donewhen itself could not be installed; see above"
    os.makedirs(os.path.dirname(command), exist_ok=True)
    if not os.path.lexists(command):
        os.symlink(program, command)
    say("%s is ready." % command)
    if os.path.dirname(command) not in os.environ.get("PATH", "").split(os.pathsep):
        say("Add %s to your PATH." % os.path.dirname(command))
    return 0


def remove(prefix):
    folder, command = places(prefix)
    if os.path.realpath(command) == os.path.realpath(os.path.join(folder, "bin", "donewhen")):
        os.remove(command)
    if usable(os.path.join(folder, "bin", "python")):
        shutil.rmtree(folder)
    say("donewhen is removed; what it keeps of runs stays in ~/.local/state/donewhen.")
    return 0


if __name__ == "__main__":
    mode = {"--user": install, "--remove": remove}.get(sys.argv[1])
    sys.exit(mode(sys.argv[2]) if mode else main(sys.argv[1]))
