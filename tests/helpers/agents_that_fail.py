"""Agents that misbehave, for tests of those who have to bear them."""

import os
import time

from fujikoro_env.player import RandomAgent


class Exits(RandomAgent):
    """Ends its process."""

    def act(self, view):
        os._exit(3)


class Sleeps(RandomAgent):
    """Never answers."""

    def act(self, view):
        time.sleep(600)
        return super().act(view)


class Raises(RandomAgent):
    """Raises an exception at its first decision."""

    def act(self, view):
        raise RuntimeError("no idea")
