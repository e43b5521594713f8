"""Is an executed command the declared one, or more? One line per case, by ecosystem.

`ok` the same or more, `mask` the same but it could not have failed, `no` less or another command.
"""

import shlex

from donewhen.commands.invocation import Comparison, Invocation
from donewhen.commands.programs import compare, is_test_command, normalise
from donewhen.core.texts import say
from donewhen.core.tree import Word
from tests.tables import table_test, wrong


def invocation(text: str) -> Invocation:
    """Plain words; assignments in front are the command's variables."""
    words = shlex.split(text)
    env = {}
    while words and words[0].partition("=")[0].isidentifier() and "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        env[name] = Word(value)
    return Invocation(tuple(map(Word, words)), env)


NODE = """
ok   npm test << npm test
ok   npm test << npm t
ok   npm test << npm tst
ok   npm test << npm run test
ok   npm test << npm run-script test
ok   npm test << npm --silent test
ok   npm test << npm test --silent
ok   npm test << npm run --silent test
ok   npm test << npm test -- --coverage
ok   npm test << npm test -- --run
ok   npm run test -- --run << npm test
ok   npm test << npm run test -- --reporter=dot
ok   npm test << npm test -- --reporter dot --bail
ok   npm test << npm --prefix web test
ok   npm test << npm test --prefix=./web
no   npm test << npm --prefix ../other test
no   npm test << npm --prefix /srv/app test
no   npm test << npm -C ../.. test
ok   npm test << npm.cmd test
ok   npm test << yarn test
ok   npm test << yarn run test
ok   yarn test << npm test
ok   npm test << pnpm test
ok   npm test << pnpm t
ok   npm test << pnpm run test
ok   npm test << pnpm -C web test
ok   npm test << pnpm -r test
ok   npm test << yarn --cwd web test
ok   npm test << corepack yarn test
ok   npm test << bun run test
no   npm test << bun test
no   bun test << npm test
ok   bun test << bun test --coverage
no   bun test << bun test src/a.test.ts
mask bun test << bun test -u
ok   npm test << npx vitest run
ok   npm test << npx --yes vitest run
ok   npm test << npx --no-install vitest run
ok   npm test << npx vitest
ok   npm test << npx vitest --run
ok   npm test << vitest run
ok   npm test << pnpm vitest run
ok   npm test << pnpm exec vitest run
ok   npm test << yarn vitest run
ok   npm test << bunx vitest run
ok   npm test << npm exec -- vitest run
ok   npm test << npm exec vitest run
ok   npm test << ./node_modules/.bin/vitest run
ok   npm test << node node_modules/.bin/jest
ok   npm test << node node_modules/vitest/vitest.mjs run
ok   npm test << node --experimental-vm-modules node_modules/jest/bin/jest.js
no   npm test << node -r ./shim.js node_modules/.bin/jest
no   npm test << /tmp/bin/vitest run
ok   npm test << npx jest
ok   npm test << npx jest --ci --runInBand
ok   npm test << npx jest --maxWorkers=50% --verbose
ok   npm test << npx jest -i
ok   npm test << npx mocha
ok   npm test << npx mocha -R dot --timeout 5000
ok   npm test << npx c8 mocha
ok   npm test << npx nyc --reporter=lcov mocha
no   npm test << npx -p other vitest run
no   npm test << npx vitest@0.1 run
ok   npx vitest run << npm test
no   npx vitest run << npx jest
no   npx playwright test << npx cypress run
no   npm test << npm test src/foo.test.ts
no   npm test << npm test -- src/foo.test.ts
no   npm test << yarn test src/foo.test.ts
no   npm test << pnpm test -- src/foo.test.ts
no   npm test << npm test -- -t one
no   npm test << npm test -- --testNamePattern=one
no   npm test << npm test -- --grep one
no   npm test << npx vitest run -t one
no   npm test << npx vitest run --changed
no   npm test << npx vitest run --project unit
no   npm test << npx vitest run --exclude '**/slow/**'
no   npm test << npx vitest run --shard=1/4
no   npm test << npx vitest run --dir src/a
no   npm test << npx vitest related src/a.ts
no   npm test << npx vitest watch
no   npm test << npx vitest dev
no   npm test << npx vitest --watch
ok   npm test << npx vitest --watch=false
ok   npm test << npx vitest --no-watch
no   npm test << npx vitest --ui
no   npm test << npx vitest list
no   npm test << npx vitest bench
no   npm test << npx vitest run --config vitest.unit.config.ts
no   npm test << npx vitest run --mode staging
no   npm test << npx vitest run --retry=3
no   npm test << npx jest src/a.test.ts
no   npm test << npx jest --testPathPattern=unit
no   npm test << npx jest --testPathPatterns unit
no   npm test << npx jest --onlyChanged
no   npm test << npx jest -o
no   npm test << npx jest --onlyFailures
no   npm test << npx jest --findRelatedTests src/a.ts
no   npm test << npx jest --selectProjects unit
no   npm test << npx jest --testPathIgnorePatterns e2e
no   npm test << npx jest --listTests
no   npm test << npx jest --showConfig
no   npm test << npx jest --watchAll
ok   npm test << npx jest --watchAll=false
no   npm test << npx jest -c jest.unit.config.js
no   npm test << npx jest --help
no   npm test << npx mocha --dry-run
no   npm test << npx mocha -g login
no   npm test << npx mocha --invert
no   npm test << npx mocha test/a.js
no   npm test << npm test -w packages/a
no   npm test << npm test --workspace=packages/a
no   npm test << pnpm --filter web test
no   npm test << yarn workspace web test
ok   npm test -w packages/a << npm test --workspace packages/a
no   npm test -w a -w b << npm test -w a
no   npm test -w a << npm test
ok   pnpm --filter web test << pnpm -r test
no   yarn workspace web test << yarn test
ok   npm test -w a << npm test -w b -w a
no   npm test << npm test --ignore-scripts
no   npm test << npm test --dry-run
no   npm test << npm test --help
no   npm test << npm test -- --frobnicate
mask npm test << npm test -- --passWithNoTests
ok   npm test << npm test -- --passWithNoTests=false
mask npm test << npm run test --if-present
mask npm test << npm test --if-present
mask npm test << npm test --script-shell=/bin/true
mask npm test << npm_config_script_shell=/bin/true npm test
mask npm test << NPM_CONFIG_IF_PRESENT=true npm test
mask npm test << npx vitest run -u
mask npm test << npx vitest run --update
mask npm test << npx vitest run --dangerouslyIgnoreUnhandledErrors
mask npm test << npx jest --updateSnapshot
mask npm test << npx jest -u --ci
mask npm test << npx jest --testFailureExitCode=0
mask npm test << yarn test --passWithNoTests
mask npm test << npm test -- -u
ok   npm test << npm test --
ok   npm test << yarn -s test
ok   npm test << npx -- vitest run
ok   npm test << pnpm run test --coverage
ok   npm test << yarn test --watchAll=false
ok   npm test << yarn workspaces foreach -A run test
ok   npm test << npm test --workspaces
mask npm test << npm test --workspaces --if-present
mask npm test << npm test -- --passWithNoTests=false --passWithNoTests
no   npm test << npx vitest --watch=false --watch
no   npm test << npx -c 'vitest run'
no   npm test << NODE_ENV=production npm test
ok   npm test << NODE_ENV=test npm test
ok   npm test << npm_config_loglevel=silent npm test
no   npm test << npm_config_ignore_scripts=true npm test
no   npm test << npm_config_workspace=a npm test
mask npm test << UPDATE_SNAPSHOTS=1 npm test
ok   npm test << UPDATE_SNAPSHOTS=0 npm test
ok   npm test --if-present << npm test
ok   npm test << ".\\node_modules\\.bin\\vitest.cmd" run
no   npm test << npm test.
no   npm test << pnpm dlx create-app
no   npm test << npm pkg set scripts.test=true
no   npm test << npm testing
no   npm test << npm
no   npm test << npm run
no   npm test << npm run test:unit
no   npm test << npm run test:e2e
no   npm test << npm run tests
no   npm test << npm ci
no   npm test << echo npm test
no   npm test << node --test
no   npm test << make test
ok   npm run test:e2e << yarn test:e2e
ok   npm run test:e2e << pnpm run test:e2e
ok   npm run test:e2e << bun run test:e2e
ok   npm run test:e2e << npx playwright test
ok   npm run test:e2e << npx playwright test --reporter=line --workers=2
ok   npm run test:e2e << npx playwright test -j 4 --forbid-only
ok   npm run test:e2e << yarn playwright test
ok   npm run test:e2e << npx cypress run --headless
no   npm run test:e2e << npx playwright test tests/a.spec.ts
no   npm run test:e2e << npx playwright test -g login
no   npm run test:e2e << npx playwright test --project=chromium
no   npm run test:e2e << npx playwright test --project chromium firefox
no   npm run test:e2e << npx playwright test --list
no   npm run test:e2e << npx playwright test --ui
no   npm run test:e2e << npx playwright test --last-failed
no   npm run test:e2e << npx playwright test --retries=3
no   npm run test:e2e << npx playwright test --grep-invert slow
no   npm run test:e2e << npx playwright install
no   npm run test:e2e << npx playwright show-report
no   npm run test:e2e << npx cypress run --spec cypress/a.cy.ts
no   npm run test:e2e << npx cypress verify
no   npm run test:e2e << npm run test:e2e:smoke
no   npm run test:e2e << npm run test:e2e -- --grep login
mask npm run test:e2e << npx playwright test --update-snapshots
mask npm run test:e2e << npx playwright test -u
mask npm run test:e2e << npm run test:e2e -- --update-snapshots
no   npm test << npx playwright test
ok   npm run build << yarn build
ok   npm run build << pnpm build
no   npm run build << bun build
ok   npm run build << bun run build
no   npm run build << npm run build:dev
no   npm run build << npm run build -- --watch
no   npm run build << npm run build -- --mode development
ok   npm run lint << npm run lint -- --max-warnings 0
ok   npm run lint << npm run lint -- --format stylish
no   npm run lint << npm run lint -- --fix
no   npm run lint << npm run lint -- src/a.ts
no   npm run lint << npm run lint:fix
ok   npm start << npm run start
ok   npm ci << npm clean-install
ok   npm ci << npm ci --no-audit --no-fund
ok   npm ci << npm ci --prefer-offline
no   npm ci << npm install
no   npm ci << npm i
no   npm install << npm ci
no   npm ci << npm ci --ignore-scripts
no   npm ci << npm ci --omit=dev
no   npm ci << npm ci --dry-run
no   npm ci << yarn install --frozen-lockfile
ok   yarn install << yarn
ok   yarn install << yarn --frozen-lockfile
no   yarn install << yarn --version
ok   yarn install << yarn install --frozen-lockfile
ok   yarn install --frozen-lockfile << yarn install --immutable
no   yarn install --immutable << yarn install
no   pnpm install --frozen-lockfile << pnpm install
ok   pnpm install --frozen-lockfile << pnpm i --frozen-lockfile
no   pnpm install --frozen-lockfile << pnpm install --no-frozen-lockfile
no   npm install << npm install left-pad
ok   npx tsc --noEmit << npx tsc --noEmit --pretty false
ok   npx tsc --noEmit << tsc --noemit
ok   npx tsc --noEmit << tsc --noEmit -p tsconfig.json
ok   npx tsc --noEmit -p . << tsc --noEmit
no   npx tsc --noEmit -p tsconfig.build.json << tsc --noEmit
ok   npx tsc --noEmit << yarn tsc --noEmit
ok   npx tsc --noEmit << node node_modules/typescript/bin/tsc --noEmit
ok   npx tsc --noEmit << npx tsc --noEmit --strict
no   npx tsc --noEmit --strict << npx tsc --noEmit
no   npx tsc --noEmit << npx tsc
no   npx tsc << npx tsc --noEmit
no   npx tsc --noEmit << npx tsc --noEmit -w
no   npx tsc --noEmit << npx tsc --noEmit --skipLibCheck
no   npx tsc --noEmit << npx tsc --noEmit --strict false
no   npx tsc --noEmit << npx tsc --noEmit src/a.ts
no   npx tsc --noEmit << npx tsc --noEmit --project other.json
no   npx tsc --noEmit << npx tsc --version
no   npx tsc --noEmit << npx tsc --showConfig
ok   npx eslint . << npx eslint
ok   npx eslint . << eslint . --max-warnings 0
ok   npx eslint . << eslint . --cache --format json
no   npx eslint . --max-warnings 0 << npx eslint .
no   npm run lint << npm run lint -- --max-warnings 100
no   npm test << npm test -- --coverageThreshold={}
no   pytest << pytest --cov-fail-under=0
no   npx eslint . --max-warnings 0 << npx eslint . --max-warnings=10
ok   npx eslint . --max-warnings 10 << npx eslint . --max-warnings 0
no   npx eslint . --max-warnings 0 << npx eslint . --max-warnings=-1
no   npx eslint . << npx eslint . --fix
no   npx eslint . << npx eslint src
ok   npx eslint src << npx eslint .
no   npx eslint . << npx eslint . --ignore-pattern src
no   npx eslint . << npx eslint . --rule 'no-var: off'
no   npx eslint . << npx eslint . -c other.js
no   npx eslint . << npx eslint --print-config a.js
mask npx eslint . << npx eslint . --no-error-on-unmatched-pattern
mask npx eslint . << npx eslint . --suppress-all
ok   npx prettier --check . << prettier -c .
ok   npx prettier --check . << npx prettier --check . --log-level warn
no   npx prettier --check . << npx prettier --write .
no   npx prettier --check . << npx prettier .
no   npx prettier --check . << npx prettier --check src
no   npx prettier --check . << npx prettier --check --write .
ok   node --test << node --test --test-reporter=spec
no   node --test << node --test test/a.js
no   node --test << node --test --test-name-pattern=a
no   node --test << node test.js
no   node --test << node --test --watch
mask deno test << deno test --permit-no-files
no   deno test << deno test --no-run
"""

