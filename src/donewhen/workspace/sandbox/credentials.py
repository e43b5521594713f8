"""Where credentials and doors to the host lie, as data: what a sandbox covers.

Only places; whether something is there and what it holds is not looked at.
"""

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
    Library/Keychains Library/Cookies .electrum .bitcoin .ethereum/keystore
    """.split()
)
# A process that may talk to one of these may do as the host does.
SOCKETS: tuple[str, ...] = tuple(
    """
    /run/docker.sock /var/run/docker.sock /run/podman /run/containerd /run/crio /run/user /run/dbus
    /run/systemd/private /run/systemd/notify /run/snapd.socket /run/snapd-snap.socket /run/libvirt
    /run/lxd /run/incus /var/lib/lxd/unix.socket /var/lib/incus/unix.socket /run/secrets /run/credentials
    """.split()
)


def credential_paths(home: str) -> tuple[str, ...]:
    return tuple(f"{home}/{below}" for below in BELOW_HOME) if home.startswith("/") else ()


def socket_paths() -> tuple[str, ...]:
    return SOCKETS
