"""Fingerprints: the git tree id of a working tree's content, taken with the harness's own git directory."""
