"""Which variables reach a command."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.workspace.environment import command_environment
from tests.tables import table_test

TOKEN = "ghp_" + "a1B2" * 9


@table_test(
    "name",
    ["HOME", "LANG", "LC_ALL", "LC_TIME", "TERM", "TZ", "USER", "JAVA_HOME", "GOPATH", "CARGO_HOME", "CI"],
)
def test_ordinary_variables_pass(name):
    assert command_environment({name: "/x"}) == {name: "/x"}


@table_test(
    "name",
    [
        "OPENAI_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "GITHUB_TOKEN",
        "DATABASE_URL",
        "MY_SETTING",
        "LS_COLORS",
        "",
    ],
)
def test_what_nobody_named_stays_behind(name):
    assert command_environment({name: "value"}) == {}


NEVER = [
    "BASH_ENV", "ENV", "BASH_FUNC_ls%%", "LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES",
    "GIT_DIR", "GIT_SSH_COMMAND", "GIT_AUTHOR_NAME", "PYTHONSTARTUP", "PYTHONPATH", "NODE_OPTIONS", "NODE_PATH",
    "VIRTUAL_ENV", "PROMPT_COMMAND", "DONEWHEN_STATE_DIR", "SSH_AUTH_SOCK", "PERL5OPT", "RUBYOPT",
]  # fmt: skip


@table_test("name", NEVER)
def test_what_steers_programs_never_passes_even_when_named(name):
    assert command_environment({name: "x"}, [name]) == {}
    assert command_environment({}, set={name: "x"}) == {}


def test_the_user_may_name_a_credential():
    assert command_environment({"NPM_TOKEN": TOKEN}, ["NPM_TOKEN"]) == {"NPM_TOKEN": TOKEN}


def test_a_credential_in_an_ordinary_variable_stays_behind():
    assert command_environment({"LANG": TOKEN, "TZ": "UTC"}) == {"TZ": "UTC"}


@table_test(
    ("value", "passed"),
    [
        ("http://proxy.example:3128", "http://proxy.example:3128"),
        ("http://user:pa55word@proxy.example:3128/", "http://proxy.example:3128/"),
        ("user:pa55word@proxy.example:3128", "proxy.example:3128"),
        ("http://u:p@w@proxy.example", "http://proxy.example"),
        ("http://[bad:pw@", None),
        ("http://u:p/w@proxy.example", None),
        ("http://u:p#w@proxy.example", None),
        ("http://u:p?w@proxy.example", None),
        ("http://proxy.example/?token=abcdef", None),
        ("http://u:p@one.example|http://v:q@two.example", None),
    ],
)
def test_proxies_pass_without_their_password(value, passed):
    for name in ("http_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        assert command_environment({name: value}).get(name) == passed


def test_an_index_address_passes_without_its_login():
    got = command_environment({"PIP_INDEX_URL": "https://me:s3cr3tpw@pypi.example/simple"})
    assert got == {"PIP_INDEX_URL": "https://pypi.example/simple"}


@table_test(
    ("path", "kept"),
    [
        ("/usr/bin:/bin", "/usr/bin:/bin"),
        (":/usr/bin::.:bin:../x:/bin:", "/usr/bin:/bin"),
        ("/home/u/venv/bin:/usr/bin", "/usr/bin"),
        ("/home/u/venv/bin/:/usr/bin:/usr/bin", "/usr/bin"),
        ("/home/u/venv2/bin:/bin", "/home/u/venv2/bin:/bin"),
    ],
)
def test_the_path_has_absolute_folders_and_no_virtual_environment(path, kept):
    assert command_environment({"PATH": path, "VIRTUAL_ENV": "/home/u/venv"}) == {"PATH": kept}


def test_what_the_harness_sets_wins():
    assert command_environment({"TMPDIR": "/a"}, set={"TMPDIR": "/b"}) == {"TMPDIR": "/b"}


names = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=12)


@given(
    st.dictionaries(names | st.sampled_from(NEVER), st.text(max_size=20)),
    st.lists(names | st.sampled_from(NEVER)),
)
def test_nothing_is_made_up_and_nothing_steering_passes(base, extra):
    got = command_environment(base, extra)
    assert got.keys() <= base.keys()
    assert not got.keys() & set(NEVER)
    assert not any("\0" in value for value in got.values())
