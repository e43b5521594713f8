"""Addresses of remotes: which forge, which repository, and never a login."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.run.shipping.forge.remotes import repo_of
from tests.tables import table_test

SECRET = "hunter2"


@table_test(
    ("url", "kind", "shown"),
    [
        ("https://github.com/acme/shop.git", "github", "github.com/acme/shop"),
        ("https://github.com/acme/shop/", "github", "github.com/acme/shop"),
        (f"https://ann:{SECRET}@github.com/acme/shop", "github", "github.com/acme/shop"),
        ("git@github.com:acme/shop.git", "github", "github.com/acme/shop"),
        ("github.com:acme/shop", "github", "github.com/acme/shop"),
        ("ssh://git@github.com:22/acme/shop.git", "github", "github.com/acme/shop"),
        ("ssh://git@ssh.github.com:443/acme/shop.git", "github", "github.com/acme/shop"),
        ("https://github.acme.example:8443/acme/shop.git", "github", "github.acme.example:8443/acme/shop"),
        ("https://gitlab.com/acme/tools/web/shop.git", "gitlab", "gitlab.com/acme/tools/web/shop"),
        ("git@gitlab.acme.example:acme/tools/shop.git", "gitlab", "gitlab.acme.example/acme/tools/shop"),
        ("git://GitHub.com/acme/shop.js", "github", "github.com/acme/shop.js"),
    ],
)
def test_the_forge_of_an_address(url: str, kind: str, shown: str):
    repo = repo_of(url, "auto")
    assert repo is not None
    assert (repo.kind, repo.shown) == (kind, shown)
    assert SECRET not in str(repo)


@table_test(
    "url",
    [
        "",
        "/srv/git/acme/shop.git",
        "https://code.example/acme/shop.git",
        "https://github.com/shop.git",
        "https://github.com/a/b/c.git",
        "https://github.com/../shop",
        "https://github.com/acme/-shop",
        "https://github.com/acme/sh op",
        "https://github.com/acme/shop?x=1",
        "https://github.com:99999/acme/shop",
        "https://github.com/acme/%2e%2e",
        "https://github.com/acme/shop\n--evil",
        "ext::sh -c touch% x",
        "--upload-pack=touch x:acme/shop",
        "-oProxyCommand=x:acme/shop",
    ],
)
def test_no_forge_is_told_from_what_is_no_address_of_one(url: str):
    assert repo_of(url, "auto") is None


def test_a_setting_says_whose_an_unknown_host_is():
    url = "https://code.example/acme/shop.git"
    assert repo_of(url, "gitlab").shown == "code.example/acme/shop"  # type: ignore[union-attr]
    assert repo_of(url, "auto", "https://code.example/api/v4").kind == "gitlab"  # type: ignore[union-attr]
    assert repo_of(url, "auto", "https://code.example/api/v3").kind == "github"  # type: ignore[union-attr]
    assert repo_of(url, "none") is None
    assert repo_of("/srv/git/acme/shop.git", "github").path == "acme/shop"  # type: ignore[union-attr]


@given(st.text(max_size=60), st.sampled_from(("auto", "github", "gitlab")))
def test_whatever_stands_there_gives_a_plain_path_or_none(url: str, forge: str):
    for address in (url, f"https://github.com/{url}", f"git@gitlab.com:{url}"):
        repo = repo_of(address, forge)  # type: ignore[arg-type]
        if repo is not None:
            assert not repo.shown.startswith("-")
            assert ".." not in repo.path.split("/")
            assert repo.shown.isascii()
            assert repo.shown.isprintable()
