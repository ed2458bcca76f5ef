"""A league of past selves: masked PPO in which the other seats belong to earlier versions of the network.

    python examples/league.py --decisions 600000 --every 100000 --out runs/league

A network that only plays against its latest self may forget how to beat earlier ones. Here half of the games are
against itself, and in the others one of the last past selves has the three other seats. Past selves are policy files,
so they play by name, here and anywhere else. At the end the network plays a match against each of them.
`examples/masked_ppo.py` has the learner.
"""

import argparse
from pathlib import Path

import torch

from examples.masked_ppo import EVALUATION_SEED, RULES, Network, Settings, save, seats, train
from fujikoro_env.envs.seats import SeatedGames
from fujikoro_env.observation.compact import WIDTH
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_training.matches import play_match


class League:
    """Past selves of a network. The newest `size` of them play; `table` has their seats."""

    def __init__(self, folder: Path, network: Network, size: int, every: int) -> None:
        self.folder, self.network, self.size, self.every = folder, network, size, every
        self.files: list[Path] = []
        self.table: SeatedGames | None = None
        self.add(0)

    @property
    def names(self) -> list[str]:
        """Names of all past selves, the oldest first."""
        return [f"policy:{file}" for file in self.files]

    def add(self, decisions: int) -> None:
        """Keep the network as it is now, and let it play in the place of the oldest member."""
        file = self.folder / f"past-{len(self.files)}.safetensors"
        save(self.network, file, decisions)
        self.files.append(file)
        if self.table is not None:
            self.table.use((len(self.files) - 1) % self.size, self.names[-1])

    def after_update(self, decisions: int) -> None:
        """Add a past self if it is time."""
        if decisions >= self.every * len(self.files):
            self.add(decisions)


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains a network against past selves.")
    parser.add_argument("--decisions", type=int, default=Settings.decisions, help="to learn from (%(default)s)")
    parser.add_argument("--games", type=int, default=Settings.games, help="played side by side (%(default)s)")
    parser.add_argument("--steps", type=int, default=Settings.steps, help="between two updates (%(default)s)")
    parser.add_argument("--size", type=int, default=4, help="past selves that play at the same time (%(default)s)")
    parser.add_argument("--every", type=int, default=100_000, help="decisions between past selves (%(default)s)")
    parser.add_argument("--evaluation-games", type=int, default=200, help="of each match (%(default)s)")
    parser.add_argument("--out", type=Path, default=Path("runs/league"), help="folder (%(default)s)")
    given = parser.parse_args()
    if min(given.decisions, given.steps, given.size, given.every, given.evaluation_games) < 1 or given.games < 2:
        parser.error("numbers must be at least 1, and --games at least 2")
    settings = Settings(decisions=given.decisions, games=given.games, steps=given.steps)
    torch.set_num_threads(1)  # on a busy machine, more threads are slower
    torch.manual_seed(settings.seed)
    network = Network(WIDTH, ACTIONS, settings.width)
    league = League(given.out, network, given.size, given.every)
    members = league.names * given.size  # at first, all are the untrained network
    seating = seats(settings.games, given.size)
    league.table = SeatedGames(RULES, settings.games, 0, members, seating, reward="vp", observation="compact")
    train(league.table, network, settings, league.after_update)
    save(network, given.out / "policy.safetensors", settings.decisions)
    for opponent in ("random", *league.names):
        print("wins", play_match(network, opponent, RULES, given.evaluation_games, EVALUATION_SEED))


if __name__ == "__main__":
    main()
