"""Go: the go command and its linters."""

from donewhen.commands.tools.grammar import Grammar

_BUILD = Grammar(
    quiet="-v -x -work -a -p= -trimpath -buildvcs? -json -pgo= -o= -mod=readonly",
    strict="-race -msan -asan",
    norun="-n -h|-help",
    where="-C=",
    weaker="-vet=off",
    other="""
        -tags= -mod= -modfile= -ldflags= -gcflags= -asmflags= -overlay= -toolexec= -exec= -compiler= -cover
        -coverpkg=""",
    long=True,
    operands="packages",
)
_TEST = Grammar(
    quiet="""
        -test.v|-v? -json -parallel= -cpu= -timeout= -failfast -cover -coverprofile= -covermode=
        -coverpkg= -shuffle= -outputdir= -fullpath -benchmem -benchtime= -cpuprofile= -memprofile=
        -memprofilerate= -blockprofile= -blockprofilerate= -mutexprofile= -trace=
        -test.timeout= -test.parallel= -artifacts -count=1* -count=2* -count=3* -count=4* -count=5* -count=6*
        -count=7* -count=8* -count=9*""",
    strict="-vet=all",
    widen="-bench=",
    limit="-run|-test.run= -short|-test.short",
    exclude="-skip|-test.skip=",
    norun="-c -list|-test.list= -i -count|-test.count=",
    mask="-update -update-golden -golden.update",
    other="-exec= -fuzz= -fuzztime= -fuzzminimizetime= -vet=",
    base=("go build",),
    long=True,
    operands="packages",
    after="posargs",
)

GRAMMARS: dict[str, Grammar] = {
    "go": Grammar(where="-C=", long=True),
    "go test": _TEST,
    "go build": _BUILD,
    "go install": _BUILD,
    "go vet": Grammar(other="-vettool=", base=("go build",), long=True, operands="packages"),
    "go fmt": Grammar(quiet="-x", norun="-n", long=True, operands="packages"),
    "go mod": Grammar(long=True),
    "go mod tidy": Grammar(quiet="-v -x", other="-diff -e -go= -compat=", long=True),
    "gofmt": Grammar(other="-l -w -d -s -r= -e", long=True, operands="config"),
    "goimports": Grammar(other="-l -w -d -local= -e", long=True, operands="config"),
    "staticcheck": Grammar(
        quiet="-f=",
        limit="-checks=",
        mask="-fail=",
        other="-tags= -tests= -go=",
        long=True,
        operands="packages",
    ),
    "gotestsum": Grammar(
        quiet="""
            -f|--format= --junitfile= --jsonfile= --no-color? --hide-summary= --no-summary= --max-fails=
            --format-hide-empty-pkg""",
        limit="--packages=",
        watch="--watch",
        weaker="--rerun-fails? --rerun-fails-max-failures=",
        mask="--ignore-non-json-output-lines",
        other="--raw-command --post-run-command=",
        after="go test",
        operands="exact",
    ),
    "golangci-lint": Grammar(quiet="-v|--verbose --color= -j|--concurrency="),
    "golangci-lint run": Grammar(
        quiet="""
            -v|--verbose --out-format= --timeout= --show-stats --print-issued-lines --print-linter-name
            --sort-results --max-issues-per-linter= --max-same-issues= --allow-parallel-runners
            --allow-serial-runners --path-prefix= --no-cache --output.text.path= --output.json.path=
            --output.tab.path= --output.text.colors= --uniq-by-line""",
        widen="-E|--enable= --enable-all",
        limit="""
            -n|--new --new-from-rev= --new-from-patch= --new-from-merge-base= --fast --fast-only
            --enable-only=""",
        exclude="""
            -D|--disable= -e|--exclude= --skip-dirs= --skip-files= --disable-all --exclude-use-default
            --exclude-files= --exclude-dirs=""",
        mask="--issues-exit-code=",
        norun="-h|--help",
        config="-c|--config= --no-config",
        other="--fix --default= --build-tags= --tests? --go= --modules-download-mode= -p|--presets=",
        operands="packages",
    ),
}

FOLDS: dict[str, str] = {}
