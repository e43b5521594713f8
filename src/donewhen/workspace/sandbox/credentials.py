"""Where credentials and doors to the host lie, as data: what a sandbox covers.

Only places; whether something is there and what it holds is not looked at.
"""

from collections.abc import Mapping

BELOW_HOME: tuple[str, ...] = tuple(
    """
    .ssh .aws .gnupg .azure .kube .oci .aliyun .bluemix .password-store .terraform.d .pulumi .vault-token
    .config/gcloud .config/gh .config/hub .config/glab-cli .config/git/credentials .config/op .config/doctl
    .config/rclone .config/sops .config/heroku .config/fly .config/configstore .config/containers/auth.json
    .config/netlify .config/vercel .local/share/keyrings .local/share/com.vercel.cli .local/share/gh
    .docker/config.json .docker/.token_seed .netrc _netrc .pypirc .npmrc .yarnrc.yml .git-credentials
    .gitcookies .cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml
    .m2/settings-security.xml .gradle/gradle.properties .composer/auth.json .config/composer/auth.json
    .nuget/NuGet/NuGet.Config .boto .s3cfg .databrickscfg .pgpass .my.cnf .mylogin.cnf .dbt/profiles.yml
    .snowflake .fly .railway .terraformrc .vault_pass .ansible/vault .chef .rhc .mc .minikube/profiles
    .claude/.credentials.json .claude.json .codex/auth.json .gemini .local/share/opencode/auth.json
    .config/github-copilot .cursor/auth.json .continue/.env .aider.conf.yml .huggingface/token
    .cache/huggingface/token .kaggle .config/wandb .netrc.gpg .authinfo .authinfo.gpg .mozilla
    .config/google-chrome .config/chromium .config/BraveSoftware .config/Signal .thunderbird .bash_history
    .zsh_history .python_history .node_repl_history .psql_history .mysql_history .rediscli_history
    Library/Keychains Library/Cookies .electrum .bitcoin .ethereum/keystore .Xauthority .ICEauthority
    .config/pip/pip.conf .pip/pip.conf .config/pypoetry/auth.toml .bundle/config .condarc .sbt/.credentials
    .ivy2/.credentials .config/helm/registry .subversion/auth .config/age .config/1Password .1password
    .config/Bitwarden .config/hcloud .config/stripe .config/ngrok .cloudflared .wrangler .config/.wrangler
    .supabase .expo .linode-cli .config/linode-cli .tsh .step .acme.sh .local/share/python_keyring .msmtprc
    .config/msmtp .config/filezilla .config/remmina .local/share/fish/fish_history .sqlite_history
    .irb_history
    """.split()
)
# A variable that names another place for a folder below home, and what it names whole.
MOVED: tuple[tuple[str, str], ...] = (
    ("XDG_CONFIG_HOME", ".config"),
    ("XDG_DATA_HOME", ".local/share"),
    ("XDG_CACHE_HOME", ".cache"),
    ("CARGO_HOME", ".cargo"),
    ("GRADLE_USER_HOME", ".gradle"),
    ("COMPOSER_HOME", ".composer"),
    ("DOCKER_CONFIG", ".docker"),
    ("HF_HOME", ".cache/huggingface"),
    ("CLAUDE_CONFIG_DIR", ".claude"),
    ("CODEX_HOME", ".codex"),
)
NAMED: tuple[str, ...] = tuple(
    """
    GNUPGHOME PASSWORD_STORE_DIR CLOUDSDK_CONFIG AZURE_CONFIG_DIR GH_CONFIG_DIR GLAB_CONFIG_DIR
    AWS_SHARED_CREDENTIALS_FILE AWS_CONFIG_FILE GOOGLE_APPLICATION_CREDENTIALS BOTO_CONFIG KUBECONFIG NETRC
    PGPASSFILE NPM_CONFIG_USERCONFIG npm_config_userconfig PIP_CONFIG_FILE RCLONE_CONFIG SOPS_AGE_KEY_FILE
    XAUTHORITY ICEAUTHORITY KRB5CCNAME HISTFILE
    """.split()
)
DOORS = (
    "SSH_AUTH_SOCK",
    "DOCKER_HOST",
    "CONTAINER_HOST",
    "DBUS_SESSION_BUS_ADDRESS",
    "TMUX",
    "XDG_RUNTIME_DIR",
)
# What root alone can read, and a command of root should not.
OF_ROOT: tuple[str, ...] = tuple(
    """
    /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/ssl/private /etc/krb5.keytab /etc/wireguard
    /etc/NetworkManager/system-connections /etc/kubernetes /etc/rancher /etc/letsencrypt /etc/sudoers.d
    /etc/credstore /etc/credstore.encrypted /var/lib/kubelet /var/lib/systemd/credential.secret
    /etc/ssh/ssh_host_rsa_key /etc/ssh/ssh_host_ecdsa_key /etc/ssh/ssh_host_ed25519_key
    """.split()
)
# A process that may talk to one of these may do as the host does.
SOCKETS: tuple[str, ...] = tuple(
    """
    /run/docker.sock /var/run/docker.sock /run/podman /run/containerd /run/crio /run/user /run/dbus
    /run/systemd/private /run/systemd/notify /run/snapd.socket /run/snapd-snap.socket /run/libvirt
    /run/screen /run/tmux /run/buildkit /run/k3s /run/supervisor.sock /run/supervisord.sock /run/initctl
    /run/udev/control /run/pcscd /run/gssproxy.sock
    /run/lxd /run/incus /var/lib/lxd/unix.socket /var/lib/incus/unix.socket /run/secrets /run/credentials
    """.split()
)


def credential_paths(home: str) -> tuple[str, ...]:
    return tuple(f"{home}/{below}" for below in BELOW_HOME) if home.startswith("/") else ()


def named_paths(env: Mapping[str, str]) -> tuple[str, ...]:
    """Credentials at places that variables name."""
    moved = [
        env[variable].rstrip("/") + below.removeprefix(folder)
        for variable, folder in MOVED
        if env.get(variable, "").startswith("/")
        for below in BELOW_HOME
        if below.startswith(f"{folder}/")
    ]
    named = [path for name in NAMED for path in _paths(env.get(name, ""))]
    return (*moved, *named)


def _paths(value: str) -> list[str]:
    """The absolute paths in a value like `/a:/b`, `unix:///a`, `unix:path=/a,guid=…` or `FILE:/a`."""
    parts = value.replace("unix://", ":").replace("path=", ":").replace(",", ":").split(":")
    return [part for part in parts if part.startswith("/") and not part.startswith("//")]


def socket_paths(env: Mapping[str, str]) -> tuple[str, ...]:
    """Those that variables name, too; a temp folder is covered whole, or no socket in it can be."""
    named = (path for name in DOORS for path in _paths(env.get(name, "")))
    return (*SOCKETS, *(path for path in named if not path.startswith("/tmp/")))  # noqa: S108
