"""Which words of text programs are files, and what shows credentials."""

from donewhen.guard.call import Nested, Text, Words
from donewhen.guard.effects import Alters, Deletes, Effect, Reads, Reveals, Unknown, Writes
from donewhen.guard.marks import BELOW, ENVIRONMENT, SECRET, STAR
from donewhen.guard.programs import readers
from tests.guard.calls import GROUND, call
from tests.tables import table_test

READERS = readers()

WORKSPACE = GROUND.workspace


def found(line: str, stdin: str | None = None, **env: str) -> list[Effect | Nested]:
    one = call(line, stdin, **env)
    return list(READERS[one.name](one))


def here(*paths: str) -> list[str]:
    return [path if path.startswith("/") else f"{WORKSPACE}/{path}".rstrip("/") for path in paths]


@table_test(
    ("line", "paths"),
    [
        ("cat .env", [".env"]),
        ("cat a - b", ["a", "b"]),
        ("head -n 5 .env", [".env"]),
        ("head -5 x", ["x"]),
        ("tail -c +10 x", ["x"]),
        ("less +F x", ["x"]),
        ("base64 -w 0 .env", [".env"]),
        ("od -A x -t x1 .env", [".env"]),
        ("cut -d = -f 2 .env", [".env"]),
        ("sort -k 2 -t , a", ["a"]),
        ("wc --files0-from=list", ["list"]),
        ("diff -u a b", ["a", "b"]),
        ("paste -d , a b", ["a", "b"]),
        ("md5sum a", ["a"]),
        ("look word /usr/share/dict", ["/usr/share/dict"]),
        ("tr a b", []),
        ("basename a/b", []),
        ("grep -rn 'rm -rf' .", [""]),
        ("grep pattern a b", ["a", "b"]),
        ("grep -e pattern a", ["a"]),
        ("grep -f patterns a", ["a", "patterns"]),
        ("grep -A3 -- --force", []),
        ("grep --color foo a", ["a"]),
        ("grep -r x", [""]),
        ("grep -r x ~", ["/home/dev"]),
        ("grep -r --include '.env*' x .", ["", f".env{STAR}"]),
        ("rg foo", [""]),
        ("rg -n foo ui/src", ["ui/src"]),
        ("rg -g '*.{ts,tsx}' x", ["", f"{STAR}.ts", f"{STAR}.tsx"]),
        ("rg -g '!*.py' x", [""]),
        ("rg --files", [""]),
        ("jq -r .a package.json", ["package.json"]),
        ("jq --arg a b .x f.json", ["f.json"]),
        ("jq --rawfile x .env -n $x", [".env"]),
        ("jq -f prog f.json", ["f.json", "prog"]),
        ("yq e .a f.yml", ["f.yml"]),
        ("""yq 'load(".env")' f""", ["f", ".env"]),
    ],
)
def test_operands_that_are_files_are_read(line: str, paths: list[str]) -> None:
    assert found(line) == [Reads(path) for path in here(*paths)]


def test_a_search_of_its_input_reads_no_folder() -> None:
    assert found("rg foo", "text") == []
    assert found("grep foo", "text") == []


@table_test(
    ("line", "paths"),
    [
        ("ls -la .env", [".env"]),
        ("stat -c %s .env", [".env"]),
        ("file .env", [".env"]),
        ("du -d 1 src", ["src"]),
        ("tree -L 2 src", ["src"]),
        ("test -f .env", [".env"]),
        ("[ -n x -a -f y ]", ["y"]),
        ("[ a -nt b ]", ["a", "b"]),
        ("[ -z .env ]", []),
        ("[ .env = x ]", []),
    ],
)
def test_looking_at_names_is_no_reading(line: str, paths: list[str]) -> None:
    assert found(line) == [Reads(path, names=True) for path in here(*paths)]


@table_test(
    ("line", "paths"),
    [
        ("sort -o out a", ["out"]),
        ("sort --outp=/etc/x a", ["/etc/x"]),
        ("uniq a b", ["b"]),
        ("xxd -r a b", ["b"]),
        ("tee a -a b", ["a", "b"]),
        ("split -l 10 f out_", [f"out_{STAR}"]),
        ("csplit f 10", [f"xx{STAR}"]),
        ("iconv -f a -o out f", ["out"]),
        ("tree -o out", ["out"]),
        ("sdiff -o out a b", ["out"]),
        ("yq -i .a=1 f.yml", ["f.yml"]),
        ("less -o log x", ["log"]),
        ("dos2unix f", ["f"]),
        ("sponge f", ["f"]),
    ],
)
def test_text_programs_that_write_say_so(line: str, paths: list[str]) -> None:
    assert [one for one in found(line) if isinstance(one, Writes)] == [Writes(path) for path in here(*paths)]


