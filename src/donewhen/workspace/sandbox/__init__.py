"""Walls round commands, because rules that read a command can be fooled.

`probe` tries what this machine has, `plan` chooses from it and says what stays open, `describe` tells people.
Nothing here runs a command of an agent.
"""
