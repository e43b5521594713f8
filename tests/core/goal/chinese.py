"""Goals in Chinese, each with what must pass before the work may end and whether that exam is active."""

from tests.core.goal.english import Case

REQUIRED: list[Case] = [
    (
        "实现用户登录。完成条件:`npm run lint`、`npm test`、`npm run build` 全部通过。",
        ("npm run lint", "npm test", "npm run build"),
        True,
    ),
    ("重构支付模块，必须通过 `go vet ./...` 和 `go test ./...`。", ("go vet ./...", "go test ./..."), True),
    ("修复内存泄漏，`make test` 和 `make asan` 都通过才算完成。", ("make test", "make asan"), True),
    (
        "把项目从 JavaScript 迁移到 TypeScript。只有 `npx tsc --noEmit` 与 `npx vitest run` 均成功，才能结束。",
        ("npx tsc --noEmit", "npx vitest run"),
        True,
    ),
    (
        "升级 Spring Boot 到 3.3。验收标准：`mvn -q verify` 通过，`docker build .` 成功。",
        ("mvn -q verify", "docker build ."),
        True,
    ),
    ("新增导出功能。提交前必须跑通 `pytest -q` 和 `ruff check .`。", ("pytest -q", "ruff check ."), True),
    (
        "开发一个短链服务。交付标准:cargo fmt --check → cargo clippy → cargo test",
        ("cargo fmt --check", "cargo clippy", "cargo test"),
        True,
    ),
    ("优化查询性能。请确保 `npm test` 和 `npm run bench` 通过。", ("npm test", "npm run bench"), True),
    (
        "实现消息队列。直到 `./gradlew check` 和 `./gradlew integrationTest` 全绿为止，不要停。",
        ("./gradlew check", "./gradlew integrationTest"),
        True,
    ),
    ("编写 SDK。门禁：\n1. `dotnet build`\n2. `dotnet test`\n", ("dotnet build", "dotnet test"), True),
    (
        "实现搜索。\n\n## 验收\n- npm ci\n- npm test\n- npm run build\n",
        ("npm ci", "npm test", "npm run build"),
        True,
    ),
    (
        "从零实现一个 JSON 解析器。完成标准:\n```bash\ncmake --build build\nctest --test-dir build\n```",
        ("cmake --build build", "ctest --test-dir build"),
        True,
    ),
    (
        "添加缓存。下面两条命令退出码都为 0 才可以交付:\n```\n$ make lint\n$ make test\n```",
        ("make lint", "make test"),
        True,
    ),
    (
        "移植到 ARM。先运行 `make clean`，然后运行 `make`，最后运行 `make check`，三步都成功后才能提交。",
        ("make clean", "make", "make check"),
        True,
    ),
    ("改造登录流程。验收：『pnpm lint』、『pnpm test』必须通过。", ("pnpm lint", "pnpm test"), True),
    (
        "实现评论功能，用 `bundle exec rspec` 和 `bundle exec rubocop` 来验证。",
        ("bundle exec rspec", "bundle exec rubocop"),
        True,
    ),
    ("实现评论功能。以 `tox` 和 `mypy src` 通过为准。", ("tox", "mypy src"), True),
    (
        "实现权限系统。`npm test` 没过不许提交，`npm run lint` 没过也不许提交。",
        ("npm test", "npm run lint"),
        True,
    ),
    (
        "实现权限系统。验收命令：npm test；npm run lint；npm run build。",
        ("npm test", "npm run lint", "npm run build"),
        True,
    ),
    (
        "实现权限系统，完成后依次执行 npm ci && npm test && npm run build，全部成功后再结束。",
        ("npm ci", "npm test", "npm run build"),
        True,
    ),
    (
        "`pnpm build` 报错，`pnpm test` 卡住。请修复，两个命令都退出码 0 才算完成。",
        ("pnpm build", "pnpm test"),
        True,
    ),
    ("修复构建。当 `yarn build` 和 `yarn test` 都通过时任务结束。", ("yarn build", "yarn test"), True),
    (
        "实现离线模式。准备环境：`npm install`。验收：`npm test` 和 `npm run build` 通过。",
        ("npm test", "npm run build"),
        True,
    ),
    (
        "实现离线模式。`npm test` 和 `npm run build` 必须通过，`npm run e2e` 可选。",
        ("npm test", "npm run build"),
        True,
    ),
    (
        "实现离线模式。跑 `npm test` 和 `npm run lint`，但不要跑 `npm run deploy`。",
        ("npm test", "npm run lint"),
        True,
    ),
    (
        "昨天 `make lint` 失败了。请修复它，`make lint` 和 `make test` 都要通过。",
        ("make lint", "make test"),
        True,
    ),
    (
        "实现图表组件。质量门禁包括 `flutter analyze`、`flutter test`，缺一不可。",
        ("flutter analyze", "flutter test"),
        True,
    ),
    (
        "实现图表组件。必须保证 `cd web && npm test` 与 `cd api && go test ./...` 成功。",
        ("npm test", "go test ./..."),
        True,
    ),
    (
        "重写编译器前端，最终以下命令必须全绿:cargo test --workspace、cargo clippy -- -D warnings",
        ("cargo test --workspace", "cargo clippy -- -D warnings"),
        True,
    ),
    ("实现同步功能。验收:运行npm test和npm run build,都要通过。", ("npm test", "npm run build"), True),
    (
        "实现同步。请在收工前运行 `npm test | tee out.log` 与 `npm run build`，两者必须成功。",
        ("npm test", "npm run build"),
        True,
    ),
    ("请帮我实现分页，能否保证 `npm test` 和 `npm run build` 通过？", ("npm test", "npm run build"), True),
    ("实现登录，`npm test` 通过后才算完成。", ("npm test",), False),
    ("修复登录的 bug，必须通过 `pytest`。", ("pytest",), False),
    (
        "实现登录功能。验收步骤：\n① `npm ci`\n② `npm test`\n③ `npm run build`",
        ("npm ci", "npm test", "npm run build"),
        True,
    ),
    ("实现登录功能(Done when `npm test` and `npm run build` pass)。", ("npm test", "npm run build"), True),
    (
        "写一个 CI 工作流运行 `npm run e2e`。完成前 `npm test` 和 `npm run lint` 必须通过。",
        ("npm test", "npm run lint"),
        True,
    ),
    ("禁止运行 `npm publish`。实现打包功能，验收：`npm test`、`npm pack`。", ("npm test", "npm pack"), True),
    ("实现打包。`npm test` 和 `npm run build` 得跑通才行。", ("npm test", "npm run build"), True),
    (
        "新增主题切换。任务完成的标志是 `npm test` 与 `npm run build` 返回 0。",
        ("npm test", "npm run build"),
        True,
    ),
]

