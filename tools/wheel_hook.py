"""Build hook of the wheel: with FUJIKORO_MACHINE_CODE=archive.zip, the wheel brings machine code along (`make wheel`).

Such a wheel is for one platform. Where its machine code does not fit, another CPU for example, rules are compiled as
usual.
"""

import os
import tempfile
import zipfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class MachineCode(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the entries of an archive of machine code into the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Unpack the archive, if there is one, and include it."""
        archive = os.environ.get("FUJIKORO_MACHINE_CODE")
        if not archive or version == "editable":
            return
        self.unpacked = tempfile.TemporaryDirectory()
        with zipfile.ZipFile(archive) as file:
            file.extractall(self.unpacked.name)
        build_data["force_include"][self.unpacked.name] = "fujikoro_env/machine_code"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
