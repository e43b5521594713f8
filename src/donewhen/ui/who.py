"""Who acts: the user as the system knows them; the environment could say anything."""

import os


def who() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())
