"""The game itself, compiled: a folder or a file for each chapter of docs/rules.md, between `base` and `engine`."""
