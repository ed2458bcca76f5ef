"""Examples of a page, as code."""

import re
from types import CodeType


def example(page: str, name: str) -> CodeType:
    """The only Python example of a page."""
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    return compile(code, name, "exec")
