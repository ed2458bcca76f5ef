"""The old name of `fujikoro_env.envs.vector`."""

from fujikoro_env.envs.vector import FujiKoroVector as FujiKoroVector