PYTHON = """
ok   pytest << pytest -q
ok   pytest << pytest -xvs
ok   pytest << pytest -vv --tb=short -rA
ok   pytest << pytest -n4
ok   pytest << pytest -n auto --dist loadfile
ok   pytest << pytest --maxfail=1 --durations 10
ok   pytest << pytest --cov
ok   pytest << pytest --cov src
ok   pytest << pytest --cov=src --cov-report=term-missing --cov-fail-under=80
ok   pytest << pytest --junitxml=out.xml -p no:cacheprovider
ok   pytest << pytest --ff
ok   pytest << pytest --strict-markers -W error
ok   pytest << pytest -o log_cli=true
ok   pytest << pytest .
ok   pytest . << pytest
ok   pytest tests/ << pytest tests
ok   pytest tests/ -q << pytest tests
ok   pytest tests/ << pytest ./tests
ok   pytest tests/unit << pytest tests
ok   pytest tests/unit << pytest
ok   pytest tests/a.py::test_x << pytest tests/a.py
ok   pytest a b << pytest b a
no   pytest a b << pytest a
no   pytest tests << pytest tests/unit
no   pytest tests << pytest tests2
no   pytest tests/a.py << pytest tests/a.py::test_x
ok   pytest << python -m pytest
ok   pytest << python3 -m pytest -q
ok   pytest << python3.12 -m pytest
ok   pytest << py -m pytest
ok   pytest << python -u -B -m pytest
ok   pytest << uv run pytest
ok   pytest << uv run --frozen pytest
ok   pytest << uv run --all-extras --quiet pytest -q
ok   pytest << uv run -m pytest
ok   pytest << uv run python -m pytest
ok   pytest << poetry run pytest
ok   pytest << poetry run python -m pytest
ok   pytest << pdm run pytest
ok   pytest << pipenv run pytest
ok   pytest << hatch run pytest
ok   pytest << rye run pytest
ok   pytest << .venv/bin/pytest
ok   pytest << ./venv/bin/python -m pytest
ok   pytest << .venv/Scripts/pytest.exe
ok   pytest << /usr/bin/pytest
ok   pytest << py.test
ok   pytest << coverage run -m pytest
ok   pytest << python -m coverage run --branch -m pytest
ok   uv run pytest << pytest
no   uv run --locked pytest << uv run pytest
no   pytest << uv run --with other pytest
no   pytest << uv run --directory ../other pytest
ok   pytest << uv run --directory sub pytest
no   pytest << ../venv/bin/pytest
no   pytest << ./pytest
no   pytest << python -O -m pytest
no   pytest << python pytest.py
no   pytest << pytest tests/test_one.py
no   pytest << pytest -k one
no   pytest << pytest -kone
no   pytest << pytest -m 'not slow'
no   pytest << pytest -qm slow
ok   pytest -k one << pytest
ok   pytest -m 'not slow' << pytest -m 'not slow' -q
no   pytest -k one << pytest -k two
no   pytest << pytest --lf
no   pytest << pytest --last-failed
no   pytest << pytest --sw
no   pytest << pytest --ignore=tests/slow
no   pytest << pytest --ignore tests/slow
no   pytest << pytest --deselect tests/a.py::test_x
ok   pytest --ignore=a --ignore=b << pytest --ignore=a
no   pytest --ignore=a << pytest --ignore=a --ignore=b
no   pytest << pytest --co
no   pytest << pytest --collect-only -q
no   pytest << pytest -q --co
no   pytest << pytest --fixtures
no   pytest << pytest --version
no   pytest << pytest -- tests/unit
no   pytest << pytest --cov=src tests/unit
no   pytest << pytest -n 4 tests/unit
no   pytest << pytest -W ignore
no   pytest << pytest --co --no-header
ok   pytest << python -X dev -m pytest
no   pytest << pytest -h
no   pytest << pytest --setup-plan
no   pytest << pytest -c other.ini
no   pytest << pytest -o addopts=
no   pytest << pytest -o python_files=nothing
no   pytest << pytest -p myplugin
no   pytest << pytest -p no:warnings
no   pytest << pytest --rootdir=/tmp
no   pytest << pytest --noconftest
no   pytest << pytest --reruns 3
no   pytest << pytest --frobnicate
no   pytest << pytest --no-cov
no   pytest --cov-fail-under=80 << pytest --cov-fail-under=10
ok   pytest --cov-fail-under=80 << pytest --cov-fail-under=90
no   pytest --cov --cov-fail-under=80 << pytest
no   pytest --strict-markers << pytest
ok   pytest -q -x << pytest
mask pytest << pytest --suppress-no-test-exit-code
mask pytest << pytest --snapshot-update
mask pytest << pytest --inline-snapshot=fix
no   pytest << PYTEST_ADDOPTS='-k x' pytest
no   pytest << PYTEST_ADDOPTS=--co pytest
no   pytest << PYTEST_ADDOPTS=tests/unit pytest
ok   pytest << PYTEST_ADDOPTS='-q --tb=short' pytest
mask pytest << PYTEST_ADDOPTS=--snapshot-update pytest
no   make test << PYTEST_ADDOPTS='-k x' make test
ok   pytest << PYTHONDONTWRITEBYTECODE=1 CI=true NO_COLOR=1 pytest
ok   CI=1 pytest << pytest
no   DATABASE_URL=x pytest << pytest
no   DATABASE_URL=x pytest << DATABASE_URL=y pytest
ok   DATABASE_URL=x pytest << DATABASE_URL=x pytest -q
no   pytest << PYTHONOPTIMIZE=1 pytest
no   pytest << PYTEST_PLUGINS=x pytest
no   pytest << python -m unittest
no   pytest << pytests
no   pytest << tox
ok   python -m unittest << python3 -m unittest discover
ok   python -m unittest << python -m unittest -v
no   python -m unittest << python -m unittest tests.test_a
no   python -m unittest << python -m unittest discover -s tests/unit
no   python -m unittest << python -m unittest -k one
ok   python -m unittest discover -s tests << python -m unittest discover -s tests -v
ok   python manage.py test << python3 manage.py test --parallel 4
ok   python manage.py test << ./manage.py test --noinput
no   python manage.py test << python manage.py test app.tests
no   python manage.py test << python manage.py test --tag fast
no   python manage.py test << python manage.py check
ok   tox << tox -p
ok   tox << tox -p auto -q
ok   tox << tox run
ok   tox << uv run tox
no   tox << tox -e py311
no   tox -e py311 << tox -e py312
ok   tox -e py311 << tox -e py311,py312
ok   tox -e py311 << tox -r -e py311
no   tox -e py311,py312 << tox -e py311
no   tox -e py311 << tox
no   tox << tox -l
no   tox << tox --notest
no   tox << tox list
no   tox << tox -- -k one
no   tox << TOXENV=lint tox
no   tox << TOX_SKIP_ENV=py312 tox
no   tox << tox --skip-missing-interpreters
ok   nox -s tests << nox -s tests lint
ok   nox -s tests << nox -r -s tests
ok   nox -s tests << nox --session tests
ok   nox -s tests << nox --sessions=tests
no   nox -s tests << nox -s lint
no   nox << nox -s tests
no   nox -s tests << nox -s tests -- -k one
no   nox -s tests << nox --list
no   nox -s tests << nox -s tests -p 3.12
no   nox << NOXSESSION=lint nox
ok   uv sync << uv sync --frozen
ok   uv sync --frozen << uv sync --frozen --quiet
no   uv sync --frozen << uv sync
no   uv sync << uv sync --no-dev
no   uv sync << uv sync --dry-run
no   uv sync << uv lock
no   poetry install << poetry install --only main
ok   poetry install << poetry install -n
ok   pip install -e . << python -m pip install -e .
no   pip install -e . << pip install .
ok   hatch run test << hatch run test
no   hatch run test << hatch run lint
no   pytest << hatch run test
"""

