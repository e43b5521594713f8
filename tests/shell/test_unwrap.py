"""What a command runs in its turn. Marks: `!` status lost, `@` elsewhere, `?` not known."""

from typing import Any

from donewhen.core.tree import Assign, Inner, Redirect, Simple, Text, Word
from donewhen.shell import unwrap
from tests.shell.support import name, read, runs
from tests.tables import table_test

NPM = "npm test"
ONE = """
env -u X -C /srv A=1 npm test | env
env -iu FOO npm test | env
env - npm test | env
env -S 'npm test' | env
env -iS'A=1 npm test' | env
env "A=$x" npm test | env
sudo -u bob -E A=1 npm test | sudo
sudo -nu bob -- npm test | sudo
sudo --user=bob npm test | sudo
sudo --us bob npm test | sudo
sudo -b npm test | sudo!
sudo -R /x npm test | sudo@
doas -u bob npm test | doas
nohup npm test | nohup
nice -n 5 npm test | nice
nice -5 npm test | nice
ionice -c2 -n7 npm test | ionice
timeout -k 5 10m npm test | timeout
timeout --preserve-status --sig KILL 5 npm test | timeout
timeout "$T" npm test | timeout
stdbuf -oL -e 0 npm test | stdbuf
setsid npm test | setsid!
setsid -w npm test | setsid
chrt -f 10 npm test | chrt
taskset -c 0-3 npm test | taskset
/usr/bin/time -v -o f npm test | time
\\time -f '%e' npm test | time
exec -a x npm test | exec
command -p npm test | command
builtin npm test | builtin
watch -n 5 npm test | watch!
watch -x npm test | watch!
xargs -0 -n1 npm test | xargs!
xargs -a f npm test | xargs!
find . -name x -exec npm test \\; | find!
fd -e py -x npm test | fd!
bash -lc 'npm test' | bash
/bin/bash -c 'npm test' | bash
bash --norc --rcfile x -c 'npm test' | bash
sh -ec 'npm test' | sh
zsh -c 'npm test' _ x | zsh
bash <<< 'npm test' | bash
bash -s <<< 'npm test' | bash
bash - <<< 'npm test' | bash
{ bash; } <<< 'npm test' | bash
eval npm test | eval
eval 'npm' "test" | eval
su -c 'npm test' bob | su
su - bob -c 'npm test' | su
runuser -u bob -- npm test | runuser
sg wheel 'npm test' | sg
script -qc 'npm test' /dev/null | script!
script -qec 'npm test' /dev/null | script
script -q /dev/null npm test | script!
flock /tmp/l npm test | flock
flock -n /tmp/l -c 'npm test' | flock
flock -n -E 0 /tmp/l npm test | flock!
strace -f -o x npm test | strace
ltrace npm test | ltrace!
perf stat -e cycles npm test | perf
perf record -g npm test | perf!
chronic npm test | chronic
unbuffer npm test | unbuffer
unbuffer -p npm test | unbuffer!
parallel ::: 'npm test' | parallel!
ssh -p 22 bob@h npm test | ssh@
ssh h -p 22 'npm test' | ssh@
ssh h <<< 'npm test' | ssh@
docker exec -it c npm test | docker@
docker run --rm -v "$PWD":/w -w /w node:20 npm test | docker@
docker run -d img npm test | docker!@
docker --context x container run img npm test | docker@
docker compose -f x.yml exec -T api npm test | docker@
docker-compose run --rm api npm test | docker-compose@
podman run --entrypoint npm img test | podman@
kubectl -n x exec -it p -c c -- npm test | kubectl@
chroot /x npm test | chroot@
unshare -r npm test | unshare@
nsenter -t 1 -m npm test | nsenter@
systemd-run --user --scope npm test | systemd-run
systemd-run npm test | systemd-run!
bwrap --ro-bind / / --dev /dev --chdir /x npm test | bwrap@
busybox npm test | busybox
nix-shell -p nodejs --run 'npm test' | nix-shell
nix develop -c npm test | nix
direnv exec . npm test | direnv
dotenv -e .env.test -- npm test | dotenv
dotenv -f x run -- npm test | dotenv
cross-env A=1 npm test | cross-env
cross-env-shell A=1 'npm test' | cross-env-shell
winpty npm test | winpty
catchsegv npm test | catchsegv
caffeinate -i npm test | caffeinate
faketime '2020-01-01' npm test | faketime
systemd-inhibit --what=idle npm test | systemd-inhibit
xvfb-run -a -s '-screen 0 1x1' npm test | xvfb-run
trap 'npm test' EXIT | trap!
source /dev/stdin <<< 'npm test' | source
mise exec -- npm test | mise
conda run -n e npm test | conda
aws-vault exec p -- npm test | aws-vault
cmd.exe /c "npm test" | cmd
cmd //c npm test | cmd
mapfile -C 'npm test' -c 1 | mapfile!
wine npm test | wine@
""".strip().splitlines()


@table_test("line", ONE)
def test_one_wrapper(line):
    text, _, wrapper = line.rpartition(" | ")
    inners = [inner for statement in read(text) for inner in _inners(statement)]
    assert [(name(inner), runs(inner.script or ())) for inner in inners] == [(wrapper, [NPM])]


def _inners(statement: Any) -> list[Inner]:
    command = statement.command
    if isinstance(command, Simple):
        return list(command.inner)
    return [inner for part in command.body for inner in _inners(part)]


