"""Programs of the machine that mostly change something: which of their words and options only look.

Data and three small readers. Whatever a row does not name as looking changes the machine, or loses a disk.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from donewhen.guard.call import Call, Reader
from donewhen.guard.effects import Alters, Destroys, Effect, Persists
from donewhen.guard.options import options, read


class Look(NamedTuple):
    """What of a program only looks: nothing at all, these options, these first words."""

    bare: bool = False
    options: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    single: bool = False  # one operand alone is looked at (`sysctl kernel.x`, `date +%F`)
    changes: frozenset[str] = frozenset()  # any of these changes, whatever else is given
    idle: frozenset[str] = frozenset()  # with one of these options nothing is done at all
    values: frozenset[str] = frozenset()  # options whose value is no operand
    depth: int = 1  # so many operands may be the word that looks
    strict: bool = False  # every option must be one that looks
    lone: bool = False  # options look only where there is no operand


def look(
    words: str = "", bare: bool = False, single: bool = False, changes: str = "", idle: str = "",
    values: str = "", depth: int = 1, strict: bool = False, lone: bool = False,
) -> Look:  # fmt: skip
    named = words.split()
    return Look(
        bare,
        frozenset(word for word in named if word[0] == "-"),
        frozenset(word for word in named if word[0] != "-"),
        single,
        frozenset(changes.split()),
        frozenset(idle.split()),
        frozenset(values.split()),
        depth,
        strict,
        lone,
    )


_HELP = frozenset(("--help", "--version", "-help"))  # -h and -V mean other things to some of them
_NEVER, _BARE = look(), look(bare=True)
_ALTERING: Mapping[str, Look] = {
    **dict.fromkeys(
        "halt poweroff reboot init telinit kexec suspend pm-suspend pm-hibernate fasthalt fastboot".split(),
        look("--wtmp-only"),
    ),
    "shutdown": look("--show", bare=True),
    "mount": look("-l --show-labels -V", bare=True, values="-t --types -O", lone=True),
    **dict.fromkeys(
        "umount swapon swapoff mkswap mount.nfs fusermount fusermount3 sshfs eject".split(),
        look("-s --show --summary -V", changes="-a -u -d -D"),
    ),
    "udisksctl": look("info status dump monitor"),
    "losetup": look(
        "-a --all -l --list -f --find -j --associated",
        bare=True,
        single=True,
        values="-j --associated -O --output",
        changes="-d --detach -D --detach-all",
        lone=True,
    ),
    **dict.fromkeys(
        "modprobe insmod rmmod depmod kextload kextunload kmutil dkms".split(),
        look("-n --dry-run --show --show-depends -c --showconfig -D status showloaded"),
    ),
    **dict.fromkeys(
        ("iptables", "ip6tables"),
        look(
            "-L -S --list --list-rules -C -nL -vL -nvL -vnL -Ln -Lv -Lnv -Lvn",
            changes="-A -D -I -F -X -P -N -R -E -Z --append --delete --insert --flush --delete-chain "
            "--policy --replace --zero",
        ),
    ),
    "iptables-restore": look("-t --test"),
    "ip6tables-restore": look("-t --test"),
    "ebtables": look("-L --list"),
    "arptables": look("-L --list"),
    "iptables-save": _BARE,
    "nft": look("list monitor -c --check describe"),
    "ufw": look("status show version --dry-run app", bare=True),
    "firewall-cmd": look(
        "--state --list-all --list-ports --list-services --get-zones --get-default-zone "
        "--get-active-zones --list-all-zones --get-services"
    ),
    "pfctl": look("-s -sr -sn -sa -ss -si -n -nf -vnf"),
    "ipset": look("list -L test save"),
    "ipfw": look("list show"),
    "ifconfig": look("-a -l -s", bare=True, single=True),
    "iwconfig": look(bare=True, single=True),
    "route": _BARE,
    "arp": _BARE,
    "tc": _BARE,
    "ethtool": look("-i -k -S -g -c -a", single=True),
    "brctl": look("show showmacs"),
    "nmcli": look(
        "show list status general monitor wifi",
        bare=True,
        depth=2,
        values="-f -m -c -e -w -g --fields --mode --colors --escape --wait --get-values",
        changes="connect hotspot rescan on off hostname",
    ),
    "networksetup": look(
        "-listallnetworkservices -listallhardwareports -getinfo -getdnsservers "
        "-getwebproxy -listnetworkserviceorder -getairportnetwork"
    ),
    "scutil": look("--dns --proxy --get --nwi -r --nc", bare=True, changes="--set --renew start stop"),
    "wg": look("show showconf genkey pubkey genpsk", bare=True),
    "wg-quick": look("strip"),
    "openvpn": look("--version"),
    "hostname": look(
        "-f -i -I -s -d -A --fqdn --short --ip-address --all-ip-addresses --domain -y", bare=True
    ),
    "hostnamectl": look("status show", bare=True),
    "timedatectl": look("status show list-timezones timesync-status show-timesync", bare=True),
    "localectl": look("status list-locales list-keymaps list-x11-keymap-layouts", bare=True),
    "hwclock": look("-r --show --get --verbose", bare=True),
    **dict.fromkeys(
        "useradd userdel usermod adduser deluser groupadd groupdel groupmod addgroup "
        "delgroup gpasswd chpasswd newusers pwconv vipw vigr chsh chfn pam-auth-update".split(),
        _NEVER,
    ),
    **dict.fromkeys(
        "dscl sysadminctl dseditgroup faillock authselect".split(),
        look(
            "-read -list -search read list search current", depth=2, changes="-delete -create -append -passwd"
        ),
    ),
    "passwd": look("-S --status"),
    "visudo": look("-c --check"),
    "chage": look("-l --list", strict=True),
    "setcap": look("-v"),
    "getcap": look("-r -v", bare=True, single=True),
    **dict.fromkeys(
        "update-alternatives alternatives".split(),
        look(
            "--display --list --query --get-selections",
            changes="--install --set --remove --remove-all --auto --config --set-selections",
        ),
    ),
    "ldconfig": look("-p --print-cache"),
    **dict.fromkeys("chroot nsenter unshare pivot_root switch_root systemd-nspawn".split(), _NEVER),
    "csrutil": look("status"),
    "spctl": look(
        "--status --assess -a",
        changes="--master-disable --master-enable --global-disable --global-enable --add --remove --enable "
        "--disable --reset-default",
    ),
    "tccutil": _NEVER,
    "nvram": look("-p -x", single=True),
    "pmset": look("-g"),
    "systemsetup": look("-gettimezone -getremotelogin -getcomputername"),
    "xattr-clear": _NEVER,
    "setenforce": _NEVER,
    "semanage": look("list -l export"),
    "setsebool": _NEVER,
    "restorecon": look("-n"),
    "aa-disable": _NEVER,
    "aa-complain": _NEVER,
    "apparmor_parser": _NEVER,
    "auditctl": look("-l -s -v", strict=True),
    "sysctl": _BARE,
    "grub-install": _NEVER,
    "update-grub": _NEVER,
    "efibootmgr": look("-v", bare=True, strict=True),
    "update-initramfs": _NEVER,
    "grub-mkconfig": _BARE,
    "bcdedit": look("/enum", bare=True),
    "ssh-copy-id": look("-n"),
    "atrm": _NEVER,
    "loadkeys": _NEVER,
    "stty": look("-a size sane -echo echo raw cooked", bare=True, single=True),
    "rfkill": look("list", bare=True),
    "journalctl": look("", bare=True),
    "logrotate": look("-d --debug"),
    "wall": _NEVER,
    "write": _NEVER,
    "talk": _NEVER,
    "renice": _NEVER,
    "netsh": look("show", depth=3, changes="add delete set reset import"),
    "reg": look("query QUERY export"),
    "reg.exe": look("query"),
    "net": look("view statistics config", bare=True),
    "icacls": look("", single=True),
    "takeown": _NEVER,
    "sc": look("query qc queryex"),
    "powercfg": look("/list /query"),
    "fwupdmgr": look(
        "get-devices get-updates get-history get-remotes get-details get-releases get-topology security "
        "verify --version"
    ),
    **dict.fromkeys(
        ("esptool", "esptool.py"),
        look(
            "chip_id chip-id flash_id flash-id read_mac read-mac image_info image-info version",
            depth=2,
            values="-p --port -b --baud -c --chip --before --after",
        ),
    ),
    "avrdude": look("-?", bare=True),
    "dfu-util": look("-l --list", bare=True),
    "st-flash": _BARE,
    "forever": look("list logs columns", bare=True),
    "chezmoi": look(
        "diff status managed unmanaged data doctor source-path target-path cat list verify help",
        bare=True,
        values="-S --source -D --destination -c --config",
    ),
    "wsl": look("-l --list --status", bare=True),
}
# ordinary, unless a word begins like one of these
_RARE_FORMS: Mapping[str, tuple[str, ...]] = {
    "journalctl": ("--vacuum", "--rotate", "--flush", "--setup-keys"),
    "route": ("add", "del", "change", "flush", "-f"),
    "arp": ("-d", "-s", "--delete", "--set", "-f", "--file"),
    "tc": ("add", "del", "change", "replace", "link"),
    "sysctl": ("-w", "-p", "--write", "--load", "--system", "-f"),
    **dict.fromkeys(("pio", "platformio"), ("upload", "erase", "program", "-tupload", "--target=upload")),
    "arduino-cli": ("upload", "burn-bootloader"),
    "stty": ("\x00",),
    "renice": ("\x00",),
}
_DISKS: Mapping[str, Look] = {
    **dict.fromkeys("fdisk gdisk cfdisk cgdisk".split(), look("-l --list -x -V")),
    "gpart": look("show list status"),
    "sfdisk": look(
        "-l --list -d --dump -J --json -s --show-size -V --verify -F --list-free",
        idle="-n --no-act",
        changes="--delete --activate -A --wipe -w",
    ),
    "parted": look(
        "-l --list print help",
        depth=2,
        changes="mklabel mktable mkpart rm resizepart name set "
        "toggle rescue disk_set mkpartfs mkfs resize move",
    ),
    "wipefs": look(
        "-J -p -i --json --parsable --noheadings -O --output",
        bare=True,
        single=True,
        strict=True,
        idle="-n --no-act",
    ),
    **dict.fromkeys(
        "lvremove vgremove pvremove pvcreate lvreduce vgreduce lvresize lvconvert vgcreate lvcreate".split(),
        look("-t --test"),
    ),
    "sgdisk": look("-p --print -i --info -v --verify", strict=True),
    "hdparm": look("-I -i -t -T -C -g -tT -Tt --direct -v", single=True, strict=True),
    "blkdiscard": _NEVER,
    "sg_format": _NEVER,
    "sg_sanitize": _NEVER,
    "nwipe": _NEVER,
    "scrub": _NEVER,
    "debugfs": look("-R", changes="-w"),
    "tune2fs": look("-l", strict=True),
    "resize2fs": look("-P"),
    "e2label": look(single=True),
    "xfs_repair": look("-n"),
    "partprobe": look("-d -s"),
    **dict.fromkeys(
        "fsck e2fsck fsck.ext4 fsck.ext3 fsck.ext2 fsck.xfs fsck.vfat fsck_hfs fsck_apfs".split(),
        look("-n -N"),
    ),
    "flashrom": _NEVER,
    "diskpart": _NEVER,
    "asr": look("info"),
    "cipher": _NEVER,
    "testdisk": look("/list"),
    "ddrescue": _NEVER,
    "dd_rescue": _NEVER,
    "partclone": _NEVER,
    "growpart": look("-N"),
    **dict.fromkeys(
        "mkfs mke2fs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat "
        "mkfs.fat mkfs.msdos mkfs.exfat mkfs.ntfs mkfs.f2fs mkfs.minix mkfs.cramfs "
        "mkfs.bfs mkfs.jfs mkfs.reiserfs mkfs.erofs mkfs.udf mkntfs mkexfatfs mkdosfs "
        "mkudffs newfs newfs_apfs newfs_hfs newfs_msdos newfs_exfat mkreiserfs "
        "mkfs.bcachefs mkfs.zfs".split(),
        look("-V"),
    ),
}
_MAY = frozenset(
    "tune2fs resize2fs e2label partprobe growpart debugfs hdparm lvcreate vgcreate lvresize cipher".split()
)


def _looks(call: Call, row: Look) -> bool:
    words = call.argv[1:]
    if not words:
        return row.bare
    if any(word in _HELP or word in row.idle for word in words):
        return True
    if any(word.partition("=")[0] in row.changes for word in words):
        return False
    operands = [
        word
        for before, word in zip(("", *words), words, strict=False)
        if word[0:1] != "-" and before not in row.values
    ]
    if _asked(words, row) and not (row.lone and operands):
        return True
    if any(word in row.words for word in operands[: row.depth]):
        return True
    return row.single and len(operands) <= 1 and len(words) == len(operands) and "=" not in words[0]


def _asked(words: tuple[str, ...], row: Look) -> bool:
    """Do its options ask it to look?"""
    given = [word.partition("=")[0] for word in words if word[0:1] == "-"]
    return bool(given) and (all if row.strict else any)(word in row.options for word in given)


def of_project(call: Call) -> bool:
    """A program of the workspace that merely has such a name: `./init`, `bin/service`."""
    word = call.argv[0]
    return "/" in word and call.at(word).startswith(f"{call.ground.workspace}/")


def _alters(call: Call) -> Iterator[Effect]:
    if of_project(call):
        return
    forms = _RARE_FORMS.get(call.name)
    if forms is not None:
        changes = any(word.startswith(forms) for word in call.argv[1:]) or _sets(call)
    else:
        changes = not _looks(call, _ALTERING[call.name])
    if changes:
        yield Alters(" ".join(call.argv[:3]))


def _sets(call: Call) -> bool:
    return call.name == "sysctl" and any("=" in word for word in call.argv[1:])


def _disk(call: Call) -> Iterator[Effect]:
    """A device is lost for sure; an image file perhaps was meant."""
    name = call.name
    erased = any("security-erase" in word for word in call.argv)
    if _looks(call, _DISKS[name]) and not erased:
        return
    operands = read(call.argv[1:], options()).operands
    image = name.startswith(("mk", "newfs")) and bool(operands) and not any(map(_device, operands))
    yield Destroys("disk", " ".join(operands) or name, sure=erased or (name not in _MAY and not image))


def _device(word: str) -> bool:
    """A device, or what may be one; a name with a dot or a relative path is taken for an image."""
    return word.startswith(("/", "\x00", "\\")) or word[1:2] == ":" or ("/" not in word and "." not in word)


def _badblocks(call: Call) -> Iterator[Effect]:
    if any(word[:1] == "-" and word[1:2] != "-" and "w" in word for word in call.argv[1:]):
        yield Destroys("disk", call.argv[-1])


def _persists(call: Call) -> Iterator[Effect]:
    if not any(word in _HELP for word in call.argv[1:]):
        yield Persists(call.name)


READERS: Mapping[str, Reader] = {
    **dict.fromkeys((*_ALTERING, *_RARE_FORMS), _alters),
    **dict.fromkeys(_DISKS, _disk),
    "systemd-run": _persists,
    "badblocks": _badblocks,
}