LINT = """
ok   ruff check . << ruff check
ok   ruff check << uv run ruff check .
ok   ruff check . << python -m ruff check . --output-format=github
ok   ruff check . << uvx ruff check .
ok   ruff check src << ruff check .
no   ruff check . << ruff check src
no   ruff check . << ruff check --fix .
no   ruff check . << ruff check . --select E
no   ruff check . << ruff check . --ignore E501
no   ruff check . << ruff check . --exclude tests
no   ruff check . << ruff check . --config other.toml
no   ruff check . << ruff check --watch
no   ruff check . << ruff format .
no   ruff check . << ruff check --show-files
mask ruff check . << ruff check . --exit-zero
mask ruff check . << ruff check -e .
ok   ruff format --check . << ruff format . --check
ok   ruff format --check . << ruff format --check --diff .
no   ruff format --check . << ruff format .
no   ruff format . << ruff format --check .
no   ruff format . << ruff format --diff .
ok   black --check . << black . --check -q
ok   black --check . << python -m black --check --diff .
no   black --check . << black .
no   black --check . << black --check src
no   isort --check . << isort .
ok   isort --check-only . << isort --check .
ok   mypy src << mypy src/
ok   mypy src << mypy src --pretty
ok   mypy src << mypy src tests
ok   mypy src << mypy --strict src
no   mypy --strict src << mypy src
no   mypy src << mypy src/a.py
no   mypy src << mypy
no   mypy << mypy src
no   mypy src << mypy src --ignore-missing-imports
no   mypy src << mypy src --exclude gen
no   mypy src << mypy src --config-file other.ini
no   mypy src << mypy --version
no   pyright << pyright src
no   pyright << pyright --watch
ok   pyright << npx pyright --stats
mask flake8 << flake8 --exit-zero
no   flake8 << flake8 --select E9
ok   flake8 << flake8 . --statistics --count
mask pylint src << pylint --exit-zero src
no   pylint src << pylint -E src
no   pylint src << pylint --fail-under=5 src
ok   pre-commit run --all-files << pre-commit run -a
no   pre-commit run --all-files << pre-commit run
no   pre-commit run --all-files << pre-commit run ruff --all-files
no   pre-commit run -a << SKIP=mypy pre-commit run -a
ok   terraform fmt -check << terraform fmt -check -diff
ok   terraform fmt -check << terraform fmt -check -recursive
no   terraform fmt -check << terraform fmt
no   terraform fmt -check -recursive << terraform fmt -check
ok   terraform validate << terraform validate -json
ok   terraform validate << terraform -chdir=infra validate
no   terraform validate << terraform -chdir=../infra validate
mask tflint << tflint --force
mask hadolint Dockerfile << hadolint --no-fail Dockerfile
no   shellcheck a.sh b.sh << shellcheck a.sh
ok   shellcheck a.sh << shellcheck a.sh b.sh
no   shellcheck a.sh << shellcheck -S error a.sh
ok   bundle exec rubocop << rubocop --parallel
no   bundle exec rubocop << bundle exec rubocop -a
no   rubocop << rubocop --only Lint
"""

