"""The compiled rules of the game: a folder or file per chapter of docs/rules.md, built on `base` and driven by
`engine`."""