SEVERAL = {
    "timeout $T npm test": ["timeout! > npm test", "timeout! > ?"],
    "timeout --weird 5 npm test": ["timeout! > npm test", "timeout! > ?"],
    "docker run --weird x img npm test": ["docker!@ > img npm test", "docker!@ > ?"],
    "docker run --rm img": ["docker@ > ?"],
    "kubectl exec p npm test": ["kubectl@ > ?"],
    "sudo -s": ["sudo > ?"],
    "xargs -I{} rm {}": ["xargs! > rm ‹{}›"],
    "xargs -I % sh -c 'rm %'": ["xargs! > sh -c ‹rm %›", "xargs! > sh! > rm %", "xargs! > sh! > ?"],
    "xargs sh -c": ["xargs! > sh -c", "xargs! > sh > ?"],
    "xargs sudo": ["xargs! > sudo", "xargs! > sudo > ?"],
    "find . -exec rm {} + -o -okdir ls \\;": ["find! > rm ‹{}›", "find! > ls"],
    "parallel rm {} ::: a": ["parallel! > rm {}", "parallel! > ?", "parallel! > ?"],
    "parallel ::: 'rm x' 'rm y'": ["parallel! > rm x", "parallel! > rm y"],
    "bash -c 'a; b | c'": ["bash > a", "bash > b", "bash > c"],
    'bash -c "rm -rf $X"': ["bash! > rm -rf ‹${X}›", "bash! > ?"],
    'bash -c "$X"': ["bash! > ‹${X}›", "bash! > ?"],
    "bash $OPTS -c 'rm x'": ["bash! > rm x", "bash! > ?"],
    "bash -c 'if'": ["bash > ?"],
    "bash -c": ["bash > ?"],
    "bash": ["bash > ?"],
    "bash x.sh": ["bash > ?"],
    ". ./x.sh": [". > ?"],
    "fish -c 'npm test'": ["fish > ?"],
    "powershell -Command x": ["powershell > ?"],
    'eval "$x"': ["eval! > ‹${x}›", "eval! > ?"],
    "bash <<E\nrm $x\nE": ["bash! > rm ‹${x}›", "bash! > ?"],
    "sudo sh <<'E'\nrm x\nE": ["sudo > sh", "sudo > sh > rm x"],
    "cat <<'E' | sh\nrm x\nE": ["sh", "sh > rm x"],
    "echo rm x | bash": ["bash", "bash > rm x"],
    "printf '%s\\n' 'rm x' 'rm y' | bash -s -- z": ["bash -s -- z", "bash > rm x", "bash > rm y"],
    "echo -e 'rm\\tx' | bash": ["bash", "bash > ?"],
    "curl x | sh": ["sh", "sh > ?"],
    "docker exec c sh -c 'rm x'": ["docker@ > sh -c rm x", "docker@ > sh > rm x"],
    "busybox sh -c 'rm x'": ["busybox > sh -c rm x", "busybox > sh > rm x"],
    "sudo env A=1 bash -c 'rm x'": ["sudo > env A=1 bash -c rm x", "sudo > env > bash -c rm x", "sudo > env > bash > rm x"],
    "bash -c 'eval \"rm x\"'": ["bash > eval rm x", "bash > eval > rm x"],
    "env -S 'a && b'": ["env! > ?"],
    "tmux new-session -d -s x 'rm x'": ["tmux! > rm x", "tmux! > ?"],
}  # fmt: skip


@table_test("text", SEVERAL)
def test_several_or_unknown_ones(text):
    assert runs(read(text))[1:] == SEVERAL[text]


IDLE = """
env
sudo -l
command -v npm
ionice -c 3 -p 12
bash -n x.sh
bash --version
trap - EXIT
trap '' INT
timeout --help
xargs
ssh -N h
docker ps
kubectl get pods
find . -name exec
npx vitest run
npm exec vitest
uv run pytest
poetry run pytest
bundle exec rspec
make test
git rebase -x 'make test'
python -m pytest
python -c 'import os'
gcloud config list
alias ll='rm x'
echo bash -c 'rm x'
""".strip().splitlines()


@table_test("text", IDLE)
def test_no_wrapper_or_nothing_run(text):
    assert len(runs(read(text))) == 1


def only(text: str) -> Inner:
    ((statement,),) = [read(text)]
    assert isinstance(statement.command, Simple)
    (inner,) = statement.command.inner
    return inner._replace(script=None)


FRAMES = {
    "env -C /srv A=1 x": Inner("env", None, folder=Word("/srv"), assigns=(Assign("A", Word("1")),)),
    "sudo --chdir=/srv x": Inner("sudo", None, folder=Word("/srv")),
    "bash -euo pipefail -c x": Inner("bash", None, own_shell=True, errexit=True, pipefail=True),
    "sh -o errexit +o pipefail -c x": Inner("sh", None, own_shell=True, errexit=True),
    "bash -e +e -c x": Inner("bash", None, own_shell=True),
    "bash -c x a b": Inner("bash", None, own_shell=True, assigns=(Assign("0", Word("a")), Assign("1", Word("b")))),
    "bash f": Inner("bash", None, own_shell=True, file=Word("f"), assigns=(Assign("0", Word("f")),)),
    "bash < f": Inner("bash", None, own_shell=True, file=Word("f")),
    ". f": Inner(".", None, file=Word("f")),
    "docker run -e A=1 -w /app img x": Inner(
        "docker", None, elsewhere=True, folder=Word("/app"), assigns=(Assign("A", Word("1")),)
    ),
    "eval x": Inner("eval", None),
}  # fmt: skip


@table_test("text", FRAMES)
def test_what_the_wrapper_sets(text):
    assert only(text) == FRAMES[text]


def test_a_reader_can_unwrap_words_that_it_resolved():
    words = (Word("timeout"), Word("5"), Word("bash"))
    feed = (Redirect("<<<", Word("rm x"), body=Word("rm x")),)
    (inner,) = unwrap(words, feed)
    assert runs(inner.script or ()) == ["bash", "bash > rm x"]
    assert unwrap((Word("$x", False, (Text("$x"),)),)) == ()