COMPILED = """
ok   cargo test << cargo test --workspace
ok   cargo test << cargo test --all
ok   cargo test << cargo t -q
ok   cargo test << cargo test --no-fail-fast
ok   cargo test << cargo test --locked -j 4
ok   cargo test << cargo test -- --nocapture
ok   cargo test << cargo test -- --test-threads=1
ok   cargo test << cargo test -- --include-ignored
ok   cargo test << cargo --locked test
ok   cargo test << cargo test --manifest-path crates/a/Cargo.toml
no   cargo test << cargo test --manifest-path ../a/Cargo.toml
no   cargo test << cargo test --manifest-path /a/Cargo.toml
no   cargo test --workspace << cargo test
no   cargo test << cargo test some_test
no   cargo test << cargo test --lib
no   cargo test << cargo test --doc
no   cargo test << cargo test --tests
no   cargo test << cargo test --all-targets
no   cargo test << cargo test --test api
no   cargo test << cargo test -p core
no   cargo test << cargo test --package=core
no   cargo test << cargo test --workspace --exclude slow
no   cargo test << cargo test --no-run
no   cargo test << cargo test -- --list
no   cargo test << cargo test -- --ignored
no   cargo test << cargo test -- --skip slow
no   cargo test << cargo test -- --exact a::b
no   cargo test << cargo test --release
no   cargo test << cargo test --no-default-features
no   cargo test << cargo test --features extra
no   cargo test << cargo +nightly test
no   cargo test << cargo test --target wasm32-unknown-unknown
no   cargo test << cargo test --config net.offline=true
no   cargo test << cargo nextest run
no   cargo test << cargo check
no   cargo test << cargo build
no   cargo test << cargo bench
no   cargo test << cargo test --help
ok   cargo test -p a << cargo test -p a -p b
no   cargo test -p a << cargo test
ok   cargo test -p a << cargo test --workspace
no   cargo test -p a -p b << cargo test -p a
ok   cargo test --lib << cargo test --lib --bins
no   cargo test --lib << cargo test --bins
mask cargo test << INSTA_UPDATE=always cargo test
mask cargo test << UPDATE_EXPECT=1 cargo test
ok   cargo test << RUST_BACKTRACE=1 CARGO_TERM_COLOR=never cargo test
ok   cargo test << RUSTFLAGS='-D warnings' cargo test
no   cargo build --release << cargo build
no   cargo build << cargo build --release
ok   cargo build --release << cargo build -r --locked
ok   cargo clippy << cargo clippy -- -D warnings
ok   cargo clippy -- -D warnings << cargo clippy -- -Dwarnings
ok   cargo clippy -- -D warnings << cargo clippy --all-targets -- -D warnings
no   cargo clippy -- -D warnings << cargo clippy
no   cargo clippy --all-targets -- -D warnings << cargo clippy -- -D warnings
no   cargo clippy -- -D warnings << cargo clippy -- -D warnings -A dead_code
no   cargo clippy -- -D warnings << cargo clippy --fix -- -D warnings
no   cargo clippy -- -D warnings << RUSTFLAGS=-Awarnings cargo clippy -- -D warnings
no   cargo clippy -- -D warnings << cargo check
ok   cargo fmt --check << cargo fmt -- --check
ok   cargo fmt --check << cargo fmt --all --check
no   cargo fmt --all --check << cargo fmt --check
no   cargo fmt --check << cargo fmt
mask cargo nextest run << cargo nextest run --no-tests=pass
no   cargo nextest run << cargo nextest run -E 'test(a)'
ok   go test ./... << go test -v ./...
ok   go test ./... << go test ./... -v
ok   go test ./... << go test -race -count=1 ./...
ok   go test ./... << go test -race -cover -coverprofile=c.out ./...
ok   go test ./... << go test --timeout 30s -json ./...
ok   go test ./... << go -C sub test ./...
ok   go test -v ./... << go test ./...
ok   go test ./pkg << go test ./...
ok   go test << go test ./...
ok   go test ./a/b << go test ./a/...
ok   go test . << go test
no   go test ./... << go test
no   go test ./... << go test ./pkg
no   go test ./... << go test ./pkg/...
no   go test ./... << go test -run TestX ./...
no   go test ./... << go test -run=TestX ./...
no   go test ./... << go test -test.run=TestX ./...
no   go test ./... << go test -skip TestX ./...
no   go test ./... << go test -short ./...
no   go test ./... << go test -count=0 ./...
no   go test ./... << go test -c ./...
no   go test ./... << go test -n ./...
no   go test ./... << go test -list . ./...
no   go test ./... << go test -exec true ./...
no   go test ./... << go test -tags integration ./...
no   go test ./... << go test -vet=off ./...
no   go test ./... << go vet ./...
no   go test ./... << go testing ./...
no   go test ./... << go build ./...
no   go test ./... << go -C ../other test ./...
no   go test -race ./... << go test ./...
no   go test ./... << GOFLAGS=-run=X go test ./...
ok   go test ./... << GOFLAGS=-count=1 go test ./...
no   go test ./... << GOFLAGS=-short go test ./...
mask go test ./... << go test ./... -update
no   go vet ./... << go vet ./pkg
ok   go build ./... << go build -v ./...
ok   golangci-lint run << golangci-lint run ./... --timeout 5m
no   golangci-lint run << golangci-lint run --new
no   golangci-lint run << golangci-lint run --fix
mask golangci-lint run << golangci-lint run --issues-exit-code=0
no   gofmt -l . << gofmt -w .
ok   mvn verify << mvn -B -ntp verify
ok   mvn verify << ./mvnw verify
ok   mvn verify << mvn clean verify
ok   mvn test << mvn verify
ok   mvn verify << mvn install
ok   mvn verify << mvn -T 1C -fae verify
no   mvn verify << mvn test
no   mvn clean verify << mvn verify
no   mvn verify << mvn verify -DskipTests
no   mvn verify << mvn verify -Dmaven.test.skip=true
ok   mvn verify << mvn verify -DskipTests=false
no   mvn test << mvn test -Dtest=FooTest
no   mvn test << mvn test -pl core
no   mvn test << mvn -Pfast test
no   mvn test << mvn -f ../other/pom.xml test
ok   mvn test << mvn -f sub/pom.xml test
no   mvn test << mvn -version
no   mvn test << MAVEN_ARGS=-DskipTests mvn test
no   mvn test << MAVEN_OPTS=-DskipTests mvn test
ok   mvn test << MAVEN_OPTS=-Xmx2g mvn test
mask mvn test << mvn test -fn
mask mvn test << mvn --fail-never test
mask mvn test << mvn test -Dmaven.test.failure.ignore=true
mask mvn test << mvn test -Dmaven.test.failure.ignore
ok   ./gradlew test << gradle test --info
ok   ./gradlew test << ./gradlew clean test
ok   ./gradlew test << ./gradlew.bat test
ok   ./gradlew test << ./gradlew build
ok   ./gradlew test << ./gradlew check --no-daemon
ok   ./gradlew test << ./gradlew test --rerun-tasks --parallel
ok   ./gradlew test << ./gradlew -p sub test
no   ./gradlew test << ./gradlew -p ../sub test
no   ./gradlew build << ./gradlew test
no   ./gradlew build << ./gradlew assemble
no   ./gradlew build << ./gradlew build -x test
no   ./gradlew test << ./gradlew build -x test
no   ./gradlew test << ./gradlew :app:test
ok   ./gradlew :app:test << ./gradlew test
no   ./gradlew test << ./gradlew test --tests Foo
no   ./gradlew test << ./gradlew test --dry-run
no   ./gradlew test << ./gradlew test -m
no   ./gradlew test << ./gradlew -t test
no   ./gradlew test << ./gradlew tasks
no   ./gradlew test << ./gradlew test -PskipTests
mask ./gradlew test << ./gradlew test -PignoreFailures=true
ok   dotnet test << dotnet test --logger trx
ok   dotnet test << dotnet test -v n --nologo
ok   dotnet test << dotnet test --no-restore --collect 'XPlat Code Coverage'
no   dotnet test << dotnet test --filter Name~Foo
no   dotnet test << dotnet test -t
no   dotnet test << dotnet test --no-build
no   dotnet test << dotnet test -c Release
no   dotnet test << dotnet test -f net8.0
no   dotnet test << dotnet test tests/A.csproj
no   dotnet test << dotnet build
no   dotnet test << dotnet test -p:Configuration=Release
ok   dotnet test << dotnet test -c Debug
no   dotnet test -c Release << dotnet test
mask dotnet test << dotnet test --ignore-exit-code 8
no   dotnet format --verify-no-changes << dotnet format
no   dotnet build -warnaserror << dotnet build
ok   swift test << swift test --parallel
no   swift test << swift test --filter Foo
mask ctest << ctest --no-tests=ignore
no   ctest << ctest -N
no   ctest << ctest -R foo
ok   ctest << ctest -j8 --output-on-failure
"""

