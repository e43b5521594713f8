"""Which wall is chosen, what it covers, and what it admits to leave open."""

import os
import pwd
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.core.texts import say
from donewhen.workspace.sandbox.caches import laid
from donewhen.workspace.sandbox.confinement import Cache, Confinement, Hidden, confine
from donewhen.workspace.sandbox.describe import describe
from donewhen.workspace.sandbox.landlock import all_rights, readable
from donewhen.workspace.sandbox.plan import plan
from donewhen.workspace.sandbox.support import Support, find_program, probe
from tests.tables import table_test

FULL = Support("/usr/bin/bwrap", "", True, True, 7, True, "", (("memory", "/g"), ("pids", "/g")), "/bin/bash")
OPEN = [
    "sandbox.gap_temp_closed",
    "sandbox.gap_processes",
    "sandbox.gap_modes",
]  # what Landlock always leaves
NOTHING = Support(bash="/bin/bash", groups=FULL.groups)
WISH = Confinement("/w", "/s/tmp", "/s/caches", "/s/empty")


def keys(made):
    return [gap.key for gap in made.gaps]


def pairs(words, option):
    return [words[n + 1 : n + 3] for n, word in enumerate(words) if word == option]


@table_test(
    ("support", "network", "mechanism", "gaps"),
    [
        (FULL, "none", "bubblewrap", []),
        (FULL._replace(bubblewrap=""), "none", "landlock", OPEN),
        (
            FULL._replace(bubblewrap="", namespaces=False),
            "none",
            "landlock",
            [*OPEN, "sandbox.gap_udp"],
        ),
        (
            FULL._replace(bubblewrap="", namespaces=False, landlock=3),
            "none",
            "landlock",
            [*OPEN, "sandbox.gap_network"],
        ),
        (FULL._replace(bubblewrap_network=False), "full", "bubblewrap", []),
        (
            FULL._replace(bubblewrap_network=False),
            "none",
            "landlock",
            OPEN,
        ),
        (FULL._replace(bubblewrap_network=False, landlock=0), "none", "bubblewrap", ["sandbox.gap_network"]),
        (
            NOTHING._replace(seatbelt="/usr/bin/sandbox-exec"),
            "none",
            "seatbelt",
            ["sandbox.gap_temp", "sandbox.gap_processes"],
        ),
        (NOTHING, "none", "none", ["sandbox.not_confined"]),
    ],
)
def test_the_strongest_wall_that_works_is_taken(support, network, mechanism, gaps):
    made = plan(WISH._replace(network=network), support)
    assert (made.mechanism, keys(made)) == (mechanism, gaps)


def test_off_is_off_and_says_so():
    made = plan(WISH._replace(mode="off", network="none"), FULL)
    assert (made.mechanism, made.prefix, made.rules, keys(made)) == ("none", (), None, ["sandbox.off"])


@table_test(
    ("support", "network", "key"),
    [
        (NOTHING, "full", "sandbox.required"),
        (FULL._replace(bubblewrap="", namespaces=False), "none", "sandbox.required_network"),
        (FULL._replace(bubblewrap_network=False, landlock=0), "none", "sandbox.required_network"),
        (FULL._replace(bubblewrap="", landlock=2), "full", "sandbox.required"),
    ],
)
def test_required_refuses_a_gap(support, network, key):
    with pytest.raises(SetupError) as refused:
        plan(WISH._replace(mode="required", network=network), support)
    assert (refused.value.key, refused.value.exit_code) == (key, 5)


@table_test("mode", ["auto", "required", "off"])
def test_registries_are_refused_while_they_can_not_be_enforced(mode):
    with pytest.raises(SetupError, match="registries"):
        plan(WISH._replace(mode=mode, network="registries"), FULL)


def test_limits_that_do_not_hold_are_said():
    made = plan(WISH, FULL._replace(groups=(), root=True))
    assert keys(made) == ["sandbox.gap_forks", "sandbox.gap_memory"]


def test_bubblewrap_mounts_go_from_the_outside_in():
    hide = (Hidden("/home/u/.ssh", True), Hidden("/home/u/.netrc", False), Hidden("/w/home/.aws", True))
    made = plan(WISH._replace(hide=hide, writable=("/data",), network="none"), FULL)
    words = list(made.prefix)
    assert words[0] == "/usr/bin/bwrap" and words[-1] == "--"
    assert pairs(words, "--bind") == [
        ["/s/tmp", "/tmp"],
        ["/w", "/w"],
        ["/data", "/data"],
        ["/w/home", "/w/home"],
        ["/s/caches/moved", "/s/caches/moved"],
    ]
    assert ["/s/empty", "/home/u/.netrc"] in pairs(words, "--ro-bind")
    assert words.index("/w/home/.aws") > words.index("/w")
    assert "--unshare-net" in words and "--unshare-pid" in words and "--cap-drop" not in words


