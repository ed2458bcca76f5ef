"""Turns rules into machine code. Everything special to numba lives in this file.

`@rule`   an internal function, called by other rules only; compiled once, for the types in its annotations.
`@entry`  the same, and callable from Python.

Arguments that travel together are a NamedTuple, whose fields are annotated as arguments are. Between compiled functions
that costs nothing. A call from Python takes about a microsecond longer, because numba looks at every field; so entries
that are called for every decision of one game take arrays or a record instead.

NUMBA_DISABLE_JIT=1    run every rule as ordinary Python (debugger, coverage)
FUJIKORO_CHECKED=1     bounds checks on (tests)
FUJIKORO_CACHE=folder  where machine code is kept (default: the user's cache folder)
"""

import ast
import contextlib
import hashlib
import inspect
import os
import platform
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast, get_args, get_origin, get_type_hints, overload

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import from_dtype, njit, types
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary
from numba.core.imputils import lower_cast
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typing.templates import signature
from numba.extending import intrinsic

from fujikoro_env.kernel.records import Ints, Records, dtype_of

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")

CONFIG: Any = numba.config  # its settings are made at run time, so no type checker knows them
CHECKED = os.environ.get("FUJIKORO_CHECKED") == "1"
INTERPRETED = bool(CONFIG.DISABLE_JIT)
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": CHECKED}
BARE: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
OURS = "fujikoro_"  # how the names of our packages begin
ENTRIES: list[Any] = []
MAKERS_OF_ARRAYS = frozenset(("arange", "array", "copy", "empty", "full", "ones", "zeros"))
CACHE_LINE = 64  # bytes, on all machines of today
Address = int  # of an entry's machine code in this process: never to be kept


class Words(Ints):
    """Annotation of a bit set argument: a one-dimensional array of uint32."""


class WordTable:
    """Annotation of many bit sets: a two-dimensional array of uint32."""

    def __getitem__(self, index: int) -> Words:
        raise TypeError("only an annotation")


class IntArray(Ints):
    """Annotation of a one-dimensional array of int64."""


class IntTable:
    """Annotation of a two-dimensional array of int64."""

    shape: tuple[int, ...]

    @overload
    def __getitem__(self, index: int) -> IntArray: ...

    @overload
    def __getitem__(self, index: tuple[int, int]) -> int: ...

    def __getitem__(self, index: int | tuple[int, int]) -> IntArray | int:
        raise TypeError("only an annotation")

    def __setitem__(self, index: tuple[int, int], value: int) -> None:
        raise TypeError("only an annotation")


class Floats:
    """Annotation of a one-dimensional array of float32."""

    def __getitem__(self, index: int) -> float:
        raise TypeError("only an annotation")

    def __setitem__(self, index: int, value: float) -> None:
        raise TypeError("only an annotation")


class FloatTable:
    """Annotation of a two-dimensional array of float32: many vectors."""

    def __getitem__(self, index: int) -> Floats:
        raise TypeError("only an annotation")


class Shorts(Ints):
    """Annotation of a one-dimensional array of int16."""


class ShortTable:
    """Annotation of a two-dimensional array of int16: many vectors."""

    def __getitem__(self, index: int) -> Shorts:
        raise TypeError("only an annotation")


class Bytes(Ints):
    """Annotation of a one-dimensional array of uint8."""


class ByteTable:
    """Annotation of a two-dimensional array of uint8: many vectors."""

    def __getitem__(self, index: int) -> Bytes:
        raise TypeError("only an annotation")


ARRAYS: dict[Any, Any] = {
    Words: types.Array(types.uint32, 1, "C"),
    WordTable: types.Array(types.uint32, 2, "C"),
    IntArray: types.Array(types.int64, 1, "C"),
    IntTable: types.Array(types.int64, 2, "C"),
    Floats: types.Array(types.float32, 1, "C"),
    FloatTable: types.Array(types.float32, 2, "C"),
    Shorts: types.Array(types.int16, 1, "C"),
    ShortTable: types.Array(types.int16, 2, "C"),
    Bytes: types.Array(types.uint8, 1, "C"),
    ByteTable: types.Array(types.uint8, 2, "C"),
}
SCALARS: dict[Any, Any] = {int: types.int64, bool: types.boolean, float: types.float64}


