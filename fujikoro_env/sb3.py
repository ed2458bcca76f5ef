"""The old name of `fujikoro_env.envs.sb3`."""

from fujikoro_env.envs.sb3 import FujiKoroVecEnv as FujiKoroVecEnv