def test_root_in_bubblewrap_keeps_no_power_over_the_machine():
    words = plan(WISH, FULL._replace(root=True)).prefix
    assert words[words.index("--cap-drop") + 1] == "ALL"
    assert not {"CAP_SYS_ADMIN", "CAP_DAC_READ_SEARCH", "CAP_MKNOD", "CAP_SYS_PTRACE"} & set(words)


def test_hostile_paths_stay_single_words():
    evil = "/w/--bind / / $(x) \n;rm"
    assert pairs(list(plan(WISH._replace(workspace=evil), FULL).prefix), "--bind")[-2:][0][1] in (
        evil,
        "/s/caches/moved",
    )
    made = plan(WISH._replace(workspace='/w")(allow default)'), NOTHING._replace(seatbelt="/s"))
    assert "allow default)(" not in made.prefix[-1].replace("(allow default)(deny", "")


def test_caches_are_laid_over_or_moved():
    caches = (
        Cache("/home/u/.cache/pip", True, "PIP_CACHE_DIR"),
        Cache("/home/u/.npm", False, "npm_config_cache"),
    )
    wish = WISH._replace(caches=caches)
    over = plan(wish, FULL)
    assert "--overlay" in over.prefix
    assert over.env == {"TMPDIR": "/tmp", "npm_config_cache": "/s/caches/moved/npm_config_cache"}
    empty = plan(wish, FULL._replace(overlays=False))
    assert [f"{laid('/s/caches', '/home/u/.cache/pip')}/new", "/home/u/.cache/pip"] in pairs(
        list(empty.prefix), "--bind"
    )
    assert keys(empty) == ["sandbox.gap_overlays"]
    moved = plan(wish, FULL._replace(bubblewrap=""))
    assert moved.env["PIP_CACHE_DIR"] == "/s/caches/moved/PIP_CACHE_DIR"


@table_test("folder", ["/", "/home", "/home/u", "/home/u/."])
def test_home_and_root_are_no_workspace(folder):
    with pytest.raises(SetupError, match="can't be a folder that commands may write"):
        confine(Path(folder), Path("/s"), {"HOME": "/home/u"})


def test_links_to_credentials_are_followed(tmp_path):
    real = tmp_path / "keys"
    real.mkdir()
    (tmp_path / "home").mkdir()
    (tmp_path / "home/.ssh").symlink_to(real)
    wish = confine(tmp_path / "w", tmp_path / "s", {"HOME": str(tmp_path / "home")})
    assert Hidden(str(real), True) in wish.hide


def test_hidden_paths_are_left_out_of_what_may_be_read(tmp_path):
    for name in ("a/.ssh/id", "a/.config/gh/x", "a/.config/nvim/x", "a/src/x", "b/x"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "a/link").symlink_to(tmp_path / "a/.ssh")
    hide = [str(tmp_path / "a/.ssh"), str(tmp_path / "a/.config/gh"), str(tmp_path / "a/.ssh/id")]
    found = {path for path in readable("/", hide) if path.startswith(f"{tmp_path}/")}
    assert found == {str(tmp_path / name) for name in ("a/.config/nvim", "a/src", "b")}
    assert not [path for path in readable("/", hide) if f"{tmp_path}/".startswith(f"{path}/")]
    assert readable("/", []) == ["/"]


@table_test(("abi", "rights"), [(1, 0x1FFF), (2, 0x3FFF), (3, 0x7FFF), (4, 0x7FFF), (5, 0xFFFF), (7, 0xFFFF)])
def test_landlock_handles_all_rights_its_version_knows(abi, rights):
    assert all_rights(abi) == rights


@table_test("support", [FULL, NOTHING, FULL._replace(bubblewrap="", bubblewrap_why="no"), Support(), probe()])
@table_test("mode", ["auto", "required", "off"])
@table_test("network", ["none", "registries", "full"])
def test_everything_can_be_described_in_both_languages(support, mode, network):
    lines = describe(support, WISH._replace(mode=mode, network=network))
    assert lines
    for _, phrase in lines:
        assert say(phrase.key, "en", **phrase.values) and say(phrase.key, "zh", **phrase.values)


def test_probing_is_done_once_and_tells_the_truth_about_bash():
    assert probe() is probe()
    assert Path(probe().bash).exists()


LANDLOCK = FULL._replace(bubblewrap="")


