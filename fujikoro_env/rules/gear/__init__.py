"""REST and CRAFT, WEAPON, MATCH, GEAR cards and MAGIC."""
