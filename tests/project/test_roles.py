"""Which part a file has in the exam, told by its path."""

from donewhen.project.exam_table import exam_table
from donewhen.project.roles import exam_side, is_mixed, role_of
from tests.tables import table_test

ROLES = {
    "test": """
        test_cart.py tests.py tests/test_cart.py cart_test.py pkg/tests/test_a.py app/tests.py tests/cart.py testcart.py
        tests/unit/test_deep.py cart.test.js src/cart.spec.ts __tests__/cart.js test/cart.js tests/cart.mjs test.js
        test-cart.js cart_test.js cypress/e2e/login.cy.js e2e/login.ts cart_test.go pkg/cart_test.go tests/cart.rs
        benches/speed.rs src/test/java/a/CartTest.java src/test/kotlin/CartTest.kt CartTests.cs App.Tests/Cart.cs
        spec/cart_spec.rb test/cart_test.rb tests/CartTest.php Tests/AppTests/CartTests.swift test/cart_test.exs
        test/cart_test.dart cart_test.cc tests/test_cart.c test/cart.bats features/login.feature
        tests/testthat/test-a.R t/basic.t src/components/__tests__/Button.tsx tests/helpers_test.go tests/test_utils_x.py
        """,
    "support": """
        conftest.py tests/conftest.py tests/__init__.py tests/helpers.py tests/utils.py tests/factories.py
        test/helpers/server.js tests/support/db.py __tests__/__snapshots__/a.snap src/__snapshots__/a.snap
        testdata/in.txt pkg/testdata/in.go tests/data/a.json tests/fixtures/a.py fixtures/a.json golden/out.txt
        jest.setup.js setupTests.js vitest.setup.ts spec/spec_helper.rb test/test_helper.exs tests/common/mod.rs
        src/test/resources/a.properties src/test/java/a/Fakes.java tests/expected.json test-utils.js
        """,
    "config": """
        package.json pkgs/a/package.json Makefile GNUmakefile makefile rules.mk justfile tox.ini noxfile.py pytest.ini
        .pytest.ini setup.cfg pyproject.toml .coveragerc jest.config.js jest.config.ts vitest.config.mts vite.config.js
        .mocharc.yml .mocharc.json .taprc .npmrc .yarnrc.yml babel.config.js tsconfig.json tsconfig.build.json
        .eslintrc.json eslint.config.mjs .eslintignore .github/workflows/ci.yml .gitlab-ci.yml .circleci/config.yml
        Cargo.toml .cargo/config.toml build.rs pom.xml build.gradle build.gradle.kts gradle.properties Taskfile.yml
        Rakefile codecov.yml .env .env.test .envrc .python-version .nvmrc .tool-versions mypy.ini ruff.toml .flake8
        .pylintrc run_tests.sh scripts/test.sh scripts/run-tests.sh bin/test ci/test.sh scripts/check.sh run_tests.py
        playwright.config.ts cypress.config.js karma.conf.js jest-e2e.config.js scripts/test.js ci.sh
        """,
    "source": """
        cart.py src/cart.py src/app/types.py contest.py latest.py testimonials.py testing.py attest.js src/index.ts
        cmd/main.go src/lib.rs src/main/java/a/Cart.java lib/cart.rb app/models.py bin/serve.sh scripts/build.py
        src/protest.js inspect_cart.py index.js pkg/testing/fakes.py src/Contest.java setup.py scripts/release.sh
        """,
    "other": """
        README.md docs/testing.md LICENSE data/rates.json node_modules/x/test.js .venv/lib/test_a.py logo.png
        package-lock.json requirements.txt static/style.txt .gitignore tests_a.txt cart.py.bak
        """,
}
CASES = [(path, role) for role, paths in ROLES.items() for path in paths.split()]


@table_test(("path", "role"), CASES)
def test_the_role_of_a_path(path, role):
    assert role_of(path) == role


def test_names_that_are_no_plain_text_have_a_role():
    assert role_of("tests/test_\udce9.py") == "test"
    assert role_of("tests/test_a\nb.py") == "test"
    assert role_of("") == "other"
    assert role_of("a/" * 5000 + "test_a.py") == "test"


def test_the_exam_side_is_tests_support_and_configuration():
    assert [exam_side(each) for each in ("tests/test_a.py", "conftest.py", "Makefile", "cart.py", "README.md")] == [
        True, True, True, False, False,
    ]  # fmt: skip


