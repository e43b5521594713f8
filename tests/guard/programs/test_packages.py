"""Package managers, runners and publishing programs: what they install, publish, run, and what stays ordinary."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.guard.call import Nested, Text, Words
from donewhen.guard.effects import (
    Alters,
    Destroys,
    Effect,
    Fetches,
    Installs,
    Loads,
    Persists,
    Publishes,
    Reads,
    Reveals,
    RunsFetched,
    Unknown,
    Weakens,
    Writes,
)
from donewhen.guard.marks import BELOW, HOLE, MARKS
from donewhen.guard.programs import readers
from tests.guard.calls import GROUND, call
from tests.tables import table_test

READERS = readers()

W = GROUND.workspace


def found(text: str, stdin: str | None = None, **env: str) -> list[Effect | Nested]:
    """What matters: reads of paths that are merely mentioned are left out."""
    one = call(text, stdin, **env)
    return [effect for effect in READERS[one.name](one) if not isinstance(effect, Reads)]


ORDINARY = """
npm test
npm test -- --watch=false
npm t
npm run build
npm run publish-docs
npm ls --all
npm view react version
npm outdated
npm audit
npm help publish
npm publish --help
npm publish --dry-run
npm config get registry
npm config list
npm cache clean --force
npm dist-tag ls react
npm owner ls react
npm pkg get scripts.test
npm pkg set version=1.2.3
npm pack --dry-run
npm --version
npm whoami
npm --prefix ui run build
npm -w api test
pnpm build
pnpm lint:fix
pnpm --filter web test
pnpm -r test
pnpm list
yarn build
yarn test --coverage
yarn --version
bun test
bun run build
bun pm ls
corepack --version
pip list
pip freeze
pip show requests
pip cache purge
pip config list
pip3.12 check
uv tree
uv build
uv cache clean
uv python list
poetry show
poetry check
poetry build
poetry config --list
hatch build
conda list
conda env list
conda config --show
twine check dist/x.whl
cargo test
cargo +nightly test
cargo run -- --force publish
cargo clippy -- -D warnings
cargo publish --dry-run
cargo doc --no-deps
cargo install --list
rustup show
rustup toolchain list
gem list
gem build x.gemspec
bundle check
bundle config set --local path vendor
go test ./...
go test -run TestX -count=1 -race ./...
go vet ./...
go mod tidy
go run .
go generate ./...
go env GOPATH
go clean -testcache
composer validate
composer test
mix test
mix format --check-formatted
mix ecto.migrate
dotnet test
dotnet build -c Release
dotnet nuget locals all --list
dotnet ef migrations add X
mvn -B verify -DskipITs=false
./mvnw clean install
gradle build -x publish
./gradlew test --tests deploy.PublishTest
./gradlew publishToMavenLocal
sbt test publishLocal
brew list
brew info jq
brew services list
apt list --installed
apt-cache show jq
apt-get -s install jq
dpkg -l
rpm -qa
pacman -Ss x
apk info
asdf current
mise run test
nvm use 20
pyenv versions
sdk list java
changeset version
lerna run test
semantic-release --dry-run
goreleaser build --snapshot
goreleaser release --snapshot
vercel ls
netlify dev
firebase emulators:start
wrangler dev
cdk diff
serverless info
fastlane test
nx run-many -t test
vsce ls
""".strip().splitlines()


@table_test("line", [line for line in ORDINARY if line.split()[0].rpartition("/")[2] in READERS])
def test_daily_commands_do_nothing_of_note(line):
    assert found(line) == []


@table_test(
    ("line", "where", "source"),
    [
        ("npm install", "project", ""),
        ("npm ci", "project", ""),
        ("npm install --save-dev vitest", "project", ""),
        ("npm i @scope/pkg@1", "project", ""),
        ("npm audit fix", "project", ""),
        ("npm i -g typescript", "user", ""),
        ("npm install typescript --global", "user", ""),
        ("npm -g i x", "user", ""),
        ("npm i --location=global x", "user", ""),
        ("pip install --pre x", "project", ""),
        ("npm link", "user", ""),
        ("npm install git+https://x.example/y.git", "project", "git+https://x.example/y.git"),
        ("npm install https://x.example/a.tgz", "project", "https://x.example/a.tgz"),
        ("npm install user/repo", "project", "user/repo"),
        ("npm install x@github:a/b", "project", "x@github:a/b"),
        ("npm install x --registry https://e.example", "project", "https://e.example"),
        ("npm install x --registry=https://registry.npmjs.org/", "project", ""),
        ("pnpm add -w -D x", "project", ""),
        ("pnpm add -g x", "user", ""),
        ("pnpm self-update", "user", ""),
        ("yarn", "project", ""),
        ("yarn install --immutable", "project", ""),
        ("yarn global add x", "user", ""),
        ("bun install --frozen-lockfile", "project", ""),
        ("bun add -g x", "user", ""),
        ("corepack enable", "user", ""),
        ("pip install -e .", "project", ""),
        ("pip install -r requirements.txt", "project", ""),
        ("pip install requests", "project", ""),
        ("pip install --user x", "user", ""),
        ("pip install --break-system-packages x", "system", ""),
        ("pip install git+https://x.example/y", "project", "git+https://x.example/y"),
        ("pip install -e git+https://x.example/y", "project", "git+https://x.example/y"),
        ("pip install -r https://x.example/r.txt", "project", "https://x.example/r.txt"),
        ("pip install -i https://e.example/simple x", "project", "https://e.example/simple"),
        ("pip install x --extra-index-url https://download.pytorch.org/whl/cpu", "project", ""),
        ("uv sync --frozen", "project", ""),
        ("uv add httpx", "project", ""),
        ("uv pip install --system x", "system", ""),
        ("uv tool install x", "user", ""),
        ("uv python install 3.13", "user", ""),
        ("poetry add x", "project", ""),
        ("poetry self add x", "user", ""),
        ("pipx install x", "user", ""),
        ("conda install numpy", "user", ""),
        ("cargo add serde", "project", ""),
        ("cargo install ripgrep", "user", ""),
        ("cargo install --git https://x.example/y", "user", "https://x.example/y"),
        ("rustup update", "user", ""),
        ("rustup component add clippy", "user", ""),
        ("gem install rails", "user", ""),
        ("bundle install --jobs 4", "project", ""),
        ("go get x", "project", ""),
        ("go install x@latest", "user", ""),
        ("composer install --no-dev", "project", ""),
        ("composer global require x", "user", ""),
        ("mix deps.get", "project", ""),
        ("mix local.hex --force", "user", ""),
        ("dotnet add package X", "project", ""),
        ("dotnet tool install -g x", "user", ""),
        ("brew install jq", "system", ""),
        ("apt-get install -y jq", "system", ""),
        ("apt-get -y -q install jq", "system", ""),
        ("apt remove x", "system", ""),
        ("dpkg -i x.deb", "system", ""),
        ("rpm -Uvh x.rpm", "system", ""),
        ("dnf -y install x", "system", ""),
        ("pacman -Syu", "system", ""),
        ("apk add --no-cache x", "system", ""),
        ("snap install x", "system", ""),
        ("nix-env -iA nixpkgs.x", "user", ""),
        ("winget install x", "system", ""),
        ("pyenv install 3.12", "user", ""),
        ("nvm install 20", "user", ""),
        ("asdf plugin add x", "user", ""),
        ("volta install node", "user", ""),
    ],
)
def test_installations(line, where, source):
    assert found(line) == [Installs(line.split()[0], where, source)]


PUBLISHING = """
npm publish
npm publish --access public
npm --loglevel silent publish
npm --unknown-option value publish
npm publish --dry-run --no-dry-run
npm publish --dry-run false
npm deprecate x@1 old
npm dist-tag add x@1 latest
npm owner add me x
pnpm -r publish --no-git-checks
pnpm --filter x publish
yarn publish
yarn npm publish
bun publish
uv publish
poetry publish --build
pdm publish
hatch publish
flit publish
twine upload dist/x.whl
maturin publish
cargo publish
cargo publish -p x --allow-dirty
cargo +nightly publish
cargo yank --version 1.0.0
cargo release
gem push x.gem
mix hex.publish --yes
dotnet nuget push x.nupkg
mvn clean deploy
mvn -DskipTests deploy
mvn org.apache.maven.plugins:maven-deploy-plugin:3.1.1:deploy
mvn release:perform
./gradlew publish
./gradlew :lib:publishToSonatype
sbt +publishSigned
semantic-release
changeset publish
lerna publish from-git
np
release-it
goreleaser release
goreleaser
vsce publish
ovsx publish x.vsix
vercel --prod
vercel
netlify deploy --prod
firebase deploy --only hosting
wrangler deploy
serverless deploy
cdk deploy --all
amplify publish
eas submit -p ios
fastlane release
fly deploy
dart pub publish
pod trunk push x.podspec
skopeo copy a b
""".strip().splitlines()


@table_test("line", PUBLISHING)
def test_publishing(line):
    effects = found(line)
    assert [type(effect) for effect in effects] == [Publishes]


@table_test(
    ("line", "argv"),
    [
        ("npx prisma db push --force-reset", ("prisma", "db", "push", "--force-reset")),
        ("npx -y prisma@5.1 generate", ("prisma", "generate")),
        ("npx --yes @scope/tool@1 x", ("tool", "x")),
        ("npx -p typescript tsc --noEmit", ("tsc", "--noEmit")),
        ("npx --package=x -- rimraf /", ("rimraf", "/")),
        ("bunx rimraf /", ("rimraf", "/")),
        ("npm exec -- rimraf /", ("rimraf", "/")),
        ("npm x rimraf /", ("rimraf", "/")),
        ("npm explore x -- rm -rf /", ("rm", "-rf", "/")),
        ("pnpm exec rm -rf /", ("rm", "-rf", "/")),
        ("pnpm dlx rimraf /", ("rimraf", "/")),
        ("pnpm rimraf /", ("rimraf", "/")),
        ("pnpm recursive publish", ("pnpm", "publish")),
        ("yarn rimraf /", ("rimraf", "/")),
        ("yarn run rimraf /", ("rimraf", "/")),
        ("yarn dlx rimraf /", ("rimraf", "/")),
        ("yarn node -e 1", ("node", "-e", "1")),
        ("yarn workspace web rimraf /", ("yarn", "rimraf", "/")),
        ("yarn workspaces foreach -A run x", ("yarn", "run", "x")),
        ("bun x rimraf /", ("rimraf", "/")),
        ("corepack pnpm install", ("pnpm", "install")),
        ("uv run pytest -q", ("pytest", "-q")),
        ("uv run --frozen pytest tests", ("pytest", "tests")),
        ("uv run --with rich python -c 'x'", ("python", "-c", "x")),
        ("uv run script.py a", ("python", "script.py", "a")),
        ("uv run -m pytest", ("python", "-m", "pytest")),
        ("uvx ruff@0.5 check .", ("ruff", "check", ".")),
        ("uvx --from httpie http x", ("http", "x")),
        ("uv tool run rm -rf /", ("rm", "-rf", "/")),
        ("pipx run x", ("x",)),
        ("poetry run rm -rf /", ("rm", "-rf", "/")),
        ("pdm run pytest", ("pytest",)),
        ("hatch run test:pytest -x", ("pytest", "-x")),
        ("hatch env run -e x -- rm y", ("rm", "y")),
        ("pipenv run pytest", ("pytest",)),
        ("bundle exec rm -rf /", ("rm", "-rf", "/")),
        ("composer exec rm x", ("rm", "x")),
        ("rustup run nightly cargo publish", ("cargo", "publish")),
        ("cargo sqlx database drop", ("sqlx", "database", "drop")),
        ("mix cmd rm -rf /", ("rm", "-rf", "/")),
        ("lerna exec -- rm -rf /", ("rm", "-rf", "/")),
        ("mvn exec:exec -Dexec.executable=rm -Dexec.args='-rf /'", ("rm", "-rf", "/")),
    ],
)
def test_what_is_run_is_handed_on(line, argv):
    effects = found(line)
    assert [one.argv for one in effects if isinstance(one, Words)] == [argv]
    assert len(effects) == 1


def test_behind_an_unknown_option_both_readings_are_handed_on():
    words = [one.argv for one in found("npm exec --foo bar rimraf /") if isinstance(one, Words)]
    assert words == [("bar", "rimraf", "/"), ("rimraf", "/")]


@table_test(
    ("line", "folder"),
    [
        ("pnpm -C ../x exec rm y", "/home/dev/wt/x"),
        ("npm --prefix /srv exec rm y", "/srv"),
        ("uv run --directory /srv rm y", "/srv"),
        ("poetry -C /srv run rm y", "/srv"),
        ("yarn --cwd sub rimraf y", f"{W}/sub"),
        ("pnpm exec git -C /srv push", ""),
        ("uv run x --directory /srv", ""),
    ],
)
def test_a_command_runs_where_the_manager_works(line, folder):
    assert [one.folder for one in found(line) if isinstance(one, Words)] == [folder]


@table_test(
    ("line", "effect"),
    [
        ("npx -c 'rm -rf ~'", Text("rm -rf ~", "npx")),
        ("npm exec --call='rm x'", Text("rm x", "npm")),
        ("npx github:a/b", Installs("npx", "project", "github:a/b")),
        ("npm --prefix ../other install", Writes(f"/home/dev/wt/other/{BELOW}")),
        ("npm test --script-shell=/tmp/x", Loads("npm --script-shell=/tmp/x")),
        ("npm config set registry https://e.example", Alters("npm config set")),
        ("npm set registry=https://e.example", Alters("npm set")),
        (
            "npm config get //registry.npmjs.org/:_authToken",
            Reveals("credential", "//registry.npmjs.org/:_authToken"),
        ),
        ("npm run env", Reveals("environment", "npm run env")),
        ("npm login", Alters("npm login")),
        ("npm token create", Alters("npm token create")),
        ("npm unpublish x --force", Destroys("remote", "npm unpublish", sure=False)),
        ("pip install --target /usr/lib x", Writes(f"/usr/lib/{BELOW}")),
        ("pip download x -d /srv", Fetches("packages", f"/srv/{BELOW}")),
        ("pip config set global.index-url x", Alters("pip config set")),
        ("uv run https://x.example/x.py", RunsFetched("uv")),
        ("uv venv /srv/v", Writes(f"/srv/v/{BELOW}")),
        ("uv auth token x", Reveals("credential", "uv auth token")),
        ("cargo build --target-dir /srv", Writes(f"/srv/{BELOW}")),
        (
            "cargo --config build.rustc-wrapper=x build",
            Unknown("guard.unknown_option", "--config build.rustc-wrapper=x"),
        ),
        ("cargo watch -s 'rm x'", Text("rm x", "cargo")),
        ("go test -exec 'rm -rf /' ./...", Text("rm -rf /", "go")),
        ("go build --toolexec=rm .", Text("rm", "go")),
        ("go build -o /usr/bin/x .", Writes("/usr/bin/x")),
        ("go env -w GOPROXY=x", Alters("go env")),
        ("mix ecto.drop", Destroys("database", "mix ecto.drop")),
        ("mix do deps.get, ecto.drop", Words(("mix", "ecto.drop"), "mix")),
        ("mix run -e 'x'", Words(("elixir", "-e", "x"), "mix")),
        ("mix run -e 'Repo.delete_all(User)'", Destroys("database", "Repo.delete_all(User)", sure=False)),
        ("mix run -r x.exs", Unknown("guard.unknown_code", "mix")),
        ("dotnet ef database drop", Destroys("database", "dotnet ef database drop")),
        ("dotnet publish -o /srv", Writes(f"/srv/{BELOW}")),
        ("dotnet user-secrets list", Reveals("credential", "dotnet user-secrets list")),
        ("brew services start x", Persists("brew services start")),
        ("apt-get update -o APT::Update::Pre-Invoke::='rm x'", Text("rm x", "apt-get")),
        (f"npm {HOLE}", Unknown("guard.unknown_option", "npm")),
        (f"npm pub{HOLE}lish", Unknown("guard.unknown_option", "npm")),
        (f"npm pkg {HOLE} scripts.test=true", Unknown("guard.unknown_option", "npm")),
        (f"npm install {HOLE}", Unknown("guard.unknown_option", "npm")),
        ("heroku pg:reset", Destroys("cloud", "heroku pg:reset")),
        ("vercel env pull", Reveals("credential", "vercel env pull")),
    ],
)
def test_more_than_installing(line, effect):
    assert (type(effect), tuple(effect)) in [(type(one), tuple(one)) for one in found(line)]


@table_test(
    ("name", "value"),
    [("PIP_INDEX_URL", "https://e.example"), ("npm_config_registry", "https://e.example")],
)
def test_another_source_by_environment(name, value):
    assert Installs("pip", "project", value) in found("pip install x", **{name: value})


def test_other_code_by_environment():
    assert found("cargo build", RUSTC_WRAPPER="/tmp/x") == [Loads("RUSTC_WRAPPER")]
    assert found("cargo build", RUSTC_WRAPPER="sccache") == []


@table_test(
    ("line", "what"),
    [
        ("npm pkg set scripts.test='exit 0'", "scripts.test"),
        ("npm pkg set 'scripts[test]=true'", "scripts.test"),
        ("npm pkg set version=1 scripts.test=vitest", "scripts.test"),
        ("npm pkg set scripts.test:unit=:", "scripts.test:unit"),
        ("npm pkg set scripts.lint=true", "scripts.lint"),
        ("npm pkg set scripts.typecheck='echo ok'", "scripts.typecheck"),
        ("npm pkg set scripts.build='tsc || true'", "scripts.build"),
        ("npm pkg set scripts={} --json", "scripts"),
        ("npm pkg delete scripts.test", "scripts.test"),
        ("npm pkg delete scripts", "scripts"),
        ("npm pkg --unknown-option value set scripts.test=true", "scripts.test"),
        ("npm set-script test 'echo ok'", "scripts.test"),
        ("pnpm pkg set scripts.test=", "scripts.test"),
        ("bun pm pkg set scripts.test=true", "scripts.test"),
        ("composer config scripts.test true", "scripts.test"),
    ],
)
def test_checks_that_would_no_longer_check(line, what):
    assert found(line) == [Weakens(what)]


@table_test(
    "line", ["pip install -r .env", "npm test -- .env", "uv run --env-file .env x", "npm i file=.env"]
)
def test_a_path_that_is_given_is_read(line):
    one = call(line)
    assert Reads(f"{W}/.env") in list(READERS[one.name](one))


WORDS = st.one_of(
    st.sampled_from(
        "-g -C -p --prefix --registry= install publish run exec pkg set scripts.test=x config do -- --dry-run -e "
        "-Dx=y deploy : a/b @a/b@1 git+x test: hex publish, env tool".split()
    ),
    st.text(alphabet="ab-=@:/.+ " + "".join(sorted(MARKS)), max_size=6),
)


@given(st.sampled_from(sorted(READERS)), st.lists(WORDS, max_size=7))
def test_readers_take_any_words_and_answer_alike(name, words):
    one = call(name)._replace(argv=(name, *words))
    assert list(READERS[name](one)) == list(READERS[name](one))


@given(
    st.sampled_from(["npm", "pnpm", "cargo", "uv", "poetry", "gem"]),
    st.lists(st.sampled_from(["-v", "-q", "--x"])),
)
def test_options_before_a_verb_hide_nothing(name, before):
    """Whatever flags stand in front, publishing is found."""
    verb = "push" if name == "gem" else "publish"
    one = call(name)._replace(argv=(name, *before, verb))
    effects = list(READERS[name](one))
    # an option in the place of a value takes the verb for itself
    assert any(isinstance(effect, Publishes) for effect in effects) or (name == "gem" and "-v" in before[-1:])