class InternalRule(CPUDispatcher):
    """A compiled rule without a Python wrapper; calling it from Python would crash the interpreter."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        name = self.py_func.__name__
        raise TypeError(f"{name} is an internal rule: call an entry, or set NUMBA_DISABLE_JIT=1")

    def add_overload(self, code: Any) -> None:
        """It has no machine code of its own, so callers know it by its Python function instead."""
        self.overloads[tuple(code.signature.args)] = code._replace(entry_point=self.py_func)
        self.targetctx.insert_user_function(self.py_func, code.fndesc, [code.library])


class RuleLibrary(JITCodeLibrary):
    """The code of an internal rule. It stays as it is until an entry links it: numba would optimise every rule together
    with all that it calls, and again in each of its callers, and make machine code that nobody runs."""

    def finalize(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class EntryLibrary(JITCodeLibrary):
    """The code of an entry and of every rule that it reaches, optimised once and as a whole."""

    def finalize(self) -> None:
        reached = dict.fromkeys(self._linking_libraries)
        todo = list(reached)
        while todo:
            library = todo.pop()
            if isinstance(library, RuleLibrary):
                new = [other for other in library._linking_libraries if other not in reached]
                reached.update(dict.fromkeys(new))
                todo += new
        self._linking_libraries = list(reached)
        super().finalize()


COMPILING: list[tuple[str, type[JITCodeLibrary]]] = []  # our functions under way: name and sort of library
ONE_AT_A_TIME = threading.RLock()  # two threads may call an entry for the first time


def _choose_libraries() -> None:
    """Have numba put our functions into our libraries; all others go where they always went."""
    codegen = cpu_target.target_context.codegen()
    create = codegen.create_library

    def create_ours(name: str, **options: Any) -> Any:
        if COMPILING and COMPILING[-1][0] == name:
            return COMPILING[-1][1](codegen, name)
        return create(name, **options)

    codegen.create_library = create_ours


def rule(function: F) -> F:
    if INTERPRETED:
        return function
    dispatcher = njit(**OPTIONS, **BARE)(function)
    dispatcher.__class__ = InternalRule
    dispatcher._compiler._customize_flags = _flags_of(function, no_compile=True)
    return cast(F, _pin(dispatcher, _signature(function), RuleLibrary))


def entry(function: F) -> F:
    if INTERPRETED:
        return function
    with _cache_folder_of(Path(function.__code__.co_filename)):
        dispatcher = _pin(njit(cache=True, **OPTIONS)(function), _signature(function), EntryLibrary)
    dispatcher._compiler._customize_flags = _flags_of(function, no_compile=False)
    ENTRIES.append(dispatcher)
    return cast(F, dispatcher)


def _population(bits: int) -> int:
    return int(bits).bit_count()


@intrinsic
def _ctpop(_context: Any, _bits: Any) -> Any:
    """One instruction of the machine."""
    return types.int64(types.int64), lambda _, builder, _signature, args: builder.ctpop(args[0])


# How many bits are set in a number from 0 on.
population = cast(Callable[[int], int], _population if INTERPRETED else _ctpop)


def _fetch_nothing(_records: Any, _index: int) -> None:
    pass


def fetch_until(field: str) -> Callable[[Any, int], None]:
    """A function `fetch(records, index)` that has the machine load the cache lines of a record while others are worked
    on: out of a big batch it comes from far away. The lines from `field` on, which are rarely used, are left out."""
    if INTERPRETED:
        return _fetch_nothing

    @intrinsic
    def fetch(_context: Any, records: Any, _index: Any) -> Any:
        length = records.dtype.offset(field)
        return types.void(records, types.int64), lambda *given: _prefetch(length, *given)

    return cast(Callable[[Any, int], None], fetch)


def _prefetch(length: int, context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Machine code that asks for the first `length` bytes of a record."""
    array = signature.args[0]
    byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
    start = builder.bitcast(context.make_array(array)(context, builder, args[0]).data, byte)
    start = builder.gep(start, [builder.mul(args[1], ir.Constant(ir.IntType(64), array.dtype.size))])
    kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
    prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
    to_read, to_keep, data = (ir.Constant(number, code) for code in (0, 3, 1))
    for line in range(0, length, CACHE_LINE):
        builder.call(prefetch, [builder.gep(start, [ir.Constant(number, line)]), to_read, to_keep, data])
    return context.get_dummy_value()


