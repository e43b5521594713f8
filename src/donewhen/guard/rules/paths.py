"""Rules about files: what is deleted, written and read, and where."""

import re

from donewhen.guard.bounds import Spot, loose
from donewhen.guard.client_files import are_notes
from donewhen.guard.decision import Found
from donewhen.guard.effects import Deletes, Reads, Writes
from donewhen.guard.marks import STAR, anything, certain, lead
from donewhen.guard.places import Place, place
from donewhen.guard.reach import below, spots
from donewhen.guard.rules.rule import Rule, Setting, always
from donewhen.guard.secret_names import ENVIRONMENT, FOLDERS
from donewhen.guard.secret_paths import holds_secrets, secret, secret_folder

_OUTSIDE = ("outside", "device")
_MOST_DRIFTS = 50  # in one action; one is enough to deny it
_UP = re.compile(r"(?<![\w.])\.\.(?![\w.])")
_FINDING = frozenset("find gfind fd fdfind xargs gxargs parallel".split())
_COUNTING = frozenset(
    "wc cksum md5sum sha1sum sha256sum sha512sum b2sum shasum file du".split()
)  # show no text


def _where(effect: Deletes | Writes, setting: Setting) -> Place:
    """Where it acts: deleting or replacing a link touches the link, not what it points to."""
    follow = not (isinstance(effect, Deletes) or effect.how == "link")
    known = {} if setting.places is None else setting.places
    if (effect.path, follow) not in known:
        known[effect.path, follow] = place(effect.path, setting.ground, follow=follow)
    return known[effect.path, follow]


def _delete_workspace(effect: Deletes, found: Found, setting: Setting) -> bool:
    return _where(effect, setting) in ("root", "everything")


def _led_out(effect: Deletes | Writes, found: Found, setting: Setting) -> bool:
    """By `..` out of a workspace that lies in a temporary folder: meant is a neighbour, not something
    temporary."""
    ground = setting.ground
    if not any(ground.workspace.startswith(f"{folder}/") for folder in ground.writable):
        return False
    name = effect.path.rpartition("/")[2]
    led = any(name in word and _UP.search(word) for word in found.argv)
    return led and _where(effect, setting) == "temporary"


def _more_than_workspace(effect: Deletes, found: Found, setting: Setting) -> bool:
    """The home folder, the root, or another one that holds the workspace."""
    inside = effect.path == setting.ground.workspace or _where(effect, setting) == "everything"
    return not inside


def _delete_outside(effect: Deletes, found: Found, setting: Setting) -> bool:
    if found.elsewhere == "container":
        return False
    return _where(effect, setting) in _OUTSIDE or _led_out(effect, found, setting)


def _delete_contained(effect: Deletes, found: Found, setting: Setting) -> bool:
    return found.elsewhere == "container" and _where(effect, setting) in _OUTSIDE


def _unsure(effect: Deletes | Writes, found: Found, setting: Setting) -> bool:
    return _where(effect, setting) in ("unknown", "inside_maybe")


def _delete_temporary(effect: Deletes, found: Found, setting: Setting) -> bool:
    folder, _, name = effect.path.rpartition("/")
    return folder in setting.ground.writable and name == STAR


def _git(effect: Deletes | Writes, found: Found, setting: Setting) -> bool:
    if _where(effect, setting) == "git":
        return True
    # a repository inside the workspace, or beside it in a temporary folder, goes with its folder
    return isinstance(effect, Deletes) and ".git" in (setting.ground.disk.names(effect.path) or ())


def _own(effect: Deletes | Writes, found: Found, setting: Setting) -> bool:
    return _where(effect, setting) == "own" and not _note(effect, setting)


def _note(effect: Deletes | Writes, setting: Setting) -> bool:
    """A plan, memory or todo file that the user's client has its agent write."""
    ground = setting.ground
    return ground.checkout and isinstance(effect, Writes) and are_notes(effect.path, ground)


def _write_home(effect: Writes, found: Found, setting: Setting) -> bool:
    """Elsewhere under the home folder, but not where keys and credentials are kept."""
    ground = setting.ground
    if not ground.checkout or found.elsewhere or not _below_home(effect.path, setting):
        return False
    return _where(effect, setting) == "outside" and not _note(effect, setting)