def test_configuration_that_the_product_needs_too_is_told():
    assert is_mixed("package.json")
    assert is_mixed("sub/pyproject.toml")
    assert not is_mixed("pytest.ini")


PYTHON = {"src/shop/__init__.py", "src/shop/testing.py", "src/shop/test_client.py", "src/shop/test/client.py"}
PACKAGE_JSON = b"""{"files": ["dist"], "jest": {"testMatch": ["<rootDir>/src/**/?(*.)check.[jt]s?(x)"],
"setupFilesAfterEnv": ["./boot/matchers.js"], "coverageThreshold": {}}, "mocha": {"spec": "verify/*.{js,mjs}"}}"""
VITEST = b"""export default defineConfig({ test: { include: ['src/**/*.proof.ts'],
  coverage: { include: ['src/**/*.ts'], exclude: [] } } })"""


@table_test(
    ("settings", "lines", "paths", "roles"),
    [
        (
            {
                "pyproject.toml": b'[tool.pytest.ini_options]\ntestpaths = ["checks"]\npython_files = ["check_*.py"]\n'
            },
            ["pytest"],
            {
                "checks/check_cart.py",
                "checks/rates.json",
                "checks/bank.py",
                "shop/check_in.py",
                "shop/cart.py",
            },
            "test test support source source",
        ),
        (
            {},
            ["python -m unittest discover -s checks -v"],
            {"checks/cart.py", "checks/a.txt", "cart.py"},
            "source support test",
        ),
        ({}, ["pytest -q src"], {"src/shop/cart.py", "src/test_cart.py", "src/x.json"}, "source test other"),
        (
            {"pytest.ini": b"[pytest]\ntestpaths = tests\n"},
            [],
            [
                *sorted(PYTHON),
                "tests/test_a.py",
                "src/shop/tests/data.py",
                "src/shop/fixtures/a.json",
                "src/shop/conftest.py",
            ],
            "source source source source test source other support",
        ),
        (
            {},
            [],
            [*sorted(PYTHON), "src/shop/tests/test_a.py", "src/shop/tests/data.json"],
            "source source test source test support",
        ),
        (
            {"package.json": PACKAGE_JSON},
            ["jest"],
            [
                "src/cart.check.js",
                "src/cart.js",
                "boot/matchers.js",
                "verify/a.mjs",
                "dist/a.js",
                "src/check.tsx",
            ],
            "test source support test source test",
        ),
        ({"web/vitest.config.ts": VITEST}, [], ["web/src/a.proof.ts", "web/src/a.ts"], "test source"),
        ({}, ["mocha 'checks/**/*.js'"], ["checks/a/b.js", "checks/c.js", "lib/c.js"], "test test source"),
        (
            {},
            ["pytest --doctest-glob='*.rst'"],
            ["README.rst", "docs/a.rst", "README.md"],
            "support support other",
        ),
        (
            {"setup.cfg": b"[", "package.json": b"[]", "pyproject.toml": b"\xff="},
            ["", "pytest '"],
            ["a.py"],
            "source",
        ),
    ],
)
def test_what_the_project_says_itself(settings, lines, paths, roles):
    table = exam_table(settings, set(paths), lines)
    ordered = paths if isinstance(paths, list) else sorted(paths)
    assert [(path, table.role(path)) for path in ordered] == list(zip(ordered, roles.split(), strict=True))


def test_files_that_the_configuration_gives_to_the_exam():
    table = exam_table({}, ["proofs/a.py", "proofs/b.txt", "a.py"], [], given=["proofs/", "!proofs/old"])
    assert [table.role(path) for path in ("proofs/a.py", "proofs/b.txt", "a.py", "Makefile")] == [
        "test", "support", "source", "config",
    ]  # fmt: skip


def test_endless_settings_end():
    texts = [
        b"testMatch: [" + b"'a'," * 50_000,
        b'{"jest": {"testMatch": ["' + b"*(" * 5000 + b'"]}}',
        b"coverage: {" * 9000,
    ]
    for text in texts:
        for name in ("jest.config.js", "package.json", "vitest.config.ts"):
            exam_table({name: text}, ["a.js"], ["pytest " * 9000])
