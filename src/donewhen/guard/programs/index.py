"""Which module has the reader of which program that a row can't tell; tests keep it true."""

NAMES: dict[str, str] = {
    "files.readers": """
    apply_patch applypatch chattr chflags chgrp chmod chown copyfiles cp cpx cpy dcfldd dd del del-cli
    df ditto fallocate file-rename gchmod gchown gcp gdd getfacl getfattr ginstall gio gln gmkdir gmv
    gpatch grm gshred gtouch install link ln lsattr mad make-dir mcp mkdir mkdirp mkfifo mknod mktemp
    mln mmv mv ncp patch perl-rename prename rename rimraf rm rmdir rmtrash rsync setfacl setfattr shred
    shx srm sync touch trash trash-empty trash-put trash-rm truncate unlink wipe xattr
    """,
    "archives.readers": """
    7z 7za 7zr 7zz ar aunpack brotli bsdtar bsdunzip bunzip2 bzip2 cabextract compress cpio dpkg-deb gar
    gcpio gtar gunzip gzip jar lbzip2 llvm-ar lz4 lzip lzma lzop p7zip pax pbzip2 pigz pzstd rar star
    tar unar uncompress unlz4 unlzma unpigz unrar unsquashfs unxz unzip unzstd xz zip zstd zstdmt
    """,
    "finding.readers": """
    capsh concurrently fd fdfind find flock gfind gxargs hyperfine ltrace nodemon parallel perf
    run-parts screen script strace time tmux valgrind xargs
    """,
    "git.readers": """
    brz bzr captainhook darcs fossil git git-add git-am git-annotate git-apply git-archimport
    git-archive git-backfill git-bisect git-blame git-branch git-branchless git-bugreport git-bundle
    git-cat-file git-check-attr git-check-ignore git-check-mailmap git-check-ref-format git-checkout
    git-checkout-index git-cherry git-cherry-pick git-citool git-clean git-clone git-column git-commit
    git-commit-graph git-commit-tree git-config git-count-objects git-credential git-credential-cache
    git-credential-gnome-keyring git-credential-libsecret git-credential-manager
    git-credential-manager-core git-credential-netrc git-credential-osxkeychain git-credential-store
    git-credential-wincred git-cvsexportcommit git-cvsimport git-daemon git-describe git-diagnose
    git-diff git-diff-files git-diff-index git-diff-pairs git-diff-tree git-difftool git-fast-export
    git-fast-import git-fetch git-fetch-pack git-filter-branch git-filter-repo git-fmt-merge-msg
    git-for-each-ref git-for-each-repo git-format-patch git-fsck git-gc git-get-tar-commit-id git-gitk
    git-grep git-gui git-hash-object git-help git-hook git-http-backend git-http-push git-imap-send
    git-index-pack git-init git-init-db git-instaweb git-interpret-trailers git-last-modified git-lfs
    git-log git-ls-files git-ls-remote git-ls-tree git-mailinfo git-mailsplit git-maintenance git-merge
    git-merge-base git-merge-file git-merge-index git-merge-octopus git-merge-one-file git-merge-ours
    git-merge-recursive git-merge-resolve git-merge-subtree git-merge-tree git-mergetool git-mktag
    git-mktree git-multi-pack-index git-mv git-name-rev git-notes git-p4 git-pack-objects
    git-pack-redundant git-pack-refs git-patch-id git-prune git-prune-packed git-pull git-push
    git-quiltimport git-range-diff git-read-tree git-rebase git-receive-pack git-reflog git-refs
    git-remote git-remote-ext git-repack git-replace git-request-pull git-rerere git-reset git-restore
    git-rev-list git-rev-parse git-revert git-rm git-send-email git-send-pack git-shell git-shortlog
    git-show git-show-branch git-show-index git-show-ref git-sparse-checkout git-stage git-stash
    git-status git-stripspace git-submodule git-survey git-svn git-switch git-symbolic-ref git-tag
    git-unpack-file git-unpack-objects git-update-index git-update-ref git-update-server-info
    git-upload-archive git-upload-pack git-var git-verify-commit git-verify-pack git-verify-tag
    git-version git-whatchanged git-worktree git-write-tree gt hg husky jj lefthook overcommit p4 pijul
    pre-commit prek scalar simple-git-hooks sl spr svn
    """,
    "forge.readers": """
    gh glab hub tea
    """,
    "network.readers": """
    aria2c autossh axel browsh curl curlie elinks fetch ftp ftp-upload gallery-dl gdown grpcurl ht http
    httpie https httrack lftp links links2 lynx mosquitto_pub mosquitto_sub nc nc.openbsd nc.traditional
    ncat ncftp ncftpget ncftpput netcat openssl pscp psftp rclone rcp rsh scp sftp slogin socat ssh
    telnet tnftp w3m websocat wget wget2 wscat xh xhs youtube-dl yt-dlp
    """,
    "builds": """
    gradle gradlew gradlew.bat mvn mvnd mvnw mvnw.cmd sbt
    """,
    "machine.readers": """
    alacritty anacron at batch clush crontab date defaults devcontainer direnv dotenv dotenvx dotool dsh
    fcrontab fkill foot footclient fuser gdate gnome-terminal invoke-rc.d ip kill kill-port killall
    killall5 kitten kitty konsole logsave lxterminal mate-terminal mosh parallel-ssh pdsh pkill pkillall
    plutil pssh rc-service rxvt service skill snice ssh-add ssh-agent ssh-keygen st stop-process sv
    svcadm taskkill terminator terminology tilix tkill tmpreaper tmpwatch tskill urxvt wezterm wtype
    x-terminal-emulator xdotool xfce4-terminal xkill xterm ydotool zellij zkill
    """,
    "data.readers": """
    ace artisan bcp beeline bq-sql cassandra-nodetool clickhouse clickhouse-client cockroach-sql console
    cqlsh createdb createuser cypher-shell django django-admin django-admin.py doctrine dropdb dropuser
    drush duckdb edgedb etcdctl flask hive impala-sql influx isql kafka-topics kafka-topics.sh keydb-cli
    litecli manage.py mariadb mariadb-admin mariadb-dump mongo mongodump mongoexport mongoimport
    mongorestore mongosh mycli mysql mysqladmin mysqldump mysqlsh pg_basebackup pg_ctl pg_ctlcluster
    pg_dropcluster pg_dump pg_dumpall pg_isready pg_resetwal pg_restore pgbench pgcli phinx presto psql
    rabbitmqadmin rabbitmqctl rails rake redis-cli reindexdb rqlite setup.py snowsql spark spark-sql
    sqlcmd sqlplus surreal symfony trino usql vacuumdb valkey-cli vsql ysqlsh
    """,
    "containers.readers": """
    VBoxManage aliyun ansible ansible-console ansible-playbook ansible-pull apptainer atlas-cloud aws
    awslocal az azcopy b2 bq buildah civo cloudflared-api colima com.docker.cli confluent coscmd crictl
    ctr databricks distrobox docker docker-compose doctl ecs-cli eksctl exo finch gcloud gsutil hcloud
    ibmcloud incus k0s k3s kops lima limactl linode-cli lxc lxc-destroy machinectl mc mcli microk8s
    multipass neon neonctl nerdctl obsutil oci okteto openstack orb ossutil ovhai pct podman
    podman-compose podman-remote prlctl pscale qm rosa s3cmd s4cmd s5cmd scw singularity stripe tccli
    toolbox turso upctl vboxmanage virsh vultr-cli yc
    """,
    "texts.readers": """
    [ [[ ack ag age ansible-vault aws-vault berglas bw chamber compgen credstash csplit declare doppler
    dos2unix echo egrep env envsubst export fc fgrep fzf ggrep gojq gopass gpg gpg2 grep gsplit history
    infisical jaq jq keepassxc-cli keyring kwallet-query less lpass op pass printenv printf ps rbw
    readonly rg rgrep ripgrep secret-tool security set sk sops split sponge tee teller test typeset
    unix2dos uudecode vault yq
    """,
    "interpreters.readers": """
    R Rscript babel-node bb bpython bun clj clojure d8 deno elixir esno expect ghc graalpy groovy
    groovysh guile iex ipython ipython3 irb jimsh jjs jruby jrunscript jsc julia jython littler lua
    lua5.1 lua5.2 lua5.3 lua5.4 luajit micropython mruby nlua node nodejs octave osascript perl perl5
    perl6 php php-cli php7 php8 php8.0 php8.1 php8.2 php8.3 php8.4 php8.5 php8.6 php8.7 ptpython
    ptpython3 py pypy pypy2 pypy3 pypy3.10 pypy3.11 pypy3.12 pypy3.13 pypy3.14 pypy3.15 pypy3.16
    pypy3.17 pypy3.18 pypy3.19 pypy3.6 pypy3.7 pypy3.8 pypy3.9 python python2 python2.7 python3
    python3.10 python3.11 python3.12 python3.13 python3.14 python3.15 python3.16 python3.17 python3.18
    python3.19 python3.6 python3.7 python3.8 python3.9 python3w pythonw qjs racket raku rakudo rhino
    ruby ruby3.0 ruby3.1 ruby3.2 ruby3.3 ruby3.4 ruby3.5 runghc sbcl swc-node tclsh tclsh8.6 texlua
    truffleruby ts-node tsx vite-node wish zx
    """,
    "editors.readers": """
    amm awk bc bmake chez clisp cljs cmake coffee crystal csharp csharprepl csi dc ecl ed emacs
    emacsclient erl evcxr ex factor fennel fsharpi gap gawk gdb gforth ghci ghp-import gmake gnuplot
    gosh gprolog gsed gst gvim hy janet jshell just kotlin kotlinc lumo m4 make maple matlab mawk maxima
    mike mit-scheme mkdocs nawk nim nvim ocaml original-awk petite picat pike planck red rexx runhaskell
    rust-script sage scala scala-cli scheme sed sqlite sqlite3 ssed swipl utop vi view vim vimdiff
    wolframscript
    """,
    "donewhen": """
    claude codex donewhen gemini opencode
    """,
}