# An index that is not below 0, as it never is in rules: compiled code need not ask whether to count from the end, and
# can work on many numbers of an array at once even where it can't tell by itself.
unsigned = cast(Callable[[int], int], np.uint64)


def address_of(function: Callable[..., Any]) -> Address:
    """Where the machine code of an entry lies in this process; 0 when there is none."""
    if INTERPRETED:
        return 0
    dispatcher: Any = function
    dispatcher.compile()
    (code,) = dispatcher.overloads.values()
    return int(code.library.get_pointer_to_function(code.fndesc.llvm_func_name))


def by_address(function: Callable[P, R]) -> Callable[Concatenate[int, P], R]:
    """What calls an entry at an address, for compiled code that would take long to compile if it linked the entry."""
    if INTERPRETED:
        return lambda _address, /, *arguments, **named: function(*arguments, **named)
    python_function: Any = cast(Any, function).py_func
    result = SCALARS[inspect.signature(python_function).return_annotation]
    pinned = signature(result, types.int64, types.StarArgTuple.from_types(_signature(python_function)))

    @intrinsic
    def call(_typing: Any, _address: Any, *_arguments: Any) -> Any:
        return pinned, _call_address

    return cast(Callable[Concatenate[int, P], R], call)


def _call_address(context: Any, builder: Any, pinned: Any, given: Any) -> Any:
    """As numba calls any function of its own, errors included, but for the address."""
    convention, result, kinds = context.call_conv, pinned.return_type, tuple(pinned.args[1])
    code = builder.inttoptr(given[0], convention.get_function_type(result, kinds).as_pointer())
    status, value = convention.call_function(builder, code, result, kinds, cgutils.unpack_tuple(builder, given[1]))
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return value


def compile_entries() -> int:
    """Compile all that Python can call in the modules imported so far; gives how many. Not when interpreted."""
    for dispatcher in ENTRIES:
        dispatcher.compile()
    return len(ENTRIES)


def _flags_of(function: Callable[..., Any], no_compile: bool) -> Callable[[Any], Any]:
    """Asked for when the function is compiled: by then all that it calls is there."""

    def customize(flags: Any) -> Any:
        flags.no_compile = no_compile
        flags.nrt = _gets_new_arrays(function)
        return flags

    return customize


def _gets_new_arrays(function: Callable[..., Any]) -> bool:
    """Whether it makes arrays, gives some, or calls a rule that does. Numba counts who uses an array, at every call
    that is given one: that takes longer than most rules, and those that get no new array need no count. Both who gives
    an array and who gets it must count, or it is never freed, or too soon."""
    names = function.__code__.co_names
    found: list[Any] = [function.__globals__.get(name) for name in names]
    found += [getattr(module, name, None) for module in found if inspect.ismodule(module) for name in names]
    called = [one.py_func for one in found if hasattr(one, "py_func")]
    return not MAKERS_OF_ARRAYS.isdisjoint(names) or any(map(_may_give_array, (function, *called)))


