"""The old name of `fujikoro_env.envs.rllib`."""

from fujikoro_env.envs.rllib import FujiKoroMultiAgentEnv as FujiKoroMultiAgentEnv
