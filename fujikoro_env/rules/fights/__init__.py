"""DRAGON FIGHT and DUEL, with attacks, damage, heroic monks and the loss of items."""
