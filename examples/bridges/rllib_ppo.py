"""PPO with RLlib: one network plays all seats, with masks.

    python examples/bridges/rllib_ppo.py --iterations 20

The environment is `fujikoro_env.envs.rllib.FujiKoroMultiAgentEnv`; RLlib's own ActionMaskingTorchRLModule applies the
masks. Self-play has no score of its own, because the seats share the same network, so the program ends with a match
against random players. RLlib needs an older gymnasium: install it in an environment of its own, with
`pip install 'fujikoro_env[rllib]'`.
"""

import argparse
from typing import Any

import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from fujikoro_env import BatchedGames, Rules
from fujikoro_env.envs.rllib import FujiKoroMultiAgentEnv
from fujikoro_training.matches import play_match

NETWORK = "samurai"


def config_of(args: argparse.Namespace) -> PPOConfig:
    """The settings of a run."""
    masked = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [128, 128]})
    table = {"players": args.players, "max_rounds": args.max_rounds, "reward": "shaped"}
    config: PPOConfig = (
        PPOConfig()
        .environment(FujiKoroMultiAgentEnv, env_config=table, disable_env_checking=True)
        .env_runners(num_env_runners=args.workers)
        .training(
            train_batch_size_per_learner=args.decisions,
            minibatch_size=min(512, args.decisions),
            num_epochs=2,
            lr=5e-4,
            gamma=0.999,
            lambda_=0.95,
            entropy_coeff=0.01,
        )
        .multi_agent(policies={NETWORK}, policy_mapping_fn=lambda agent, *_, **__: NETWORK)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={NETWORK: masked}))
        .debugging(seed=0, log_level="ERROR")
    )
    return config


def player_of(module: Any) -> Any:
    """The trained network as a policy for many games at once; it samples its actions."""

    @torch.no_grad()
    def act(games: BatchedGames, which: Any) -> Any:
        seen = {"observations": games.observe_some(which), "action_mask": games.masks[which].astype(np.float32)}
        rows = {name: torch.from_numpy(part) for name, part in seen.items()}
        logits = module.forward_inference({Columns.OBS: rows})[Columns.ACTION_DIST_INPUTS]
        return torch.distributions.Categorical(logits=logits).sample().numpy()

    return act


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains a network with RLlib.")
    parser.add_argument("--iterations", type=int, default=20, help="times to collect data and update (%(default)s)")
    parser.add_argument("--decisions", type=int, default=4000, help="decisions per iteration (%(default)s)")
    parser.add_argument("--workers", type=int, default=0, help="processes that play; 0: the main process (%(default)s)")
    parser.add_argument("--players", type=int, default=3, help="players in a game (%(default)s)")
    parser.add_argument("--max-rounds", type=int, default=20, help="rounds after which a game ends (%(default)s)")
    parser.add_argument(
        "--evaluation-games", type=int, default=300, help="games against random players at the end (%(default)s)"
    )
    args = parser.parse_args()
    ray.init(num_cpus=args.workers + 1, include_dashboard=False, log_to_driver=False)
    algorithm = config_of(args).build_algo()
    for iteration in range(1, args.iterations + 1):
        found = algorithm.train()["learners"][NETWORK]
        print(f"iteration {iteration}: entropy {found['entropy']:.2f}, loss {found['total_loss']:+.3f}")
    rules = Rules(players=args.players, max_rounds=args.max_rounds)
    player = player_of(algorithm.get_module(NETWORK))
    print("wins", play_match(player, "random", rules, args.evaluation_games, seed=12_345))
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
