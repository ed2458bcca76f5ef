"""Checks a position against the rules, in plain Python and independent of the compiled rules."""

from typing import Final

from fuji_env.content.model import LANDSCAPES
from fuji_env.position.fields import CARDS, is_behind_screens
from fuji_env.position.reading import Draft
from fuji_env.rules.base.names import Gear, Reason, Skill
from fuji_env.rules.base.phases import FIRST_AUTOMATIC, Phase
from fuji_env.rules.engine.bounds import NEEDS, is_phase_of_round, record_fault
from fujikoro_env.kernel.position.errors import Faults
from fujikoro_env.kernel.position.kinds import members

USUAL_STEPS: Final = 3  # PLAN-2
PHASE_AT: Final = 1  # frame of the phase; the round lies under it


class Case:
    """A position with what its checks need."""

    def __init__(self, draft: Draft) -> None:
        self.s, self.rules, self.faults, self.names = draft.s, draft.rules, draft.faults, draft.names
        self.viewer = draft.viewer
        tables = draft.rules.tables[0]
        self.layout, self.tables = tables.layouts[draft.rules.scenario_number], tables
        self.figures = [self.s.figures[k] for k in range(draft.rules.figures)]
        self.phase = int(self.s.stack[PHASE_AT].phase) if self.s.depth > PHASE_AT else 0
        self.asked = int(self.s.stack[self.s.depth - 1].phase)
        self.is_after_planning = self.phase in (Phase.REROLLING, Phase.EQUIPPING, Phase.MOVING)

    def want(self, where: str, holds: object, what: str, rule: str) -> None:
        """Note a fault unless a condition holds."""
        self.faults.want(where, holds, what, rule)

    def place(self, place: int) -> str:
        """The name of a place."""
        return self.names.place.show(place)

    def places(self, places: int) -> str:
        """The names of places."""
        return ", ".join(map(self.place, members(places)))


def judge(draft: Draft) -> None:
    """Check a position; raises `PositionError` with all faults."""
    case = Case(draft)
    _judge_order(case, draft.faults)
    draft.faults.stop()  # the checks below rely on a correct stack of frames
    _judge_cards(case)
    _judge_lava(case)
    _judge_tokens(case)
    _judge_end(case)
    for k in range(len(case.figures)):
        _judge_figure(case, k)
        _judge_dice(case, k)
        _judge_marker(case, k)
    _judge_skills(case)
    _judge_round(case)
    draft.faults.stop()
    if fault := record_fault(draft.games, draft.rules.tables):
        draft.faults.add("position", fault)
    draft.faults.stop()


# --- frames -----------------------------------------------------------------------------------------------------------


def _judge_order(case: Case, faults: Faults) -> None:
    s = case.s
    phases = [Phase(int(s.stack[k].phase)) for k in range(s.depth)]
    case.want("asked[0]", phases[0] == Phase.ROUND, "the lowest frame is not ROUND", "ROUND-1")
    for k, phase in enumerate(phases[1:], 1):
        below, rule = phases[k - 1], phase.entry.rules[0]
        fits = is_phase_of_round(phase) == (k == PHASE_AT) and below in NEEDS.get(phase, (below,))
        case.want(f"asked[{k}]", fits and phase != Phase.ROUND, f"{phase.name} can't lie on {below.name}", rule)
    if s.reason:
        return
    last = phases[-1]
    if last >= FIRST_AUTOMATIC:
        faults.add("asked", f"{last.name} asks nothing", last.entry.rules[0])


# --- the map ----------------------------------------------------------------------------------------------------------


def _judge_cards(case: Case) -> None:
    """Landscape cards lie on landscape, village cards on villages, and each lies once (MAP-1)."""
    first: dict[int, str] = {}
    for place, number in case.names.places.items():
        card = int(case.s.cards[number])
        village, landscape = (int(kind) >> number & 1 for kind in (case.layout.village, case.layout.landscape))
        where = f"cards.{place}"
        if not village | landscape:
            case.want(where, not card, "no area card lies there", "MAP-1")
        elif not card:
            case.faults.add(where, "is missing", "MAP-1")
        else:
            kind = "village" if village else "landscape"
            case.want(where, (card > LANDSCAPES) == bool(village), f"is no {kind} card", "MAP-1")
            at = first.setdefault(card, place)
            case.want(where, at == place, f"the same card lies at {at}", "MAP-1")


