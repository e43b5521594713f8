"""Programs that goals name, as data: which are complete alone, which need a sub-command, which run another.

This is knowledge of names only: what a command proves is decided elsewhere.
"""

# Names that project authors give to scripts, tasks and targets.
SCRIPTS = frozenset(
    "test tests unit e2e integration lint build check checks ci verify validate typecheck types "
    "tsc format fmt "
    "coverage cov bench benchmark docs doc generate gen codegen proto all dist release package compile clean "
    "install smoke smoketest acceptance qa vet analyze analyse audit security storybook dev "
    "start serve typings "
    "prepare pretest posttest regress regression quality style clippy mypy ruff pytest e2e-test "
    "migrate image "
    "docker snapshot conformance sanity examples contract visual a11y spec specs rubocop stylelint eslint "
    "prettier selftest distcheck assemble publish preview bootstrap setup deploy up seed fuzz race".split()
)

# Programs that mean something without any argument.
ALONE = frozenset(
    "pytest py.test tox nox mypy pyright basedpyright flake8 pylint bandit vulture codespell "
    "pip-audit isort ctest rspec "
    "rubocop standardrb brakeman rake cucumber behave phpunit phpstan psalm pest pint tflint tfsec checkov "
    "eslint tsc vue-tsc svelte-check stylelint oxlint knip depcheck tsd size-limit commitlint cspell "
    "jest vitest mocha ava karma jasmine golangci-lint staticcheck gotestsum ginkgo revive gosec govulncheck "
    "swiftlint ktlint detekt shellcheck hadolint yamllint markdownlint markdownlint-cli2 "
    "actionlint ansible-lint "
    "ninja scons elm-test jekyll hugo ameba credo lhci import-linter lint-imports shfmt bats prove minitest "
    "php-cs-fixer phpcs clang-tidy cppcheck nosetests trial slither solhint luacheck stylua selene busted "
    "interrogate pydocstyle deptry refurb ty "
    "./gradlew ./mvnw gradlew mvnw gradlew.bat vendor/bin/phpunit vendor/bin/pest".split()
)


def _table(text: str) -> dict[str, frozenset[str]]:
    """Lines `program: words`; an indented line continues the one above."""
    lines = text.replace("\n  ", " ").strip().splitlines()
    return {name: frozenset(words.split()) for name, _, words in (line.partition(": ") for line in lines)}


# Programs that need a further word, and the words that can follow; SCRIPTED ones also take SCRIPTS.
SUBS = _table("""
npm: audit build ci exec i install ls pack publish rebuild run run-script start t test tst
pnpm: --filter --recursive -C -F -r add audit build check ci coverage dev dlx e2e exec format i install lint
  pack run start t test typecheck unit
yarn: add audit build check ci constraints coverage dedupe dev dlx e2e exec format i install lint pack run
  start t test typecheck unit workspace workspaces
bun: add audit build check ci coverage dev dlx e2e exec format i install lint pack run start t test
  typecheck unit x
go: build fmt generate install mod run test tool vet work
cargo: audit b bench build c check clippy deny doc fmt fuzz hack insta install llvm-cov machete make miri
  mutants nextest package publish r run semver-checks t tarpaulin test udeps xtask
python: -m
python3: -m
py: -m
dotnet: build ef format msbuild pack publish restore run test tool vstest
docker: bake build buildx compose exec image pull push run scan
docker-compose: -f build config down exec pull run up
podman: build compose exec run
bundle: audit check exec install
rails: db:migrate db:test:prepare server spec test test:system zeitwerk:check
mix: compile credo deps.get dialyzer docs ecto.migrate format precommit sobelow test
terraform: apply fmt init plan test validate
tofu: apply fmt init plan test validate
terragrunt: hclfmt plan run-all validate
composer: audit check cs exec install lint phpstan run run-script stan test update validate
php: artisan bin/console bin/phpunit
flutter: analyze apk appbundle build drive format ios ipa pub test web
dart: analyze compile fix format pub run test
swift: build format package run test
xcodebuild: -project -scheme -workspace analyze build test
bazel: build coverage query run test
bazelisk: build coverage run test
buck2: build run test
pants: check fmt lint package test
cmake: --build --install --preset --workflow -B -S
meson: compile install setup test
deno: bench cache check compile fmt lint run task test
mvn: -B -T -pl -q checkstyle:check clean compile install package spotless:check test verify
gradle: assemble build check clean detekt ktlintCheck lint spotlessCheck test
uv: build export lock pip run sync tool venv
poetry: build check install lock run
hatch: build env fmt run test version
pdm: build check install lint lock run sync test
rye: build fmt lint run sync test
pixi: install run
pipenv: check install run sync
pip: check install
pip3: check install
ruff: . check format
black: --check --diff -q .
prettier: --check --list-different -c .
biome: check ci format lint
dprint: check
playwright: install test
cypress: run
vitest: related run
helm: dependency install lint template test unittest
kubectl: apply diff get rollout
kustomize: build
kubeconform: -strict -summary .
kind: create
sbt: +test clean compile it:test scalafmtCheck scalafmtCheckAll test
mill: compile test
lein: check eastwood test
clj: -M:test -X:test
clojure: -M:test -X:test
zig: build fmt test
stack: build test
cabal: build check test
nix: build develop flake fmt run
nix-build: -A .
dune: build fmt runtest test
opam: exec install lint
gleam: build check format test
rebar3: compile ct dialyzer eunit xref
crystal: build spec tool
shards: build install
nimble: build install test
pre-commit: install run
lefthook: run
turbo: build lint run test typecheck
moon: check ci run
nx: affected build e2e lint run run-many test
lerna: run
rush: build install rebuild test
ng: build e2e lint test
next: build lint
vite: build
astro: build check
wasm-pack: build test
maturin: build develop
trunk: build check
forge: build coverage fmt test
hardhat: compile coverage test
anchor: build test
anvil: --version
slang: check
sqlfluff: lint
dbt: build compile parse run seed test
alembic: check upgrade
prisma: generate migrate validate
buf: breaking build generate lint
opa: check test
conftest: test verify
packer: validate
cdk: diff synth
pulumi: preview
sam: build validate
serverless: package
mkdocs: build
sphinx-build: -W -b -n
zola: build check
coverage: report run
twine: check
robot: . tests
git: apply diff status
gofmt: -d -l
goimports: -l
cargo-deny: check
cross: build test
wrangler: deploy
supabase: db test
pod: install lib
fastlane: scan test
melos: bootstrap exec run
earthly: +test
dagger: call run
act: -j push
k6: run
newman: run
vale: .
mage: -v
invoke: test
inv: test
ant: test
R: CMD
Rscript: -e
julia: --project --project=. -e
make: -C -f -j -k -s
gmake: -C
just: -f
task: -t
node: --check --test
tsx: --test
bash: -c -n
test: ! -d -e -f -s -x
curl: --fail -f -fsS -s -sf
grep: -c -q -r
diff: --exit-code -q -r -u
sh: -c -n
zsh: -c
pwsh: -File -c
powershell: -File
vendor/bin/phpstan: analyse
java: -jar
perl: Makefile.PL
""")
SUBS |= dict.fromkeys(("python3.11", "python3.12", "python3.13"), SUBS["python"])

