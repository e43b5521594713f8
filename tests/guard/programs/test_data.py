"""What clients of databases and migration tools would lose."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.guard.call import Call, File, Text, Words
from donewhen.guard.effects import Destroys, Reads, RunsFetched, Unknown, Writes
from donewhen.guard.marks import HOLE, NETWORK
from donewhen.guard.programs import readers
from donewhen.guard.programs.data.readers import READERS as DATA
from donewhen.guard.programs.data.readers import script_effects, sql_effects
from tests.guard.calls import GROUND, call
from tests.tables import table_test

READERS = readers()

WORK = "/home/dev/wt/feature-x"


def found(text: str, stdin: str | None = None, **env: str) -> list[object]:
    one = call(text, stdin, **env)
    return list(READERS[one.name](one))


def loss(effects: list[object]) -> bool | None:
    sure = [effect.sure for effect in effects if isinstance(effect, Destroys)]
    return any(sure) if sure else None


LOST = [
    "DROP DATABASE prod", "drop table users cascade", "DROP SCHEMA public CASCADE; CREATE SCHEMA public", "TRUNCATE users",
    "DELETE FROM users", "delete from users where 1=1", "DELETE FROM users WHERE true", "begin; drop table x; commit",
    "ALTER TABLE users DROP COLUMN email", "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x",
    "DO $$ BEGIN EXECUTE 'DROP TABLE users'; END $$", "SELECT a #> b; DROP TABLE x", "SELECT '\\'; DROP TABLE x; --'",
    "SELECT 1 /* harmless */; DROP TABLE x", "--'\nDROP TABLE x",
]  # fmt: skip
PERHAPS = ["DELETE FROM users WHERE id = 3", "UPDATE users SET admin = true", "DROP INDEX x", "GRANT ALL ON x TO y",
           "ALTER TABLE t ALTER COLUMN c DROP NOT NULL", "ALTER USER postgres PASSWORD 'x'"]  # fmt: skip
ORDINARY = [
    "SELECT * FROM users", "SELECT 'DROP TABLE x'", "SELECT 1 -- DROP TABLE x", "SELECT /* DROP TABLE x */ 1",
    "INSERT INTO t VALUES ('a; DROP TABLE x')", "CREATE TABLE t (id int)", "EXPLAIN ANALYZE SELECT 1", "SHOW TABLES", "",
    'SELECT "drop", "table" FROM x', "CREATE INDEX i ON t (a)", "\\dt", "CREATE FUNCTION f() AS $$ DROP TABLE x; $$", ";;",
]  # fmt: skip


@table_test(
    ("text", "expected"),
    [
        *((text, True) for text in LOST),
        *((text, False) for text in PERHAPS),
        *((text, None) for text in ORDINARY),
    ],
)
def test_statements(text, expected):
    assert loss(list(sql_effects(text, "psql", "db"))) is expected


@table_test(
    "text", ["SELECT 1--1; DROP TABLE x", "/*!50000 DROP TABLE x */", "SELECT 'it\\'s'; DROP TABLE x"]
)
def test_what_only_mysql_reads_this_way(text):
    assert loss(list(sql_effects(text, "mysql", "db"))) is True


def test_a_projects_own_file_is_asked_about():
    assert loss(list(sql_effects("DROP TABLE t", "sqlite3", "dev.db"))) is False
    assert loss(list(sql_effects("DELETE FROM t WHERE id = 1", "sqlite3", "dev.db"))) is None


@table_test(
    ("text", "effect"),
    [
        ("COPY t TO PROGRAM 'rm -rf ~'", Text("rm -rf ~", "psql")),
        ("\\! rm -rf ~", Text(" rm -rf ~", "psql")),
        ("\\copy t to program 'sh x'", Text("sh x", "psql")),
        ("\\o |sh", Text("sh", "psql")),
        ("\\set x `id`", Text("id", "psql")),
        ("\\i x.sql", Reads(f"{WORK}/x.sql")),
        ("\\o out.txt", Writes(f"{WORK}/out.txt")),
        ("\\copy t to 'out.csv'", Writes(f"{WORK}/out.csv")),
        ("COPY t TO '/home/dev/x'", Writes("/home/dev/x")),
        ("SELECT pg_read_file('/etc/passwd')", Reads("/etc/passwd")),
    ],
)
def test_commands_and_files_that_a_text_reaches(text, effect):
    one = Call(("psql", "-c", text), GROUND, GROUND.folder)
    effects = list(READERS["psql"](one))
    assert effect in effects
    assert type(effect) in {type(other) for other in effects if other == effect}


def test_unknown_text_is_said():
    assert Unknown("guard.unknown_code", HOLE) in list(sql_effects(HOLE, "psql", ""))
    assert RunsFetched("psql") in list(sql_effects(NETWORK, "psql", ""))


@table_test(
    "text",
    [
        "psql prod -c 'drop table x'",
        "psql -Atc 'drop database x'",
        "psql --command='DROP DATABASE x'",
        "psql postgres://u@h/db -c 'drop table x'",
        "mysql -u root -psecret -e 'DROP DATABASE x'",
        "mysql -uroot --execute='drop database x'",
        "mysqladmin -u root drop prod",
        "mysqladmin drop prod -f",
        "clickhouse-client --query 'DROP TABLE x'",
        "cqlsh -e 'DROP KEYSPACE x'",
        "sqlcmd -S x -Q 'DROP DATABASE y'",
        "dropdb prod",
        "redis-cli FLUSHALL",
        "redis-cli -h prod -p 6379 flushdb",
        "mongosh --eval 'db.dropDatabase()'",
        "mongo db --eval 'db.users.drop()'",
        "mongosh --eval 'db.users.deleteMany({})'",
        "pg_restore --clean -d prod x",
        "prisma migrate reset",
        "prisma db push --force-reset",
        "prisma db push --accept-data-loss",
        "rails db:drop",
        "rails db:drop:all",
        "rails db:drop db:create",
        "rake db:reset",
        "bin/rails db:schema:load",
        "manage.py flush",
        "django-admin flush --no-input",
        "artisan migrate:fresh",
        "artisan db:wipe --force",
        "bin/console doctrine:database:drop",
        "alembic downgrade base",
        "flyway clean",
        "liquibase dropAll",
        "knex migrate:rollback --all",
        "sequelize db:drop",
        "typeorm schema:drop",
        "supabase db reset",
        "diesel database reset",
        "sqlx database drop",
        "goose reset",
        "dbmate drop",
        "migrate -path m -database x drop -f",
        "wp db reset --yes",
        "atlas schema clean -u x",
    ],
)
def test_data_is_lost(text):
    assert loss(found(text)) is True


@table_test(
    "text",
    [
        "redis-cli del x",
        "redis-cli config set dir /x",
        "alembic downgrade -1",
        "knex migrate:rollback",
        "drizzle-kit push",
        "pg_restore -d dev x",
        "flask db downgrade",
        "manage.py migrate app zero",
        "rails db:rollback",
    ],
)
def test_data_may_be_lost(text):
    assert loss(found(text)) is False


@table_test(
    "text",
    [
        "psql -l",
        "psql -c 'select 1'",
        "psql",
        "mysqladmin ping",
        "redis-cli ping",
        "redis-cli get x",
        "redis-cli info",
        "redis-cli config get dir",
        "mongosh --eval 'db.users.find()'",
        "createdb x",
        "pg_isready",
        "pg_dump db",
        "prisma generate",
        "prisma migrate dev --name init",
        "prisma db push",
        "prisma validate",
        "rails db:migrate",
        "rails db:migrate:status",
        "rails test",
        "rails routes",
        "rake -T",
        "manage.py migrate",
        "manage.py test",
        "artisan migrate",
        "alembic upgrade head",
        "flyway migrate",
        "knex migrate:latest",
        "dbmate up",
        "goose -dir migrations status",
        "migrate -path m -database x up",
        "drizzle-kit generate",
        "flask run",
        "alembic downgrade base --sql",
        "supabase start",
    ],
)
def test_daily_work_is_ordinary(text):
    assert [effect for effect in found(text) if not isinstance(effect, Reads)] == []


def test_the_environment_decides_how_sure_a_loss_is():
    assert loss(found("rails db:drop", RAILS_ENV="test")) is False
    assert loss(found("rails db:migrate RAILS_ENV=test")) is None
    assert loss(found("rails db:migrate", RAILS_ENV="production")) is False


def test_statements_come_from_input_and_files():
    assert loss(found("psql", "DROP DATABASE x;")) is True
    assert loss(found("redis-cli", "FLUSHALL\n")) is True
    assert found("psql -f m.sql") == [Reads(f"{WORK}/m.sql"), File(f"{WORK}/m.sql", "psql")]
    assert found("pg_dump -f x.sql db") == [Writes(f"{WORK}/x.sql")]


def test_code_for_rails_is_judged_as_ruby():
    assert found("rails runner 'puts 1'") == [Words(("ruby", "-e", "puts 1"), "rails")]


def test_management_scripts_by_path():
    assert loss(list(script_effects("/x/manage.py", ("flush",)))) is True
    assert list(script_effects("/x/other.py", ("flush",))) == []
    assert list(script_effects("/x/manage.py", ("sqlflush",))) == []


@given(st.text(alphabet="'\"\\`$;-/*#! \nDROPTABLEdo()=1", max_size=200))
def test_any_text_can_be_read(text):
    for program in ("psql", "mysql"):
        assert all(isinstance(effect, tuple) for effect in sql_effects(text, program, ""))


@table_test("piece", ["'", '"\\', "'\\", "/*", "$a$", "$$", "`", "--", "DROP ", "(;", "e'", '""'])
def test_hostile_text_takes_bounded_work(piece):
    for blanks in (".remove (", "deleteMany({", "drop '"):
        assert list(READERS["mongosh"](call("mongosh", blanks + " " * 60_000))) is not None
    assert list(sql_effects(piece * 20_000, "psql", "")) is not None
    assert list(sql_effects(piece * 20_000, "mysql", "")) is not None


WORDS = st.lists(
    st.sampled_from(["", "-", "--", "-c", "-e", "db", HOLE, "--eval", "=", "-h", "--file="])
    | st.text(max_size=6),
    max_size=6,
)


@given(st.sampled_from(sorted(DATA)), WORDS, st.none() | st.text(max_size=20))
def test_no_arguments_upset_a_reader(name, words, stdin):
    for effect in READERS[name](Call((name, *words), GROUND, GROUND.folder, stdin=stdin)):
        assert isinstance(effect, tuple)