NOT_REQUIRED: list[Case] = [
    ("`npm ci` 和 `npm install` 有什么区别？", (), False),
    ("为什么 `cargo test` 在本地通过而 `cargo clippy` 在 CI 失败?", (), False),
    ("如何只运行一个测试，用 `npx vitest` 还是 `npx jest`", (), False),
    ("评审 PR #12。作者说 `cargo test` 和 `cargo clippy` 都通过了。", (), False),
    ("实现设置页面。不要运行 `npm test` 和 `npm run build`。", (), False),
    ("实现设置页面。无需执行 `npm test`、`npm run build`，由 CI 负责。", (), False),
    ("实现设置页面。有时间的话可以跑一下 `npm run bench` 和 `npm run e2e`。", (), False),
    ("实现设置页面。`npm run bench` 和 `npm run e2e` 是可选的。", (), False),
    ("重构日志。昨天我跑了 `make lint` 和 `make test`，都失败了。", (), False),
    ("重构日志。顺便一提，`npm test` 很慢，`npm run build` 需要 8 GB 内存。", (), False),
    ("添加一个 GitHub Actions 工作流，在每个 PR 上运行 `npm ci`、`npm test` 和 `npm run build`。", (), False),
    ("编写 README，说明如何使用 `npm test` 和 `npm run build`。", (), False),
    ("实现一个任务面板：当用户输入 `npm test` 或 `npm run build` 时显示输出。", (), False),
    ("实现登录。我会自己跑 `npm test` 和 `npm run build`。", (), False),
    ("实现登录。安装依赖：`npm install`，启动：`npm run dev`。", (), False),
    ("实现登录。今天早上的记录：\n```\n$ npm test\n失败\n$ npm run build\n```", (), False),
    ("实现登录。所有测试必须通过。", (), False),
    ("实现一个命令解析器，能识别 `make test`、`make lint` 这样的输入。", (), False),
]
