"""Rows for `editors_tools`: names of tools → what their options and operands are."""

from collections.abc import Mapping

# options whose value is code of another language
CODE: Mapping[str, Mapping[str, str]] = {
    "pylint": {"--init-hook": "python"},
    "latexmk": {"-e": "perl"},
    "gs": {"-c": "loose"},
    "scrapy": {"-c": "python"},
}
# who reads a file of code that a tool loads
RUNS: Mapping[str, str] = {
    **dict.fromkeys(
        "pytest py.test pylint gunicorn coverage flake8 mypy sphinx-build nox".split(), "python3"
    ),
    **dict.fromkeys("eslint prettier jest vitest webpack rollup vite jscodeshift".split(), "node"),
}
TABLE: Mapping[str, str] = {
    # tests and reports
    "pytest py.test": "writes: --junitxml --junit-xml --log-file --basetemp --html --report-log --cov-report "
    "--result-log --pytest-tmp -o=cache_dir -o=log_file --override-ini=cache_dir --override-ini=log_file; "
    "loads: -c --config-file --confcutdir --rootdir",
    "tox": "writes: --workdir --result-json --temp-dir; loads: -c --conf --root; sets: -x --override",
    "nox": "writes: --report --envdir; loads: -f --noxfile",
    "coverage": "writes: -d --directory -o --data-file; loads: --rcfile",
    "jest vitest mocha ava playwright cypress karma": "writes: --coverageDirectory --outputFile "
    "--output-file --coverage.reportsDirectory --cacheDirectory --output; loads: --config -c --globalSetup "
    "--setupFiles --require -r --testRunner --reporter --reporters",
    "c8 nyc": "writes: --reports-dir --report-dir --temp-dir --temp-directory -o",
    # checkers and formatters
    "rustfmt black isort yapf autopep8 autoflake docformatter pyupgrade": "edits: *; keeps: --check --diff "
    "--check-only --version --help; loads: --config --settings-path",
    "gofumpt prettier_d dprint shfmt clang-format taplo stylua ktlint swiftformat scalafmt nixfmt "
    "goimports gofmt gci golines": "edits: -w --write -i --inplace --in-place -F --format fmt; writes: -o",
    "prettier": "edits: -w --write; loads: --config --plugin",
    "eslint stylelint tslint standard xo biome rome oxlint": "edits: --fix --write; "
    "writes: -o --output-file --cache-location --cache-file; loads: -c --config --rulesdir --plugin "
    "--resolve-plugins-relative-to --parser -f --format --custom-syntax",
    "ruff": "edits: --fix --unsafe-fixes format; keeps: --check --diff; "
    " writes: -o --output-file --cache-dir; loads: --config",
    "mypy pyright flake8 bandit pylint pydocstyle vulture radon pyre pytype": "writes: --output-file -o "
    "--html-report --xml-report --txt-report --cobertura-xml-report --linecount-report --junit-xml "
    "--cache-dir --any-exprs-report --outputjson; loads: --config --config-file --rcfile --plugins "
    "--load-plugins",
    "golangci-lint staticcheck": "writes: --out-path; loads: -c --config",
    # compilers, bundlers, builders
    "gcc g++ cc c++ clang clang++ ld ld.lld ld.gold lld as gfortran nvcc emcc icc tcc": "writes: -o -MF "
    "-dumpdir --output -save-temps-dir -Map; loads: -fplugin -specs -B -load -wrapper --ld-path -fuse-ld",
    "rustc rustdoc": "writes: -o --out-dir; loads: --sysroot -Clinker",
    "tsc": "writes: --outDir --outFile --declarationDir --tsBuildInfoFile --generateTrace; edits: ",
    "webpack rollup vite esbuild parcel swc babel stylus terser uglifyjs svgo postcss tailwindcss "
    "tailwind snowpack microbundle tsup ncc": "writes: -o -d --outDir --outdir --outfile --out-dir "
    "--output-path --output --file --out-file --dir --dist-dir --report --metafile; loads: -c --config "
    "--plugin -p --require",
    "javac ecj": "writes: -d -s -h; loads: -processorpath --processor-path",
    "strip optipng jpegoptim mogrify exiftool patchelf install_name_tool eyeD3 id3v2 upx": "edits: *; "
    "writes: -o -out -dir; keeps: --version -h --help -ver",
    "objcopy qpdf cwebp sox typst d2 pdftotext pdftoppm ps2pdf rsvg-convert inkscape convert magick "
    "gm composite montage ffmpeg": "last: ; writes: -o --output -w --write --export-filename --outfile; "
    "verbs: ",
    "pngquant mmdc drawio dot neato fdp sfdp twopi circo qrencode plantuml vhs asciinema termtosvg": ""
    "writes: -o --output --out -e",
    "pdftk": "writes: output",
    "gs ghostscript": "writes: -o -sOutputFile",
    "meson": "edits: *; verbs: setup",
    "ninja samu": "loads: -f -C",
    "bazel bazelisk buck2 pants": "writes: --output_base --output_user_root --symlink_prefix; runs: "
    "--run_under --workspace_status_command; loads: --override_repository --bazelrc",
    "scons ant task go-task remake": "loads: -f -t --taskfile --file -buildfile -d --dir",
    "java": "writes: -XX:HeapDumpPath -Xloggc -XX:ErrorFile -XX:LogFile; runs: -XX:OnError "
    "-XX:OnOutOfMemoryError; loads: -cp -classpath --class-path -jar -javaagent -agentpath -Xbootclasspath/a",
    "xcodebuild": "writes: -derivedDataPath -archivePath -exportPath -resultBundlePath",
    # documents
    "pandoc": "writes: -o --output --extract-media --log; loads: -F --filter -L --lua-filter -d --defaults; "
    "far: fetches",
    "pdflatex latex xelatex lualatex tex pdftex luatex": "writes: -output-directory --output-directory "
    "-aux-directory -jobname; code: tex",
    "latexmk": "writes: -outdir -auxdir -output-directory; runs: -pdflatex -latex -lualatex -xelatex "
    "-pvc-view; loads: -r",
    "sphinx-build": "last: ; loads: -c; writes: -d -w",
    "mkdocs": "writes: -d --site-dir; loads: -f --config-file",
    "asciidoctor asciidoctor-pdf": "writes: -o -D --out-file --destination-dir; loads: -r -T -I",
    "wkhtmltopdf wkhtmltoimage weasyprint sass": "last: ",
    "google-chrome google-chrome-stable chromium chromium-browser chrome brave firefox msedge": "writes: "
    "--screenshot --print-to-pdf --user-data-dir --log-file; loads: --load-extension; runs: "
    "--renderer-cmd-prefix --utility-cmd-prefix --gpu-launcher",
    # templates
    "cookiecutter copier yo plop hygen degit tiged create-react-app create-vite create-next-app": "writes: "
    "-o --output-dir; last: ; far: fetches",
    "pyinstaller nuitka cython cx_Freeze": "writes: --distpath --workpath --specpath -o --output-file "
    "--output-dir",
    # servers and runners
    "gunicorn uvicorn hypercorn daphne": "writes: --access-logfile --error-logfile --log-file --pid -p; "
    "loads: -c --config --chdir --app-dir",
    "start-server-and-test npm-run-all run-p run-s stmux wireit": "texts: ",
    "chokidar watchexec-cli tsc-watch reload air reflex modd": "runs: -x --exec -c --command "
    "--on-success --onSuccess --build.cmd --build.bin --build.full_bin; loads: --config",
    "openocd": "runs: -c",
    "hurl": "writes: -o --output --report-html --report-json --report-junit --cookie-jar",
    "tcpdump tshark dumpcap": "writes: -w; loads: -z",
    "qemu-img": "last: ; verbs: create convert resize commit rebase; edits: *",
    "scrot screencapture maim grim flameshot gnome-screenshot import": "edits: *",
    "jscodeshift": "loads: -t --transform; edits: *; keeps: -d --dry",
    "openapi-generator openapi-generator-cli swagger-codegen protoc buf": "writes: -o --output --out "
    "--python_out --go_out --cpp_out --java_out --js_out --ts_out --grpc_out --descriptor_set_out; "
    "loads: --plugin -t",
    "initdb": "edits: *; writes: -D --pgdata -X --waldir; keeps: --version --help -V",
    "lwp-download": "last: ; far: fetches",
    "scrapy": "writes: -o -O --logfile",
}