@table_test(
    ("line", "nested"),
    [
        ("sort --compress-program=./p a", Words(("./p",), "sort")),
        ("rg --pre ./p x", Words(("./p", f"{WORKSPACE}/{BELOW}"), "rg")),
        ("rg --hostname-bin ./p x", Words(("./p", f"{WORKSPACE}/{BELOW}"), "rg")),
        ("split --filter='rm x' f", Text("rm x", "split")),
        ("less '+!rm x' f", Text("rm x", "less")),
        ("bat --pager 'rm x' f", Text("rm x", "bat")),
    ],
)
def test_programs_that_they_run_are_reported(line: str, nested: Nested) -> None:
    assert nested in found(line)


def test_less_runs_its_preprocessor() -> None:
    assert Text("rm x", "less") in found("less f", None, LESSOPEN="|rm x")


@table_test(
    ("line", "effects"),
    [
        ("env", [Reveals("environment")]),
        ("env FOO=1", [Reveals("environment")]),
        ("env -i", []),
        ("env FOO=1 make", []),
        ("printenv", [Reveals("environment")]),
        ("printenv PATH HOME", []),
        ("printenv GITHUB_TOKEN", [Reveals("variable", "GITHUB_TOKEN")]),
        ("printenv DATABASE_URL", [Reveals("variable", "DATABASE_URL")]),
        ("set", [Reveals("environment")]),
        ("set -euo pipefail", []),
        ("export -p", [Reveals("environment")]),
        ("export FOO", []),
        ("declare -f", []),
        ("declare -p API_KEY", [Reveals("variable", "API_KEY")]),
        ("compgen -v", []),
        ("ps aux", []),
        ("ps -ef", []),
        ("ps auxe", [Reveals("environment")]),
        ("ps eww", [Reveals("environment")]),
        ("jq -n env", [Reveals("environment")]),
        ("jq -n env.GITHUB_TOKEN", [Reveals("variable", "GITHUB_TOKEN")]),
        ("jq -n $ENV.PATH", []),
        ("history", [Reveals("credential", "history")]),
        ("history -c", []),
        ("pass", []),
        ("pass show x", [Reveals("credential", "pass")]),
        ("pass x", [Reveals("credential", "pass")]),
        ("pass rm x", [Deletes("/home/dev/.password-store/x", deep=True)]),
        ("security find-generic-password -w -s x", [Reveals("credential", "security")]),
        ("secret-tool lookup a b", [Reveals("credential", "secret-tool")]),
        ("gpg --export-secret-keys", [Reveals("credential", "gpg")]),
        ("gpg --import k.asc", [Alters("gpg"), Reads(f"{WORKSPACE}/k.asc")]),
        ("op item get x", [Reveals("credential", "op")]),
        ("vault kv get a", [Reveals("credential", "vault")]),
        ("vault kv put a b=c", [Alters("vault")]),
        ("vault status", []),
        ("cat /proc/1/environ", [Reads("/proc/1/environ"), Reveals("environment")]),
        ("grep KEY /proc/1/environ", [Reads("/proc/1/environ"), Reveals("filtered", "KEY")]),
    ],
)
def test_what_shows_credentials_is_reported(line: str, effects: list[Effect]) -> None:
    assert found(line) == effects


@table_test(
    ("line", "effects"),
    [
        ("grep -i token", [Reveals("filtered", "token")]),
        ("rg -e a -e b", [Reveals("filtered", "a|b")]),
        ("grep -q token", []),
        ("head -3", [Reveals("filtered")]),
        ("cut -d= -f2", [Reveals("filtered")]),
        ("sort", [Reveals("environment")]),
        ("base64", [Reveals("environment")]),
        ("wc -l", []),
    ],
)
def test_filters_of_the_environment_show_parts_of_it(line: str, effects: list[Effect]) -> None:
    assert found(line, f"{ENVIRONMENT}\n") == effects


def test_printing_a_secret_shows_it() -> None:
    assert found(f"echo a{SECRET}") == [Reveals("variable")]
    assert found(f"printf %s {ENVIRONMENT}") == [Reveals("environment")]
    assert found(f"printf -v x {SECRET}") == []
    assert found("echo 'rm -rf /'") == []
    assert found("envsubst", "token: ${NPM_TOKEN} $HOME") == [Reveals("variable", "NPM_TOKEN")]


def test_too_many_patterns_are_said_to_be_too_many() -> None:
    one = call("grep")._replace(argv=("grep", "-r", *["--include=a"] * 900, "x", *["b"] * 900))
    assert any(isinstance(effect, Unknown) for effect in READERS["grep"](one))
