"""mvn, gradle and sbt: goals that build are ordinary, goals that upload publish."""

from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader, Text, Words
from donewhen.guard.effects import (
    Destroys,
    Effect,
    Installs,
    Loads,
    Publishes,
    Reads,
    Unknown,
    Writes,
)
from donewhen.guard.marks import BELOW
from donewhen.guard.options import options, read
from donewhen.guard.programs.verbs import mentioned, outside

_MVN = options(
    values="fsPTltbD",
    single="gs gt pl rf am-list file settings global-settings activate-profiles threads log-file "
    "toolchains projects emp ep b",
    single_flags="am amd nsu npu ntp cpu fae ff fn llr up B U X o q e N V v C c",
    long_values="file settings global-settings activate-profiles threads log-file toolchains projects "
    "resume-from builder define",
)
_MVN_UPLOADS = frozenset(
    "deploy site-deploy deploy:deploy deploy:deploy-file release:perform release:prepare "
    "nexus-staging:release "
    "nexus-staging:deploy jib:build docker:push dockerfile:push gpg:sign-and-deploy-file "
    "scm-publish:publish-scm "
    "versions:commit-and-deploy wagon:upload scm:checkin liberty:deploy tomcat7:deploy "
    "cargo:deploy".split()
)


def maven(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _MVN)
    yield from mentioned(call, given.operands)
    settings = dict(value.partition("=")[::2] for value in given.all("-D", "--define"))
    for value in given.all("-s", "-gs", "--settings", "-f", "--file"):
        yield Reads(call.at(value))
    for value in given.all("-f", "--file", "-file"):
        yield from outside(call, call.at(value if not value.endswith(".xml") else value.rpartition("/")[0]))
    for value in given.all("-l", "--log-file"):
        yield Writes(call.at(value))
    if "maven.repo.local" in settings:
        yield Writes(f"{call.at(settings['maven.repo.local'])}/{BELOW}")
    for key in ("maven.ext.class.path", "argLine"):
        if "agent" in settings.get(key, "") or (key in settings and key != "argLine"):
            yield Loads(f"-D{key}")
    for goal in given.operands:
        yield from _maven_goal(call, goal, settings)


def _maven_goal(call: Call, goal: str, settings: Mapping[str, str]) -> Iterator[Effect | Nested]:
    short = ":".join(
        part.removeprefix("maven-").removesuffix("-maven-plugin").removesuffix("-plugin")
        for part in _goal(goal)
    )
    if (goal in _MVN_UPLOADS or short in _MVN_UPLOADS) and settings.get("dryRun") != "true":
        yield Publishes(call.name, goal)
    elif short == "exec:exec" and "exec.executable" in settings:
        yield Words((settings["exec.executable"], *settings.get("exec.args", "").split()), call.name)
    elif short in ("flyway:clean", "liquibase:dropAll", "sql:execute"):
        yield Destroys("database", goal)
    elif short in ("dependency:get", "archetype:generate") and "remoteRepositories" in settings:
        yield Installs(call.name, "project", settings["remoteRepositories"])


def _goal(goal: str) -> list[str]:
    """`group:plugin:version:goal` and `plugin:goal` as plugin and goal."""
    parts = goal.split("@")[0].split(":")
    if len(parts) >= 3:
        return [parts[1], parts[-1]]
    return parts


_GRADLE = options(
    values="abcgpxIDPMt",
    long_flags="info debug stacktrace parallel offline daemon no-daemon continue rerun-tasks scan "
    "build-cache no-build-cache dry-run "
    "quiet refresh-dependencies console-plain configuration-cache warn",
    long_values="build-file settings-file project-dir project-cache-dir gradle-user-home exclude-task "
    "init-script include-build "
    "tests console max-workers warning-mode priority args configuration dependency task "
    "system-prop project-prop",
)
_GRADLE_UPLOADS = frozenset(
    "uploadarchives bintrayupload closeandreleaserepository "
    "closeandreleasesonatypestagingrepository artifactorypublish jib "
    "dockerpush dockerpushimage publishplugins release githubrelease "
    "appdistributionuploadrelease pushdockerimage".split()
)


def gradle(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _GRADLE)
    if given.has("-m", "--dry-run", "--help", "-h"):
        return
    for value in given.all("-I", "--init-script", "-b", "--build-file", "-c", "--settings-file"):
        yield Reads(call.at(value))
        if value.startswith(("/", "~", "..")):
            yield Unknown("guard.unknown_code", value)
    for value in given.all("-p", "--project-dir"):
        yield from outside(call, call.at(value))
    for value in given.all("-g", "--gradle-user-home", "--project-cache-dir"):
        yield Writes(f"{call.at(value)}/{BELOW}")
    for task in given.operands:
        name = task.rpartition(":")[2].lower()
        if (name.startswith("publish") and "mavenlocal" not in name) or name in _GRADLE_UPLOADS:
            yield Publishes(call.name, task)
        elif name in ("flywayclean", "dropall", "liquibasedropall"):
            yield Destroys("database", task)


def sbt(call: Call) -> Iterator[Effect | Nested]:
    """Commands are words, several in one separated by `;`."""
    for word in call.argv[1:]:
        for command in word.split(";"):
            name = command.strip().lstrip("+").rpartition("/")[2].split(" ")[0]
            if (name.startswith(("publish", "sonatype")) and not name.endswith(("Local", "M2"))) or name in (
                "release",
                "ci-release",
            ):
                yield Publishes("sbt", name)
            elif command.strip().startswith("!"):
                yield Text(command.strip()[1:], "sbt")


READERS: Mapping[str, Reader] = {
    **dict.fromkeys(("mvn", "mvnw", "mvnd", "mvnw.cmd"), maven),
    **dict.fromkeys(("gradle", "gradlew", "gradlew.bat"), gradle),
    "sbt": sbt,
}
