"""Make the virtual environment that the Makefile uses. Plain Python, nothing to install first.

Runs under any Python 3, so that an old one gets a sentence instead of a syntax error.
"""

import os
import subprocess
import sys

LEAST = (3, 11)


def run(*words, **more):
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.call(list(words), env=env, **more)


def usable(python):
    if not os.path.exists(python):
        return False
    with open(os.devnull, "w") as nowhere:
        return run(python, "-c", "import pip", stderr=nowhere) == 0


def main(folder):
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
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    if run(*pip, "--require-hashes", "-r", "requirements/dev.txt"):
        return (
            "the packages could not be installed; check the connection to the package index and run it again"
        )
    if run(*pip, "--no-deps", "--no-build-isolation", "-e", "."):
        return "donewhen itself could not be installed; see above"
    run(python, "-m", "compileall", "-q", "src")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
