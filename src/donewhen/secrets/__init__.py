"""What looks like a credential: shapes, redaction, file names, scanning.

Redaction serves every event and stays cheap; scanning serves commits and the gate and may be slow. The
room writes no secret anywhere and contacts nobody to try one.
"""
