"""The session: acting player, submitting actions, agents, events, undo, fork, recordings."""

import doctest
import pickle
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fujikoro_env import ChanceError, Game, IllegalActionError, Rules, Session, session
from fujikoro_env.kernel.record.history import KEPT_EVERY
from fujikoro_env.player import AgentError, RandomAgent, make_agents
from fujikoro_env.record import Recorder, Recording, Replay
from fujikoro_env.session import OPEN, SPECTATOR, Asked, SessionError
from fujikoro_env.vocabulary import Vocabulary
from tests.helpers import mid_games
from tests.helpers.gear import put_card
from tests.helpers.midgame import midgame
from tests.helpers.tables import table

DOCS = Path(__file__).resolve().parents[2] / "docs"
TWO = Rules(players=2, max_rounds=8)
TILES = ("mossy_gate", "pilgrims_ledge")


def at_random(played: Session, steps: int, luck: int = 0) -> list[bytes]:
    """Submit random actions. Returns the game's bytes at each position, including the present one."""
    chooser, saved = random.Random(luck), [played.game.to_bytes()]
    while len(saved) <= steps and not played.over:
        played.submit(int(chooser.choice(played.game.legal_actions())), seat=played.actor)
        saved.append(played.game.to_bytes())
    return saved


def agents_at(rules: Rules = TWO, seed: int = 5, **settings: Any) -> Session:
    return Session(rules, seed, agents=make_agents(["random"] * rules.players, 1), **settings)


# Asking and answering


def test_a_session_gives_the_acting_player_and_the_question():
    played = Session(TWO, 7)
    game = Game(TWO, 7)
    assert played.asked == Asked(game.actor, game.phase, game.question)
    assert (played.actor, played.over, played.outcome) == (game.actor, False, None)
    at_random(played, 10_000)
    assert played.asked is None
    assert (played.actor, played.over) == (-1, True)
    assert played.outcome == played.game.outcome is not None


def test_an_action_goes_by_number_or_by_name():
    one, other, game = Session(TWO, 7), Session(TWO, 7), Game(TWO, 7)
    action = game.legal_actions()[0]
    one.submit(action)
    other.submit(game.action_name(int(action)), seat=game.actor)
    game.step(action)
    assert one.game.digest() == other.game.digest() == game.digest()
    assert one.history == other.history == (int(action),)


@pytest.mark.parametrize(
    ("error", "told", "submit"),
    [
        (
            SessionError,
            "player 1 is not asked: player 0 is asked (MONK_SPOT)",
            lambda s: s.submit("monk(pool)", seat=1),
        ),
        (SessionError, "action None: allowed are the numbers from 0 to", lambda s: s.submit(None)),
        (SessionError, "action -1: allowed are the numbers from 0 to", lambda s: s.submit(-1)),
        (SessionError, "action 1.5: allowed are the numbers from 0 to", lambda s: s.submit(1.5)),
        (SessionError, f"action {10**30}: allowed are", lambda s: s.submit(10**30)),
        (ValueError, "no action is called 'dance'", lambda s: s.submit("dance")),
        (IllegalActionError, "rest is not legal in MONK_SPOT; legal: monk", lambda s: s.submit("rest")),
        (SessionError, "it is not an agent's decision: player 0 is asked (MONK_SPOT)", lambda s: s.advance()),
        (SessionError, "seat 2: allowed are 0 to 1", lambda s: s.bind(2, RandomAgent())),
        (SessionError, "can't go back to step -1: allowed are 0 to 0", lambda s: s.undo()),
        (SessionError, "can't go back to step 1: allowed are 0 to 0", lambda s: s.undo_to(1)),
        (IndexError, "position 1: there are 0 to 0", lambda s: s.events_since(1, 0)),
        (IndexError, "step 1: there are 1 to 0", lambda s: s.event(1, 0)),
        (IndexError, "position 3: there are 0 to 0", lambda s: s.game_at(3)),
        (IndexError, "position 3: there are 0 to 0", lambda s: s.fork(3)),
        (ValueError, "player 2: allowed are 0 to 1", lambda s: s.view(2)),
        (ChanceError, "die 'Q1'", lambda s: s.load_dice(["Q1"])),
        (SessionError, "seed=3: this game is already dealt", lambda s: Session(s.game, 3)),
        (SessionError, "this is player 1's view, not a game", lambda s: Session(s.view(1))),
        (SessionError, "1 names in a game of 2: give one for each seat", lambda s: Session(TWO, names=["a"])),
        (SessionError, "1 agents in a game of 2: give one for each seat", lambda s: Session(TWO, agents=[None])),
        (SessionError, "seat -1: allowed are 0 to 1", lambda s: Session(TWO, agents={-1: RandomAgent()})),
    ],
)
def test_bad_input_gets_one_line_and_changes_nothing(error, told, submit):
    played = Session(TWO, 7)
    before = played.game.to_bytes()
    with pytest.raises(error, match=re.escape(told)) as caught:
        submit(played)
    assert "\n" not in str(caught.value)
    assert (played.game.to_bytes(), played.history, played.undos) == (before, (), 0)