def _below_home(path: str, setting: Setting) -> bool:
    ground = setting.ground
    home = f"{ground.home}/"
    real = f"{ground.disk.real(ground.home)}/"
    below = certain(path) and path.startswith(home) and ground.disk.real(path).startswith(real)
    return below and not secret(path, ground) and FOLDERS.keys().isdisjoint(path.lower().split("/"))


def _device(effect: Writes, found: Found, setting: Setting) -> bool:
    return _where(effect, setting) == "device"


def _write_outside(effect: Writes, found: Found, setting: Setting) -> bool:
    if found.elsewhere == "container" or _note(effect, setting) or _write_home(effect, found, setting):
        return False
    where = _where(effect, setting)
    if where in _OUTSIDE or (where == "root" and effect.path != setting.ground.workspace):
        return True
    return _led_out(effect, found, setting)


def _write_everything(effect: Writes, found: Found, setting: Setting) -> bool:
    """Every file of the workspace, `.git` with it: a folder has no content of its own."""
    whole = effect.how == "content" and effect.path == setting.ground.workspace
    return whole and not _FINDING.isdisjoint(
        found.by
    )  # a formatter that is given `.` chooses its files itself


def _secret(effect: Reads, found: Found, setting: Setting) -> bool:
    if effect.names or _use_secret(effect, found, setting):
        return False
    return bool(secret(effect.path, setting.ground)) or holds_secrets(effect.path, setting.ground)


def _use_secret(effect: Reads, found: Found, setting: Setting) -> bool:
    ground = setting.ground
    return ground.checkout and effect.used and secret(effect.path, ground) == ENVIRONMENT


def _secret_names(effect: Reads, found: Found, setting: Setting) -> bool:
    return effect.names and secret_folder(effect.path, setting.ground)


def _read_unknown(effect: Reads, found: Found, setting: Setting) -> bool:
    if effect.names or not anything(effect.path) or lead(effect.path) not in ("", "/"):
        return False
    return not found.argv or found.argv[0].rpartition("/")[2] not in _COUNTING


def _undoes(effect: Deletes | Writes, spot: Spot, found: Found, setting: Setting) -> bool:
    """Putting back what git has, deleting what the run has made: so a change outside the scope ends."""
    if isinstance(effect, Writes):
        return effect.how == "back" or found.argv == ("git", "show", f"HEAD:{spot.path}")
    ground = setting.ground
    if effect.unknown or ground.disk.tracked(ground.workspace, spot.path) is not False:
        return effect.unknown
    first = ground.disk.untouched(f"{ground.workspace}/{spot.path}")  # ignored files may be the user's own
    return first is not None and first >= ground.since


def _scope(effect: Deletes | Writes, found: Found, setting: Setting) -> bool:
    drifts = [] if setting.drifts is None else setting.drifts
    if not setting.bounds.scoped or len(drifts) >= _MOST_DRIFTS:
        return False
    for spot in spots(effect, setting.ground):
        if _strays(spot, setting) and not _undoes(effect, spot, found, setting):
            drifts.append(spot.path)
            return True
    return False


def _strays(spot: Spot, setting: Setting) -> bool:
    bounds = setting.bounds
    if bounds.outside_scope(spot):
        return True
    deep = spot.kind == "whole" and loose(bounds.disallowed_scope)
    return deep and any(map(bounds.outside_scope, below(spot, setting.ground)))


def _kept(effect: Deletes | Writes, found: Found, setting: Setting) -> bool:
    if not setting.bounds.kept:
        return False
    # a formatter that is given a folder of tests chooses its files itself
    single = isinstance(effect, Writes)
    for spot in spots(effect, setting.ground):
        near = spot._replace(kind="one") if single and spot.kind == "whole" else spot
        if setting.bounds.keeps(near) and not _undoes(effect, spot, found, setting):
            return True
    return False


