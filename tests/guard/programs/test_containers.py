"""What containers get of the host, and what is lost in clusters and clouds."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.guard.call import Call, Text
from donewhen.guard.effects import (
    Alters,
    Destroys,
    Fetches,
    HostAccess,
    Publishes,
    Reads,
    Reveals,
    Sends,
    Unknown,
    Writes,
)
from donewhen.guard.marks import HOLE
from donewhen.guard.programs import readers
from tests.guard.calls import GROUND, call
from tests.tables import table_test

READERS = readers()

WORK = "/home/dev/wt/feature-x"


def found(text: str) -> list[object]:
    one = call(text)
    return list(READERS[one.name](one))


def loss(text: str) -> bool | None:
    sure = [effect.sure for effect in found(text) if isinstance(effect, Destroys)]
    return any(sure) if sure else None


def kinds(text: str) -> set[type]:
    return {type(effect) for effect in found(text)} - {Reads}


@table_test(
    "options",
    [
        "-v /:/host",
        "-v=/:/host",
        "--volume=/:/host",
        "-v ~:/h",
        "-v ~/.ssh:/k",
        "-v ..:/x",
        "-v /etc:/etc:ro",
        "-v /var/run/docker.sock:/s",
        "--mount type=bind,source=/,target=/h",
        "--privileged",
        "--pid=host",
        "--pid host",
        "--ipc=host",
        "--cap-add=ALL",
        "--cap-add SYS_ADMIN",
        "--device /dev/sda",
        "--security-opt seccomp=unconfined",
        "-it --rm -v /:/x",
        "-v /home:/home:ro",
    ],
)
def test_the_host_is_given_away(options):
    for start in ("docker run", "podman run", "docker container run", "docker create"):
        assert kinds(f"{start} {options} alpine true") == {HostAccess}


def test_an_unknown_folder_may_be_the_host():
    one = Call(("docker", "run", "-v", f"{HOLE}:/x", "alpine"), GROUND, GROUND.folder)
    assert any(isinstance(effect, HostAccess) for effect in READERS["docker"](one))


@table_test(
    "text",
    [
        "docker run --rm alpine true",
        "docker run -v ./data:/data alpine true",
        f"docker run -v {WORK}:/app node npm test",
        "docker run -v data:/data -p 5432:5432 postgres",
        "docker run --net=host -d redis",
        "docker run -v /tmp/x:/x alpine",
        "docker run alpine cat --privileged",
        "docker run --privileged=false alpine",
        "docker build -t app .",
        "docker ps -a",
        "docker logs app",
        "docker images",
        "docker pull x",
        "docker stop x",
        "docker exec app ls",
        "docker inspect x",
        "docker compose up -d",
        "docker compose down",
        "docker compose -f a.yml up --build",
        "docker-compose logs -f web",
        "docker compose exec web pytest",
        "docker compose run --rm web npm test",
        "docker volume ls",
        "docker network create x",
        "docker --version",
        "docker",
        "docker cp app:/x -",
        "docker system df",
        "docker context ls",
    ],
)
def test_daily_work_with_containers(text):
    assert kinds(text) == set()


@table_test(
    "text",
    [
        "docker compose down -v",
        "docker-compose down --volumes",
        "docker compose rm -fsv",
        "docker system prune -af",
        "docker volume rm x",
        "docker volume prune -f",
        "docker rm -f x",
        "docker rmi x",
        "docker container prune",
        "docker image prune -a",
        "docker builder prune",
        "podman system reset -f",
        "docker stack rm x",
        "docker swarm leave --force",
    ],
)
def test_containers_may_be_lost(text):
    assert loss(text) is False


@table_test(
    ("text", "effect"),
    [
        ("docker push ghcr.io/a/b", Publishes("docker", "ghcr.io/a/b")),
        ("docker buildx build --push -t x .", Publishes("docker", "build --push")),
        ("docker login ghcr.io", Alters("docker login")),
        ("docker cp app:/x ./x", Writes(f"{WORK}/x")),
        ("docker cp .env app:/x", Reads(f"{WORK}/.env")),
        ("docker save -o x.tar app", Writes(f"{WORK}/x.tar")),
        ("docker run --env-file .env app", Reads(f"{WORK}/.env", used=True)),
        ("docker build --secret id=x,src=.env .", Reads(f"{WORK}/.env")),
        ("docker -H tcp://prod:2375 ps", HostAccess("docker -H tcp://prod:2375")),
        ("ansible localhost -m shell -a 'rm -rf x'", Text("rm -rf x", "ansible")),
        ("ansible web -a 'rm -rf x'", Text("rm -rf x", "ansible", elsewhere="host")),
        ("aws s3 cp x s3://b/", Sends("s3://b/", "content")),
        ("aws s3 cp s3://b/x ./x", Fetches("s3://b/x", f"{WORK}/x")),
        ("aws s3 cp .env s3://b/", Reads(f"{WORK}/.env")),
    ],
)
def test_what_goes_in_and_out(text, effect):
    assert any(other == effect and type(other) is type(effect) for other in found(text))


@table_test(
    "text",
    [
        "kubectl delete ns prod",
        "kubectl -n prod delete pod x",
        "kubectl --context prod delete deploy x",
        "kubectl drain n",
        "kubectl replace --force -f x",
        "oc delete project x",
        "helm uninstall x",
        "argocd app delete x",
        "flux uninstall",
        "terraform destroy",
        "terraform -chdir=infra destroy -auto-approve",
        "terraform apply -destroy",
        "tofu destroy",
        "pulumi destroy --yes",
        "pulumi stack rm x",
        "sam delete",
        "aws s3 rm s3://x --recursive",
        "aws s3 rb s3://x --force",
        "aws s3 sync dist s3://x --delete",
        "aws ec2 terminate-instances --instance-ids i",
        "aws --profile p rds delete-db-instance",
        "aws ecr batch-delete-image --repository-name x",
        "gcloud projects delete x",
        "gcloud compute instances delete x -q",
        "gcloud beta compute instances delete x",
        "gcloud storage rm -r gs://x",
        "gsutil -m rm -r gs://x",
        "az group delete -n x",
        "az storage blob delete-batch -s x",
        "heroku apps:destroy -a x",
        "heroku pg:reset DATABASE",
        "fly apps destroy x",
        "flyctl volumes destroy v",
        "doctl compute droplet delete 1",
        "hcloud server delete x",
        "eksctl delete cluster --name x",
        "ibmcloud resource service-instance-delete x",
        "netlify sites:delete x",
        "wrangler d1 delete x",
        "s3cmd del -r s3://x",
        "mc rb --force play/x",
        "bq rm -r -f x",
        "oci compute instance terminate --instance-id x",
        "linode-cli linodes delete 1",
    ],
)
def test_things_elsewhere_are_lost(text):
    assert loss(text) is True


@table_test(
    "text",
    [
        "kubectl apply -f x",
        "kubectl scale deploy x --replicas=0",
        "kubectl rollout restart deploy/x",
        "kubectl exec p -- ls",
        "kubectl exec p df -h",
        "kubectl create ns x",
        "kubectl patch deploy x",
        "helm upgrade --install x ./c",
        "helm rollback x 1",
        "terraform apply",
        "terraform state rm x",
        "terraform import x y",
        "pulumi up",
        "sam deploy",
        "vagrant destroy -f",
        "packer build x",
        "ansible-playbook site.yml",
        "aws ec2 run-instances",
        "aws iam create-user --user-name x",
        "gcloud run deploy app",
        "gcloud compute instances create list-vm",
        "az webapp up",
        "fly secrets set A=b",
        "aws s3 mv s3://a s3://b",
        "eksctl create cluster",
    ],
)
def test_things_elsewhere_are_changed(text):
    assert loss(text) is False


@table_test(
    "text",
    [
        "kubectl get pods",
        "kubectl -n prod get pods -o yaml",
        "kubectl get secrets",
        "kubectl describe secret x",
        "kubectl logs -f p",
        "kubectl diff -f x",
        "kubectl apply -f x --dry-run=client",
        "kubectl rollout status deploy/x",
        "kubectl config view",
        "kubectl config current-context",
        "kubectl port-forward svc/x 80",
        "kubectl version --client",
        "kubectl create deploy x --image=y --dry-run=client -o yaml",
        "kubectl auth can-i delete pods",
        "helm template ./c",
        "helm lint ./c",
        "helm list -A",
        "helm upgrade x ./c --dry-run",
        "terraform plan",
        "terraform plan -destroy",
        "terraform init",
        "terraform fmt -check",
        "terraform validate",
        "terraform state list",
        "terraform workspace select x",
        "pulumi preview",
        "sam build",
        "vagrant status",
        "packer validate x",
        "ansible-playbook site.yml --check",
        "ansible web -m ping",
        "aws --version",
        "aws s3 ls",
        "aws s3 cp s3://b/x -",
        "aws s3 rm s3://x --dryrun",
        "aws sts get-caller-identity",
        "aws ec2 describe-instances",
        "aws logs tail x",
        "aws configure list",
        "gcloud projects list",
        "gcloud auth list",
        "gcloud config list",
        "gsutil ls",
        "az group list",
        "az account show",
        "heroku logs --tail",
        "fly status",
        "doctl compute droplet list",
        "argocd app get x",
        "kustomize build x",
    ],
)
def test_looking_is_ordinary(text):
    assert kinds(text) == set()


@table_test(
    "text",
    [
        "kubectl get secret x -o yaml",
        "kubectl get secrets -o jsonpath={.data}",
        "kubectl get secret/x -ojson",
        "kubectl config view --raw",
        "kubectl create token x",
        "oc whoami -t",
        "aws configure get aws_secret_access_key",
        "aws sts get-session-token",
        "aws ecr get-login-password",
        "aws secretsmanager get-secret-value --secret-id x",
        "gcloud auth print-access-token",
        "gcloud secrets versions access latest --secret=x",
        "az account get-access-token",
        "az keyvault secret show --name x",
        "heroku auth:token",
        "heroku config",
        "fly auth token",
        "terraform state pull",
        "pulumi config --show-secrets",
    ],
)
def test_credentials_are_shown(text):
    assert kinds(text) == {Reveals}


@table_test("name", ["docker", "kubectl", "aws", "gsutil", "terraform"])
def test_a_verb_that_is_not_known_is_said(name):
    one = Call((name, HOLE, "x"), GROUND, GROUND.folder)
    assert any(isinstance(effect, Unknown) for effect in READERS[name](one))


WORDS = st.lists(
    st.sampled_from(
        [
            "",
            "-",
            "--",
            "run",
            "-v",
            "cp",
            "s3",
            "s3://x",
            "rm",
            HOLE,
            "sync",
            "compose",
            "down",
            "get",
            "=",
            ":",
        ]
    )
    | st.text(max_size=6),
    max_size=7,
)


@given(st.sampled_from(sorted(READERS)), WORDS)
def test_no_arguments_upset_a_reader(name, words):
    for effect in READERS[name](Call((name, *words), GROUND, GROUND.folder)):
        assert isinstance(effect, tuple)