# The next word may be any name of a script or target.
SCRIPTED = frozenset(
    "npm pnpm yarn bun make gmake just task mage rush moon turbo nx invoke inv ant composer "
    "fastlane rake".split()
)
# The next word may be any task with a namespace.
NAMESPACED = frozenset("mvn gradle rails rake mix bin/rails sbt".split())
# The next word may be a program that the project installed.
LOCAL_BINARIES = frozenset("pnpm yarn bun".split())
# The next word may be a file.
RUNS_FILES = frozenset(
    "python python3 python3.11 python3.12 python3.13 py node tsx ts-node bash sh zsh pwsh "
    "powershell ruby php perl "
    "julia Rscript deno bun lua".split()
)
# These run what follows: program and sub-command, or the program alone.
_WRAPPERS = """
act -j, bun run, bun x, bundle exec, bunx, cargo make, cargo xtask, composer exec, composer run, coverage
run, deno run, deno task, devbox run, direnv exec, docker compose, docker exec, docker run, docker-compose
exec, docker-compose run, dotnet tool, env, go run, go tool, hatch run, lefthook run, lerna run, make -C,
melos run, mise run, nice, nix develop, npm exec, npm run, npm run-script, npx, opam exec, pdm run, php
artisan, pipenv run, pipx run, pixi run, pnpm dlx, pnpm exec, pnpm run, pnpx, podman run, poetry run,
proto run, py -m, python -m, python3 -m, rye run, sudo, time, timeout, turbo run, uv run, uvx, xvfb-run,
yarn dlx, yarn exec, yarn run, yarn workspace
"""
WRAPPERS = frozenset(
    (p, sub) for p, _, sub in (" ".join(each.split()).partition(" ") for each in _WRAPPERS.split(","))
)
WRAPPING = frozenset(program for program, _ in WRAPPERS)

# English words too: their next word must be one that we know, and prose must not go on behind it.
WORDLIKE = frozenset(
    "go make just task node python act time env trunk stack forge next kind ant inv invoke mill moon "
    "test".split()
)

# Installing is set-up where a goal says "after": it is part of the exam only where a list or chain says so.
_INSTALLS = """
npm ci, npm install, npm i, pnpm install, pnpm i, yarn install, bun install, pip install, pip3 install,
bundle install, composer install, poetry install, uv sync, pdm install, uv pip install, mix deps.get,
flutter pub get, dotnet restore, pod install, go mod download, npx playwright install, pipenv install,
hatch env create, python -m venv, make setup, make install, make bootstrap, docker compose up,
docker-compose up, pre-commit install, terraform init, yarn, cargo fetch
"""
INSTALLS = tuple(" ".join(each.split()) for each in _INSTALLS.split(","))

# What is done with accepted work: no exam, unless the words right behind it say so.
_ACTS = """
git commit, git push, git tag, git merge, git add, git rebase, gh pr, gh release, npm publish, npm version,
pnpm publish, yarn publish, bun publish, cargo publish, poetry publish, uv publish, twine upload, docker push,
terraform apply, kubectl apply, helm upgrade, fly deploy, vercel deploy, npm run deploy, make deploy,
make publish, make release, npm run release, cdk deploy, pulumi up, yarn deploy, pnpm deploy
"""
ACTS = tuple(" ".join(each.split()) for each in _ACTS.split(","))

# Options whose value is the next word, in any of these programs.
VALUED = frozenset(
    "-p -k -m -C -S -B -f -F -n -r -e -c -t -w -s -o -b -D -P -T -j -pl -scheme -project -destination "
    "-workspace --filter --package "
    "--workspace --prefix --project --target --features --config --bin --test --profile --env "
    "--file --tag --group --with "
    "--extra --dir --cwd --scope --configuration --grep --maxfail --max-warnings --cov --reporter --coverage "
    "--preset --build --test-dir --directory --bench --example --scheme --platform --tags --run "
    "--timeout --manifest-path "
    "--network --name --user --volume -v".split()
)