def _judge_lava(case: Case) -> None:
    """The lava is what some eruptions make of the volcano (MAP-4, LAVA-1)."""
    lava, eruptions = int(case.layout.volcano), 0
    while lava != case.s.lava:
        more = lava | _next_lava(case, lava)
        if lava & ~int(case.s.lava) or more == lava:
            wrong = int(case.s.lava) & ~lava or lava & ~int(case.s.lava)
            case.faults.add("lava", f"no number of eruptions gives this: see {case.places(wrong)}", "LAVA-1")
            return
        lava, eruptions = more, eruptions + 1
    gone = (int(case.layout.eruption_tokens) & ~int(case.s.eruption_tokens)).bit_count()
    ended = case.s.reason == Reason.LAVA and case.phase != Phase.MOVING
    least, rounds = int(case.s.round_number) - 1, int(case.s.round_number) - 1 + ended
    fits = least <= eruptions <= rounds + gone or not _next_lava(case, lava)
    case.want("lava", fits, f"{eruptions} eruptions don't fit round {case.s.round_number}", "LAVA-1")


def _next_lava(case: Case, lava: int) -> int:
    burns = int(case.layout.rubble) | int(case.layout.landscape)
    beside = 0
    for place in members(lava):
        beside |= int(case.layout.beside[place])
    return burns & beside & ~lava


def _judge_tokens(case: Case) -> None:
    for name, rule in (("eruption_tokens", "MAP-6"), ("equipment_tokens", "MAP-6")):
        tokens = int(case.s[name])
        if wrong := tokens & ~int(case.layout[name]):
            case.faults.add(name, f"the scenario has none at {case.places(wrong)}", rule)
        if burnt := tokens & int(case.s.lava):
            case.faults.add(name, f"{case.places(burnt)} is lava, so its token is gone", "LAVA-2")


def _judge_end(case: Case) -> None:
    """The game is over if, and only if, its end has come (END-1, LAVA-2, STAM-2)."""
    reason, s = case.s.reason, case.s
    burnt = [k for k, me in enumerate(case.figures) if int(s.lava) >> int(me.at) & 1]
    case.want("over", bool(burnt) == (reason == Reason.LAVA), _either("a figure stands on lava", burnt), "LAVA-2")
    saved = all(int(case.layout.village) >> int(me.at) & 1 for me in case.figures)
    case.want("over", saved == (reason == Reason.VILLAGES), _either("all stand on village cards", saved), "END-1")
    dead = any(me.stamina >= case.tables.track for me in case.figures)
    case.want("over", dead == (reason == Reason.STAMINA), _either("somebody is out of stamina", dead), "STAM-2")


def _either(what: str, holds: object) -> str:
    return f"{what}, so the game is over" if holds else f"the game did not end so: not {what}"


# --- figures ----------------------------------------------------------------------------------------------------------


def _judge_figure(case: Case, k: int) -> None:
    me, where = case.figures[k], f"figures[{k}]"
    areas = int(case.layout.landscape) | int(case.layout.village)
    case.want(f"{where}.at", areas >> int(me.at) & 1, f"{case.place(int(me.at))} is no area card", "MAP-5")
    passed = (int(case.tables.plasters) & ((2 << int(me.stamina)) - 1)).bit_count()
    suffered = int(me.injuries).bit_count()
    case.want(f"{where}.injuries", suffered <= passed, f"{suffered}, but {passed} plasters were passed", "STAM-3")
    for name, rule in (("used_once", "SKILL-6"), ("fresh", "MOVE-4")):
        lost = int(me[name]) & ~int(me.equipment)
        case.want(f"{where}.{name}", not lost, f"{', '.join(CARDS.show(lost))} is not held", rule)
    case.want(f"{where}.used_once", not me.used_once or me.skill == Skill.TINKERER, "it is no Tinkerer", "SKILL-6")
    case.want(f"{where}.bars", not me.bars or me.skill == Skill.GATHERER, "it is no Gatherer", "SKILL-5")
    case.want(f"{where}.buddy", not me.buddy or me.skill == Skill.BUDDY, "it is no Buddy", "SKILL-3")


