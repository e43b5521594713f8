"""Commands as evidence: what a line really ran, and whether that is what was declared.

`lines` reads a syntax tree and says which commands a line runs and which of them its exit status proves;
`tools` knows the programs: aliases, harmless and narrowing options; `matching` puts both together.
"""