OTHERS = """
ok   make test << make -j4 test
ok   make test << make -j 4 test
ok   make test << make -j test
ok   make test << make -k test
ok   make test << make -s --no-print-directory test
ok   make test << make -C sub test
ok   make test << make -Csub test
ok   make test << make --directory=sub test
ok   make test << make lint test
ok   make test << make clean test
ok   make test << make test V=1
ok   make test << gmake test
ok   make test << /usr/bin/make test
no   make test << make -C .. test
no   make test << make -C /srv test
no   make test << make -n test
no   make test << make --dry-run test
no   make test << make -q test
no   make test << make -t test
no   make test << make -kn test
no   make test << make
no   make << make test
no   make test << make check
no   make test << make test-unit
no   make test << make -f other.mk test
no   make test << make test TESTS=one
no   make test << make test PYTEST=true
ok   make test PYTEST=true << make PYTEST=true test
no   make test << make -o build test
no   make lint test << make test
mask make test << make -i test
mask make test << make -ki test
mask make test << make --ignore-errors test
mask make test << make test SHELL=/bin/true
mask make test << MAKEFLAGS=-i make test
mask make test << MAKEFLAGS=i make test
mask make test << MAKEFLAGS=--ignore-errors make test
no   make test << MAKEFLAGS=n make test
ok   make test << MAKEFLAGS=-j8 make test
no   make test << TESTS=one make test
ok   just test << just --verbose test
no   just test << just test one
no   just test << just --list
no   just test << just -n test
no   just test << just lint
ok   rake test << bundle exec rake test
no   rake test << rake test TEST=a.rb
ok   bundle install << bundle
ok   bundle exec rspec << rspec --format documentation
ok   rspec << bin/rspec --seed 1
no   rspec << rspec spec/models
no   rspec << rspec -e one
no   rspec << rspec --dry-run
no   rspec << SPEC_OPTS='-e one' rspec
mask rspec << rspec --failure-exit-code 0
ok   rails test << bin/rails test -v
no   rails test << rails test test/models
ok   vendor/bin/phpunit << phpunit --testdox
no   phpunit << phpunit --filter one
mask phpunit << phpunit --do-not-fail-on-empty-test-suite
ok   composer run test << composer run-script test
ok   mix test << mix test --trace
no   mix test << mix test --only unit
no   mix format --check-formatted << mix format
ok   docker compose run --rm api pytest -q << docker compose run --rm api pytest
ok   docker compose run --rm api pytest -q << docker compose run -T --rm api python -m pytest
ok   docker compose run --rm api pytest -q << docker-compose run --rm api pytest -q
no   docker compose run --rm api pytest -q << docker compose run --rm api pytest -q tests/unit
no   docker compose run --rm api pytest -q << docker compose run --rm web pytest -q
no   docker compose run --rm api pytest -q << docker compose exec api pytest -q
no   docker compose run --rm api pytest -q << docker compose run --rm --entrypoint true api pytest -q
no   docker compose run --rm api pytest -q << docker compose run --rm -e X=1 api pytest -q
no   docker compose run --rm api pytest -q << docker compose -f other.yml run --rm api pytest -q
no   docker compose run --rm api pytest -q << pytest -q
no   docker compose run api << docker compose run api true
no   docker compose run api pytest << docker compose run api
mask docker compose run --rm api pytest -q << docker compose run -d api pytest -q
mask docker compose run --rm api pytest << docker compose run --rm api pytest --snapshot-update
no   pytest << docker compose run --rm api pytest
no   docker run --rm img pytest << docker run --rm other pytest
ok   docker build . << docker build --no-cache .
no   docker build . << docker build --target base .
ok   ./check.sh --all << ./check.sh --all
no   ./check.sh --all << ./check.sh --some
no   ./check.sh << ./check.sh -v
no   ./check.sh --all << ./check.sh
no   ./check.sh << check.sh
ok   uv run ./check.sh << ./check.sh
ok   python scripts/check.py --all << python3 scripts/check.py --all
no   python scripts/check.py << python scripts/check.py --fast
ok   foo a b << foo a b
ok   black . ../x << black . ../x
no   black ../x << black .
ok   npm test << bun --silent run test
no   npm test << bun --filter web run test
no   pnpm install << pnpm install --filter web
ok   rake -- a=b << rake -- a=b
ok   test -f a << test -f a
no   test -f a -a -d b << test -d a -a -f b
no   posargs --a x --b y << posargs --b x --a y
no   pytest --one a --two b << pytest --two a --one b
ok   pytest --one a --two b << pytest -q --one a --two b
no   docker network -a x -b y << docker network -b x -a y
no   foo a b << foo b a
"""


