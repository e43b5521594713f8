"""Ways to write the same command differently. Each keeps what bash would run; none may turn a denial around."""

import base64
import shlex
from collections.abc import Callable

Disguise = Callable[[str], str]


def _hex(text: str) -> str:
    return "$'" + "".join(f"\\x{byte:02x}" for byte in text.encode()) + "'"


def _octal(text: str) -> str:
    return "$'" + "".join(f"\\{byte:03o}" for byte in text.encode()) + "'"


def _program(change: Callable[[str], str]) -> Disguise:
    """Only the first word of a plain command, where there is one."""

    def disguise(line: str) -> str:
        word, space, rest = line.partition(" ")
        return f"{change(word)}{space}{rest}" if word.isalnum() else line

    return disguise


WORDS: dict[str, Disguise] = {
    "single quotes": _program(lambda word: f"'{word}'"),
    "double quotes": _program(lambda word: f'"{word}"'),
    "empty quotes inside": _program(lambda word: f"{word[0]}''{word[1:]}"),
    "backslash": _program(lambda word: f"\\{word}"),
    "backslash inside": _program(lambda word: f"{word[0]}\\{word[1:]}" if word[1:] else word),
    "hex": _program(_hex),
    "octal": _program(_octal),
    "folder": _program(lambda word: f"/usr/bin/{word}"),
    "echoed": _program(lambda word: f"$(echo {word})"),
    "backticks": _program(lambda word: f"`echo {word}`"),
    "default": _program(lambda word: "${nothing_set_it:-" + word + "}"),
}


def _quoted(line: str) -> str:
    return shlex.quote(line)


def _encoded(line: str) -> str:
    return base64.b64encode(line.encode()).decode()


LINES: dict[str, Disguise] = {
    "assignment before": lambda line: f"A=1 B='x y' {line}",
    "env": lambda line: f"env -u LANG A=1 {line}",
    "command": lambda line: f"command {line}",
    "nohup": lambda line: f"nohup {line}",
    "nice": lambda line: f"nice -n 5 {line}",
    "timeout": lambda line: f"timeout -k 5 60 {line}",
    "stdbuf": lambda line: f"stdbuf -oL {line}",
    "setsid": lambda line: f"setsid {line}",
    "sudo": lambda line: f"sudo -n {line}",
    "time": lambda line: f"time {line}",
    "exec": lambda line: f"exec {line}",
}
SCRIPTS: dict[str, Disguise] = {
    "subshell": lambda line: f"( {line} )",
    "group": lambda line: f"{{ {line}\n}}",
    "negated group": lambda line: f"! {{ {line}\n}}",
    "if": lambda line: f"if true; then\n{line}\nfi",
    "else": lambda line: f"if false; then :; else\n{line}\nfi",
    "for": lambda line: f"for i in 1; do\n{line}\ndone",
    "while": lambda line: f"while true; do\n{line}\nbreak; done",
    "case": lambda line: f"case x in *)\n{line}\n;; esac",
    "function": lambda line: f"f_1() {{\n{line}\n}}; f_1",
    "eval": lambda line: f"eval {_quoted(line)}",
    "bash -c": lambda line: f"bash -c {_quoted(line)}",
    "sh -c": lambda line: f"/bin/sh -c {_quoted(line)}",
    "variable, then eval": lambda line: f'x_1={_quoted(line)}; eval "$x_1"',
    "echo to sh": lambda line: f"printf '%s\\n' {_quoted(line)} | sh",
    "here-string": lambda line: f"bash <<< {_quoted(line)}",
    "here-document": lambda line: f"bash <<'END_1'\n{line}\nEND_1",
    "base64": lambda line: f"echo {_encoded(line)} | base64 -d | bash",
    "base64 in eval": lambda line: f'eval "$(echo {_encoded(line)} | base64 --decode)"',
    "newline": lambda line: f"true\n{line}",
    "comment": lambda line: f"true # harmless\n{line}",
    "after many": lambda line: "true; " * 60 + line,
    "after a chain": lambda line: "true && " * 40 + f"{{ {line}\n}}",
    "in a pipe": lambda line: f"true | {{ {line}\n}} | cat",
    "background": lambda line: f"{{ {line}\n}} &",
    "quiet": lambda line: f"{{ {line}\n}} > /dev/null 2>&1",
    "substitution": lambda line: f"echo $( {line}\n)",
    "quoted substitution": lambda line: f'echo "$( {line}\n)"',
    "assigned substitution": lambda line: f"y_1=$( {line}\n)",
    "default value": lambda line: f": ${{z_1:=$( {line}\n)}}",
    "process substitution": lambda line: f"cat <( {line}\n)",
    "trap": lambda line: f"trap {_quoted(line)} EXIT",
    "find": lambda line: f"find . -maxdepth 0 -exec bash -c {_quoted(line)} \\;",
    "xargs": lambda line: f"echo x | xargs bash -c {_quoted(line)}",
    "written file": lambda line: f"cat > /tmp/w_1.sh <<'END_2'\n{line}\nEND_2\nbash /tmp/w_1.sh",
    "python": lambda line: f"python3 -c {_quoted(f'import os; os.system({line!r})')}",
    "awk": lambda line: f"awk {_quoted('BEGIN { system(' + _awk(line) + ') }')}",
}


def _awk(line: str) -> str:
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
