"""Paths of secrets by name and folder, globs that could be one, and names that only sound like it."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from donewhen.guard.disk import RealDisk
from donewhen.guard.globs import matches
from donewhen.guard.ground import Ground, absolute
from donewhen.guard.marks import ANY, BELOW, HOLE, STAR
from donewhen.guard.secret_paths import holds_secrets, secret
from tests.tables import table_test

PATTERNS = (r"\.env$", r"credentials\.json$", "secret", "password", "api_key", "private_key")
GROUND = Ground("/home/dev/wt/feature-x", "/home/dev/wt/feature-x", "/home/dev", secret_patterns=PATTERNS)

SECRET = """
    .env .env.local .ENV prod.env .envrc .env.prod.local .env.test config/.env .env.production.local
    ~/.ssh ~/.ssh/id_foo /root/.ssh/id_rsa id_rsa id_rsa.bak ~/.aws/x ~/.kube/config /home/other/.aws/credentials
    ~/.gnupg/x ~/.docker/config.json ~/.netrc .netrc ~/.npmrc ~/.config/gh/hosts.yml ~/.config/gcloud/x.db
    ~/.git-credentials ~/.pgpass ~/.cargo/credentials.toml ~/.codex/auth.json ~/.claude/.credentials.json
    ~/.terraform.d/credentials.tfrc.json ~/.mozilla/firefox/x ~/.local/share/keyrings/login ~/.config/donewhen/x
    ~/.bash_history ~/.zsh_history /etc/shadow /proc/self/environ /proc/42/environ /run/secrets/db /dev/sda /dev/nvme0n1p2
    terraform.tfstate x.tfstate.backup prod.tfvars credentials.json config/master.key server.key certs/key.pem
    service-account-prod.json secrets.yml passwords.csv my_api_key.txt wp-config.php .htpasswd deploy.ppk
    private-key.asc secret password ~/.m2/settings.xml ~/.gradle/gradle.properties ~/.vault-token ~/.azure/x
""".split()
GLOBS = """
    .env* .e* .en? .??v .* .?nv id_* *.pem *.key *.env **.pem src/**/.env cred* secret* *secret*.json .env.…
    ~/.ssh/* ~/.ssh/… ~/.a*/cred* ~/.b* ~/.n* ~/.* ~/.s*/id_* ~/.c*/gcloud ~/.d*/config.json ~/.docker/*.json
    ~/.git-cred* ~/.k*/config /home/*/.ssh/id_rsa /proc/*/environ /proc/…/environ /proc/self/env* …/.env
    ~/** ~/.config/** ~/.ssh/**
""".split()
ORDINARY = """
    .env.example .env.sample .env.template .env.dist .env.test.example .env.defaults example.env .env.enc
    src/password_reset.py tests/test_secrets.py docs/secret-management.md src/components/PasswordInput.tsx
    src/secrets tests/secrets id_rsa.pub ~/.ssh/config ~/.ssh/known_hosts ~/.ssh/id_rsa.pub .npmrc cacert.pem
    ca-bundle.crt node_modules/x/cert.pem fullchain.pem public.pem server.crt debug.keystore package.json Makefile
    .gitignore .github/workflows/secret-scan.yml .secrets.baseline src/id_map.py id_utils.ts ~/x /etc/passwd
    /proc/cpuinfo /dev/null /dev/stdin /proc/self/status secrets.yml.example terraform.tfvars.example config/credentials.yml.enc
    chart/templates/secret.yaml .prettierrc .kube/deploy.yaml .docker/Dockerfile ~/.gitconfig ~/.bashrc
    ~/.cargo/config.toml ~/.config/nvim/init.lua keyboard.json password-reset.feature .venv/bin/activate
    .env/bin/activate .donewhen/config.yml
    * *.json src/* ~/* src/*.py app-*.ts *.md *.yml config*.json key*.ts README* .env.ex* .git* .g* .*rc .eslintrc*
    node_modules/.bin/* config/environments/*.rb *.pub ~/.config/*/x … src/… ….py src/**/x.py ** /proc/*/status
""".split()


def marked(text: str) -> str:
    text = text.replace("**", BELOW).replace("*", STAR).replace("?", ANY).replace("…", HOLE)
    return absolute(GROUND.home + text[1:] if text.startswith("~") else text, GROUND.folder)


@table_test("text", SECRET)
def test_secrets_are_known_by_their_path(text: str) -> None:
    assert secret(marked(text), GROUND)


@table_test("text", GLOBS)
def test_a_glob_counts_when_it_could_be_a_secret_and_says_enough(text: str) -> None:
    assert secret(marked(text), GROUND)


@table_test("text", ORDINARY)
def test_ordinary_files_are_no_secrets(text: str) -> None:
    assert secret(marked(text), GROUND) == ""


@table_test("text", "/ ~ /home /root /home/other ~/.ssh ~/.aws ~/.config ~/.gnupg ~/.docker".split())
def test_reading_all_of_such_a_folder_reads_secrets(text: str) -> None:
    assert holds_secrets(marked(text), GROUND)


@table_test("text", ". src ~/wt ~/repo /tmp /etc /usr/lib ~/projects .git ~/.cache".split())
def test_the_workspace_and_other_folders_hold_none(text: str) -> None:
    assert not holds_secrets(marked(text), GROUND)


def test_patterns_of_the_configuration_count_and_a_precise_one_also_for_source() -> None:
    ground = GROUND._replace(secret_patterns=(r"vault_\w+\.py$", "hush"))
    assert secret(marked("src/vault_keys.py"), ground)
    assert secret(marked("hush.dat"), ground)
    assert not secret(marked("src/hush.py"), ground)
    assert not secret(marked("src/hushed"), ground)


def test_a_workspace_that_is_the_home_folder_hides_nothing() -> None:
    ground = GROUND._replace(workspace="/home/dev", folder="/home/dev")
    assert secret("/home/dev/.npmrc", ground)
    assert secret("/home/dev/.aws/sso/cache", ground)
    assert not secret("/home/dev/src/app.py", ground)


def test_a_link_to_a_secret_is_one(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("A=1\n", encoding="utf-8")
    (tmp_path / "plain.txt").symlink_to(tmp_path / ".env")
    ground = Ground(str(tmp_path), str(tmp_path), "/home/dev", disk=RealDisk())
    assert secret(f"{tmp_path}/plain.txt", ground)


@given(st.text("ab" + STAR + ANY, max_size=12), st.text("ab", max_size=12))
def test_a_glob_fits_as_fnmatch_says(pattern: str, name: str) -> None:
    from fnmatch import fnmatchcase

    assert matches(pattern, name) == fnmatchcase(name, pattern.replace(STAR, "*").replace(ANY, "?"))


@given(st.text(max_size=40))
def test_any_text_is_answered(text: str) -> None:
    assert isinstance(secret(absolute(text, GROUND.folder), GROUND), str)


def test_many_stars_cost_no_more_than_their_number() -> None:
    assert secret(f"/home/dev/{('a' + STAR) * 30_000}b", GROUND) == ""
    assert secret(f"/home/dev/.x{'/'.join(['a' + STAR] * 10_000)}", GROUND) == ""