def cases(table: str) -> list[tuple[str, ...]]:
    """(verdict, declared, executed) of every line."""
    parts = [line.partition(" ") for line in table.strip().splitlines() if line]
    return [(verdict, *(part.strip() for part in rest.split("<<"))) for verdict, _, rest in parts]


TABLES = {"node": NODE, "python": PYTHON, "lint": LINT, "compiled": COMPILED, "others": OTHERS}


@table_test("table", TABLES)
def test_the_executed_command_is_the_declared_one_or_not(table):
    def holds(case):
        verdict, declared, executed = case
        found = compare(invocation(declared), invocation(executed))
        return (found.same, found.masked) == (verdict != "no", verdict == "mask")

    assert wrong(cases(TABLES[table]), holds) == []


@table_test("table", TABLES)
def test_a_command_is_itself_and_its_key_is_stable(table):
    for text in {each for case in cases(TABLES[table]) for each in case[1:]}:
        command = invocation(text)
        assert compare(command, command) == Comparison(True), text
        key = normalise(command)
        again = Invocation(tuple(map(Word, key)), command.env)
        assert normalise(again) == key, text
        assert compare(command, again).same, text


@table_test(
    ("declared", "executed", "found"),
    [
        ("pytest", "pytest -k one", Comparison(False, False, "tools.narrower", "-k=one")),
        ("pytest", "pytest --collect-only", Comparison(False, False, "tools.not_run", "--collect-only")),
        ("make test", "make --ignore-errors test", Comparison(True, True, "tools.mask", "--ignore-errors")),
        ("npm test", "npx vitest --watch", Comparison(False, False, "tools.watch", "--watch")),
        ("npm test", "npm run build", Comparison(False, False, "tools.other_command", "npm run build")),
        ("npx tsc", "npx tsc -p a.json", Comparison(False, False, "tools.other_config", "-p=a.json")),
        ("go test -race .", "go test .", Comparison(False, False, "tools.weaker", "-race")),
        ("npm test", "npm --prefix .. test", Comparison(False, False, "tools.other_place", "--prefix=..")),
        ("pytest", "pytest --foo", Comparison(False, False, "tools.unknown_option", "--foo")),
        ("A=1 pytest", "pytest", Comparison(False, False, "tools.environment", "A")),
        ("pytest", "pytest a.py --snapshot-update", Comparison(False, True, "tools.narrower", "a.py")),
    ],
)
def test_the_reason_names_the_word_that_decided(declared, executed, found):
    assert compare(invocation(declared), invocation(executed)) == found
    assert found.detail in say(found.reason, "en", detail=found.detail)


