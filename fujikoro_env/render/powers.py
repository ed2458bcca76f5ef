"""What scrolls and adventure tokens do, in a few words each; docs/rules.md says it exactly (POWERS)."""

from typing import Final

POWER_WORDS: Final = {
    "ember_path": "one step over lava a move is free",
    "cartographer": "exploring lays up to 2 more tiles",
    "wind_walker": "every move has 1 step more",
    "pilgrim": "from a temple, step to any other temple",
    "deep_pockets": "gathering a resource token gives 1 wood more",
    "prospector": "gathering on start or a temple gives 1 metal more",
    "far_reach": "gather from an adjacent space",
    "master_smith": "crafting makes no waste",
    "twin_forge": "a rest crafts two types of gear",
    "iron_grip": "in each roll, one breaking die breaks nothing",
    "steady_hand": "once a fight, roll one weapon again",
    "falling_petal": "the first hit of each dragon roll does no harm",
    "lightning_draw": "3 more initiative",
    "dragon_bane": "once a turn, 1 lasting damage to a dragon beside you",
    "seer": "each turn, look at the top tile of a stack",
    "storyteller": "1 VP more for each level II or III tile explored",
    "omamori_of_fire": "one step over lava is free",
    "ancient_map": "exploring lays up to 2 more tiles",
    "sashimono": "move other samurai 1 space, if they agree",
    "gunbai": "hits on the breaking dice of a roll against you don't count",
    "rain_jar": "take the lava tile off an adjacent space",
    "sake_gourd": "take your discs back without resting",
    "whetstone": "craft one type of gear now",
    "merchant_crate": "take 2 wood or metal",
    "harpoon": "2 lasting damage to a dragon on an adjacent tile",
    "smoke_bomb": "leave a fight after any roll",
}