def _may_give_array(function: Callable[..., Any]) -> bool:
    """By itself or in a tuple."""
    given = inspect.signature(function).return_annotation
    kinds = (given, *get_args(given))
    return any(kind in (*ARRAYS, Any) or get_origin(kind) is Records or _is_bundle(kind) for kind in kinds)


def _is_bundle(annotation: Any) -> bool:
    """Whether it is a NamedTuple: arguments that travel together."""
    return isinstance(annotation, type) and issubclass(annotation, tuple) and hasattr(annotation, "_fields")


def _signature(function: Callable[..., Any]) -> tuple[Any, ...]:
    return tuple(_numba_type(p.annotation) for p in inspect.signature(function).parameters.values())


@cache
def _numba_type(annotation: Any) -> Any:
    if annotation in ARRAYS:
        return ARRAYS[annotation]
    if annotation in SCALARS:
        return SCALARS[annotation]
    if get_origin(annotation) is Records:
        return types.Array(from_dtype(dtype_of(get_args(annotation)[0])), 1, "C")
    if _is_bundle(annotation):
        fields = get_type_hints(annotation)
        return types.BaseTuple.from_types([_numba_type(fields[name]) for name in annotation._fields], annotation)
    return from_dtype(dtype_of(annotation))


def _pin(dispatcher: Any, signature: tuple[Any, ...], library: type[JITCodeLibrary]) -> Any:
    """Compile for exactly one signature, on first use: numba would otherwise compile a rule again for every
    literal and every integer width that it is called with."""
    resolve, compile_one = dispatcher.get_call_template, dispatcher.compile

    def compile_pinned(_requested: Any = None) -> Any:
        with ONE_AT_A_TIME:
            if dispatcher._can_compile:
                PROGRESS.compiling(dispatcher.py_func.__name__)
                COMPILING.append((dispatcher.py_func.__qualname__, library))
                compile_one(signature)
                COMPILING.pop()
                dispatcher.disable_compile()
                PROGRESS.compiled()
        return dispatcher.overloads[signature].entry_point

    def resolve_pinned(args: Any, kws: Any) -> Any:
        compile_pinned()
        return resolve(args, kws)

    dispatcher.get_call_template = resolve_pinned
    dispatcher.compile = compile_pinned
    return dispatcher


class Progress:
    """Says on standard error that machine code is being made: a first run takes a while, and silence is frightening."""

    PATIENCE = 1.0  # seconds; code that comes from the cache is there sooner

    def __init__(self) -> None:
        self.depth = self.done = self.said = 0
        self.began = 0.0

    def compiling(self, name: str) -> None:
        if self.depth == 0:
            self.began = time.monotonic()
        self.depth += 1
        if time.monotonic() - self.began > self.PATIENCE:
            self._say(name)

    def compiled(self) -> None:
        self.depth -= 1
        self.done += 1
        if self.depth == 0 and self.said:
            self._say_done()

    def _say_done(self) -> None:
        if sys.stderr.isatty():  # elsewhere one line is enough, however many entries are compiled
            self.said = 0
            seconds = time.monotonic() - self.began
            print(f"\r\033[Kfujikoro: compiled {self.done} rules in {seconds:.0f} s", file=sys.stderr)

    def _say(self, name: str) -> None:
        if sys.stderr.isatty():
            line = f"\r\033[Kfujikoro: compiling the rules, once ({self.done} done: {name})"
            print(line, end="", file=sys.stderr, flush=True)
        elif not self.said:
            print("fujikoro: compiling the rules, once; later starts take a second", file=sys.stderr, flush=True)
        self.said += 1


PROGRESS = Progress()


@contextlib.contextmanager
def _cache_folder_of(module: Path) -> Iterator[None]:
    keep = CONFIG.CACHE_DIR
    CONFIG.CACHE_DIR = str(cache_folder() / source_digest(module))
    try:
        yield
    finally:
        CONFIG.CACHE_DIR = keep


