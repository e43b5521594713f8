"""Programs that change files: did a command change what a later check in the line examines?

One reader per program, in a table. Installing what is locked, building and asking git are no change.
"""

import re
from collections.abc import Callable, Sequence

from donewhen.commands.rewriting import rewrites
from donewhen.commands.spoiling import may_remove, may_write
from donewhen.core.lazy import lazy
from donewhen.core.tree import Word

Words = Sequence[Word]


def tampers(words: Words) -> bool:
    """`words` are a whole command, program first."""
    if not words or not words[0].known:
        return False
    name = words[0].text.replace("\\", "/").rsplit("/", 1)[-1].lower()
    name = re.sub(r"\.(?:exe|cmd)$", "", name)
    reader = _PROGRAMS.get(re.sub(r"^(python|pypy|node|perl|ruby|php)[0-9.]+$", r"\1", name))
    if reader and reader(words[1:]):
        return True
    return _rewrites_expectations(name, words[1:]) or rewrites(words) or _is_own_script(words[0].text)


def _is_own_script(path: str) -> bool:
    """A script of the project may change it; tools that a package manager put there do not."""
    if "/" not in path or path.startswith("/"):
        return False
    return path.rpartition("/")[2] not in _BUILD_TOOLS and not any(each in path for each in _TOOL_FOLDERS)


_BUILD_TOOLS = frozenset("gradlew mvnw manage.py artisan rails rspec rake rubocop phpunit bundle".split())
_TOOL_FOLDERS = ("/.bin/", "venv/bin/", "venv/Scripts/", "vendor/bin/")


def _operands(words: Words, valued: str = "") -> list[Word]:
    """Words that are no options; `valued` lists options that take the next word."""
    takes, found, index, plain = valued.split(), [], 0, False
    while index < len(words):
        word = words[index]
        if plain or not word.text.startswith("-") or word.text == "-":
            found.append(word)
        elif word.text == "--":
            plain = True
        elif word.text in takes:
            index += 1
        index += 1
    return found


def _has(words: Words, *options: str) -> bool:
    return any(word.text.split("=", 1)[0] in options for word in words)


def _short(words: Words, letter: str) -> bool:
    return any(re.match(rf"-[A-Za-z0-9]*{letter}", word.text) and word.text[:2] != "--" for word in words)


def _removes(words: Words) -> bool:
    words = [word for word in words if not re.fullmatch(r"/[A-Za-z]", word.text)]  # switches of cmd
    return not all(map(may_remove, _operands(words))) or not _operands(words)


def _moves(words: Words) -> bool:
    *sources, target = _operands(words, "-t -S") or [Word("")]
    return not (all(map(may_remove, sources)) and (may_write(target) or may_remove(target)))


def _copies(words: Words) -> bool:
    found = _operands(words, "-S -m -o -g --mode --owner --group")
    return not found or not may_write(found[-1]) or _has(words, "-t", "--target-directory", "--delete")


def _writes_all(words: Words) -> bool:
    return not all(map(may_write, _operands(words, "-s -r -d -t --size --reference --date")))


def _inside(words: Words) -> bool:
    """`sed -i`, `perl -i`, `yq -i`: in place."""
    return _short(words, "i") or _has(words, "--in-place", "--inplace")


def _changes_mode(words: Words) -> bool:
    mode = next(
        (
            word.text
            for word in words
            if not word.text.startswith("--") and word.text not in ("-R", "-v", "-f")
        ),
        "",
    )
    return not re.fullmatch(r"[ugoa]*\+[rwxX]+|0?7[0-7][0-7]", mode)


def _finds(words: Words) -> bool:
    if not _has(words, "-delete", "-fprint", "-fprintf", "-fls"):
        return False
    names = [words[i + 1] for i, word in enumerate(words[:-1]) if word.text in ("-name", "-path", "-iname")]
    return not names or not all(may_remove(Word(name.text.replace("*/", ""))) for name in names)


