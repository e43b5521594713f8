"""What programs do to this machine: processes, services, jobs, disks, settings."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.guard.call import Call, Text
from donewhen.guard.effects import Alters, Destroys, Exhausts, Persists, Reads, Signals, Writes
from donewhen.guard.marks import HOLE, STAR
from donewhen.guard.programs import readers
from tests.guard.calls import GROUND, call
from tests.tables import table_test

READERS = readers()

HOME = "/home/dev"
WORK = "/home/dev/wt/feature-x"


def kinds(text: str, stdin: str | None = None) -> set[type]:
    one = call(text, stdin)
    return {type(effect) for effect in READERS[one.name](one)} - {Reads}


def targets(*argv: str) -> list[str]:
    one = Call(argv, GROUND, GROUND.folder)
    return [effect.target for effect in READERS[one.name](one) if isinstance(effect, Signals)]


@table_test(
    "text",
    [
        "kill -9 -1",
        "kill -- -1",
        "kill -1",
        "kill -s KILL -1",
        "kill -n 9 -1",
        "kill -KILL 1",
        "kill -9 -- -1",
        "pkill -u dev",
        "pkill -9 -U 1000",
        "pkill -9 -f .",
        "pkill .",
        "pkill -f '.*'",
        "killall -u dev",
        "killall -9 -u dev",
        "killall -r '.*'",
        "killall5 -9",
        "skill -KILL -u dev",
        "fuser -km /",
        "xkill -a",
        "loginctl terminate-user dev",
        "pkill --inverse x",
    ],
)
def test_everything_is_signalled(text):
    assert targets(*call(text).argv) == ["everything"]


@table_test(
    "text",
    [
        "pkill node",
        "pkill -TERM node",
        "pkill -HUP nginx",
        "pkill -f 'node server.js'",
        "pkill -u dev node",
        "killall node",
        "killall -9 python3",
        "fuser -k 3000/tcp",
        "taskkill /IM node.exe /F",
        "kill-port 3000",
        "systemctl kill x",
    ],
)
def test_named_processes_are_signalled(text):
    assert targets(*call(text).argv) == ["named"]


@table_test(
    ("argv", "target"),
    [
        (("kill", "%1"), "own"),
        (("kill", "-9", "%%"), "own"),
        (("kill", STAR), "own"),
        (("kill", "--", f"-{STAR}"), "own"),
        (("pkill", "-P", STAR), "own"),
        (("kill", "4321"), "process"),
        (("kill", "-1", "4321"), "process"),
        (("kill", "-9", HOLE), "process"),
        (("kill", "0"), "process"),
    ],
)
def test_a_process_is_the_lines_own_only_when_the_line_started_it(argv, target):
    assert targets(*argv) == [target]


@table_test(
    "text", ["kill -l", "kill -0 4321", "pkill -0 node", "killall -l", "fuser 3000/tcp", "pgrep node", "kill"]
)
def test_asking_sends_no_signal(text):
    assert kinds(text) == set()


@table_test(
    "text",
    [
        "systemctl enable x",
        "systemctl --user enable --now x",
        "systemctl start x",
        "systemctl link /tmp/x.service",
        "systemctl --user daemon-reload",
        "launchctl load x.plist",
        "launchctl bootstrap gui/501 x.plist",
        "loginctl enable-linger dev",
        "crontab -e",
        "crontab -r",
        "at now",
        "systemd-run --user ls",
        "pm2 startup",
        "update-rc.d x defaults",
        "schtasks /create /tn x",
    ],
)
def test_what_stays_is_said(text):
    assert Persists in kinds(text)


def test_a_table_of_jobs_is_read_from_a_file_or_from_the_input():
    assert list(READERS["crontab"](call("crontab jobs"))) == [Reads(f"{WORK}/jobs"), Persists("crontab")]
    assert kinds("crontab -", "* * * * * x") == kinds("crontab", "* * * * * x") == {Persists}


def test_a_job_for_later_is_judged_as_well():
    assert list(READERS["at"](call("at now", "rm x"))) == [Persists("at"), Text("rm x", "at")]


@table_test(
    "text",
    [
        "systemctl status x",
        "systemctl --user status x",
        "systemctl is-active x",
        "systemctl list-units --type=service",
        "systemctl",
        "launchctl list",
        "loginctl list-sessions",
        "service x status",
        "service --status-all",
        "crontab -l",
        "crontab -u dev -l",
        "at -l",
        "atq",
        "pm2 list",
        "mount",
        "mount -l",
        "fdisk -l",
        "parted -l",
        "lsblk",
        "wipefs /dev/sda",
        "iptables -L -n",
        "ufw status",
        "sysctl -n hw.ncpu",
        "sysctl -a",
        "date",
        "date +%F",
        "date -d yesterday +%F",
        "date -d 20240101",
        "ip addr",
        "ip -4 addr show",
        "ip route get 1.1.1.1",
        "ifconfig eth0",
        "hostname",
        "hostname -I",
        "timedatectl",
        "defaults read com.x",
        "csrutil status",
        "journalctl -u x -n 50",
        "renice -n 5 -p 1",
        "ssh-add -l",
        "zpool status",
        "route -n",
        "getcap x",
        "nmcli con show",
        "uptime",
        "stty -echo",
        "ldconfig -p",
        "shutdown --help",
        "cryptsetup luksDump /dev/sda",
        "diskutil list",
        "dmesg",
        "yes",
    ],
)
def test_looking_is_ordinary(text):
    assert kinds(text) == set()


@table_test(
    "text",
    [
        "shutdown -h now",
        "reboot",
        "halt",
        "poweroff -f",
        "init 0",
        "systemctl poweroff",
        "systemctl stop x",
        "service nginx restart",
        "mount /dev/sdb1 /mnt",
        "umount /mnt",
        "swapoff -a",
        "iptables -F",
        "nft flush ruleset",
        "ufw disable",
        "sysctl -w a=1",
        "sysctl -n a=1",
        "date -s 2020-01-01",
        "date 010100002020",
        "useradd -m -c x evil",
        "usermod -aG docker dev",
        "passwd root",
        "visudo",
        "chsh -s /bin/zsh",
        "ip link set eth0 down",
        "ip route add default via 1.1.1.1",
        "ifconfig eth0 down",
        "hostname evil",
        "timedatectl set-time 10:00",
        "defaults write x y",
        "spctl --master-disable",
        "setenforce 0",
        "modprobe x",
        "insmod x.ko",
        "losetup /dev/loop0 x",
        "setcap cap_net_raw+ep x",
        "nsenter -t 1 -m ls",
        "route -n add default",
        "journalctl --vacuum-time=1s",
        "update-alternatives --set python x",
        "pm2 delete all",
        "atrm 1",
    ],
)
def test_changes_of_the_machine_are_said(text):
    assert kinds(text) == {Alters}


@table_test(
    "text",
    [
        "mkfs.ext4 /dev/sda1",
        "mkfs -t ext4 /dev/sdb",
        "fdisk /dev/sda",
        "wipefs -a /dev/sda",
        "sgdisk -Z /dev/sda",
        "sgdisk -d 1 /dev/sda",
        "badblocks -w -s /dev/sda",
        "badblocks -wsv /dev/sda",
        "blkdiscard /dev/nvme0n1",
        "parted -s /dev/sda mklabel gpt",
        "hdparm --security-erase x /dev/sda",
        "cryptsetup luksFormat /dev/sda2",
        "lvremove -f vg/lv",
        "zpool destroy tank",
        "zfs destroy -r tank/x",
        "diskutil eraseDisk JHFS+ X disk2",
        "diskutil apfs deleteContainer disk1",
        "sfdisk /dev/sda",
        "mkfs.vfat -n NAME /dev/sdb1",
    ],
)
def test_disks_are_lost(text):
    one = call(text)
    assert [effect.sure for effect in READERS[one.name](one) if isinstance(effect, Destroys)] == [True]


@table_test("text", ["./init 0", "bin/service web start", "scripts/write x"])
def test_a_projects_own_program_may_have_such_a_name(text):
    assert kinds(text) == set()


def test_a_file_system_in_a_file_is_not_surely_a_loss():
    assert list(READERS["mkfs.ext4"](call("mkfs.ext4 disk.img"))) == [
        Destroys("disk", "disk.img", sure=False)
    ]


@table_test(
    ("text", "effects"),
    [
        ("ssh-keygen -t ed25519 -f ./key -N ''", [Writes(f"{WORK}/key"), Writes(f"{WORK}/key.pub")]),
        ("ssh-keygen -t ed25519", [Writes(f"{HOME}/.ssh/id_ed25519"), Writes(f"{HOME}/.ssh/id_ed25519.pub")]),
        ("ssh-keygen -y -f ~/.ssh/id_rsa", [Reads(f"{HOME}/.ssh/id_rsa")]),
        ("ssh-keygen -lf ~/.ssh/id_rsa", [Reads(f"{HOME}/.ssh/id_rsa", names=True)]),
        ("ssh-keygen -R host", [Writes(f"{HOME}/.ssh/known_hosts")]),
        ("ssh-add ./key", [Alters("ssh-add"), Reads(f"{WORK}/key")]),
        ("stress --cpu 8", [Exhausts("stress --cpu 8")]),
    ],
)
def test_keys_and_load(text, effects):
    one = call(text)
    assert list(READERS[one.name](one)) == effects


WORDS = st.lists(
    st.sampled_from(
        ["", "-", "--", "-1", "-9", "-s", "-f", "%", "1", HOLE, STAR, "-v=", "--x=y", "show", "/", "."]
    )
    | st.text(max_size=6),
    max_size=6,
)


@given(st.sampled_from(sorted(READERS)), WORDS, st.none() | st.text(max_size=20))
def test_no_arguments_upset_a_reader(name, words, stdin):
    for effect in READERS[name](Call((name, *words), GROUND, GROUND.folder, stdin=stdin)):
        assert isinstance(effect, tuple)
