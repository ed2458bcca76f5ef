"""PPO with TorchRL: one network plays all seats and learns from each.

    python examples/bridges/torchrl_ppo.py --decisions 100000

TorchRL's wrapper gives every seat a row at every step: its observation, its reward, and in `mask` whether it decides.
Advantages are computed along the steps for each seat alone, and only rows of seats that decided are learned from.
TorchRL is not part of our extras: `pip install fujikoro_env torchrl`.
"""

import argparse
from typing import Any

import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import MarlGroupMapType, PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value.functional import generalized_advantage_estimate

from fujikoro_env import BatchedGames, Rules, fujikoro_v0
from fujikoro_training.matches import play_match

SEEN = ("observation", "observation")  # the environment's observation also has the mask
GAMMA, LAMBDA = 0.999, 0.95
EPOCHS, BATCH = 2, 512


def make_env(players: int, max_rounds: int) -> PettingZooWrapper:
    """The game with all seats in the group "agents"."""
    env = fujikoro_v0.env(players=players, max_rounds=max_rounds, observation="compact", reward="shaped")
    return PettingZooWrapper(env=env, use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP)


def actor_of(network: torch.nn.Module, *group: str) -> ProbabilisticActor:
    """The network as an actor whose keys are in a group, or at the top."""

    def key(*name: str) -> tuple[str, ...]:
        return (*group, *name)

    return ProbabilisticActor(
        TensorDictModule(network, in_keys=[key(*SEEN)], out_keys=[key("logits")]),
        in_keys={"logits": key("logits"), "mask": key("action_mask")},
        out_keys=[key("action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=key("action_log_prob"),
    )


def rows_to_learn_from(data: TensorDict, value: torch.nn.Module) -> TensorDict:
    """Decisions with advantages and value targets. Time is the second dimension from the end: (seats, steps, 1)."""
    agents, following = data["agents"], data["next", "agents"]
    with torch.no_grad():
        values, next_values = (value(part[SEEN]).transpose(0, 1) for part in (agents, following))
    rewards = following["reward"].transpose(0, 1)
    done = data["next", "done"].expand(rewards.shape[0], -1, 1)
    advantages, targets = generalized_advantage_estimate(
        GAMMA, LAMBDA, values, next_values, rewards, done=done, terminated=done
    )
    rows = agents.select("observation", "action_mask", "action", "action_log_prob").clone()
    rows["advantage"], rows["value_target"] = advantages.transpose(0, 1), targets.transpose(0, 1)
    chosen: TensorDict = rows[agents["mask"]]  # the other seats did not decide
    return chosen


def train(network: torch.nn.Module, value: torch.nn.Module, args: argparse.Namespace) -> None:
    """Collect games and update both networks in turns."""
    env = make_env(args.players, args.max_rounds)
    collector = Collector(
        env,
        actor_of(network, "agents"),
        frames_per_batch=args.steps,
        total_frames=args.decisions,
        auto_register_policy_transforms=False,  # the policy keeps no state
    )
    critic = ValueOperator(value, in_keys=[SEEN])
    loss_module = ClipPPOLoss(actor_of(network), critic, entropy_coeff=0.01, normalize_advantage=True)
    optimizer = torch.optim.Adam(loss_module.parameters(), lr=args.learning_rate)
    decisions = 0
    for data in collector:
        rows = rows_to_learn_from(data, value)
        decisions += len(rows)
        for _ in range(EPOCHS):
            for indices in torch.randperm(len(rows)).split(BATCH):
                losses = loss_module(rows[indices])
                loss = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(loss_module.parameters(), 0.5)
                optimizer.step()
        print(f"{decisions:,} decisions: entropy {losses['entropy'].item():.2f}, loss {loss.item():+.3f}")
    collector.shutdown()


def dense(inputs: int, outputs: int) -> torch.nn.Module:
    """Two hidden layers."""
    first, second = torch.nn.Linear(inputs, 128), torch.nn.Linear(128, 128)
    return torch.nn.Sequential(first, torch.nn.Tanh(), second, torch.nn.Tanh(), torch.nn.Linear(128, outputs))


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains a network with TorchRL.")
    parser.add_argument("--decisions", type=int, default=100_000, help="to learn from (%(default)s)")
    parser.add_argument("--steps", type=int, default=4000, help="between two updates (%(default)s)")
    parser.add_argument("--players", type=int, default=3, help="at the table (%(default)s)")
    parser.add_argument("--max-rounds", type=int, default=20, help="of a game (%(default)s)")
    parser.add_argument("--learning-rate", type=float, default=5e-4, help="of Adam (%(default)s)")
    parser.add_argument("--evaluation-games", type=int, default=300, help="played at the end (%(default)s)")
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rules = Rules(players=args.players, max_rounds=args.max_rounds)
    games = BatchedGames(rules, n=1)
    network, value = dense(games.width, games.masks.shape[1]), dense(games.width, 1)
    train(network, value, args)

    @torch.no_grad()
    def play(games: BatchedGames, which: Any) -> Any:
        """The network's actions in some games, sampled."""
        logits, masks = network(torch.from_numpy(games.observe_some(which))), torch.from_numpy(games.masks[which])
        return MaskedCategorical(logits=logits, mask=masks).sample().numpy()

    print("wins", play_match(play, "random", rules, args.evaluation_games, seed=12_345))


if __name__ == "__main__":
    main()
