"""Goals in English, each with what must pass before the work may end and whether that exam is active."""

Case = tuple[str, tuple[str, ...], bool]

REQUIRED: list[Case] = [
    # markers and backticks
    (
        "Implement OAuth login. You are done when `npm run lint`, `npm test` and `npm run build` all pass.",
        ("npm run lint", "npm test", "npm run build"),
        True,
    ),
    (
        "Port the CLI from Python to Go. The job is finished once `go vet ./...` and `go test -race ./...` succeed.",
        ("go vet ./...", "go test -race ./..."),
        True,
    ),
    (
        "Add dark mode. Definition of done: `pnpm lint`, `pnpm test`, `pnpm build`.",
        ("pnpm lint", "pnpm test", "pnpm build"),
        True,
    ),
    (
        "Fix the memory leak. Only when `make test` → `make valgrind` both succeed, finish.",
        ("make test", "make valgrind"),
        True,
    ),
    (
        "Build a URL shortener. I will only accept it if `pytest -q` and `mypy src` are clean.",
        ("pytest -q", "mypy src"),
        True,
    ),
    (
        "Migrate to TypeScript. Before you hand in, `npx tsc --noEmit` and `npx vitest run` must be green.",
        ("npx tsc --noEmit", "npx vitest run"),
        True,
    ),
    (
        "Refactor the billing module and make sure `dotnet build` and `dotnet test` pass.",
        ("dotnet build", "dotnet test"),
        True,
    ),
    (
        "Make sure that `tox -e py312` and `tox -e lint` succeed after you rewrite the scheduler.",
        ("tox -e py312", "tox -e lint"),
        True,
    ),
    (
        "Create a REST API for books. Success criteria: `mvn -q verify` passes and `docker build .` succeeds.",
        ("mvn -q verify", "docker build ."),
        True,
    ),
    (
        "Don't stop until `./gradlew check` and `./gradlew integrationTest` pass. The task: add caching to the catalog service.",
        ("./gradlew check", "./gradlew integrationTest"),
        True,
    ),
    (
        "Keep working until `cargo test` and `cargo bench --no-run` succeed. Implement the B-tree index.",
        ("cargo test", "cargo bench --no-run"),
        True,
    ),
    (
        "Implement pagination. Verify with `bun test` and `bun run build`.",
        ("bun test", "bun run build"),
        True,
    ),
    ("Rewrite the parser. Prove it with `just test` and `just lint`.", ("just test", "just lint"), True),
    (
        "Implement the importer and get `npm run typecheck` and `npm test` green.",
        ("npm run typecheck", "npm test"),
        True,
    ),
    ("Fix the broken build so that `make` and `make check` work again.", ("make", "make check"), True),
    (
        "Upgrade Django to 5.1; `python manage.py check` and `python manage.py test` must still pass.",
        ("python manage.py check", "python manage.py test"),
        True,
    ),
    (
        "Introduce feature flags. The final gate is `yarn lint && yarn test --ci && yarn build`.",
        ("yarn lint", "yarn test --ci", "yarn build"),
        True,
    ),
    (
        "Harden the uploader. No merge before `bundle exec rspec` and `bundle exec rubocop` are green.",
        ("bundle exec rspec", "bundle exec rubocop"),
        True,
    ),
    (
        "Never commit without running `npm test` and `npm run lint`. Add the export button.",
        ("npm test", "npm run lint"),
        True,
    ),
    (
        "Convert the app to Svelte 5 with `npm run check` and `npm run build` passing at the end.",
        ("npm run check", "npm run build"),
        True,
    ),
    (
        "Implement retries without breaking `go test ./...` or `golangci-lint run`.",
        ("go test ./...", "golangci-lint run"),
        True,
    ),
    (
        "Extend the SDK. Acceptance criteria are that `swift build` compiles and `swift test` passes.",
        ("swift build", "swift test"),
        True,
    ),
    (
        "Develop the chat widget. Exit codes of `flutter analyze` and `flutter test` must both be 0.",
        ("flutter analyze", "flutter test"),
        True,
    ),
    (
        "Optimise the query planner. It counts as done when `bazel test //...` and `bazel build //:all` return 0.",
        ("bazel test //...", "bazel build //:all"),
        True,
    ),
    (
        "Add Elixir support: `mix format --check-formatted`, `mix credo --strict` and `mix test` should all be green before you stop.",
        ("mix format --check-formatted", "mix credo --strict", "mix test"),
        True,
    ),
    (
        "Write the PHP client. `composer validate`, `vendor/bin/phpstan analyse` and `vendor/bin/phpunit` need to pass.",
        ("composer validate", "vendor/bin/phpstan analyse", "vendor/bin/phpunit"),
        True,
    ),
    (
        "Implement the deno port. Required: `deno fmt --check`, `deno lint`, `deno test -A`.",
        ("deno fmt --check", "deno lint", "deno test -A"),
        True,
    ),
    (
        "Replace the build system with CMake. Done = `cmake --build build` and `ctest --test-dir build` succeed.",
        ("cmake --build build", "ctest --test-dir build"),
        True,
    ),
    (
        "Can you implement the search box and make sure `npm test` and `npm run build` pass?",
        ("npm test", "npm run build"),
        True,
    ),
    (
        "Implement audit logs, then run `uv run pytest` and `uv run mypy .` and fix whatever is red.",
        ("uv run pytest", "uv run mypy ."),
        True,
    ),
    (
        "Use `poetry run pytest` and `poetry run ruff check .` to verify your work. Implement the tax rules.",
        ("poetry run pytest", "poetry run ruff check ."),
        True,
    ),
    (
        "Implement the webhook. Merge only after `nox -s tests` and `nox -s lint` are green.",
        ("nox -s tests", "nox -s lint"),
        True,
    ),
    (
        "Add OpenAPI validation. Stop when `hatch run test` passes and `hatch fmt --check` is clean.",
        ("hatch run test", "hatch fmt --check"),
        True,
    ),
    (
        "Open the PR once `npm run test:unit` and `npm run test:e2e` are green. Implement the wishlist first.",
        ("npm run test:unit", "npm run test:e2e"),
        True,
    ),
    (
        "Implement the exporter. `./scripts/check.sh --all` and `./scripts/e2e.sh` must exit with code 0.",
        ("./scripts/check.sh --all", "./scripts/e2e.sh"),
        True,
    ),
    (
        "Implement multi-tenancy. `frobnicate lint` and `frobnicate test --all` must pass.",
        ("frobnicate lint", "frobnicate test --all"),
        True,
    ),
    (
        "Implement the importer. Acceptance: `npm test` passes. `npm run lint` is clean. `npm run build` succeeds.",
        ("npm test", "npm run lint", "npm run build"),
        True,
    ),
    # bare
    ("Implement the cache. Done when npm test and npm run build pass.", ("npm test", "npm run build"), True),
    (
        "Build the dashboard from scratch. Gate: pnpm install -> pnpm lint -> pnpm test -> pnpm build",
        ("pnpm install", "pnpm lint", "pnpm test", "pnpm build"),
        True,
    ),
    (
        "Fix the race. Acceptance: go test -race ./... ; go vet ./...",
        ("go test -race ./...", "go vet ./..."),
        True,
    ),
    (
        "Refactor the ORM layer. Exit criteria: pytest -x -q, mypy --strict src, ruff check .",
        ("pytest -x -q", "mypy --strict src", "ruff check ."),
        True,
    ),
    (
        "Implement S3 upload. Done when: 1) cargo fmt --check 2) cargo clippy -- -D warnings 3) cargo test",
        ("cargo fmt --check", "cargo clippy -- -D warnings", "cargo test"),
        True,
    ),
    (
        "Migrate to Gradle. ./gradlew clean build and ./gradlew test must succeed before you finish.",
        ("./gradlew clean build", "./gradlew test"),
        True,
    ),
    ("Implement undo. Stop condition ⇒ make lint ⇒ make test", ("make lint", "make test"), True),
    (
        "Add metrics. Acceptance chain: npm ci ➜ npm test ➜ npm run build",
        ("npm ci", "npm test", "npm run build"),
        True,
    ),
    (
        "Make it fast, make sure nothing breaks, and just do it in small steps. Done when make bench and make test pass.",
        ("make bench", "make test"),
        True,
    ),
    (
        "Implement the proxy. Before finishing: docker compose build && docker compose run --rm app pytest -q",
        ("docker compose build", "docker compose run --rm app pytest -q"),
        True,
    ),
    # shapes
    (
        "Implement i18n.\n\n## Acceptance\n\n1. npm run lint\n2. npm test\n3. npm run build\n",
        ("npm run lint", "npm test", "npm run build"),
        True,
    ),
    (
        "# Task\nPort the game to WebAssembly.\n\n# Definition of Done\n- `wasm-pack build`\n- `wasm-pack test --node`\n\n# Notes\n- `npm start` runs the demo\n",
        ("wasm-pack build", "wasm-pack test --node"),
        True,
    ),
    (
        "Implement sharding.\n\nMust pass:\n  - Unit tests: `make unit`\n  - Integration: `make integration`\n  - Lint: `make lint`",
        ("make unit", "make integration", "make lint"),
        True,
    ),
    (
        "Fix the installer.\n\nRun these before you finish:\n\n    npm ci\n    npm test\n",
        ("npm ci", "npm test"),
        True,
    ),
    (
        "Implement the ledger.\n\n~~~bash\npytest\nmypy .\n~~~\n\nBoth have to succeed.",
        ("pytest", "mypy ."),
        True,
    ),
    (
        "Implement the agent.\n\nVerification:\n```powershell\nPS C:\\repo> dotnet build\nPS C:\\repo> dotnet test --no-build\n```",
        ("dotnet build", "dotnet test --no-build"),
        True,
    ),
    (
        "Rewrite the sync engine. The gate:\n```console\ndev@box:~/sync$ cargo build --release\n   Compiling sync v0.1.0\ndev@box:~/sync$ cargo test\n```",
        ("cargo build --release", "cargo test"),
        True,
    ),
    (
        "Implement export. All of these must pass:\n```bash\nnpm run test -- \\\n  --run --coverage\nnpm run build   # production\n```",
        ("npm run test -- --run --coverage", "npm run build"),
        True,
    ),
    (
        "Add SSO. Done when this exits 0:\n```\ncd services/auth && go test ./...\ncd ../..\nmake lint\n```",
        ("go test ./...", "make lint"),
        True,
    ),
    (
        "Implement the report.\n\n| check | command |\n|---|---|\n| unit | `npm test` |\n| bundle | `npm run build` |\n\nAll must pass before you stop.",
        ("npm test", "npm run build"),
        True,
    ),
    (
        "Refactor storage.\r\n\r\nDone when:\r\n- `make lint`\r\n- `make test`\r\n",
        ("make lint", "make test"),
        True,
    ),
    (
        "\ufeffImplement the map view. Done when `npm\u200b test` and `npm run build` pass.",
        ("npm test", "npm run build"),
        True,
    ),
    (
        "Implement X.\n\nAcceptance:\n1. Backend\n   - `pytest backend`\n2. Frontend\n   - `npm --prefix web test`\n   - `npm --prefix web run build`",
        ("pytest backend", "npm --prefix web test", "npm --prefix web run build"),
        True,
    ),
    (
        "Implement search. Done when ``npm test`` and ``npm run build`` pass.",
        ("npm test", "npm run build"),
        True,
    ),
    (
        'Implement search. The commands "npm test" and "npm run build" must pass.',
        ("npm test", "npm run build"),
        True,
    ),
    ("Implement search. Done when “npm test” and “npm run build” pass.", ("npm test", "npm run build"), True),
    ("Implement search. Done when 'npm test' and 'npm run build' pass.", ("npm test", "npm run build"), True),
    (
        "Implement search. Done when **npm test** and **npm run build** pass.",
        ("npm test", "npm run build"),
        True,
    ),
    (
        "Implement search. <pre>npm test\nnpm run build</pre> must both pass.",
        ("npm test", "npm run build"),
        True,
    ),
    ("Implement search.\nAcceptance:\n> npm test\n> npm run build", ("npm test", "npm run build"), True),
    ("Implement search. Gate: `$ npm test` and `$ npm run build`.", ("npm test", "npm run build"), True),
    (
        "Implement retries. `CI=1 npm test` and `NODE_ENV=production npm run build` must pass.",
        ("CI=1 npm test", "NODE_ENV=production npm run build"),
        True,
    ),
    (
        "Implement retries. `npm test 2>&1 | tee test.log` and `npm run build > build.log` must pass.",
        ("npm test", "npm run build"),
        True,
    ),
    (
        "Implement retries. `pytest -q | tail -20` and `mypy src | head` must be green before you finish.",
        ("pytest -q", "mypy src"),
        True,
    ),
    (
        "Implement retries. `(cd api && go test ./...)` and `cd ui; npm test` have to pass.",
        ("go test ./...", "npm test"),
        True,
    ),
    (
        "Implement retries. Done when `pytest -k \"not slow and not gpu\"` and `pytest -m 'smoke'` pass.",
        ('pytest -k "not slow and not gpu"', "pytest -m 'smoke'"),
        True,
    ),
    (
        "Fix it in the monorepo: `pnpm --filter @acme/web test` and `pnpm --filter @acme/api test` must pass, then `turbo run build` must succeed.",
        ("pnpm --filter @acme/web test", "pnpm --filter @acme/api test", "turbo run build"),
        True,
    ),
    (
        "Implement the cart. `npm test` must pass. Then `npm run build` must pass. Finally `npm test` must pass again.",
        ("npm test", "npm run build"),
        True,
    ),
    (
        "Implement the cart. Acceptance: `npm ci → npm test → npm run build`.",
        ("npm ci", "npm test", "npm run build"),
        True,
    ),
    (
        "Implement the cart.\n\nDone when:\n- [x] `npm ci`\n- [ ] `npm test` (unit)\n- [ ] `npm run e2e` (optional)\n- [ ] `npm run build`",
        ("npm ci", "npm test", "npm run build"),
        True,
    ),
    # exactly one
    ("Fix the typo in the header. `npm test` must pass.", ("npm test",), False),
    ("Implement the parser; you are finished when `cargo test` passes.", ("cargo test",), False),
    (
        "Implement login. Done when `npm test` passes. And again: `npm test` must be green.",
        ("npm test",),
        False,
    ),
    # review with required commands
    (
        "Review PR #31. `npm test` and `npm run lint` must pass before you approve.",
        ("npm test", "npm run lint"),
        False,
    ),
    # mixed
    ("Implement login. `npm test` must pass; `npm run e2e` is optional.", ("npm test",), False),
    (
        "Implement login. Run `npm test` and `npm run lint`, but don't run `npm run deploy`.",
        ("npm test", "npm run lint"),
        True,
    ),
    (
        "Implement login. Instead of `yarn test` use `npm test`; done when `npm test` and `npm run build` pass.",
        ("npm test", "npm run build"),
        True,
    ),
    (
        "Implement login. After `npm ci` (set-up), `npm test` and `npm run lint` must pass.",
        ("npm test", "npm run lint"),
        True,
    ),
    (
        "Implement login. `npm test` and `npm run build` must pass; CI runs `npm run e2e` anyway.",
        ("npm test", "npm run build"),
        True,
    ),
    (
        "Implement login. First install with `npm install`. Then `npm test` and `npm run build` have to be green.",
        ("npm test", "npm run build"),
        True,
    ),
    (
        "Yesterday `make lint` failed. Add the linter config; done when `make lint` and `make test` pass.",
        ("make lint", "make test"),
        True,
    ),
    (
        "`cargo build` currently fails and `cargo test` panics. Fix them. Both must succeed before you stop.",
        ("cargo build", "cargo test"),
        True,
    ),
    (
        "Why is `npm run build` so slow? Fix it; `npm run build` and `npm test` must pass before you finish.",
        ("npm run build", "npm test"),
        True,
    ),
    (
        "Write a README that documents `npm start`. Done when `npm run lint:md` and `npm test` pass.",
        ("npm run lint:md", "npm test"),
        True,
    ),
    (
        "Add a CI workflow that runs `npm run e2e`. `npm test` and `npm run lint` must be green before you commit.",
        ("npm test", "npm run lint"),
        True,
    ),
    (
        "Implement the feature. Never run `terraform apply`. Gate: `terraform validate` and `tflint --recursive`.",
        ("terraform validate", "tflint --recursive"),
        True,
    ),
    (
        "Implement X. FYI `npm run e2e` is flaky. `npm test` and `npm run lint` have to pass.",
        ("npm test", "npm run lint"),
        True,
    ),
    (
        "Setup:\n- `npm ci`\n- `docker compose up -d`\n\nTask: implement search.\n\nAcceptance:\n- `npm test`\n- `npm run build`",
        ("npm test", "npm run build"),
        True,
    ),
    (
        "Implement X.\n\nOptional:\n- `npm run bench`\n\nRequired:\n- `npm test`\n- `npm run lint`",
        ("npm test", "npm run lint"),
        True,
    ),
    (
        "Implement X.\n\nDo not run:\n- `npm publish`\n\nDone when:\n- `npm test` passes\n- `npm pack` succeeds",
        ("npm test", "npm pack"),
        True,
    ),
    (
        "To reproduce: `npm run repro`. Fix the crash; `npm test` and `npm run repro` must exit 0.",
        ("npm run repro", "npm test"),
        True,
    ),
]

