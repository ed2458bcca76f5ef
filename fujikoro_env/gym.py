"""The old name of `fujikoro_env.envs.gym`."""

from fujikoro_env.envs.gym import FujiKoro as FujiKoro