def test_landlock_admits_what_it_can_not_hide():
    wish = WISH._replace(hide=(Hidden("/w/state", True), Hidden("/other", True)))
    gaps = [gap.values.get("path") for gap in plan(wish, LANDLOCK).gaps if gap.key == "sandbox.gap_hidden"]
    assert gaps == ["/w/state"]
    with pytest.raises(SetupError, match="/w/state is not hidden"):
        plan(wish._replace(mode="required"), LANDLOCK)
    plan(wish._replace(mode="required"), FULL)


@table_test(
    ("shared", "hidden", "opened"), [(False, (), False), (True, (), True), (True, ("/tmp/home/.ssh",), False)]
)
def test_landlock_opens_the_temp_folder_on_demand_and_never_where_it_holds_credentials(
    shared, hidden, opened
):
    wish = WISH._replace(shared_temp=shared, hide=tuple(Hidden(path, True) for path in hidden))
    made = plan(wish, LANDLOCK)
    assert made.rules is not None
    assert ("/tmp" in made.rules.write, "/tmp" not in made.rules.hide, not made.own_temp) == (opened,) * 3
    assert ("sandbox.gap_temp" in keys(made)) is opened


def test_bubblewrap_shares_the_temp_folder_on_demand():
    assert ["/s/tmp", "/tmp"] in pairs(list(plan(WISH, FULL).prefix), "--bind")
    assert ["/tmp", "/tmp"] in pairs(list(plan(WISH._replace(shared_temp=True), FULL).prefix), "--bind")


def test_a_place_in_the_workspace_can_stay_as_it_is():
    wish = WISH._replace(read_only=("/w/.git", "/w/sub/.git"))
    words = list(plan(wish, FULL).prefix)
    assert pairs(words, "--ro-bind")[1:] == [["/w/.git", "/w/.git"], ["/w/sub/.git", "/w/sub/.git"]]
    assert words.index("/w") < words.index("/w/sub") < words.index("/w/sub/.git")
    profile = plan(wish, NOTHING._replace(seatbelt="/s")).prefix
    assert "R0=/w/.git" in profile
    assert profile[-1].index('"W0"') < profile[-1].index('(deny file-write* (subpath (param "R0")))')


def test_landlock_admits_that_it_can_not_except_a_place():
    wish = WISH._replace(read_only=("/w/.git", "/other"))
    gaps = [gap.values for gap in plan(wish, LANDLOCK).gaps if gap.key == "exam.gap_read_only"]
    assert gaps == [{"path": "/w/.git"}]
    with pytest.raises(SetupError, match="/w/.git can be written"):
        plan(wish._replace(mode="required"), LANDLOCK)
    plan(wish._replace(mode="required"), FULL)


def test_only_what_is_there_is_kept_from_being_written(place):
    (place.workspace / "here").mkdir()
    (place.workspace / "link").symlink_to(place.outside)
    wished = [place.workspace / name for name in ("here", "gone", "link")]
    wish = confine(place.workspace, place.base / "s", place.env, read_only=wished)
    assert wish.read_only == (str(place.outside), str(place.workspace / "here"))


def test_what_lies_between_a_writable_folder_and_a_mount_in_it_can_not_be_moved():
    hide = (Hidden("/w/a/b/.ssh", True), Hidden("/w/.env", False), Hidden("/h", True), Hidden("/h/x/y", True))
    words = list(plan(WISH._replace(workspace="/w", hide=hide, writable=("/tmp/c/d/e",)), FULL).prefix)
    assert {("/w/a", "/w/a"), ("/w/a/b", "/w/a/b")} <= {tuple(pair) for pair in pairs(words, "--bind")}
    assert words.index("/w/a") < words.index("/w/a/b") < words.index("/w/a/b/.ssh")
    fresh = [pair[0] for pair in pairs(words, "--tmpfs")]
    assert "/tmp/c" in fresh and "/tmp/c/d" not in fresh and "/h/x" not in words


def test_without_a_network_services_of_the_host_are_covered():
    wish = WISH._replace(sockets=("/srv/db.sock",), hide=(Hidden("/run/docker.sock", False),))
    words = list(plan(wish._replace(network="none"), FULL).prefix)
    assert ["/s/empty", "/srv/db.sock"] in pairs(words, "--ro-bind")
    assert "/run" in words and "/run/docker.sock" not in words
    words = list(plan(wish, FULL).prefix)
    assert "/srv/db.sock" not in words and "/run" not in words and "/run/docker.sock" in words


