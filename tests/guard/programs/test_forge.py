"""Forges: what gh, glab, tea, hub and their interfaces do."""

from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.guard.call import Call, Nested, Text, Words
from donewhen.guard.effects import (
    Alters,
    Destroys,
    Effect,
    Fetches,
    Installs,
    Publishes,
    Pushes,
    Reads,
    Reveals,
    Rewrites,
    Sends,
    Weakens,
    Writes,
)
from donewhen.guard.marks import BELOW, HOLE
from donewhen.guard.programs.forge.readers import READERS, forge_effects
from tests.examples import many
from tests.guard.calls import GROUND, call
from tests.tables import table_test

WS = GROUND.workspace


def said(line: str) -> list[Effect | Nested]:
    one = call(line)
    return list(READERS[one.name](one))


def kinds(found: list[Effect | Nested]) -> set[str]:
    return {type(one).__name__ for one in found} - {"Connects"}


@table_test(
    "line",
    """gh pr create --fill
    gh pr create --title x --body 'git push --force'
    gh pr view 12 --json title -q .title
    gh pr list --limit 5
    gh pr diff 12
    gh pr checks
    gh pr checkout 12
    gh pr comment 12 -b done
    gh issue create -t x -b y
    gh issue close 3
    gh run view 1 --log-failed
    gh run watch
    gh repo view
    gh auth status
    gh api repos/acme/app/pulls
    gh api user
    gh api repos/acme/app/issues/3/comments -f body=hi
    gh api graphql -f query='query { viewer { login } }'
    gh release list
    gh secret list
    gh --version
    gh pr
    gh repo delete --help
    glab mr create --fill
    glab ci status
    tea pulls list
    hub pull-request -m x
    hub ci-status""".split("\n"),
)
def test_daily_work_has_no_effects_but_connections(line: str) -> None:
    assert kinds(said(line.strip())) == set()


@table_test(
    ("line", "effect"),
    [
        (
            "gh api -X PATCH repos/a/b/git/refs/heads/main -f sha=1 -F force=true",
            Pushes("github.com", "main", True),
        ),
        ("gh api repos/a/b/git/refs/heads/main -XDELETE", Pushes("github.com", "main", False, True)),
        (
            "gh api --method=delete /repos/a/b/git/refs/heads/rel%2F1",
            Pushes("github.com", "rel/1", False, True),
        ),
        ("gh api -X DELETE repos/a/b/git/refs/tags/v1", Pushes("github.com", "refs/tags/v1", False, True)),
        (
            "gh api -X DELETE repos/{owner}/{repo}/git/refs/heads/{branch}",
            Pushes("github.com", "feature/x", False, True),
        ),
        (
            "gh api -X POST repos/a/b/branches/main/rename -f new_name=x",
            Pushes("github.com", "main", False, True),
        ),
        ("gh api -X PUT repos/a/b/contents/x -f branch=main -f message=y", Pushes("github.com", "main")),
        ("glab api -X DELETE projects/1/repository/branches/main", Pushes("gitlab.com", "main", False, True)),
        (
            "gh api -X DELETE repos/a/b/branches/main/protection",
            Weakens("/repos/a/b/branches/main/protection"),
        ),
        ("gh api -X DELETE repos/a/b", Destroys("remote", "/repos/a/b")),
        ("gh api -X PUT repos/a/b/pulls/3/merge", Publishes("github.com", "/repos/a/b/pulls/3/merge")),
        ("gh api -X PUT repos/a/b/actions/secrets/X --input x.json", Reads(f"{WS}/x.json")),
        ("gh api repos/a/b/contents/.env", Reads("/.env")),
        ("gh api graphql -f query='mutation { deleteRef }'", Sends("github.com", "data")),
        ("gh api repos/a/b/foo -F x=@.env", Reads(f"{WS}/.env")),
        ("hub api -X DELETE repos/a/b/git/refs/heads/main", Pushes("github.com", "main", False, True)),
    ],
)
def test_requests_count_like_git(line: str, effect: Effect) -> None:
    assert effect in said(line)


