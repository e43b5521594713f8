"""What a model sees: the least that suffices, in an order that providers can cache.

The promise and the state of the work are never cut; everything else has its share, and what was left out is
named. Nothing here calls a model or writes to the ledger.
"""
