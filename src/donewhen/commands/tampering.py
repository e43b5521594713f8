"""What makes a later command of a line prove nothing: the exam was changed, or another program may answer.

It never judges whether an action is allowed (that is the guard's), only whether a check after it still is
the check. Where a program writes something that can't be told apart from the exam, that counts as a change;
unknown targets count as harm. What the project's own runners do (install, build, test) is no change.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from donewhen.commands.words import pattern, word_list, word_set
from donewhen.core.lazy import lazy
from donewhen.core.tree import Redirect, Text, Variable, Word
from donewhen.shell.expansion import START, value
from donewhen.shell.state import State
from donewhen.shell.tables import Place, beside, check_pattern, load_tables

CHANGED = "commands.changed"
FUNCTION = "commands.function"


def may_write(word: Word) -> bool:
    """Is a file that can be written without touching what is examined?"""
    text = word.text
    if ".." in text.split("/"):
        return False
    if text.startswith(word_list("free_places")) or (text.lower() == "nul" and word.known):
        return True
    if not word.known:
        return False
    parts = [part for part in text.replace("\\", "/").split("/") if part not in ("", ".")]
    if text.startswith("/") or not parts or any(part in word_set("installed") for part in parts):
        return False
    if any(part in word_set("leftovers") for part in parts):
        return True
    inside_exam = any(pattern("exam_folders", re.IGNORECASE).fullmatch(part) for part in parts[:-1])
    name = parts[-1]
    if inside_exam or pattern("exam_names", re.IGNORECASE).fullmatch(name):
        return False
    if pattern("leftover_names").fullmatch(name):
        return True
    return any(pattern(each, re.IGNORECASE).fullmatch(name) for each in ("report_names", "output_names"))


def may_remove(word: Word) -> bool:
    """Is it left over from a build, or installed, so that a check makes it anew or fails without it?"""
    text = word.text.rstrip("/")
    if text.startswith(word_list("free_places")) and ".." not in text.split("/"):
        return True
    parts = [part for part in text.replace("\\", "/").split("/") if part not in ("", ".")]
    if ".." in parts or text.startswith(("/", "~", "$", "`")) or not parts:
        return False
    if any(part in word_set("leftovers") or part in word_set("installed") for part in parts):
        return True
    inside_exam = any(pattern("exam_folders", re.IGNORECASE).fullmatch(part) for part in parts[:-1])
    plain = word.known or not set(text) & set("$`{")
    return (
        plain and bool(pattern("leftover_names").fullmatch(parts[-1].lstrip("*") or "*")) and not inside_exam
    )


def writes(redirects: Sequence[Redirect]) -> bool:
    """Does a redirection write over something that may be part of the exam?"""
    return any(
        redirect.operator in (">", ">>", ">|", "&>", "&>>", "<>", ">&")
        and not (
            redirect.operator == ">&" and (redirect.target.text.isdigit() or redirect.target.text == "-")
        )
        and not _is_substitution(redirect.target)
        and not may_write(redirect.target)
        for redirect in redirects
    )


def _is_substitution(word: Word) -> bool:
    return word.text.startswith(">(")


# programs

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


# tools that rewrite files: formatters, fixers, upgraders, and scripts that may do anything

_RUNNERS = lazy(
    r"(?:(?:npx|bunx|pnpx|uvx)|(?:pnpm|yarn|npm|bun) (?:exec|dlx|x)|(?:uv|poetry|pdm|pipenv|rye|hatch) run"
    r"|pixi run|pipx run|bundle exec|python[0-9.]* -m|py -m|uv tool run)(?= )"
)
_SCRIPTS = lazy(
    r"(?:(?:npm|pnpm|yarn|bun)(?: run)?|make|just|task|rake|composer(?: run)?|nox -s|tox -e|invoke|poe) "
    r"(?=\S*(?:fix|format|fmt|prettify|codemod))(?!\S*(?:check|verify|test|ci\b|diff|dry))\S+"
)
_INTERPRETED = lazy(
    r"(?:python|pypy|node|ruby|perl|php|tsx|ts-node|Rscript|lua|deno run|bun run)[0-9.]*(?: -\S+)* "
    r"(?!\S*(?:manage\.py|setup\.py|node_modules/))\S+\.(?:py|[cm]?[jt]sx?|rb|pl|php|lua|R)\b"
)
_TABLE = beside(__file__, "writers.toml")
_MOST = 64


def check_row(place: Place, row: Any) -> Any:
    """Ways of a tool to write, each by one pattern of its options."""
    for each in row if isinstance(row, list) else ():
        if set(each) - {"verb"} not in ({"writes"}, {"looks"}):
            raise place.error(next(iter(each), ""), "a way has `writes` or `looks`, and perhaps a `verb`")
        for key, text in each.items():
            check_pattern(place, key, text)
    if not isinstance(row, list):
        raise place.error("", "write it as [[name]]")
    return row


@cache
def _writers() -> dict[str, Any]:
    return load_tables(_TABLE, check_row)


def rewrites(words: Words) -> bool:
    """`words` are a whole command, program first, in its plain spelling."""
    text = " ".join(word.text for word in words[:_MOST])
    if _SCRIPTS.match(text) or _INTERPRETED.match(text):
        return True
    runner = _RUNNERS.match(text)
    bare_words = words[len(runner[0].split()) :] if runner else words
    while runner and bare_words and bare_words[0].text.startswith("-"):
        bare_words = bare_words[1:]
    if not bare_words:
        return False
    bare = [word.text for word in bare_words]
    name, rest = bare[0].replace("\\", "/").rpartition("/")[2], bare[1:]
    if name == "rimraf":
        return _removes(bare_words[1:])
    if name == "gh":
        return rest[:2] in (["pr", "checkout"], ["repo", "sync"]) or rest[:1] == ["co"]
    return any(_writes_by(way, rest) for way in _writers().get(name, ()))


def _writes_by(way: dict[str, str], words: list[str]) -> bool:
    if way.get("verb", words[0] if words else "") != (words[0] if words else ""):
        return False
    if "writes" in way:
        return any(re.fullmatch(way["writes"], word) for word in words)
    return not any(re.fullmatch(way["looks"] + "|--help|--version|-h", word) for word in words)


# files that only set up a shell


def sets_up(file: Word, state: State) -> bool:
    """Does sourcing it only give the tools that a check needs?"""
    text = value(file, state).only
    if text is not None:
        return text in word_set("system_files") or _is_environment(text, state)
    if file.text.startswith("~/") and "HOME" not in state.env:
        return bool(pattern("home_files").fullmatch(file.text[1:]))
    if len(file.parts) != 2:
        return False
    base, rest = file.parts
    if not isinstance(base, Variable) or not isinstance(rest, Text) or base.operator or base.key:
        return False
    if base.name in state.env:
        return False
    if base.name == "NVM_DIR":
        return rest.text == "/nvm.sh"
    return base.name == "HOME" and bool(pattern("home_files").fullmatch(rest.text))


def _is_environment(text: str, state: State) -> bool:
    path = text.replace("\\", "/")
    if path.startswith(START):
        path = path[1:].lstrip("/")
    elif state.folder is None:
        return False
    path = path.removeprefix("./")
    return ".." not in path.split("/") and bool(pattern("environment_files").fullmatch(path))
