"""What an agent may do to its git directory, and what it may not do unseen."""

import os
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.run.shipping.watching import Watched
from donewhen.run.shipping.watching_keys import harmful_changes, is_harmful

FINE = [
    ("config", "user.name", "Agent"),
    ("config", "pull.rebase", "false"),
    ("config", "core.pager", "cat"),
    ("config", "core.editor", "true"),
    ("config", "alias.st", "status"),
    ("config", "extensions.worktreeConfig", "true"),
    ("commit", "-q", "--allow-empty", "-m", "x"),
    ("branch", "other"),
    ("tag", "light"),
    ("checkout", "-q", "-b", "more"),
    ("remote", "add", "mirror", "https://example.org/x.git"),
    ("remote", "remove", "origin"),
    ("remote", "rename", "origin", "upstream"),
    ("sparse-checkout", "set", "pkg"),
    ("init", "-q"),
    ("gc", "-q"),
    ("pack-refs", "--all"),
]
SETTINGS = {
    "core.hooksPath": "/tmp/hooks",
    "core.fsmonitor": "/tmp/x",
    "core.sshCommand": "x",
    "core.worktree": "/",
    "core.pager": "less",
    "core.bare": "true",
    "alias.st": "!rm -rf .",
    "filter.lfs.clean": "x",
    "filter.a.b.process": "x",
    "diff.x.command": "x",
    "diff.x.textconv": "x",
    "diff.external": "x",
    "merge.x.driver": "x",
    "credential.helper": "store",
    "credential.https://example.org.helper": "!x",
    "include.path": "../evil",
    "includeIf.gitdir:/.path": "/evil",
    "url.https://evil.example/.insteadOf": "https://example.org/",
    "remote.origin.pushurl": "https://example.org/x",
    "remote.origin.url": "ext::sh -c x",
    "remote.x.uploadpack": "x",
    "gpg.program": "x",
    "gpg.ssh.program": "x",
    "submodule.x.update": "!x",
    "sequence.editor": "x",
    "protocol.ext.allow": "always",
    "http.proxy": "http://example.org",
    "uploadpack.packObjectsHook": "x",
    "init.templateDir": "/x",
}


@pytest.mark.parametrize("words", FINE, ids=" ".join)
def test_an_agents_own_affairs_are_no_harm(yard, words):
    site = yard.open()
    watched = Watched(site)
    yard.git(*words, cwd=site.folder)
    assert watched.harms() == ()
    assert watched.harms() == ()


def test_stashes_excludes_and_samples_are_no_harm(yard):
    site = yard.open()
    watched = Watched(site)
    yard.write("app.py", "x\n", site.folder)
    yard.git("stash", "-q", cwd=site.folder)
    yard.write(".git/info/exclude", "x\n", site.folder)
    yard.write(".git/hooks/pre-commit.sample", "x\n", site.folder)
    assert watched.harms() == ()


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_that_name_programs_or_places_are_told(yard, name):
    site = yard.open()
    watched = Watched(site)
    yard.git("config", name, SETTINGS[name], cwd=site.folder)
    section, _, rest = name.partition(".")
    part, _, key = rest.rpartition(".")
    wanted = ".".join(filter(None, (section.lower(), part, key.lower())))
    assert watched.harms() == (f".git/config: {wanted}",)
    yard.git("config", "user.name", "x", cwd=site.folder)
    assert watched.harms() == (f".git/config: {wanted}",)


def test_the_bolt_before_pushes_must_stay(yard):
    site = yard.open()
    watched = Watched(site)
    yard.git("config", "--unset", "remote.origin.pushurl", cwd=site.folder)
    assert watched.harms() == (".git/config: remote.origin.pushurl",)


def test_a_remote_that_leads_elsewhere_is_told(yard):
    site = yard.open()
    watched = Watched(site)
    yard.git("remote", "set-url", "origin", "https://example.org/x.git", cwd=site.folder)
    assert watched.harms() == (".git/config: remote.origin.url",)


def _hook(site, yard):
    yard.write(".git/hooks/pre-commit", "#!/bin/sh\n", site.folder)


