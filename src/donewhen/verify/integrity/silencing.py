"""Words in a comment that make a tool look away, whatever the language; readers add their own."""

# lizard's two; semgrep's, ast-grep's and Sonar's. In capitals only: prose speaks of generated code as well.
ANYWHERE = r"#?lizard forgive|\bnosem(?:grep)?\b|\bast-grep-ignore\b|(?-i:\bNOSONAR\b)|(?-i:GENERATED CODE)"