@table_test(
    ("line", "effect"),
    [
        ("gh pr merge 12 --admin", Publishes("gh", "pr merge")),
        ("gh release create v1", Publishes("gh", "release create")),
        ("gh workflow run deploy", Publishes("gh", "workflow run")),
        ("gh repo create x --public", Publishes("gh", "repo create")),
        ("gh repo delete a/b --yes", Destroys("remote", "repo delete a/b")),
        ("gh -R a/b release delete v1", Destroys("remote", "release delete v1")),
        ("gh repo archive a/b", Destroys("remote", "repo archive a/b", False)),
        ("hub delete a/b", Destroys("remote", "repo delete a/b")),
        ("gh auth token", Reveals("credential", "gh auth token")),
        ("gh auth status -t", Reveals("credential", "gh auth status --show-token")),
        ("gh auth login", Alters("gh auth login")),
        ("gh secret set X -b y", Alters("gh secret set X")),
        ("gh secret set -f .env", Reads(f"{WS}/.env")),
        ("gh ssh-key add k.pub", Alters("gh ssh-key add")),
        ("gh workflow disable ci", Weakens("gh workflow disable ci")),
        ("gh gist create .env", Reads(f"{WS}/.env")),
        ("gh gist create a.py", Sends("gist.github.com", "content")),
        ("gh pr create -F .env", Reads(f"{WS}/.env")),
        ("gh repo clone a/b", Fetches("github.com", f"{WS}/b")),
        ("gh repo clone a/b ../c", Writes(f"/home/dev/wt/c/{BELOW}")),
        ("gh release download v1 -D ../c", Writes(f"/home/dev/wt/c/{BELOW}")),
        ("gh repo sync a/b -b main --force", Rewrites("main", "repo sync --force")),
        ("gh extension install a/b", Installs("gh", "user", "a/b")),
        ("gh alias set x '!rm -rf ~'", Text("rm -rf ~", "gh")),
        ("gh alias set x 'repo delete a/b'", Words(("gh", "repo", "delete", "a/b"), "gh")),
        ("glab mr merge 3", Publishes("glab", "pr merge")),
        ("tea repos delete x", Destroys("remote", "repo delete x")),
        ("hub push -f origin main", Pushes("origin", "main", True)),
    ],
)
def test_what_leaves_changes_or_is_lost(line: str, effect: Effect | Nested) -> None:
    assert effect in said(line)


@table_test("argv", [("gh", "foo", "bar"), ("gh", HOLE), ("gh", "repo", HOLE), ("gh", "api", HOLE)])
def test_what_is_not_known_is_said(argv: tuple[str, ...]) -> None:
    assert "Unknown" in kinds(list(READERS["gh"](Call(argv, GROUND, WS))))


@table_test(
    ("method", "url", "data", "expected"),
    [
        ("GET", "https://api.github.com/repos/a/b/pulls", "", []),
        ("DELETE", "https://example.com/repos/a/b", "", []),
        (
            "DELETE",
            "https://api.github.com/repos/a/b/git/refs/heads/main",
            "",
            [Pushes("api.github.com", "main", False, True)],
        ),
        (
            "PATCH",
            "https://api.github.com/repos/a/b/git/refs/heads/main",
            '{"sha": "1", "force": true}',
            [Pushes("api.github.com", "main", True)],
        ),
        (
            "PATCH",
            "https://api.github.com/repos/a/b/git/refs/heads/main",
            '{"sha": "1", "force": false}',
            [Pushes("api.github.com", "main")],
        ),
        (
            "DELETE",
            "https://git.example.com/api/v4/projects/1/repository/branches/main",
            "",
            [Pushes("git.example.com", "main", False, True)],
        ),
        (
            "DELETE",
            "https://x:y@git.example.com:8443/api/v3/repos/a/b",
            "",
            [Destroys("remote", "/repos/a/b")],
        ),
    ],
)
def test_addresses_of_forges(method: str, url: str, data: str, expected: list[Effect]) -> None:
    assert forge_effects(method, url, data) == expected


_WORDS = st.one_of(
    st.sampled_from("api pr repo delete -X DELETE -f --input @x alias set ! auth -F x=@y".split()),
    st.text(alphabet="abc-=:/.@{}%'\"\x00\x01", max_size=8),
)


@settings(max_examples=many(200), deadline=None)
@given(st.sampled_from(sorted(READERS)), st.lists(_WORDS, max_size=8))
def test_any_words_are_read_without_a_fault(program: str, words: list[str]) -> None:
    for one in READERS[program](Call((program, *words), GROUND, WS)):
        assert isinstance(one, tuple)
