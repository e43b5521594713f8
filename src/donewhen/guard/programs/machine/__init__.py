"""The machine itself: processes, services, disks, accounts."""