@cache
def cache_folder() -> Path:
    """The first writable folder of: FUJIKORO_CACHE, the user's cache, the temporary folder."""
    candidates: list[Path] = []
    if chosen := os.environ.get("FUJIKORO_CACHE"):
        candidates.append(Path(chosen))
    with contextlib.suppress(RuntimeError):  # no home
        candidates.append(Path.home() / ".cache" / "fujikoro_env")
    candidates.append(Path(tempfile.gettempdir()) / f"fujikoro_env-{os.getuid() if hasattr(os, 'getuid') else 'user'}")
    for folder in candidates:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            return folder
        except OSError:
            continue
    raise OSError(f"no writable cache folder among {[str(c) for c in candidates]}: set FUJIKORO_CACHE to one")


@cache
def source_digest(module: Path) -> str:
    """A hash of all that the machine code of a module depends on: numba itself looks at that one file alone, and would
    go on using old code after an edit in another file."""
    parts = [repr((sorted(OPTIONS.items()), numba.__version__, np.__version__, platform.machine()))]
    parts += [path.name + path.read_text() for path in sorted(_imported_files(module))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _imported_files(module: Path) -> set[Path]:
    """The module's file and those of all modules of ours that it imports, directly or not."""
    found, todo = {module}, [module]
    while todo:
        for path in _imports_of(todo.pop()):
            if path not in found:
                found.add(path)
                todo.append(path)
    return found


@cache
def _imports_of(module: Path) -> frozenset[Path]:
    """The files that a module imports from its own package and from ours."""
    found = (path for source in _sources_of(module) for path in (source.with_suffix(".py"), source / "__init__.py"))
    return frozenset(path for path in found if path.is_file())


def _sources_of(module: Path) -> Iterator[Path]:
    """Where the modules that a module imports may lie, without the ending of their files."""
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ImportFrom):
            source = module.parents[node.level - 1] if node.level else None
            for name in ("", *(alias.name for alias in node.names)):
                yield from _source(module, ".".join(filter(None, (node.module, name))), source)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield from _source(module, alias.name, None)


def _source(module: Path, name: str, folder: Path | None) -> Iterator[Path]:
    """Where a module may lie that is imported by another: relative to a folder, or else where the import system finds
    its package. Other people's packages are left out: compiled code hardly uses them, and they are large."""
    package, *rest = name.split(".")
    if folder is not None:
        yield folder.joinpath(package, *rest)
    elif package.startswith(OURS) or package in module.parts:
        found = _folder_of(package)
        if found is not None and (package.startswith(OURS) or module.is_relative_to(found)):
            yield found.joinpath(*rest)


@cache
def _folder_of(package: str) -> Path | None:
    """Where the import system finds a package; None if there is none."""
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    return Path(next(iter(folders))) if folders else None


def _convert_bundles() -> None:
    """Have a bundle that was made of narrow numbers, as records have them, fit the annotation of the rule that it is
    passed to, just as single numbers do."""

    def can_convert_to(given: Any, typing: Any, wanted: Any) -> Any:
        if getattr(wanted, "instance_class", None) is not given.instance_class:
            return None
        conversions = [typing.can_convert(one, other) for one, other in zip(given, wanted, strict=True)]
        return None if None in conversions else max(conversions)

    def convert(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
        fields = cgutils.unpack_tuple(builder, value)
        kinds = zip(fields, given, wanted, strict=True)
        return context.make_tuple(builder, wanted, [context.cast(builder, *field) for field in kinds])

    for kind in (types.NamedTuple, types.NamedUniTuple):
        cast(Any, kind).can_convert_to = can_convert_to
    lower_cast(types.BaseNamedTuple, types.BaseNamedTuple)(convert)


def _remember_descriptions() -> None:
    """Numba asks for the description of a record thousands of times, and makes it anew from its fields each time."""
    record_type: Any = types.Record
    record_type.__repr__ = cache(record_type.__repr__)


_choose_libraries()
_convert_bundles()
_remember_descriptions()
