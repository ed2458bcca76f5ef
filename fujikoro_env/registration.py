"""Registers the environments with Gymnasium and PettingZoo, without importing either.

`gymnasium.make("FujiKoro-v0")` and `pettingzoo.make("aec", "fujikoro/fujikoro_v0")` work after `import fujikoro_env`,
whatever the order of the imports.
"""

from typing import Final

from fujikoro_env.kernel.registration import Names, register

NAMES: Final = Names(
    gymnasium="FujiKoro-v0",
    gymnasium_path="fujikoro_env.envs.gym:FujiKoro",
    vector_path="fujikoro_env.envs.vector:FujiKoroVector",
    pettingzoo="fujikoro/fujikoro_v0",
    pettingzoo_path="fujikoro_env.fujikoro_v0:env",
)


def register_all() -> None:
    """Register with the libraries that are already imported, and with the others as soon as they are."""
    register(NAMES)