def test_a_word_that_only_the_shell_knows_equals_its_own_source_alone():
    plain, variable = Invocation((Word("pytest"),)), Invocation((Word("pytest"), Word("$ARGS", known=False)))
    other = Invocation((Word("pytest"), Word("$OTHER", known=False)))
    literal = Invocation((Word("pytest"), Word("$ARGS")))
    assert compare(variable, variable) == Comparison(True)
    for declared, executed in ((plain, variable), (variable, plain), (variable, other), (literal, variable)):
        assert not compare(declared, executed).same
    unclear = Invocation((Word("make"), Word("test")), {"MAKEFLAGS": Word("$X", known=False)})
    assert not compare(Invocation((Word("make"), Word("test"))), unclear).same
    valued = Invocation((Word("pytest"), Word("-n"), Word("$N", known=False)))
    assert compare(plain, valued) == Comparison(False, False, "tools.unclear", "-n=$N")


def test_the_number_of_processors_is_a_number():
    declared = Invocation((Word("make"), Word("test")))
    for words in (
        (Word("-j$(nproc)", known=False),),
        (Word("-j"), Word("$(nproc)", known=False)),
        (Word("-j"), Word('"$(nproc)"', known=False)),
        (Word("--jobs=`nproc`", known=False),),
    ):
        assert compare(declared, Invocation((Word("make"), *words, Word("test")))) == Comparison(True)
    for text in ("-j$(cat n)", "-$X$(nproc)", "$(nproc)$X"):
        assert not compare(declared, Invocation((Word("make"), Word(text, known=False), Word("test")))).same