def test_nobody_answers_when_the_game_is_over():
    played = agents_at()
    assert played.play() is None
    with pytest.raises(SessionError, match="it is not an agent's decision: the game is over"):
        played.advance()
    with pytest.raises(IllegalActionError, match="the game is over"):
        played.submit("rest")


# Agents and people


def test_agents_play_the_same_game_as_in_a_bare_loop():
    played, game, agents = agents_at(), Game(TWO, 5), make_agents(["random"] * 2, 1)
    played.play()
    while not game.over:
        game.step(agents[game.actor].act(game.view(game.actor)))
    assert played.game.to_bytes() == game.to_bytes()
    assert played.outcome == game.outcome


def test_play_stops_where_a_person_is_asked_and_goes_on_after_it():
    agents, chooser, seats = make_agents(["random"] * 2, 1), random.Random(0), set()
    played = Session(TWO, 5, agents=[None, agents[1]])
    while (asked := played.play()) is not None:
        seats.add(asked.seat)
        assert played.play() == asked  # nothing to do until it is answered
        played.submit(int(chooser.choice(played.game.legal_actions())), seat=0)
    assert seats == {0}
    assert played.names == ("person", "RandomAgent")


def test_an_agent_gets_the_view_of_its_seat_alone():
    views: list[Game] = []

    class Watcher(RandomAgent):
        def act(self, view: Game) -> int:
            views.append(view)
            return super().act(view)

    Session(TWO, 3, agents=[Watcher(), RandomAgent()]).play()
    assert {view.actor for view in views} == {0}
    assert all(not view.state.streams["words"].any() for view in views)


class Fails(RandomAgent):
    def __init__(self, gives: Any) -> None:
        super().__init__()
        self._gives = gives

    def act(self, view: Game) -> Any:
        if isinstance(self._gives, BaseException):
            raise self._gives
        return self._gives


@pytest.mark.parametrize(
    ("gives", "told"),
    [
        (RuntimeError("no idea"), "RuntimeError: no idea"),
        (712, "712 is not a legal action"),
        (-1, "-1 is not a legal action"),
        (10**30, f"{10**30} is not a legal action"),
        pytest.param(10**5000, "a huge number is not a legal action", id="huge"),
        (SystemExit(3), "SystemExit: 3"),
        (ValueError("\x1b[2J\nx"), r"ValueError: \x1b[2J x"),
        ("rest", "TypeError: 'str' object cannot be interpreted as an integer"),
    ],
)
def test_an_agent_that_fails_is_named_in_one_line(gives, told):
    played = Session(TWO, 7, agents=[Fails(gives), Fails(gives)])
    with pytest.raises(AgentError) as caught:
        played.play()
    assert str(caught.value) == f"player 0 (Fails) failed: {told}"
    assert played.history == ()


