"""Where commands run: their environment, their processes, the walls round them.

The room decides nothing about what may be run; that is the guard's. It sees to it that what runs is bounded,
seen, and gone afterwards. Its parts are loaded when used.
"""
