"""Containers: their options first, then a command of its own."""

from donewhen.commands.tools.grammar import Grammar

_RUN = Grammar(
    quiet="""
        --rm -T|--no-TTY|--no-tty -i|--interactive -t|--tty --name= -q|--quiet --quiet-pull --quiet-build
        --init --pull= --label=|-l= --build --remove-orphans --sig-proxy? --no-deps""",
    mask="-d|--detach",
    norun="-h|--help --dry-run",
    other="""
        -e|--env= --env-file= -v|--volume= --mount= -w|--workdir= --entrypoint= -u|--user=
        -p|--publish= --service-ports --network= --platform= --privileged --cap-add= --gpus= --add-host=
        --index= -m|--memory= --cpus=""",
    inner=1,
)
_BUILD = Grammar(
    quiet="""
        --progress= --no-cache --pull -q|--quiet --load --cache-from= --cache-to= --provenance= --sbom= --rm
        -t|--tag= --force-rm --parallel --memory=|-m=""",
    strict="",
    norun="-h|--help --print --check --dry-run",
    limit="--target=",
    config="-f|--file=",
    other="--build-arg= --platform= --push -o|--output= --secret= --ssh= --build-context=",
)

GRAMMARS: dict[str, Grammar] = {
    "docker": Grammar(quiet="-D|--debug -l|--log-level=", other="-H|--host= -c|--context= --config="),
    "docker run": _RUN,
    "docker exec": _RUN,
    "docker build": _BUILD,
    "docker buildx": Grammar(),
    "docker buildx build": _BUILD,
    "docker compose": Grammar(
        quiet="--ansi= --progress= --verbose --compatibility",
        config="-f|--file= --env-file=",
        other="-p|--project-name= --profile= --project-directory= --parallel=",
        norun="-h|--help -v|--version --dry-run",
    ),
    "docker compose run": _RUN,
    "docker compose exec": _RUN,
    "docker compose build": _BUILD._replace(operands="all"),
    "docker compose up": Grammar(
        quiet="""
            --build --force-recreate --no-color --no-log-prefix --quiet-pull --remove-orphans
            -V|--renew-anon-volumes --timestamps -t|--timeout= --wait-timeout= --pull=""",
        mask="-d|--detach",
        norun="-h|--help --no-start --dry-run",
        watch="-w|--watch",
        other="""
            --abort-on-container-exit --abort-on-container-failure --exit-code-from= --wait --scale=
            --no-deps --no-build --no-recreate""",
    ),
    "docker compose config": Grammar(quiet="-q|--quiet", other="--services --images --format= -o="),
    "helm": Grammar(quiet="--debug", other="-n|--namespace= --kube-context="),
    "helm lint": Grammar(
        strict="--strict --with-subcharts", quiet="--quiet", other="-f|--values= --set=", operands="config"
    ),
}
_DOCKER = {
    name.partition(" ")[2]: grammar for name, grammar in GRAMMARS.items() if name.startswith("docker ")
}
GRAMMARS |= {"podman": GRAMMARS["docker"], **{f"podman {name}": each for name, each in _DOCKER.items()}}

FOLDS: dict[str, str] = {
    "docker container run": "docker run",
    "docker container exec": "docker exec",
    "docker image build": "docker build",
}
