"""The .NET command line."""

from donewhen.commands.tools.grammar import Grammar

_COMMON = Grammar(
    quiet="""
        -c=Debug -v|--verbosity= --nologo|-nologo --no-restore --interactive? -bl? --tl? --tl=
        --disable-build-servers -m? --maxcpucount= --source= --no-cache -clp= --consoleLoggerParameters=
        -v:quiet -v:minimal -v:normal -v:detailed -v:q -v:n -p:ContinuousIntegrationBuild=
        -p:UseSharedCompilation= -p:CollectCoverage= -p:CoverletOutputFormat= -p:CoverletOutput=""",
    strict="""
        -warnaserror|--warnaserror|-warnAsError|/warnaserror? -p:TreatWarningsAsErrors=true --locked-mode""",
    at_least="-p:Threshold=",
    norun="-h|--help|-? --version --info",
    limit="-f|--framework=",
    other="""
        -c|--configuration= -a|--arch= --os= -r|--runtime= -o|--output= --self-contained?
        --use-current-runtime -p:Configuration= --artifacts-path= --force --property=""",
    weaker="--no-dependencies -p:TreatWarningsAsErrors=false -p:RunAnalyzers= -p:NoWarn= -nowarn=",
    prefixes=("-p:", "/p:", "-property:", "--property:"),
    colons=True,
    long=True,
    operands="config",
)

GRAMMARS: dict[str, Grammar] = {
    "dotnet": Grammar(
        quiet="-d|--diagnostics", norun="-h|--help --version --info --list-sdks --list-runtimes", long=True
    ),
    "dotnet test": _COMMON._replace(
        quiet=_COMMON.quiet
        + """
            -l|--logger= --results-directory= --collect= --blame --blame-crash --blame-hang
            --blame-hang-timeout= -d|--diag= --coverage --coverage-output= --coverage-output-format=
            --report-trx --report-trx-filename= --max-parallel-test-modules= --no-progress --no-ansi
            --show-live-output= --timeout=""",
        at_least=_COMMON.at_least + " --minimum-expected-tests=",
        limit=_COMMON.limit
        + """
            --filter= --filter-class= --filter-method= --filter-trait= --filter-query= --treenode-filter=
            --test-modules=""",
        exclude="--filter-not-class= --filter-not-method= --filter-not-trait=",
        mask="--ignore-exit-code= -p:VSTestNoFail= -p:TestingPlatformIgnoreExitCode=",
        norun=_COMMON.norun + " -t|--list-tests -p:VSTestNoBuild?",
        weaker=_COMMON.weaker + " --no-build --retry-failed-tests=",
        config="-s|--settings= --config-file= --test-adapter-path=",
        other=_COMMON.other + " -e|--environment= --root-directory=",
        after="posargs",
    ),
    "dotnet build": _COMMON._replace(quiet=_COMMON.quiet + " --no-incremental --force"),
    "dotnet publish": _COMMON._replace(weaker=_COMMON.weaker + " --no-build"),
    "dotnet restore": _COMMON._replace(
        strict=_COMMON.strict + " --use-lock-file", other="--force-evaluate -r= --configfile="
    ),
    "dotnet format": Grammar(
        quiet="-v|--verbosity= --no-restore --binarylog= --report=",
        exclude="--exclude= --exclude-diagnostics=",
        limit="--include+ --diagnostics=",
        weaker="--severity=",
        other="--verify-no-changes",
        long=True,
    ),
}

FOLDS: dict[str, str] = {}
