"""Programs that rule services and volumes by verbs: data for the engine of `package_engine`.

A verb that a row does not name as looking changes the machine.
"""

from collections.abc import Mapping

from donewhen.guard.call import Reader
from donewhen.guard.programs.packages.engine import Manager, manager, reader, verbs
from donewhen.guard.programs.packages.verb_acts import acts

_SHOWN = (
    "status show cat list-units list-unit-files list-timers list-sockets "
    "list-dependencies list-jobs list-machines "
    "list-paths list-automounts is-active is-enabled is-failed is-system-running "
    "help get-default show-environment "
    "whoami"
)
_SERVICES: Mapping[str, Manager] = {
    "systemctl": manager(
        values="-t -p -H -M -n -o -s --type --property --host --machine --root --state --lines "
        "--output --signal "
        "--what --when",
        verbs=verbs(
            _=_SHOWN,
            persist="enable start reenable preset preset-all link edit daemon-reload daemon-reexec "
            "add-wants "
            "add-requires set-default unmask try-restart reload-or-restart revert",
            signal="kill",
        ),
        other="alter",
    ),
    "launchctl": manager(
        verbs=verbs(
            _="list print print-disabled print-cache blame procinfo hostinfo resolveport "
            "managerpid managername "
            "manageruid getenv limit version help error variant dumpstate",
            persist="load bootstrap enable start kickstart submit setenv config",
            signal="kill",
        ),
        other="alter",
    ),
    "loginctl": manager(
        values="-p -n -o -s -H -M --property --lines --output --signal --host --machine",
        verbs=verbs(
            _="list-sessions list-users list-seats session-status show-session user-status "
            "show-user seat-status "
            "show-seat",
            persist="enable-linger",
            signal_all="kill-user terminate-user kill-session terminate-session terminate-seat",
        ),
        other="alter",
    ),
    "initctl": manager(
        verbs=verbs(_="list status version check-config usage", persist="start reload-configuration"),
        other="alter",
    ),
    "rc-update": manager(verbs=verbs(_="show -s", persist="add"), other="alter"),
    "update-rc.d": manager(verbs={}, other="persist"),
    "chkconfig": manager(verbs={}, other="persist"),
    "insserv": manager(verbs={}, other="persist"),
    "supervisorctl": manager(
        values="-c -s -u -p --configuration --serverurl --username --password",
        verbs=verbs(_="status tail maintail pid avail help version"),
        other="alter",
    ),
    "pm2": manager(
        values="-n -i -o -e -l --name --instances --cwd --interpreter --log --env --namespace",
        verbs=verbs(
            _="list ls l ps status logs monit describe desc show info prettylist jlist env "
            "report id pid ping flush "
            "help init ecosystem",
            persist="startup save dump resurrect install",
        ),
        other="alter",
    ),
    "schtasks": manager(
        verbs=verbs(_="/query /Query /?", persist="/create /Create /change /Change"), other="alter"
    ),
    "sc.exe": manager(verbs=verbs(_="query queryex qc", persist="create config start"), other="alter"),
    "zpool": manager(
        verbs=verbs(
            _="list status get iostat history events version wait",
            sure="destroy labelclear",
            alter="scrub import export",
        ),
        other="unsure",
    ),
    "zfs": manager(
        verbs=verbs(_="list get userspace groupspace holds diff version send", sure="destroy rollback"),
        other="unsure",
    ),
    "btrfs": manager(
        verbs={
            "subvolume": verbs(
                _="list show get-default find-new", sure="delete", unsure="create snapshot sync"
            ),
            "device": verbs(_="stats usage scan", sure="remove delete", unsure="add"),
            "filesystem": verbs(_="show df du usage sync label"),
            **verbs(_="inspect-internal version help"),
        },
        other="unsure",
    ),
    "cryptsetup": manager(
        values="-c -s -h -d -y -S --cipher --key-size --hash --key-file --type --key-slot",
        verbs=verbs(
            _="luksDump status isLuks luksUUID benchmark tcryptDump bitlkDump",
            sure="luksFormat luksErase erase luksKillSlot luksRemoveKey reencrypt format "
            "luksHeaderRestore wipeKey",
        ),
        other="alter",
    ),
    "diskutil": manager(
        verbs={
            **verbs(
                _="list info activity listFilesystems verifyVolume verifyDisk",
                sure="eraseDisk eraseVolume reformat secureErase zeroDisk randomDisk partitionDisk "
                "splitPartition "
                "mergePartitions eraseOptical eraseall",
            ),
            "apfs": verbs(
                _="list listSnapshots listUsers listCryptoUsers",
                sure="deleteContainer deleteVolume eraseVolume deleteVolumeGroup deleteSnapshot",
                alter="unlockVolume lockVolume",
            ),
        },
        other="alter",
    ),
    "mdadm": manager(
        verbs={},
        other="unsure",
    ),
    "nvme": manager(
        verbs=verbs(
            _="list id-ctrl id-ns smart-log error-log list-ns version help",
            sure="format sanitize delete-ns write write-zeroes",
        ),
        other="unsure",
    ),
    "dmsetup": manager(
        verbs=verbs(_="ls info status table deps targets version", sure="remove remove_all wipe_table"),
        other="unsure",
    ),
    "hdiutil": manager(
        verbs=verbs(_="info imageinfo verify checksum pmap create convert makehybrid"), other="alter"
    ),
    "tmutil": manager(
        verbs=verbs(
            _="listbackups listlocalsnapshots status destinationinfo latestbackup isexcluded compare",
            sure="delete deletelocalsnapshots thinlocalsnapshots",
        ),
        other="alter",
    ),
}

READERS: Mapping[str, Reader] = {name: reader(table, acts("disk")) for name, table in _SERVICES.items()}
