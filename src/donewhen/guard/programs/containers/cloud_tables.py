"""Words of cloud programs: verbs that look, delete and write; commands that show credentials. Data only."""

from collections.abc import Mapping

LOOKING = frozenset(
    "list ls describe get show head view search status info help version wait "
    "validate lookup query scan filter tail "
    "print check preview diff estimate simulate read cat stat du tree find logs log "
    "poll count lint select detect "
    "history ps whoami explain completion doctor verify current docs browse test "
    "discover summarize compare "
    "regions pricing sizes images locations la presign sum hash signurl versions "
    "watch ping resolve".split()
)
DELETING = frozenset(
    "delete rm rb del remove destroy terminate purge drop erase wipe empty "
    "uninstall teardown nuke deregister "
    "decommission obliterate expunge prune clear undeploy".split()
)
WRITING = frozenset(
    "create put update run start stop deploy set add apply patch modify enable "
    "disable attach detach associate "
    "disassociate reboot restart reset scale import export copy cp mv sync upload "
    "publish send invoke submit restore "
    "rollback promote push register execute exec call tag untag resize move rename "
    "migrate failover rotate renew issue "
    "revoke authorize allocate assign unassign bind unbind change clone connect ssh "
    "scp activate deactivate install "
    "init launch link unlink grant replace rebuild release request cancel abort "
    "login logout assume decrypt encrypt "
    "generate download upgrade shutdown poweroff power up down new rekey rewrite "
    "regenerate suspend resume configure "
    "provision transfer swap unset edit mb mk load save switch use invalidate "
    "undelete package simulate-reset".split()
)
# program → its options with values before the verb, and the first place where a verb may stand
VALUES: Mapping[str, tuple[str, int]] = {
    "aws": (
        "--profile --region --output --endpoint-url --query --ca-bundle "
        "--cli-read-timeout --cli-connect-timeout "
        "--color --cli-binary-format",
        1,
    ),
    "gcloud": (
        "--project --account --configuration --format --verbosity "
        "--impersonate-service-account --billing-project "
        "--region --zone --filter",
        1,
    ),
    "az": ("--subscription --output -o --query --resource-group -g", 1),
    "doctl": ("-t -c -o --access-token --config --context --output -u --api-url", 1),
    "openstack": ("--os-cloud --os-region-name -f -c", 1),
    "stripe": ("--api-key --project-name --config", 0),
    "neon": ("--api-key --project-id -o --output", 1),
    "hcloud": ("--context --config --endpoint --poll-interval", 1),
    "linode-cli": ("--as-user --format --page --all-rows", 1),
    "ibmcloud": ("", 0),
    "oci": ("--profile --region --config-file --auth --output --query --endpoint --compartment-id -c", 1),
    "eksctl": ("-v -C --verbose --color", 0),
    "scw": ("-p -o -c --profile --output --config", 1),
    "vultr-cli": ("--config -o --output", 1),
    "civo": ("--region -o --config", 1),
    "exo": ("-A -C --use-account", 1),
    "aliyun": ("-p --profile --region", 1),
    "tccli": ("--profile --region", 1),
    "rosa": ("--profile --region", 0),
    "upctl": ("--config -o", 1),
    "kops": ("--name --state --config -v", 0),
    "databricks": ("-p --profile --target -t", 1),
    "turso": ("", 1),
    "neonctl": ("--api-key --output -o --project-id", 1),
    "pscale": ("--org --api-token -f --format", 1),
    "confluent": ("--environment --cluster", 1),
    "okteto": ("-c -n --context --namespace", 0),
    "yc": ("--profile --folder-id --cloud-id", 1),
    "ovhai": ("", 1),
    "atlas-cloud": ("", 1),
    "cloudflared-api": ("", 1),
    "ecs-cli": ("", 0),
    "awslocal": ("--region", 9),
}
REVEALING = frozenset(
    line.strip()
    for line in """
    aws configure get
    aws configure export-credentials
    aws sts get-session-token
    aws sts assume-role
    aws sts assume-role-with-saml
    aws sts assume-role-with-web-identity
    aws sts get-federation-token
    aws ecr get-login-password
    aws ecr get-login
    aws ecr get-authorization-token
    aws ecr-public get-login-password
    aws eks get-token
    aws secretsmanager get-secret-value
    aws secretsmanager batch-get-secret-value
    aws ssm get-parameter
    aws ssm get-parameters
    aws ssm get-parameters-by-path
    aws kms decrypt
    aws rds generate-db-auth-token
    aws iam create-access-key
    aws codeartifact get-authorization-token
    aws cognito-idp admin-initiate-auth
    aws sso get-role-credentials
    gcloud auth print-access-token
    gcloud auth print-identity-token
    gcloud auth application-default print-access-token
    gcloud auth print-refresh-token
    gcloud secrets versions access
    gcloud iam service-accounts keys create
    gcloud config config-helper
    gcloud kms decrypt
    gcloud sql generate-login-token
    az account get-access-token
    az keyvault secret show
    az keyvault secret download
    az storage account keys list
    az storage account show-connection-string
    az acr credential show
    az ad sp create-for-rbac
    az ad sp credential reset
    az cosmosdb keys list
    az redis list-keys
    az webapp deployment list-publishing-profiles
    az webapp deployment list-publishing-credentials
    az functionapp keys list
    az servicebus namespace authorization-rule keys list
    az aks get-credentials --admin
    doctl auth token
    doctl registry docker-config
    doctl kubernetes cluster kubeconfig show
    hcloud context token
    ibmcloud iam oauth-tokens
    ibmcloud iam api-key-create
    databricks auth token
    databricks tokens create
    databricks secrets get-secret
    turso auth token
    turso db tokens create
    neonctl connection-string
    pscale password create
    oci iam auth-token create
    yc iam create-token
    scw config get
    civo apikey show
    confluent api-key create
    """.splitlines()
    if line.strip()
)
ALTERING = frozenset(
    line.strip()
    for line in """
    aws configure set
    aws configure import
    aws configure sso
    aws sso login
    aws sso logout
    aws eks update-kubeconfig
    aws codeartifact login
    gcloud auth login
    gcloud auth activate-service-account
    gcloud auth application-default login
    gcloud auth configure-docker
    gcloud auth revoke
    gcloud config set
    gcloud config unset
    gcloud config configurations
    gcloud container clusters get-credentials
    gcloud components install
    gcloud components update
    gcloud components remove
    gcloud init
    az login
    az logout
    az account set
    az account clear
    az configure
    az acr login
    az aks get-credentials
    az extension add
    az extension remove
    doctl auth init
    doctl auth switch
    doctl registry login
    doctl kubernetes cluster kubeconfig save
    hcloud context use
    hcloud context create
    ibmcloud login
    ibmcloud target
    oci setup
    turso auth login
    """.splitlines()
    if line.strip()
)
# what `s3`-like verbs do
STORES: Mapping[str, str] = {
    **dict.fromkeys(
        "cp sync mv copy move put get rsync upload download mirror pipe fput fget".split(), "copy"
    ),
    **dict.fromkeys(
        "rm rb del delete remove multipart-delete abortmp delete-bucket delete-file-version expire".split(),
        "lose",
    ),
    **dict.fromkeys(
        "ls la list stat du cat head presign share info find tree diff hash version "
        "help sql signurl signurl "
        "ls-buckets list-buckets ping ready watch jobs login-status df".split(),
        "look",
    ),
}