NOT_REQUIRED: list[Case] = [
    ("What is the difference between `npm ci` and `npm install`?", (), False),
    ("Is `cargo check` enough or do I need `cargo build`?", (), False),
    ("Explain why `make test` calls `make build`.", (), False),
    ("Implement login. Don't run `npm test` or `npm run build`, it takes hours.", (), False),
    ("Implement login. There is no need to run `npm test` and `npm run build`; CI will do it.", (), False),
    ("Implement login. Skip `npm test` and `npm run e2e`.", (), False),
    ("Implement login. Never run `npm publish` or `npm run deploy`.", (), False),
    ("Implement login. If you have time, run `npm run bench` and `npm run e2e`.", (), False),
    ("Implement login. Optionally run `npm test` and `npm run build`.", (), False),
    ("Implement login. It would be nice to have: `npm run bench`, `npm run e2e`.", (), False),
    ("Fix the parser. This morning I ran `cargo test` and `cargo clippy` and both were red.", (), False),
    ("Fix the parser. We used to run `make lint` and `make test` here.", (), False),
    ("Fix the parser. Last week `go test ./...` and `go vet ./...` passed.", (), False),
    ("Refactor the logger. Setup: `npm ci` and `npm run db:seed`.", (), False),
    (
        "Refactor the logger. Install the dependencies with `pip install -r requirements.txt` and start the server with `make dev`.",
        (),
        False,
    ),
    ("Summarise PR 7. According to the author `npm test` and `npm run build` pass.", (), False),
    ("Review the branch. My colleague claims that `make test` and `make lint` are green.", (), False),
    (
        "Implement the page. By the way, `npm test` takes 20 minutes and `npm run build` prints warnings.",
        (),
        False,
    ),
    ("Write a README that documents `npm test` and `npm run build`.", (), False),
    ("Create a Makefile with targets that call `pytest -q` and `ruff check .`.", (), False),
    ("Add a pre-commit hook which runs `npm run lint` and `npm test`.", (), False),
    ("Write a tutorial that explains how to use `cargo test` and `cargo bench`.", (), False),
    (
        "Build a terminal emulator: whenever the user runs `make` or `make test`, colour the output.",
        (),
        False,
    ),
    ("Build a chat bot that understands commands such as `npm test` and `npm run build`.", (), False),
    ("Implement a parser for commands like `go test ./...` and `go build ./...`.", (), False),
    ("Implement login. I will run `npm test` and `npm run build` myself.", (), False),
    ("Implement login. CI runs `npm test` and `npm run build` anyway.", (), False),
    ("Refactor `src/app.ts` and `lib/util.py`; the result must pass review.", (), False),
    ("Make sure the code is clean, go test it by hand, make it fast, just do it. Python is nice.", (), False),
    ("Fix the bug where `npm test` hangs on Windows.", (), False),
    ("Run `npm test` and `npm run build` and tell me the results.", (), False),
    (
        "Implement the thing. Here is my terminal output:\n```\n$ npm test\n12 failing\n$ npm run build\nok\n```",
        (),
        False,
    ),
    ("Document the project. The README should show:\n```\nnpm test\nnpm run build\n```", (), False),
    ("Implement a runner. Example session:\n```\n$ make test\n$ make lint\n```", (), False),
    (
        "Implement a config loader.\n```yaml\nscripts:\n  - npm test\n  - npm run build\n```\nAll keys must be supported.",
        (),
        False,
    ),
    ("Implement login. All tests must pass.", (), False),
    ("Useful commands:\n- `npm test`\n- `npm run build`\n\nImplement login.", (), False),
    ("Implement it with `pytest` fixtures and `mypy` annotations.", (), False),
    ("Migrate from `yarn test` to `npm test` in the scripts.", (), False),
    ("", (), False),
]