def test_a_program_that_only_the_shell_knows_is_no_known_one():
    unknown = Invocation((Word("$RUNNER", known=False), Word("test")))
    assert compare(unknown, unknown).same
    assert not compare(Invocation((Word("npm"), Word("test"))), unknown).same


def test_another_machine_or_a_folder_outside_proves_nothing():
    here = Invocation((Word("npm"), Word("test")))
    assert compare(here, here._replace(elsewhere=True)).reason == "tools.other_place"
    assert compare(here, here._replace(folder=None)).reason == "tools.other_place"
    assert compare(here, here._replace(folder="web")) == Comparison(True)


def test_a_folder_option_is_taken_from_where_the_command_starts():
    below = Invocation(tuple(map(Word, ("npm", "--prefix", "..", "test"))), folder="web")
    declared = Invocation((Word("npm"), Word("test")))
    assert compare(declared, below) == Comparison(True)
    assert not compare(declared, below._replace(folder="")).same


@table_test(
    ("text", "key"),
    [
        ("npx vitest run --reporter=dot", "npm test"),
        ("yarn test:e2e", "npm run test:e2e"),
        ("npx cypress run", "npm run test:e2e"),
        ("npx vitest list", "vitest list"),
        ("pnpm build", "npm run build"),
        ("bun test", "bun test"),
        ("python3 -m pytest tests/ -q", "pytest tests"),
        ("uv run --with x pytest", "uv run --with=x pytest"),
        ("python -m unittest discover", "python -m unittest"),
        ("python3 manage.py test", "python manage.py test"),
        ("cargo clippy --all-targets -- -Dwarnings", "cargo clippy --all-targets -- -D warnings"),
        ("go test -v ./...", "go test ./..."),
        ("make -C sub -j4 test", "make test"),
        ("docker compose run --rm api python -m pytest -q", "docker compose run api pytest"),
        ("npx tsc --noemit", "tsc --noEmit"),
        ("./check.sh --all", "./check.sh --all"),
    ],
)
def test_the_key_of_a_command(text, key):
    assert " ".join(normalise(invocation(text))) == key


TEST_RUNS = """npm test|yarn test|npm run test:unit|npx vitest run|npx jest|npx playwright test|pytest|python -m pytest|uv run pytest
|python -m unittest|python manage.py test|tox|tox -e py311|nox -s tests|make test|make check|just test|cargo test|cargo nextest run
|go test ./...|mvn test|mvn verify|./gradlew test|./gradlew build|./gradlew :app:test|dotnet test|ctest|phpunit|rspec|bundle exec rspec
|rake test|rails test|swift test|mix test|bats tests|deno test|bun test|node --test|docker compose run --rm api pytest|composer test
|make test-unit|sbt test|flutter test|bazel test //...|npm run e2e"""
NO_TEST_RUNS = """npm ci|npm install|npm run build|npm run lint|npm run typecheck|pytest --collect-only|pytest --version|ruff check .
|mypy src|cargo build|cargo clippy|cargo fmt --check|go build ./...|go vet ./...|mvn compile|mvn test -DskipTests|./gradlew assemble
|dotnet build|make|make build|make lint|tox -e lint|nox -s lint|docker build .|uv sync|npx tsc --noEmit|npx eslint .|echo npm test
|npx vitest list|ls tests|cat test.py|bun run build|./check.sh"""


@table_test("text", TEST_RUNS.replace("\n", "").split("|"))
def test_a_test_run_is_recognised(text):
    assert is_test_command(invocation(text))


@table_test("text", NO_TEST_RUNS.replace("\n", "").split("|"))
def test_build_install_and_lint_are_no_test_runs(text):
    assert not is_test_command(invocation(text))


def test_nothing_at_all_is_nothing():
    empty = Invocation(())
    assert compare(empty, empty).same
    assert normalise(empty) == ()
    assert not is_test_command(empty)
