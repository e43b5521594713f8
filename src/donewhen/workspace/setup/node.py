"""JavaScript: what a package needs before its commands can run, and whether it is there already.

Pure over files. It installs at the root of a package or monorepo and nowhere else; a package without
dependencies needs nothing. A manager that is not installed is named, never replaced in the user's words.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from donewhen.core.paths import relative
from donewhen.core.texts import Phrase
from donewhen.project.folder import Folder
from donewhen.project.node_package import MANIFEST, Package, needed_by_members, read_package
from donewhen.project.programs import Need, absent, has_other_languages, need, program
from donewhen.workspace.setup.model import AtHand, Setup
from donewhen.workspace.setup.node_install import exam_env, filled, install_step, is_remade

LANGUAGE = "javascript"
_MODULES = "node_modules"
_BIN = f"{_MODULES}/.bin"
_PNP = (".pnp.cjs", ".pnp.js")
_MOVES = ("--prefix", "-C", "--cwd", "--dir")  # a manager's option for the folder of the package
# what is started by name, and how it is installed
_INSTALLS = {
    "node": "setup_node.install_node",
    "npm": "setup_node.install_node",
    "npx": "setup_node.install_node",
    "pnpm": "setup_node.install_pnpm",
    "pnpx": "setup_node.install_pnpm",
    "yarn": "setup_node.install_yarn",
    "bun": "setup_node.install_bun",
    "bunx": "setup_node.install_bun",
}


def node_setup(folder: Path, commands: Sequence[Sequence[str]]) -> Setup | None:
    """How the package of `folder` is installed for `commands`; None when they need nothing of it."""
    where, package, wanted = _asked(folder, commands)
    if package is None or wanted == "no" or not package.depends:
        return None
    optional = wanted == "maybe" and has_other_languages(Folder(folder / where), LANGUAGE)
    npm_instead = not any(program(argv).startswith(package.manager) for argv in commands)
    step = install_step(package, optional=optional, npm_instead=npm_instead)
    return Setup(
        LANGUAGE,
        where,
        (step,),
        tuple(_below(where, package.inputs)),
        tuple(_below(where, filled(package))),
        tuple(_below(where, (_BIN,))),
        exam_env(package),
        (step,) if is_remade(package) else (),
    )


def node_at_hand(folder: Path, commands: Sequence[Sequence[str]], env: Mapping[str, str]) -> AtHand | None:
    """The installed package of `folder`; None when its runner is missing, or when no command needs it.

    What else is missing shows when the tests run. In a project of several languages, a command that only may
    need it is left with what is there.
    """
    where, package, wanted = _asked(folder, commands)
    if package is None or wanted == "no" or node_missing(commands, env):
        return None
    root = folder / where
    if not package.depends:
        return AtHand(LANGUAGE, env=exam_env(package), source=MANIFEST)
    installed = next((name for name in _PNP if (root / name).is_file()), "")
    if (
        not installed
        and (root / _MODULES).is_dir()
        and (_has_runner(root, commands) or _is_complete(root, package))
    ):
        installed = _MODULES
    if not installed:
        unsure = wanted == "maybe" and has_other_languages(Folder(root), LANGUAGE)
        return AtHand(LANGUAGE) if unsure else None
    path = (str(root / _BIN),) if installed == _MODULES else ()
    return AtHand(LANGUAGE, path, exam_env(package), next(_below(where, (installed,))))


def node_missing(commands: Sequence[Sequence[str]], env: Mapping[str, str]) -> Phrase | None:
    """What is said when a command starts a program of this language that is not installed."""
    name = absent(commands, _INSTALLS, env)
    return Phrase("setup_node.missing", {"program": name, "how": Phrase(_INSTALLS[name])}) if name else None


def _asked(folder: Path, commands: Sequence[Sequence[str]]) -> tuple[str, Package | None, Need]:
    """The folder of the package that the commands are about, the package, and whether they need it."""
    where = next((moved for argv in commands if (moved := _moved(argv))), "")
    if where and not Folder(folder).has(where):
        return where, None, "no"
    package = read_package(folder / where)
    if package is None:
        return where, None, "no"
    return where, package, need(commands, LANGUAGE, frozenset(package.needed))


def _moved(argv: Sequence[str]) -> str:
    """`web` of `npm --prefix web test`; empty when the command stays, or would leave the project."""
    if program(argv) not in _INSTALLS:
        return ""
    for at, word in enumerate(argv[:20]):
        option, equals, value = word.partition("=")
        if option in _MOVES:
            inside = relative(value if equals else "".join(argv[at + 1 : at + 2]))
            return inside if inside and inside != "." else ""
    return ""


def _has_runner(root: Path, commands: Sequence[Sequence[str]]) -> bool:
    """Whether what the commands start, or the scripts that they name, comes with an installed package."""
    scripts = Folder(root).json(MANIFEST).get("scripts")
    texts = [scripts.get(word) for argv in commands for word in argv] if isinstance(scripts, dict) else []
    words = [word for text in texts if isinstance(text, str) for word in text.split()]
    words += [word.rpartition("/")[2] for argv in commands for word in argv]
    return any(word and (root / _BIN / word).is_file() for word in words if "/" not in word)


def _is_complete(root: Path, package: Package) -> bool:
    """Whether every declared dependency has a folder: a marker alone may be older than the manifest."""
    if not all((root / _MODULES / name).exists() for name in package.needed):
        return False
    return all(
        (root / member / _MODULES / name).exists() or (root / _MODULES / name).exists()
        for member, name in needed_by_members(root, package)
    )


def _below(where: str, names: Sequence[str]) -> Iterator[str]:
    return (f"{where}/{name}" if where else name for name in names)
