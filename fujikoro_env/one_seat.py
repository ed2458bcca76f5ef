"""The old name of `fujikoro_env.envs.one_seat`."""

from fujikoro_env.envs.one_seat import End as End
from fujikoro_env.envs.one_seat import OneSeatGames as OneSeatGames
from fujikoro_env.envs.policies import BatchPolicy as BatchPolicy
from fujikoro_env.envs.policies import Opponent as Opponent