def _downloads(words: Words) -> bool:
    targets = [words[i + 1] for i, word in enumerate(words[:-1]) if word.text in ("-o", "--output", "-O")]
    named = _short([word for word in words if word.text not in ("-o", "-O")], "O") or _has(
        words, "--remote-name"
    )
    if _has(words[-1:], "-O"):
        return True
    return named or not all(may_write(target) or target.text == "-" for target in targets)


def _fetches(words: Words) -> bool:
    targets = [
        words[i + 1] for i, word in enumerate(words[:-1]) if word.text in ("-O", "-qO", "--output-document")
    ]
    quiet = _has(words, "--spider", "-qO-", "-O-")
    return not quiet and not (targets and all(may_write(each) or each.text == "-" for each in targets))


_PRINTS = lazy(
    r"(?:import [\w., ]{1,80};?\s*){0,5}(?:print|console\.log)\((?:[\w\s.,+%'\"\[\]:-]|\(\)){0,200}\);?"
)


def _runs_code(flag: str) -> Callable[[Words], bool]:
    """An interpreter with code in the line: only printing something simple is known to be harmless."""

    def reader(words: Words) -> bool:
        for index, word in enumerate(words):
            if not word.text.startswith("-") or word.text == "-m":
                return word.text == "-"
            if word.text == "-" or re.fullmatch(rf"-[A-Za-z]*{flag}.*|--eval(?:=.*)?|--print", word.text):
                code = words[index + 1] if index + 1 < len(words) else Word("", known=False)
                return not code.known or not _PRINTS.fullmatch(code.text.strip())
        return False

    return reader


def _perl(words: Words) -> bool:
    return _inside(words) or _runs_code("[eE]")(words)


_GIT_VALUED = "-C -c --git-dir --work-tree --namespace --exec-path"
_GIT_CHANGES = frozenset(
    "stash checkout restore reset clean apply am rm mv revert cherry-pick merge rebase pull switch bisect "
    "read-tree checkout-index update-index sparse-checkout filter-branch worktree config replace".split()
)
_GIT_ASKS = {
    "stash": {"list", "show", "create", "store"},
    "worktree": {"list", "add", "prune"},
    "config": {"--get", "--get-all", "--list", "-l", "user.name", "user.email", "get", "list"},
    "bisect": {"log", "view"},
    "sparse-checkout": {"list"},
}


def _git(words: Words) -> bool:
    rest = list(words)
    while rest and rest[0].text.startswith("-"):
        taken = 2 if rest[0].text in _GIT_VALUED.split() else 1
        rest = rest[taken:]
    if not rest or rest[0].text not in _GIT_CHANGES:
        return False
    verb, rest = rest[0].text, rest[1:]
    if verb in ("checkout", "switch") and rest and rest[0].text in ("-b", "-c", "--create"):
        return len(rest) != 2
    if verb == "apply" and _has(rest, "--check", "--stat", "--numstat"):
        return False
    if verb in ("clean", "rm", "mv") and (_has(rest, "--dry-run", "--cached") or _short(rest, "n")):
        return False
    if verb == "reset":
        return _has(rest, "--hard", "--merge", "--keep")
    if verb == "config":
        return not any(word.text in _GIT_ASKS[verb] for word in rest)
    return not (rest and rest[0].text in _GIT_ASKS.get(verb, set()))


_NODE_CHANGES = frozenset(
    "add uninstall remove rm un unlink link update upgrade up set-script version dedupe import patch-package "
    "edit set".split()
)


def _node_manager(words: Words) -> bool:
    found = [word.text for word in _operands(words, "--prefix -C --dir --cwd -w --workspace --filter")]
    if not found:
        return False
    verb, rest = found[0], found[1:]
    if verb in ("install", "i", "in"):
        return bool(rest)
    if verb in ("pkg", "config", "audit"):
        return bool(rest) and rest[0] not in ("get", "list", "ls", "fund", "signatures")
    return verb in _NODE_CHANGES