RULES = (
    Rule(
        "delete-workspace",
        (Deletes,),
        "deny",
        _delete_workspace,
        match=("rm -rf /", "rm -rf *", "rm -rf .", "find . -delete", "rm -rf ~"),
        not_match=("rm -rf build", "rm -rf src/*", "find . -name '*.pyc' -delete"),
        locked=_more_than_workspace,
    ),
    Rule(
        "delete-outside",
        (Deletes,),
        "deny",
        _delete_outside,
        match=("rm -r ~/Desktop/old", "cd / && rm -rf usr", "mv ../other/file ."),
        not_match=("rm -rf /tmp/x", "rm old.txt"),
    ),
    Rule(
        "delete-contained",
        (Deletes,),
        "ask",
        _delete_contained,
        match=("docker exec app rm -rf /srv/data",),
        not_match=("docker exec app ls /srv/data",),
    ),
    Rule(
        "delete-temporary",
        (Deletes,),
        "ask",
        _delete_temporary,
        match=("rm -rf /tmp/*",),
        not_match=("rm -rf /tmp/build-*", "rm -rf /tmp/x/*"),
    ),
    Rule(
        "change-unknown",
        (Deletes, Writes),
        "ask",
        _unsure,
        match=('rm -rf "$DIR"', "echo x > $FILE", "rm -rf build/$NAME"),
        not_match=("D=build; rm -rf $D",),
    ),
    Rule(
        "git-folder",
        (Deletes, Writes),
        "deny",
        _git,
        match=("rm -rf .git", "chmod -x .git/hooks/pre-push", "echo x >> .git/config"),
        not_match=("cat .git/config", "rm .gitignore"),
    ),
    Rule(
        "own-state",
        (Deletes, Writes),
        "deny",
        _own,
        match=(
            "rm .donewhen/config.yml",
            "echo 'budget: 99' > .donewhen/config.yml",
            "pip uninstall -y donewhen",
            "python -m pip install --force-reinstall donewhen==0.0.1",
        ),
        not_match=("cat .donewhen/config.yml", "pip show donewhen", "pip install donewhen-plugin"),
        locked=always,
    ),
    Rule(
        "write-outside",
        (Writes,),
        "deny",
        _write_outside,
        match=("install -m 755 build/app ~/bin/app", "echo x > /etc/hosts", "echo x >> ../../.bashrc"),
        not_match=("echo x > /tmp/out.txt", "make 2> /dev/null", "touch src/a.py"),
        locked=_device,
    ),
    Rule(
        "write-home",
        (Writes,),
        "ask",
        _write_home,
        match=("mkdir ~/notes", "echo x > ~/notes/a.md", "echo x >> ~/.bashrc"),
        not_match=(
            "echo x > ~/.claude/plans/a.md",
            "echo x > /etc/hosts",
            "echo x > ~/.ssh/config",
            "mkdir a",
        ),
        in_checkout=True,
    ),
    Rule(
        "write-everything",
        (Writes,),
        "ask",
        _write_everything,
        match=("find . -type f -exec sed -i s/a/b/ {} +",),
        not_match=("find . -name '*.py' -exec sed -i s/a/b/ {} +", "tar xf vendor.tar", "chmod -R u+w ."),
    ),
    Rule(
        "secret-read",
        (Reads,),
        "deny",
        _secret,
        match=("cat .env", "base64 ~/.ssh/id_rsa", "cat .e*", "grep -r token ~"),
        not_match=("cat .env.example", "ls -la .env", "cat src/secrets.py", "grep -rn x ."),
        locked=always,
    ),
    Rule(
        "use-secret",
        (Reads,),
        "ask",
        _use_secret,
        match=("source .env && npm test", "set -a; . ./.env.local; make"),
        not_match=("cat .env", "source venv/bin/activate", "source ~/.ssh/id_rsa"),
        in_checkout=True,
    ),
    Rule(
        "secret-names",
        (Reads,),
        "ask",
        _secret_names,
        match=("ls ~/.ssh",),
        not_match=("ls ~", "ls -la"),
    ),
    Rule(
        "read-unknown",
        (Reads,),
        "ask",
        _read_unknown,
        match=('cat "$FILE"',),
        not_match=("F=README.md; cat $F", "cat src/$NAME.py"),
    ),
    Rule("scope", (Deletes, Writes), "deny", _scope, approval="user"),
    Rule("kept-file", (Deletes, Writes), "deny", _kept, approval="user"),
)
