"""Names of files and folders that hold credentials, as data; all in small letters.

Only names: how a path is held against them is told in `secret_paths`.
"""

from collections.abc import Mapping

from donewhen.guard.options import names


def _kinds(rows: Mapping[str, str]) -> dict[str, str]:
    return {name: kind for kind, text in rows.items() for name in text.split()}


ENVIRONMENT, KEY, CREDENTIALS, HISTORY = "environment file", "private key", "credentials", "history"

# Anywhere, by the last name of the path.
NAMES = _kinds({
    ENVIRONMENT: ".env .envrc .env.local .env.production .env.development .flaskenv .dev.vars .secrets",
    KEY: "id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk master.key secring.gpg "
        "ssh_host_rsa_key ssh_host_ecdsa_key ssh_host_ed25519_key ssh_host_dsa_key privkey.pem",
    CREDENTIALS: ".netrc _netrc .pypirc .pgpass pgpass.conf .my.cnf .mylogin.cnf .git-credentials "
        ".dockercfg .dockerconfigjson .s3cfg .boto .vault-token .htpasswd credentials.json credentials.csv "
        "credentials.yml credentials.yaml credentials.toml credentials.ini credentials.db credentials.xml "
        "application_default_credentials.json client_secret.json client_secrets.json service-account.json "
        "service_account.json serviceaccount.json serviceaccountkey.json local.settings.json secrets.yml "
        "secrets.yaml secrets.json secrets.toml secrets.ini secrets.properties secrets.txt secret.yml "
        "secret.yaml secret.json secret.txt .secret wp-config.php .credentials .credentials.json .password "
        ".passwd .token .api_key kubeconfig .kubeconfig credentials.tfrc.json terraform.tfstate "
        "terraform.tfstate.backup terraform.tfvars .terraformrc .databrickscfg rclone.conf sftp-config.json "
        ".smbcredentials .fetchmailrc .msmtprc .mbsyncrc wallet.dat login.keychain login.keychain-db",
    HISTORY: ".bash_history .zsh_history .sh_history .zhistory .histfile .python_history .node_repl_history "
        ".psql_history .mysql_history .sqlite_history .rediscli_history .irb_history .ksh_history "
        ".ash_history .pry_history fish_history consolehost_history.txt",
})  # fmt: skip
# Anywhere, by the last two names.
PAIRS = _kinds({
    CREDENTIALS: ".docker/config.json .aws/credentials .aws/config .kube/config gh/hosts.yml "
        "glab-cli/config.yml .cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml "
        ".m2/settings-security.xml .gradle/gradle.properties .composer/auth.json composer/auth.json "
        ".codex/auth.json .nuget/nuget.config .sbt/.credentials .ivy2/.credentials .config/hub "
        "pypoetry/auth.toml containers/auth.json helm/registry.json .claude/.credentials.json "
        ".gemini/oauth_creds.json github-copilot/hosts.json github-copilot/apps.json doctl/config.yaml "
        ".oci/config .fly/config.yml stripe/config.toml ngrok/ngrok.yml .ngrok2/ngrok.yml .circleci/cli.yml "
        ".kaggle/kaggle.json",
    "system secret": "etc/shadow etc/shadow- etc/gshadow etc/gshadow- etc/sudoers etc/master.passwd "
        "etc/krb5.keytab proc/kcore dev/mem dev/kmem",
})  # fmt: skip
# By ending; certificates and public halves are told apart in `secret_paths`.
ENDINGS = _kinds({
    KEY: "pem key p12 pfx jks keystore kdbx kdb ppk p8 pkcs12 keytab jceks",
    CREDENTIALS: "ovpn tfvars tfstate htpasswd publishsettings keychain keychain-db",
    ENVIRONMENT: "env",
})  # fmt: skip
# Folders: everything below them counts, wherever they are.
FOLDERS = _kinds({"keys": ".ssh .gnupg .password-store", ENVIRONMENT: ".envs"})
# The same, but in a workspace such a folder holds ordinary files as well.
CLOUD = _kinds({CREDENTIALS: ".aws .azure .kube .gcloud .oci .bluemix .aliyun .tsh"})
# Below a home folder: one to three names.
HOME = _kinds({
    CREDENTIALS: ".npmrc .yarnrc.yml .config/gcloud .config/gh .config/hub .config/glab-cli .config/op "
        ".config/doctl .config/rclone .config/hcloud .config/netlify .config/containers "
        ".config/git/credentials .config/composer/auth.json .config/pip/pip.conf .pip/pip.conf .config/sops "
        ".config/age .config/stripe .config/configstore .config/.wrangler .config/github-copilot "
        ".config/filezilla .config/keybase .local/share/keyrings .local/share/kwalletd "
        ".local/share/com.vercel.cli .terraform.d .docker/config.json .cargo/credentials .gem/credentials "
        ".m2/settings.xml .gradle/gradle.properties .composer/auth.json .claude/.credentials.json "
        ".claude.json .codex/auth.json .pulumi/credentials.json .fly .supabase .config/donewhen "
        ".local/state/donewhen .local/share/donewhen .cache/huggingface/token .huggingface .pki "
        ".bundle/config .jupyter/jupyter_server_config.json",
    "browser profile": ".mozilla .config/google-chrome .config/chromium .config/bravesoftware "
        ".config/microsoft-edge .config/vivaldi .config/opera .thunderbird snap/firefox snap/chromium "
        "library/safari library/cookies library/keychains library/messages library/mail",
    HISTORY: ".history .lesshst .viminfo .local/share/fish",
})  # fmt: skip
MAC_SUPPORT = names("google firefox bravesoftware chromium 1password arc slack")

# Folders that are not secret themselves but hold some, below a home folder.
HOLDERS = names(
    ".config .local .local/share .docker .cargo .gem .m2 .gradle .composer .claude .codex library snap"
)

PLAIN_IN_SSH = names("config known_hosts known_hosts.old authorized_keys allowed_signers")
# What ends so holds made-up values, or is encrypted, or only speaks of them.
TEMPLATES = names("example examples sample samples template tpl tmpl dist default defaults schema skel "
                  "skeleton stub md rst erb j2 jinja enc gpg sops age baseline")  # fmt: skip
PUBLIC = names("pub public pubkey publickey")
CERTIFICATE = names("cert certs certificate certificates ca cacert cacerts chain fullchain bundle crt csr "
                    "trust truststore dhparam dh root rootca intermediate issuer debug")  # fmt: skip
PUBLIC_FOLDERS = names("node_modules site-packages dist-packages ca-certificates certifi")
# A word such as `secret` in the name of one of these says what it is about, not that it holds one.
PROSE = names(
    "py pyi pyx ipynb js jsx ts tsx mjs cjs mts cts vue svelte astro go rs java kt kts scala groovy c h cc "
    "cpp hpp cxx m mm swift cs fs vb php rb erb ex exs erl hrl clj cljs hs ml mli lua pl pm r jl dart zig "
    "nim sh bash zsh fish ps1 bat cmd sql graphql gql proto html htm css scss sass less styl md mdx rst "
    "adoc tex svg png jpg jpeg gif ico webp pdf snap feature hbs ejs pug jinja j2 tmpl tf hcl nix cmake mk "
    "patch diff po pot map lock docx pptx woff woff2 wasm so o a class pyc xsd xsl wsdl sol asm"
)