@pytest.mark.parametrize(
    ("variable", "value", "hidden"),
    [
        ("XDG_CONFIG_HOME", "{}/xdg", "xdg/gh"),
        ("GNUPGHOME", "{}/keys", "keys"),
        ("KUBECONFIG", "/nowhere:{}/cube", "cube"),
        ("SSH_AUTH_SOCK", "{}/agent", "agent"),
        ("DBUS_SESSION_BUS_ADDRESS", "unix:path={}/bus,guid=1", "bus"),
        ("DOCKER_HOST", "unix://{}/docker", "docker"),
    ],
)
def test_credentials_that_variables_name_are_hidden(place, variable, value, hidden):
    target = place.base / hidden
    target.parent.mkdir(exist_ok=True)
    target.touch()
    wish = confine(place.workspace, place.base / "s", {**place.env, variable: value.format(place.base)})
    assert Hidden(str(target), False) in wish.hide


@pytest.mark.parametrize("value", ["/", "{}", "{}/home", "{}/workspace", "not/absolute", ""])
def test_a_careless_variable_covers_neither_home_nor_workspace(place, value):
    plain = confine(place.workspace, place.base / "s", place.env)
    env = {**place.env, "GNUPGHOME": value.format(place.base), "SSH_AUTH_SOCK": value.format(place.base)}
    assert confine(place.workspace, place.base / "s", env).hide == plain.hide


def test_another_home_does_not_uncover_the_users_own(place, monkeypatch):
    entry = pwd.getpwuid(os.geteuid())
    account = pwd.struct_passwd((*entry[:5], str(place.home), *entry[6:]))
    monkeypatch.setattr(pwd, "getpwuid", lambda _: account)
    for env in ({}, {"HOME": str(place.outside)}):
        wish = confine(place.workspace, place.base / "s", env)
        assert Hidden(str(place.home / ".ssh"), True) in wish.hide


def test_programs_of_walls_are_the_systems_not_the_checkouts(place, monkeypatch):
    for name in ("bash", "only-here"):
        (place.workspace / name).write_text("#!/bin/sh\n")
        (place.workspace / name).chmod(0o755)
    monkeypatch.chdir(place.workspace)
    find = find_program.__wrapped__
    monkeypatch.setenv("PATH", f"{place.workspace}:/usr/bin")
    assert not find("bash").startswith(str(place.workspace))
    monkeypatch.setenv("PATH", ".::/usr/bin")
    assert find("only-here") == ""


PIP = Cache("/home/u/.cache/pip", True, "PIP_CACHE_DIR")
GO = Cache("/home/u/go/pkg", True, "GOMODCACHE", needed=True)
GRADLE = Cache("/home/u/.gradle", True, "GRADLE_USER_HOME", needed=True)
LENT = WISH._replace(layer="/s/exams/1/caches", lent=True, lender="/s/caches")
OWN = "/s/exams/1/caches/moved"
WALLS = {"bubblewrap": FULL._replace(overlays=False), "landlock": FULL._replace(bubblewrap="")}


@table_test("support", WALLS.values(), ids=WALLS)
def test_an_exam_reads_the_users_caches_and_writes_its_own(support):
    made = plan(LENT._replace(caches=(PIP, GO)), support)
    assert "GOMODCACHE" not in made.env and made.env["PIP_CACHE_DIR"] == f"{OWN}/PIP_CACHE_DIR"
    assert GO.path not in made.prefix and "sandbox.gap_overlays" not in keys(made)


@table_test("support", WALLS.values(), ids=WALLS)
def test_an_exam_reads_what_the_set_up_moved(support):
    caches = (PIP._replace(filled="moved"), GO._replace(filled="moved"))
    env = plan(LENT._replace(caches=caches), support).env
    assert env["GOMODCACHE"] == "/s/caches/moved/GOMODCACHE"
    assert env["PIP_CACHE_DIR"] == f"{OWN}/PIP_CACHE_DIR"  # saves time only


def test_an_exam_reads_what_the_set_up_laid_over_a_cache():
    wish = LENT._replace(caches=(GO._replace(filled="laid"),))
    given, own = laid("/s/caches", GO.path), laid("/s/exams/1/caches", GO.path)
    words = list(plan(wish, WALLS["bubblewrap"]).prefix)
    assert [f"{given}/new", GO.path] in pairs(words, "--ro-bind")
    over = plan(wish, FULL)
    at = over.prefix.index("--overlay-src")
    sources = ("--overlay-src", GO.path, "--overlay-src", f"{given}/new")
    assert over.prefix[at : at + 8] == (*sources, "--overlay", f"{own}/new", f"{own}/work", GO.path)
    assert f"{own}/new" in over.folders and f"{given}/new" not in over.folders


