"""The command that other agents run at every event: `donewhen hook CLIENT EVENT`.

It must be quick, since a tool waits for it, and it must never fail open: every client takes a crash for a
yes. So it ends only with 0 or 2, and loads nothing but the standard library, core, shell, secrets, guard and
store. What takes longer is done by another process, which is started here and imported nowhere.
"""
