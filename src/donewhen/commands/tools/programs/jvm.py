"""Maven, Gradle and the other builds of the JVM."""

from donewhen.commands.tools.grammar import Grammar

PHASES: tuple[str, ...] = (  # of Maven's default lifecycle: each runs those before it
    "validate",
    "initialize",
    "generate-sources",
    "process-sources",
    "generate-resources",
    "process-resources",
    "compile",
    "process-classes",
    "generate-test-sources",
    "process-test-sources",
    "generate-test-resources",
    "process-test-resources",
    "test-compile",
    "process-test-classes",
    "test",
    "prepare-package",
    "package",
    "pre-integration-test",
    "integration-test",
    "post-integration-test",
    "verify",
    "install",
    "deploy",
)

TASKS: dict[str, frozenset[str]] = {  # Gradle's lifecycle tasks and what they always include
    "build": frozenset({"assemble", "check", "test", "classes", "testClasses", "jar", "compileJava"}),
    "check": frozenset({"test", "classes", "testClasses", "compileJava"}),
    "test": frozenset({"classes", "testClasses", "compileJava", "compileTestJava"}),
}

_MAVEN = Grammar(
    quiet="""
        -q|--quiet -X|--debug -e|--errors -B|--batch-mode -ntp|--no-transfer-progress -T|--threads=
        -o|--offline -U|--update-snapshots -nsu|--no-snapshot-updates -V|--show-version -ff|--fail-fast
        -fae|--fail-at-end -l|--log-file= --color= -Dstyle.color= -Dmaven.repo.local=
        -Dsurefire.useFile? -DtrimStackTrace? -Dsurefire.printSummary?
        -Dorg.slf4j.simpleLogger.defaultLogLevel= -am|--also-make --non-interactive -DforkCount=
        -DreuseForks? -Dsurefire.runOrder= -Djansi.force= -DinteractiveMode=""",
    strict="-C|--strict-checksums -DfailIfNoTests=true -Dmaven.compiler.failOnWarning? -ntc",
    limit="""
        -Dtest= -Dit.test= -Dgroups= -Dsurefire.includes= -Dcucumber.filter.tags= -rf|--resume-from=
        -N|--non-recursive -Dsurefire.skipAfterFailureCount= -Dtags= -Dincludes=""",
    exclude="""
        -DexcludedGroups= -Dsurefire.excludes= -Dcheckstyle.skip? -Dspotbugs.skip? -Denforcer.skip?
        -Djacoco.skip? -Dpmd.skip?""",
    select="-pl|--projects=",
    mask="""
        -fn|--fail-never -Dmaven.test.failure.ignore? -DtestFailureIgnore? -Dmaven.test.error.ignore?
        -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false -DfailIfNoSpecifiedTests=false
        -Dcheckstyle.failOnViolation=false""",
    norun="""
        -h|--help -v|--version -DskipTests? -Dmaven.test.skip? -Dmaven.test.skip.exec? -DskipITs?
        -DskipUnitTests? -DskipIT? -Dsurefire.skip? -Dskip.surefire.tests? -Dskip.unit.tests? -DskipUTs?""",
    weaker="-c|--lax-checksums -Dsurefire.rerunFailingTestsCount= -Dfailsafe.rerunFailingTestsCount=",
    where="-f|--file=",
    config="-s|--settings= -gs|--global-settings= -t|--toolchains=",
    other="-amd|--also-make-dependents -Dmaven.ext.class.path=",
    prefixes=("-D", "-P"),
    long=True,
    operands="phases",
)

_GRADLE = Grammar(
    quiet="""
        -q|--quiet -i|--info -d|--debug -w|--warn -s|--stacktrace -S|--full-stacktrace --console=
        --no-daemon --daemon --parallel --no-parallel --max-workers= --build-cache --no-build-cache
        --configuration-cache --no-configuration-cache --offline --scan --no-scan --continue
        --no-continue --rerun-tasks --rerun --watch-fs --no-watch-fs --refresh-dependencies --profile
        --warning-mode= --configure-on-demand --no-configure-on-demand --fail-fast
        -g|--gradle-user-home= --project-cache-dir= --info --priority= -Dorg.gradle.daemon=
        -Dorg.gradle.parallel= -Dorg.gradle.jvmargs= -Dorg.gradle.caching= -Dorg.gradle.console=
        -Dorg.gradle.workers.max= -Dorg.gradle.logging.level= -U""",
    strict="--warning-mode=fail",
    select="--tests=",
    limit="-Dtest.single= -Dtest= -a|--no-rebuild -PincludeTags=",
    exclude="-x|--exclude-task= -PexcludeTags=",
    norun="""
        -m|--dry-run --test-dry-run -h|--help -? --version|-v|-V -DskipTests? -PskipTests?
        -Dmaven.test.skip? --status --stop -PskipTest?""",
    mask="""
        -PignoreFailures? -PignoreTestFailures? -PtestIgnoreFailures? --write-verification-metadata=
        --update-locks=|--write-locks""",
    watch="-t|--continuous",
    where="-p|--project-dir=",
    config="-b|--build-file= -c|--settings-file= -I|--init-script=",
    other="--include-build= --debug-jvm",
    prefixes=("-D", "-P"),
    long=True,
    operands="tasks",
)

GRAMMARS: dict[str, Grammar] = {
    "mvn": _MAVEN,
    "gradle": _GRADLE,
    "jvm options": Grammar(
        quiet="""
            -X= -ea -server -Dfile.encoding= -Duser.timezone= -Duser.language= -Djava.io.tmpdir=
            -Djava.awt.headless=""",
        other="-X=bootclasspath*",
        base=("mvn", "gradle"),
        prefixes=("-D",),
        long=True,
    ),
    "sbt": Grammar(
        quiet="-no-colors -batch --batch --no-colors -v -d --color=", operands="targets", long=True
    ),
    "ant": Grammar(
        quiet="-q|-quiet -v|-verbose -d|-debug -S|-silent -logfile= -k|-keep-going",
        norun="-h|-help -version -p|-projecthelp -diagnostics",
        config="-f|-file|-buildfile=",
        prefixes=("-D",),
        operands="targets",
        long=True,
    ),
    "lein": Grammar(),
    "lein test": Grammar(limit=":only", operands="all"),
}

FOLDS: dict[str, str] = {}