def test_a_tool_that_locks_what_it_reads_gets_a_home_of_its_own():
    env = plan(LENT._replace(caches=(GRADLE,)), WALLS["landlock"]).env
    assert env["GRADLE_USER_HOME"] == f"{OWN}/GRADLE_USER_HOME"
    assert env["GRADLE_RO_DEP_CACHE"] == "/home/u/.gradle/caches"
    env = plan(LENT._replace(caches=(GRADLE._replace(filled="moved"),)), WALLS["bubblewrap"]).env
    assert env["GRADLE_RO_DEP_CACHE"] == "/s/caches/moved/GRADLE_USER_HOME/caches"
    fresh = plan(LENT._replace(caches=(GRADLE._replace(exists=False),)), WALLS["bubblewrap"]).env
    assert "GRADLE_RO_DEP_CACHE" not in fresh and fresh["GRADLE_USER_HOME"].startswith(OWN)


def test_a_variable_is_left_alone_while_one_of_its_caches_is_there():
    caches = (
        Cache("/home/u/.cargo/git", False, "CARGO_HOME", needed=True),
        Cache("/home/u/.cargo/registry", True, "CARGO_HOME", needed=True),
    )
    assert "CARGO_HOME" not in plan(WISH._replace(caches=caches), FULL).env
    none = tuple(cache._replace(exists=False) for cache in caches)
    assert plan(WISH._replace(caches=none), FULL).env["CARGO_HOME"] == "/s/caches/moved/CARGO_HOME"


@table_test(("layer", "said"), [("/s/caches", True), ("/s p/caches", False)])
def test_maven_is_told_by_an_option_where_that_can_be_written(layer, said):
    wish = WISH._replace(layer=layer, caches=(Cache("/home/u/.m2/repository", False, "MAVEN_OPTS"),))
    told = plan(wish, FULL).env.get("MAVEN_OPTS")
    assert told == ("-Dmaven.repo.local=/s/caches/moved/MAVEN_OPTS" if said else None)


@pytest.mark.parametrize(
    ("variable", "value", "cache"),
    [
        ("PIP_CACHE_DIR", "{}/pips", "pips"),
        ("GOMODCACHE", "{}/mods", "mods"),
        ("GOPATH", "{}/gone:/other", "gone/pkg"),
        ("CARGO_HOME", "{}/crates", "crates/registry"),
        ("XDG_CACHE_HOME", "{}/cached", "cached/pip"),
        ("PNPM_HOME", "{}/p", "p/store"),
        ("PIP_CACHE_DIR", "not/absolute", "home/.cache/pip"),
    ],
)
def test_caches_are_where_the_users_variables_say(place, variable, value, cache):
    env = {**place.env, variable: value.format(place.base)}
    (place.base / cache).mkdir(parents=True)
    wish = confine(place.workspace, place.base / "s", env)
    found = {each.path: each for each in wish.caches}
    assert found[str(place.base / cache)].exists
    if found[str(place.base / cache)].named:
        assert plan(wish, FULL).env[variable] == str(place.base / cache)


@pytest.mark.parametrize("value", ["/", "{}", "{}/home", "{}/workspace", "{}/workspace/.cache"])
def test_no_cache_covers_the_home_or_lies_in_the_workspace(place, value):
    wish = confine(
        place.workspace, place.base / "s", {**place.env, "PIP_CACHE_DIR": value.format(place.base)}
    )
    assert not [cache for cache in wish.caches if cache.path == value.format(place.base)]


def test_what_a_set_up_filled_is_found(place):
    (place.home / "go/pkg").mkdir(parents=True)
    (place.home / ".gradle").mkdir()
    layer = place.base / "s/caches"
    for path in (
        Path(laid(str(layer), str(place.home / "go/pkg")), "new/mod"),
        layer / "moved/DENO_DIR/x",
        layer / "moved/COREPACK_HOME",
    ):
        path.mkdir(parents=True)
    (layer / "moved/PRE_COMMIT_HOME").symlink_to(place.home)
    wish = confine(place.workspace, place.base / "own", place.env, lent=True, lender=place.base / "s")
    filled = {cache.variable: cache.filled for cache in wish.caches if cache.filled}
    assert filled == {"GOMODCACHE": "laid", "DENO_DIR": "moved"}
    assert str(layer / "moved") in wish.read_only


def test_npm_is_given_no_setting_that_it_does_not_know(place):
    env = plan(confine(place.workspace, place.base / "s", place.env), FULL._replace(bubblewrap="")).env
    known = {"npm_config_cache", "npm_config_userconfig"}
    assert "PNPM_HOME" in env and {name for name in env if name.lower().startswith("npm_config")} <= known