def _link(site, yard):
    (site.folder / ".git/hooks").symlink_to(yard.base)


def _attributes(site, yard):
    yard.write(".git/info/attributes", "* filter=x\n", site.folder)


def _alternates(site, yard):
    with (site.folder / ".git/objects/info/alternates").open("a") as file:
        file.write("/elsewhere\n")


def _commondir(site, yard):
    yard.write(".git/commondir", "/elsewhere\n", site.folder)


def _worktree_settings(site, yard):
    yard.write(".git/config.worktree", "[core]\n\thooksPath = x\n", site.folder)


def _torn(site, yard):
    yard.write(".git/config", "[core\n", site.folder)


def _pipe(site, yard):
    (site.folder / ".git/config").unlink()
    os.mkfifo(site.folder / ".git/config")


def _config_link(site, yard):
    (site.folder / ".git/config").rename(yard.base / "config")
    (site.folder / ".git/config").symlink_to(yard.base / "config")


def _objects(site, yard):
    (site.folder / ".git/objects").rename(yard.base / "objects")
    (site.folder / ".git/objects").symlink_to(yard.base / "objects")


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (_hook, ".git/hooks/pre-commit"),
        (_link, ".git/hooks"),
        (_attributes, ".git/info/attributes"),
        (_alternates, ".git/objects/info/alternates"),
        (_commondir, ".git/commondir"),
        (_worktree_settings, ".git/config.worktree: core.hookspath"),
        (_torn, ".git/config"),
        (_pipe, ".git/config"),
        (_config_link, ".git/config"),
        (_objects, ".git/objects"),
    ],
)
def test_files_that_change_what_git_does_are_told(yard, change, name):
    site = yard.open()
    watched = Watched(site)
    change(site, yard)
    assert name in watched.harms()


@pytest.mark.parametrize("how", ["gone", "new", "elsewhere"])
def test_a_git_directory_that_is_another_one_is_told(yard, how):
    site = yard.open()
    watched = Watched(site)
    own = site.folder / ".git"
    own.rename(yard.base / "moved")
    if how == "new":
        shutil.copytree(yard.base / "moved", own)
    elif how == "elsewhere":
        own.write_text(f"gitdir: {yard.base}/moved\n")
    assert ".git" in watched.harms()


def test_in_place_hooks_of_the_user_must_stay_as_they_are(yard):
    hook = yard.write(".git/hooks/pre-push", "#!/bin/sh\nexit 1\n")
    watched = Watched(yard.open(in_place=True))
    assert watched.harms() == ()
    hook.write_text("#!/bin/sh\nexit 0\n")
    assert watched.harms() == (".git/hooks/pre-push",)
    hook.write_text("#!/bin/sh\nexit 1\n")
    assert watched.harms() == ()
    hook.chmod(0o755)
    assert watched.harms() == (".git/hooks/pre-push",)
    hook.unlink()
    assert watched.harms() == (".git/hooks/pre-push",)


def test_a_worktree_is_watched_with_the_repository_that_it_shares(yard):
    site = yard.worktree()
    watched = Watched(site)
    yard.git("config", "user.name", "x", cwd=site.folder)
    assert watched.harms() == ()
    yard.git("config", "core.hooksPath", "x", cwd=site.folder)
    (site.folder / ".git").write_text("gitdir: /elsewhere\n")
    assert watched.harms() == (".git", ".git/config: core.hookspath")


_NAMES = st.sampled_from([*(name.lower() for name in SETTINGS), "user.name", "branch.x.merge"])
_PAIRS = st.lists(st.tuples(_NAMES, st.sampled_from(["x", "!x", "true", "ext::x", ""])), max_size=6)


@given(before=_PAIRS, after=_PAIRS)
def test_only_differences_are_told_and_every_new_harm_is(before, after):
    told = harmful_changes(before, after)
    assert harmful_changes(before, before) == ()
    assert "user.name" not in told
    for name, value in set(after) - set(before):
        assert not is_harmful(name, value) or name in told
