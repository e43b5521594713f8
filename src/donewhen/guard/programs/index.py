"""Which module has the reader of which program; only what is needed is loaded, tests keep it true."""

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
    ab aircrack-ng apprise aria2c arping autossh axel bettercap bore borg borgmatic browsh chisel
    cloudflared croc curl curlie dig dirb discord.sh dog doggo drill duplicity elinks ettercap expose
    fetch ffsend ffuf finger fping frpc frps ftp ftp-upload gallery-dl gdown getent gist gobuster
    grpcurl hashcat hey host ht http httpie https httrack hydra i2pd inlets john kdig kopia lftp links
    links2 localtunnel logger lt lynx mail mailx masscan medusa mosquitto_pub mosquitto_sub mpack
    msfconsole msfvenom msmtp mtr mutt nc nc.openbsd nc.traditional ncat ncftp ncftpget ncftpput neomutt
    netcat ngrok nikto nmap nslookup ntfy nuclei openssl pagekite pastebinit ping ping6 pscp psftp
    pushover rclone rcp resilio-sync resolvectl responder restic rsh rslsync rustic s-nail scp sendemail
    sendmail sftp siege slack slack-cli slackcat slogin socat sqlmap ssh sshuttle ssmtp swaks syncthing
    tailscale tarsnap telegram-cli telegram-send telnet tnftp tor tor-browser tracepath traceroute
    transfer.sh unison vegeta w3m websocat wfuzz wget wget2 whois wormhole wrk wscat xh xhs yggdrasil
    youtube-dl yt-dlp zerotier-cli zrok
    """,
    "packages.readers": """
    add-apt-repository alien amplify anaconda ansible-galaxy apk apm appcenter apt apt-add-repository
    apt-fast apt-get apt-key apt-mark aptitude asdf auto bower brew bundle bundler bunx cabal cap cargo
    carthage cdk cdktf cf changeset choco clasp cnpm code-push codecov composer conan conda copilot
    corepack cosign cpan cpanm crane dart dnf dnf5 dokku dotnet dpkg dpkg-divert dpkg-reconfigure dvc
    eas easy_install eb emerge eopkg expo fastlane firebase flatpak flit flutter fnm gdebi gem gh-pages
    ghcup go goenv goreleaser gradle gradlew gradlew.bat guix hatch hf huggingface-cli installer jenv
    jpm jreleaser jsr juliaup kamal ko krew lein lerna luarocks mamba mas maturin microdnf micromamba
    mise mix mvn mvnd mvnw mvnw.cmd n nala nimble nix nix-build nix-channel nix-collect-garbage nix-env
    nix-instantiate nix-shell nodenv np npm npx nuget nvm nx opam oras ovsx pacman paru pdm phpenv pip
    pip2 pip3 pip3.10 pip3.11 pip3.12 pip3.13 pip3.14 pip3.15 pip3.6 pip3.7 pip3.8 pip3.9 pipenv pipx
    pixi pkg pkg_add pkg_delete plenv pnpm pnpx pnx pod poetry port proto pyenv raco railway rbenv
    rebar3 release-it release-please render rpm rpm-ostree rush rustup rvm rye sbt scoop sdk
    semantic-release sentry-cli serverless shards shopify skaffold skopeo sls snap snapcraft
    softwareupdate stack surge swift tasksel tdnf tenv tfenv tfswitch tlmgr twine unattended-upgrade
    urpmi uv uvx vcpkg vercel virtualenv volta vsce web-ext winget xbps-install xbps-remove yarn yarnpkg
    yay yum zypper
    """,
    "machine.readers": """
    aa-complain aa-disable acpi addgroup adduser alacritty alternatives anacron apparmor_parser arch
    arduino-cli arp arptables asr at atq atrm auditctl authselect avrdude badblocks batch bcdedit
    blkdiscard blkid brctl btop btrfs cfdisk cgdisk chage chezmoi chfn chkconfig chpasswd chroot chsh
    cipher clear clush crontab cryptsetup csrutil date dd_rescue ddrescue debugfs defaults delgroup
    deluser depmod devcontainer dfu-util direnv diskpart diskutil dkms dmesg dmsetup dotenv dotenvx
    dotool dscl dseditgroup dsh e2fsck e2label ebtables efibootmgr eject esptool esptool.py ethtool
    faillock fastboot fasthalt fcrontab fdisk findmnt firewall-cmd fkill flashrom foot footclient
    forever free fsck fsck.ext2 fsck.ext3 fsck.ext4 fsck.vfat fsck.xfs fsck_apfs fsck_hfs fuser
    fusermount fusermount3 fwupdmgr gdate gdisk getcap getconf gnome-session-quit gnome-terminal gpart
    gpasswd groupadd groupdel groupmod groups growpart grub-install grub-mkconfig halt hdiutil hdparm
    hostname hostnamectl htop hwclock icacls id ifconfig init initctl insmod insserv invoke-rc.d iostat
    ip ip6tables ip6tables-restore ipcs ipfw ipset iptables iptables-restore iptables-save iwconfig
    journalctl kexec kextload kextunload kill kill-port killall killall5 kitten kitty kmutil konsole
    last lastlog launchctl ldconfig loadkeys locale localectl loginctl logname logrotate logsave losetup
    lsblk lscpu lslocks lsmod lsns lsof lspci lsusb lvconvert lvcreate lvreduce lvremove lvresize
    lxterminal mate-terminal mdadm mkdosfs mke2fs mkexfatfs mkfs mkfs.bcachefs mkfs.bfs mkfs.btrfs
    mkfs.cramfs mkfs.erofs mkfs.exfat mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.f2fs mkfs.fat mkfs.jfs
    mkfs.minix mkfs.msdos mkfs.ntfs mkfs.reiserfs mkfs.udf mkfs.vfat mkfs.xfs mkfs.zfs mkntfs mkreiserfs
    mkswap mkudffs modinfo modprobe mosh mount mount.nfs mpstat ncdu net netsh netstat networksetup
    newfs newfs_apfs newfs_exfat newfs_hfs newfs_msdos newusers nft nmcli nproc nsenter nvme nvram nwipe
    openvpn pam-auth-update parallel-ssh partclone parted partprobe passwd pdsh pfctl pgrep pidof pio
    pivot_root pkill pkillall platformio plutil pm-hibernate pm-suspend pm2 pmset powercfg poweroff pssh
    pstree pvcreate pvremove pwait pwconv rc-service rc-update reboot reg reg.exe renice reset resize2fs
    restorecon rfkill rmmod route rxvt sar sc sc.exe schtasks scrub scutil semanage sensors service
    setcap setenforce setsebool sfdisk sg_format sg_sanitize sgdisk shutdown skill sleep smartctl snice
    spctl ss ssh-add ssh-agent ssh-copy-id ssh-keygen sshfs st st-flash stop-process stress stress-ng
    stty supervisorctl suspend sv svcadm sw_vers swapoff swapon switch_root sysadminctl sysctl
    system_profiler systemctl systemd-nspawn systemd-run systemsetup takeown talk taskkill tc tccutil
    telinit terminator terminology testdisk tilix timedatectl tkill tmpreaper tmpwatch tmutil top tput
    tskill tty tune2fs udisksctl ufw umount uname unshare update-alternatives update-grub
    update-initramfs update-rc.d uptime urxvt useradd userdel usermod users usleep vgcreate vgreduce
    vgremove vigr vipw visudo vm_stat vmstat w wall wezterm wg wg-quick who whoami wipefs write wsl
    wtype x-terminal-emulator xattr-clear xdotool xfce4-terminal xfs_repair xkill xterm ydotool yes
    zellij zfs zkill zpool
    """,
    "data.readers": """
    ace aerich airflow alembic artisan atlas bcp beeline bq-sql cassandra-nodetool celery clickhouse
    clickhouse-client cockroach-sql console cqlsh createdb createuser cypher-shell db-migrate dbmate dbt
    diesel django django-admin django-admin.py doctrine drizzle-kit dropdb dropuser drush duckdb edgedb
    etcdctl flask flyway goose hasura hive impala-sql influx isql kafka-topics kafka-topics.sh keydb-cli
    knex liquibase litecli manage.py mariadb mariadb-admin mariadb-dump migrate migrate-mongo mikro-orm
    mongo mongodump mongoexport mongoimport mongorestore mongosh mycli mysql mysqladmin mysqldump
    mysqlsh neo4j-admin node-pg-migrate pg_basebackup pg_ctl pg_ctlcluster pg_dropcluster pg_dump
    pg_dumpall pg_isready pg_resetwal pg_restore pgbench pgcli phinx presto prisma psql rabbitmqadmin
    rabbitmqctl rails rake redis-cli reindexdb rqlite sea-orm-cli sequelize sequelize-cli setup.py snow
    snowsql spark spark-sql sqlcmd sqlplus sqlx supabase surreal symfony tern trino typeorm
    typeorm-ts-node-commonjs typeorm-ts-node-esm usql vacuumdb valkey-cli vsql wp yoyo ysqlsh
    """,
    "containers.readers": """
    VBoxManage aliyun ansible ansible-console ansible-playbook ansible-pull apptainer appwrite argocd
    atlas-cloud aws aws-nuke awslocal az azcopy b2 bq buildah chef-client civo clever cloud-nuke
    cloudflared-api colima com.docker.cli confluent consul convex copilot-cli coscmd crictl crossplane
    ctr darwin-rebuild databricks distrobox docker docker-compose doctl ecs-cli eksctl encore exo finch
    flux fly flyctl gcloud gsutil hcloud helm helmfile heroku home-manager ibmcloud incus infracost
    istioctl k k0s k3d k3s k3s-kubectl kind knife kops kubeadm kubecolor kubectl kubectx kubens kubeseal
    kustomize lima limactl linode-cli lxc lxc-destroy machinectl mc mcli microk8s minikube multipass
    neon neonctl nerdctl netlify nhost nixos-rebuild nomad ntl obsutil oc oci okteto openstack opentofu
    orb ossutil ovhai packer pct podman podman-compose podman-remote prlctl pscale pulumi puppet qm
    rancher rosa s3cmd s4cmd s5cmd salt salt-call sam scw singularity sst stern stripe tccli terraform
    terraformer terragrunt tf tofu toolbox turso upctl vagrant vboxmanage velero virsh vultr-cli
    wrangler yc zeabur
    """,
    "texts.readers": """
    [ [[ ack ag age ansible-vault aws-vault b2sum b3sum base32 base64 basename basenc bat batcat berglas
    bw bzless cat chamber cksum cmp colordiff column comm compgen credstash csplit cut declare delta
    diff diff3 difft dir dirname doppler dos2unix du echo egrep env envsubst exa expand export eza fc
    fgrep file fmt fold fzf gcat gdiff ggrep ghead glow gls gojq gopass gpg gpg2 grep gsort gsplit gtail
    gtr hd head hexdump hexyl highlight history iconv infisical jaq join jq keepassxc-cli keyring
    kwallet-query less look lpass ls lsd man md5 md5sum mdcat more most nl od op pass paste pg pr
    printenv printf ps pygmentize rbw readlink readonly realpath rev rg rgrep ripgrep sdiff secret-tool
    security seq set sha1sum sha224sum sha256sum sha384sum sha512sum shasum shuf sk sops sort
    source-highlight split sponge stat strings tac tail tee teller test tr tree typeset unexpand uniq
    unix2dos uudecode uuencode vault vdir wc xxd xzless yq zgrep zless zmore
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
    air amm ant as asciidoctor asciidoctor-pdf asciinema autoflake autopep8 ava awk babel bandit bazel
    bazelisk bc biome black bmake brave buck2 buf c++ c8 cc chez chokidar chrome chromium
    chromium-browser circo clang clang++ clang-format clisp cljs cmake coffee composite convert
    cookiecutter copier coverage create-next-app create-react-app create-vite crystal csharp csharprepl
    csi cwebp cx_Freeze cypress cython d2 daphne dc degit docformatter dot dprint drawio dumpcap ecj ecl
    ed emacs emacsclient emcc erl esbuild eslint evcxr ex exiftool eyeD3 factor fdp fennel ffmpeg
    firefox flake8 flameshot fsharpi g++ gap gawk gcc gci gdb gforth gfortran ghci ghostscript
    ghp-import gm gmake gnome-screenshot gnuplot go-task gofmt gofumpt goimports golangci-lint golines
    google-chrome google-chrome-stable gosh gprolog grim gs gsed gst gunicorn gvim hurl hy hygen
    hypercorn icc id3v2 import initdb inkscape install_name_tool isort janet java javac jest jpegoptim
    jscodeshift jshell just karma kotlin kotlinc ktlint latex latexmk ld ld.gold ld.lld lld lualatex
    luatex lumo lwp-download m4 magick maim make maple matlab mawk maxima meson microbundle mike
    mit-scheme mkdocs mmdc mocha modd mogrify montage msedge mypy nawk ncc neato nim ninja nixfmt nox
    npm-run-all nuitka nvcc nvim nyc objcopy ocaml openapi-generator openapi-generator-cli openocd
    optipng original-awk oxlint pandoc pants parcel patchelf pdflatex pdftex pdftk pdftoppm pdftotext
    petite picat pike planck plantuml playwright plop pngquant postcss prettier prettier_d protoc ps2pdf
    py.test pydocstyle pyinstaller pylint pyre pyright pytest pytype pyupgrade qemu-img qpdf qrencode
    radon red reflex reload remake rexx rollup rome rsvg-convert ruff run-p run-s runhaskell rust-script
    rustc rustdoc rustfmt sage samu sass scala scala-cli scalafmt scheme scons scrapy screencapture
    scrot sed sfdp shfmt snowpack sox sphinx-build sqlite sqlite3 ssed standard start-server-and-test
    staticcheck stmux strip stylelint stylua stylus svgo swagger-codegen swc swiftformat swipl tailwind
    tailwindcss taplo task tcc tcpdump termtosvg terser tex tiged tox tsc tsc-watch tshark tslint tsup
    twopi typst uglifyjs upx utop uvicorn vhs vi view vim vimdiff vite vitest vulture watchexec-cli
    weasyprint webpack wireit wkhtmltoimage wkhtmltopdf wolframscript xcodebuild xelatex xo yapf yo
    """,
    "donewhen": """
    donewhen
    """,
}
