"""What looks like a credential: shapes, redaction, file names, scanning.

Redaction serves every event and stays cheap; scanning serves commits and the gate and may be slow. The
room keeps no secret that it found and contacts nobody to try one.
"""
