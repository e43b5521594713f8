"""Sessions of other agents: made, asked and judged here, by a worker process that the hook starts.

A session is armed for its life by its folder in the user's state. Everything that counts stands in the
ledger; the files beside it are for the hook, which has no time to read one.
"""
