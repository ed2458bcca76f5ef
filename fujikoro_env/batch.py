"""The old name of `fujikoro_env.envs.batch`."""

from fujikoro_env.envs.batch import BatchedGames as BatchedGames
