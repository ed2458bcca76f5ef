"""The rules of Fuji, compiled: a file per chapter of docs/fuji/rules.md."""