class Scribbles(RandomAgent):
    """Answers well, but writes into the view that it was given."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self._what = what

    def act(self, view: Game) -> int:
        action = super().act(view)
        if self._what == "record":
            view.state.players[0].vp += 1
        else:
            np.asarray(view.compiled.masks)[:] = 0
        return action


@pytest.mark.parametrize("what", ["record", "mask"])
def test_an_agent_that_changes_its_view_fails_and_changes_nothing_else(what):
    played = Session(TWO, 7, agents=[Scribbles(what), Scribbles(what)])
    before = played.game.digest()
    with pytest.raises(
        AgentError, match=r"player 0 \(Scribbles\) failed: it changed its view, which is for reading only"
    ):
        played.play()
    assert played.game.digest() == before


def test_an_interrupt_of_the_user_is_no_failure():
    with pytest.raises(KeyboardInterrupt):
        Session(TWO, 7, agents=[Fails(KeyboardInterrupt()), Fails(0)]).play()


def test_a_seat_passes_from_an_agent_to_a_person_and_back():
    played = agents_at()
    seat = played.actor
    agent = played.agent(seat)
    played.bind(seat, None, "Ada")
    assert (played.agent(seat), played.names[seat]) == (None, "Ada")
    asked = played.play()
    assert asked is not None
    assert asked.seat == seat
    played.bind(seat, agent)
    assert played.play() is None


# Undo


@pytest.mark.parametrize("start", ["seed", "dragon_fight", "powers"])
def test_undo_to_any_position_gives_equal_bytes(start):
    played = Session(TWO, 4) if start == "seed" else Session(mid_games.load(start))
    saved = at_random(played, 3 * KEPT_EVERY + 5)
    for position in reversed(range(len(saved))):
        assert played.game_at(position).to_bytes() == saved[position]
    played.undo(3)
    assert played.game.to_bytes() == saved[-4]
    for position in (2 * KEPT_EVERY, KEPT_EVERY + 7, KEPT_EVERY + 7, 1, 0):
        played.undo_to(position)
        assert played.game.to_bytes() == saved[position]
        assert played.steps == len(played.history) == position
    assert played.undos == 5  # one of the six led nowhere
    assert at_random(played, 3 * KEPT_EVERY + 5) == saved  # the luck is the same


def test_after_an_undo_agents_answer_as_before():
    """They do so although a random agent has drawn random numbers in between."""
    played = agents_at()
    played.play()
    history, last = played.history, played.game.to_bytes()
    for position in (len(history) // 2, 3, 0):
        played.undo_to(position)
        played.play()
        assert (played.history, played.game.to_bytes()) == (history, last)


def test_answers_that_were_asked_for_elsewhere_and_submitted_are_known_after_an_undo():
    played, agents = agents_at(), make_agents(["random"] * 2, 3)
    while not played.over:
        assert played.known_answer() is None
        played.submit(agents[played.actor].act(played.view(played.actor)))
    history = played.history
    played.undo_to(0)
    assert [played.known_answer(), played.last_by_person] == [history[0], None]
    played.play()
    assert played.history == history


def test_another_agent_in_the_seat_answers_for_itself():
    played = agents_at()
    played.play()
    history = played.history
    played.undo_to(0)
    for seat in range(2):
        agent = RandomAgent()
        agent.reset(2, seat)
        played.bind(seat, agent)
    played.play()
    assert played.history != history


def test_the_last_decision_of_a_person_is_found_between_those_of_agents():
    played = Session(TWO, 5, agents=[None, *make_agents(["random"] * 2, 1)[1:]])
    assert played.last_by_person is None
    positions = []
    for _ in range(12):
        played.play()
        positions.append(played.steps)
        played.submit(int(played.game.legal_actions()[0]))
    played.play()
    assert positions != list(range(12))  # the agent has answered in between
    while positions:
        assert played.last_by_person == positions[-1]
        played.undo_to(positions.pop())
        assert played.actor == 0
    assert played.last_by_person is None


def test_loaded_luck_belongs_to_its_position():
    played = Session(TWO, 7)
    chooser = random.Random(7)
    while played.game.phase.name != "EXPLORE_PLACE":
        played.submit(int(chooser.choice(played.game.legal_actions())))
    here, action = played.steps, int(played.game.legal_actions()[0])
    played.load_draws("tiles1", ["whelp_hollow"])
    loaded = played.game.to_bytes()
    saved = at_random(played, 30)
    played.undo_to(here)
    assert played.game.to_bytes() == loaded
    played.submit(action)
    assert played.event(here + 1, 0).draws == {"tiles1": ["whelp_hollow"]}
    assert played.fork(here).game.to_bytes() == saved[0]
    with pytest.raises(SessionError, match=f"luck was loaded after step {here}, which recordings can't store"):
        played.recording()
    later = Session(played.game_at(here))
    later.submit(action)
    assert later.recording().steps[0].draws == {"tiles1": ["whelp_hollow"]}
    played.undo_to(here - 1)
    assert played.recording().start.seed == 7


def test_luck_loaded_at_the_start_is_recorded_with_the_position():
    played = Session(TWO, 7)
    played.load_dice(["W1"])
    at_random(played, 5)
    recording = played.recording()
    assert recording.start.seed is None
    assert Replay(recording).game_at(5).to_bytes() == played.game.to_bytes()


@pytest.mark.parametrize("use", [Session.undo, Session.fork, Session.recording])
def test_a_game_that_was_changed_behind_the_session_is_noticed(use):
    played = Session(TWO, 7)
    at_random(played, 5)
    played.game.step(played.game.legal_actions()[0])
    with pytest.raises(SessionError, match="the game was changed outside its session"):
        use(played)


# Fork


def test_a_fork_is_independent_and_has_the_same_luck():
    played = Session(TWO, 4, names=["a", "b"])
    saved = at_random(played, 50)
    branch, early = played.fork(), played.fork(KEPT_EVERY + 3)
    assert branch.game.to_bytes() == saved[-1]
    assert early.history == played.history[: KEPT_EVERY + 3]
    assert early.names == ("a", "b")
    others = at_random(early, 40, luck=1)
    branch.undo_to(2)
    assert [played.game_at(k).to_bytes() for k in range(51)] == saved
    played.undo_to(1)
    assert early.game.to_bytes() == others[-1]
    assert early.game_at(KEPT_EVERY + 3).to_bytes() == saved[KEPT_EVERY + 3]
    for action in early.history[played.steps :]:
        played.submit(action)
    assert played.game.to_bytes() == early.game.to_bytes()


def test_a_fork_asks_no_agent_of_the_first():
    played = agents_at()
    branch = played.fork()
    assert branch.play() == branch.asked
    assert branch.history == ()
    assert (played.agent(0) is None, branch.agent(0) is None) == (False, True)


def test_a_session_travels_to_another_process():
    played = agents_at()
    for _ in range(30):
        played.advance()
    twin = pickle.loads(pickle.dumps(played))
    assert twin.play() is played.play() is None
    assert (twin.history, twin.game.to_bytes()) == (played.history, played.game.to_bytes())


# Recordings


def test_a_recording_is_that_of_a_recorder():
    played, recorder = agents_at(names=["a", "b"]), Recorder(Game(TWO, 5), ["a", "b"], 5)
    while not played.over:
        recorder.step(played.advance())
    assert played.recording().to_json() == recorder.recording().to_json()


def test_a_recording_begins_with_the_position_that_the_session_began_with():
    played, game = Session(mid_games.load("duel"), names=["a", "b"]), mid_games.load("duel")
    recorder = Recorder(game, ["a", "b"])
    at_random(played, 30)
    for action in played.history:
        recorder.step(action)
    assert played.recording().to_json() == recorder.recording().to_json()


def test_a_recorded_game_is_gone_on_with_from_any_step():
    played = Session(TWO, 5, names=["a", "b"])
    saved = at_random(played, 60)
    replay = Replay(Recording.from_json(played.recording().to_json()))
    again = Session.from_replay(replay)
    assert (again.history, again.names, again.game.to_bytes()) == (played.history, ("a", "b"), saved[-1])
    branch = again.fork(30)
    at_random(branch, 40, luck=3)
    assert branch.recording().start.seed == 5
    again.undo_to(10)
    assert replay.game_at(60).to_bytes() == saved[-1]


# Events


def test_events_tell_who_did_what():
    played = agents_at(Rules(players=3, max_rounds=2), 3)
    played.play()
    steps = played.recording().steps
    for event, step in zip(played.events_since(0, OPEN), steps, strict=True):
        assert (event.seat, event.asked, event.action, event.name) == (step.player, step.asked, step.action, step.name)
        assert (event.rolls, event.draws) == (step.rolls, step.draws)
    events = played.events_since(0, SPECTATOR)
    assert [event.number for event in events] == list(range(1, len(steps) + 1))
    assert any("is laid on" in item for event in events for item in event.news)
    assert played.events_since(len(steps), 0) == []
    assert played.events_since(len(steps) - 2, 0) == [played.event(len(steps) - 1, 0), played.event(len(steps), 0)]


def test_dice_are_told_to_everybody():
    played = Session(mid_games.load("dragon_fight"))
    at_random(played, 12)
    for number in range(1, played.steps + 1):
        events = [played.event(number, audience) for audience in (0, 1, 2, SPECTATOR, OPEN)]
        assert all(event.rolls == events[0].rolls for event in events)
        assert all(sum(" rolls " in item for item in event.news) == len(event.rolls) for event in events)
    assert any(event.rolls for event in played.events_since(0, SPECTATOR))


def test_events_that_were_taken_back_are_forgotten():
    played = Session(TWO, 4)
    legal = played.game.legal_actions()
    played.submit(legal[0])
    first = played.events_since(0, 1)
    played.undo()
    assert played.events_since(0, 1) == []
    played.submit(legal[1])
    assert played.events_since(0, 1) != first
    assert played.undos == 1


def looked_at(tile: str, **rules: Any) -> Session:
    """A game in which player 0 looks at the top tile of a stack, and later explores with it."""
    game = table(players=3, **rules)
    put_card(game, 0, "bokken", "move", looks=True)
    game.load_draws("tiles1", [tile])
    played = Session(game)
    for name in ("move", "bonus", "stack(1)", "done", "explore", "place(ring1.0)"):
        played.submit(name)
    return played


@pytest.mark.parametrize("audience", [1, 2, SPECTATOR])
def test_events_hide_a_tile_that_another_player_looked_at(audience):
    """Two games that differ only in the tile give the same events until it is drawn in the open."""
    one, other = (looked_at(tile).events_since(0, audience) for tile in TILES)
    assert one[:-1] == other[:-1]
    assert [events[-1].draws for events in (one, other)] == [{"tiles1": [tile]} for tile in TILES]  # to them it is new


@pytest.mark.parametrize("audience", [0, OPEN])
def test_events_show_a_tile_to_players_who_looked_at_it(audience):
    events = looked_at("mossy_gate").events_since(0, audience)
    look = next(event for event in events if event.name == "stack(1)")
    assert look.draws == {"tiles1": ["mossy_gate"]}
    assert "on top of stack 1 lies mossy_gate" in look.news
    assert "tiles1" not in events[-1].draws


def test_what_all_players_see_spectators_see_too():
    events = looked_at("mossy_gate", share_peeks=True).events_since(0, SPECTATOR)
    assert {"tiles1": ["mossy_gate"]} in [event.draws for event in events]


def test_views_hide_luck_and_tiles():
    one, other = (looked_at(tile).fork(3) for tile in TILES)
    for audience in (1, 2, SPECTATOR):
        assert one.view(audience).digest() == other.view(audience).digest()
        assert not one.view(audience).state.streams["words"].any()
    assert one.view(0).digest() != other.view(0).digest()
    assert one.view(OPEN).to_bytes() == one.game.to_bytes()
    with pytest.raises(TypeError, match="not a game"):
        one.view(SPECTATOR).step(int(one.game.legal_actions()[0]))


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_no_event_names_a_tile_that_its_audience_may_not_see(seed):
    hidden = 0
    played = Session(midgame(Rules(players=4), seed))
    at_random(played, 20, luck=seed)
    for number in range(1, played.steps + 1):
        after = played.game_at(number)
        for audience in (0, 1, 2, 3, SPECTATOR):
            unseen = tops(after) - tops(Session(after).view(audience))
            hidden += len(unseen)
            assert not any(tile in str(played.event(number, audience)) for tile in unseen)
    assert hidden


def tops(game: Game) -> set[str]:
    """Known top tiles of the stacks."""
    words: Vocabulary = game.vocabulary
    known = [(level, int(tile)) for level, tile in enumerate(game.state.top, 1) if tile]
    return {words.deck_ids(f"tiles{level}")[tile - 1] for level, tile in known}


# Without a history


def test_without_a_history_the_game_is_the_same():
    with_it, without = agents_at(), agents_at(keep_history=False)
    with_it.play()
    without.play()
    assert without.game.to_bytes() == with_it.game.to_bytes()


@pytest.mark.parametrize(
    "use",
    [
        lambda s: s.history,
        lambda s: s.steps,
        lambda s: s.undo(),
        lambda s: s.undo_to(0),
        lambda s: s.fork(),
        lambda s: s.recording(),
        lambda s: s.game_at(0),
        lambda s: s.event(1, 0),
        lambda s: s.events_since(0, 0),
        lambda s: s.last_by_person,
    ],
)
def test_without_a_history_one_line_says_so(use):
    played = Session(TWO, 7, keep_history=False)
    played.load_dice(["W1"])
    with pytest.raises(SessionError, match="this session keeps no history: make it with keep_history=True"):
        use(played)


# Docs


def test_the_python_of_the_docs():
    for code in re.findall(r"```python\n(.*?)```", (DOCS / "session.md").read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(code, "session.md", "exec"), {"__name__": "docs"})
    assert doctest.testmod(session).attempted > 0
    assert doctest.testmod(session).failed == 0
