"""Names of actions and things in one game: fixed names from the action table, cards and scrolls from the content."""

from typing import Any

from fujikoro_env.content import Pack
from fujikoro_env.content.model import GEAR, MAX_CARDS_PER_TYPE, MAX_TOKENS_PER_SHAPE, Card
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.state import CARD_SLOTS, SCROLL_DISPLAY
from fujikoro_env.rules.base.tables import cards_of_type, tiles_of_level


def is_hidden(card: Any) -> bool:
    """Whether a card is in play but still unknown (SCEN-12)."""
    return not card.card and bool(card.where)


def hidden_name(slot: int) -> str:
    """Return the name of a face-down blueprint, whose back shows its gear (SCEN-12)."""
    return f"hidden {GEAR[slot // CARD_SLOTS]} {slot % CARD_SLOTS}"


class Vocabulary:
    """Translates between the numbers of a game's record and names."""

    def __init__(self, pack: Pack, state: Any) -> None:
        self.pack, self.state = pack, state

    def action_name(self, action: int) -> str:
        """Return a name that is unique among the actions of a state: `step(ring2.4/petal3)`, `lay(metal, weapon[2,3])`,
        `scroll(seer)`."""
        block = act.block_of(action)
        own = self._slot_name(block.name, action - block.first)
        return f"{block.name}({own})" if own else act.plain_name(action)

    def parse_action(self, name: str) -> int:
        """Return the action with this name."""
        return act.TABLE.parse(name, self.action_name)

    def _slot_name(self, block: str, index: int) -> str:
        """Return the name of what is in a slot of the table, or "" if it is empty or the block has no slots."""
        if block == "card":
            return self.gear_card(index)
        if block == "blueprint":
            return self.blueprint(index)
        if block == "build":
            return self._build_name(index)
        if block == "player" and index < self.state.settings.players:
            return str((self._actor + index) % int(self.state.settings.players))
        if block == "scroll" and index < SCROLL_DISPLAY:
            return self.scroll(int(self.state.scroll_display[index]))
        return ""

    @property
    def _actor(self) -> int:
        return int(self.state.stack[self.state.depth - 1].actor)

    def _build_name(self, index: int) -> str:
        slots = len(GEAR) * CARD_SLOTS
        name = self.gear_card(index) if index < slots else self.blueprint(index - slots)
        return f"{'card' if index < slots else 'blueprint'} {name}" if name else ""

    def gear_card(self, slot: int) -> str:
        """Return the id of the gear card in a slot, or ""."""
        return _card_id(self.pack.gear_cards, int(self.state.gear_cards[slot].card))

    def blueprint(self, slot: int) -> str:
        """Return the id of the blueprint in a slot, or ""."""
        card = self.state.blueprints[slot]
        if is_hidden(card):
            return hidden_name(slot)
        return _card_id(self.pack.blueprints, int(card.card))

    def scroll(self, card: int) -> str:
        """Return the id of a scroll card, given as card + 1 as in records; "" for 0."""
        return self.pack.scrolls[card - 1].id if card else ""

    def token(self, token: int) -> str:
        """Return the id of a resource token, given as token + 1 as in records."""
        shape, index = divmod(token - 1, MAX_TOKENS_PER_SHAPE)
        return [t.id for t in self.pack.tokens if t.shape == ("square", "hex")[shape]][index]

    def deck_ids(self, deck: str) -> list[str]:
        """Return the ids of the members of a deck, in the order in which the rules number them."""
        if deck.startswith("tiles"):
            return [tile.id for tile in tiles_of_level(self.pack, int(deck[-1]))]
        if deck in ("squares", "hexes"):
            shape = {"squares": "square", "hexes": "hex"}[deck]
            return [token.id for token in self.pack.tokens if token.shape == shape]
        if deck == "dragons":
            return [dragon.id for dragon in self.pack.dragons]
        if deck == "adventures":
            return [kind.power for kind in self.pack.adventures]
        if deck == "blueprints":
            return [card.id for gear in range(len(GEAR)) for card in cards_of_type(self.pack.blueprints, gear)]
        return [scroll.id for scroll in self.pack.scrolls]


def _card_id(cards: tuple[Card, ...], card: int) -> str:
    """Return the id of a card, given as gear type * MAX_CARDS_PER_TYPE + index + 1; "" for 0."""
    if card == 0:
        return ""
    gear, index = divmod(card - 1, MAX_CARDS_PER_TYPE)
    return cards_of_type(cards, gear)[index].id