def _verbs(*changing: str) -> Callable[[Words], bool]:
    """A program of which only some sub-commands change the project."""

    def reader(words: Words) -> bool:
        first = " ".join(word.text for word in _operands(words)[:2])
        return any(first == verb or first.startswith(verb + " ") for verb in changing)

    return reader


def _always(_: Words) -> bool:
    return True


_SNAPSHOT_FLAGS = lazy(
    r"--update(?:=.*)?|--updateSnapshots?|--update-snapshots?(?:=.*)?|--snapshot-update|--ci=false"
    r"|--inline-snapshot=(?:fix|create|update).*|--force-regen|--regen-all"
)
_JS_RUNNERS = frozenset(
    "npm npx pnpm pnpx yarn bun bunx jest vitest ava tap playwright react-scripts ng".split()
)
_SNAPSHOT_RUNNERS = _JS_RUNNERS | frozenset(
    "pytest py.test python python3 uv poetry tox nox hatch pdm pipenv".split()
)


def _rewrites_expectations(name: str, words: Words) -> bool:
    if name == "cargo":
        return [word.text for word in words[:2]] in (["insta", "accept"], ["insta", "review"])
    runs = any(word.text in ("test", "t", "run", "jest", "vitest", "ava", "playwright") for word in words)
    short = name in _JS_RUNNERS and (runs or name in ("jest", "vitest", "ava")) and _has(words, "-u")
    return short or (
        name in _SNAPSHOT_RUNNERS and any(_SNAPSHOT_FLAGS.fullmatch(word.text) for word in words)
    )


def _archive(words: Words) -> bool:
    first = words[0].text.lstrip("-") if words else ""
    listing = first.isalpha() and "t" in first and "x" not in first
    extracting = "x" in first or _has(words, "--extract", "--get")
    return extracting and not listing


_PROGRAMS: dict[str, Callable[[Words], bool]] = {
    **dict.fromkeys(("rm", "unlink", "shred", "trash", "rimraf", "del", "erase", "rd", "rmdir"), _removes),
    **dict.fromkeys(("mv", "rename", "move", "ren"), _moves),
    **dict.fromkeys(("cp", "install", "ln", "rsync", "copy", "xcopy", "scp"), _copies),
    **dict.fromkeys(("tee", "touch", "truncate", "sponge"), _writes_all),
    **dict.fromkeys(("sed", "gsed", "yq", "sd"), _inside),
    **dict.fromkeys(("awk", "gawk"), lambda words: _has(words, "-i") or _has(words, "inplace")),
    **dict.fromkeys(("patch", "ed", "ex", "vi", "vim", "nvim", "nano", "emacs", "unzip", "cpio"), _always),
    **dict.fromkeys(
        ("hg", "svn", "jj", "bzr"),
        _verbs(
            *"revert update up shelve strip rm switch sw patch checkout co merge pull import restore "
            "edit new abandon".split()
        ),
    ),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), _node_manager),
    **dict.fromkeys(("python", "pypy", "py"), _runs_code("c")),
    **dict.fromkeys(("node", "nodejs", "deno"), _runs_code("[ep]")),
    **dict.fromkeys(("ruby", "php"), _runs_code("[er]")),
    "perl": _perl,
    "chmod": _changes_mode,
    "find": _finds,
    "dd": lambda words: (
        not all(may_write(Word(w.text[3:], w.known)) for w in words if w.text.startswith("of="))
    ),
    "sort": lambda words: _has(words, "-o", "--output"),
    "tar": _archive,
    "curl": _downloads,
    "wget": _fetches,
    "git": _git,
    "cargo": _verbs("add", "remove", "rm", "update", "fix", "init"),
    "go": lambda words: (
        _verbs("get", "mod edit", "mod init", "work use", "work edit", "work init")(words)
        or (_verbs("env")(words) and _has(words, "-w", "-u"))
    ),
    "uv": _verbs("add", "remove", "lock"),
    "poetry": _verbs("add", "remove", "update", "config"),
    "pdm": _verbs("add", "remove", "update"),
    "composer": _verbs("require", "remove", "update", "config"),
    "dotnet": _verbs("add", "remove", "new"),
}
