"""DRAGON FIGHT and DUEL, with attacks, damage, heroic monks and what is left of them."""
