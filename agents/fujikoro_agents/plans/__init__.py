"""The decision level `plans`: a player chooses aims instead of single actions. docs/plans.md describes it."""
