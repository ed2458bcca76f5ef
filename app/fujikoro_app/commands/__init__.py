"""The commands of `fujikoro`: a module for each, and small modules that several of them share.

A command's module has `add`, which describes the command to the parser, and `run`, which carries it out and returns the
exit status. `COMMANDS` in `cli.py` lists the modules. All of them are imported at every start, so they import NumPy,
Numba and the game only inside functions.
"""