def _judge_dice(case: Case, k: int) -> None:
    """Whoever has rolled shows all its dice (ROLL-1); one may be lost, or found again since (STAM-5)."""
    s, me, where = case.s, case.figures[k], f"figures[{k}].dice"
    usual, count = int(case.tables.skill_dice[me.skill]), int(me.dice)
    if case.phase and case.phase != Phase.DEAL:
        case.want(where, count in (usual, usual - 1), f"{count} dice; this figure has {usual}", "DICE-2")
    elif not s.reason:
        case.want(where, not count, "nobody has rolled yet", "ROLL-1")
    shown = [bool(number) for number in s.dice[k]]
    seen = case.viewer is None or k % case.rules.players == case.viewer
    case.want(where, not seen or shown == [die < count for die in range(len(shown))], "a die shows nothing", "ROLL-1")
    case.want(f"figures[{k}].aside", not int(me.aside) >> count, "it has no such die", "DICE-2")
    rerolling = case.phase == Phase.REROLLING
    case.want(f"figures[{k}].before", rerolling or not s.before[k].any(), "it is not phase 3", "REROLL-3")
    case.want(f"figures[{k}].rerolls", rerolling or not me.rerolls, "it is not phase 3", "REROLL-1")


def _judge_marker(case: Case, k: int) -> None:
    """Markers lie up to 3 steps away, and those of neighbours on different cards (PLAN-2, PLAN-3)."""
    me, where = case.figures[k], f"figures[{k}]"
    case.want(f"{where}.marker", me.marker or not case.is_after_planning, "is missing", "PLAN-1")
    case.want(f"{where}.steps", me.marker or not me.steps, "there is no marker", "PLAN-2")
    is_far = me.skill == Skill.SCOUT or int(me.effects) >> Gear.HIKING_BOOTS & 1
    case.want(f"{where}.steps", me.steps <= USUAL_STEPS or is_far, f"{me.steps} steps are too many", "PLAN-2")
    others = {(k + 1) % case.rules.sets, (k - 1) % case.rules.sets} - {k, case.rules.figures}
    for other in sorted(others):
        same = me.marker and case.figures[other].marker == me.marker
        stays = int(me.marker) - 1 in (int(me.at), int(case.figures[other].at))
        case.want(f"{where}.marker", not same or stays, f"figure {other} has chosen this card, too", "PLAN-3")


def _judge_skills(case: Case) -> None:
    """Skill cards are dealt once each, as the rules say (SETUP-1)."""
    skills = [int(me.skill) for me in case.figures]
    case.want("figures", len(set(skills)) == len(skills), "a skill card is dealt twice", "SETUP-1")
    named = [int(code) for code in case.s.settings.skills[: len(skills)]]
    case.want("figures", not any(named) or [code - 1 for code in named] == skills, "not the skills set", "SETUP-1")


# --- the round --------------------------------------------------------------------------------------------------------


def _judge_round(case: Case) -> None:
    s, moving = case.s, case.phase == Phase.MOVING
    case.want("acted", moving or not s.acted or s.reason, "it is not the move phase", "MOVE-1")
    case.want("acted", not int(s.acted) >> len(case.figures), "there is no such figure", "MOVE-1")
    case.want("owed", not s.owed or case.rules.options["late_eruption"], "needs late_eruption", "MOVE-5")
    dice_known = any(s.known[player].any() for player in range(case.rules.players))
    case.want("known", is_behind_screens(case.phase) or not dice_known, "no dice are hidden", "MOVE-1")
    radio = int(s.radio) - 1
    areas = int(case.layout.landscape) | int(case.layout.village)
    case.want("radio.place", radio < 0 or areas >> radio & 1, "is no area card", "EQUIP-1")
