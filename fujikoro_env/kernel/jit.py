"""Compiles rules to machine code. Everything specific to numba is in this file; cache.py stores machine code.

`@rule`   an internal function, called by other rules only; compiled once, for the types in its annotations.
`@entry`  the same, but callable from Python.

Arguments that belong together are passed as a NamedTuple whose fields are annotated like arguments. Between compiled
functions this costs nothing. A call from Python takes one or two microseconds longer, because numba inspects every
field; so entries that are called for every decision of a game take arrays or a record instead.

NUMBA_DISABLE_JIT=1    run every rule as ordinary Python (debugger, coverage)
FUJIKORO_CHECKED=1     turn bounds checks on (tests)
FUJIKORO_CACHE=folder  where to store machine code (default: the user's cache folder)
"""

import ast
import hashlib
import inspect
import os
import pickle
import platform
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any, Concatenate, ParamSpec, TypeVar, cast, get_args, get_origin, get_type_hints, overload

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import from_dtype, njit, types
from numba.core import cgutils
from numba.core.caching import _Cache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.imputils import lower_cast
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.serialize import dumps
from numba.core.typing.templates import signature
from numba.core.typing.typeof import typeof_impl
from numba.extending import intrinsic

from fujikoro_env.kernel import cache as stored
from fujikoro_env.kernel.progress import Progress
from fujikoro_env.kernel.records import Ints, Records, dtype_of

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")

CONFIG: Any = numba.config  # settings are added at run time, so type checkers don't know them
CHECKED = os.environ.get("FUJIKORO_CHECKED") == "1"
INTERPRETED = bool(CONFIG.DISABLE_JIT)
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": CHECKED}
BARE: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
OURS = "fujikoro_"  # prefix of the names of our packages, apart from those of further games
GAMES = "fujikoro.games"  # group of the entry points that offer games
ENTRIES: list[Any] = []
TYPES_OF_BUNDLES: dict[Any, Any] = {}
MAKERS_OF_ARRAYS = frozenset(("arange", "array", "copy", "empty", "full", "ones", "zeros"))
CACHE_LINE = 64  # bytes, on all common CPUs
Address = int  # address of an entry's machine code; valid in this process only


class Words(Ints):
    """Annotation for a bit set argument: a one-dimensional array of uint32."""


class WordTable:
    """Annotation for many bit sets: a two-dimensional array of uint32."""

    def __getitem__(self, index: int) -> Words:
        raise TypeError("only an annotation")


class IntArray(Ints):
    """Annotation for a one-dimensional array of int64."""


class IntTable:
    """Annotation for a two-dimensional array of int64."""

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
    """Annotation for a one-dimensional array of float32."""

    def __getitem__(self, index: int) -> float:
        raise TypeError("only an annotation")

    def __setitem__(self, index: int, value: float) -> None:
        raise TypeError("only an annotation")


class FloatTable:
    """Annotation for a two-dimensional array of float32: many vectors."""

    def __getitem__(self, index: int) -> Floats:
        raise TypeError("only an annotation")


class Shorts(Ints):
    """Annotation for a one-dimensional array of int16."""


class ShortTable:
    """Annotation for a two-dimensional array of int16: many vectors."""

    def __getitem__(self, index: int) -> Shorts:
        raise TypeError("only an annotation")


class Bytes(Ints):
    """Annotation for a one-dimensional array of uint8."""


class ByteTable:
    """Annotation for a two-dimensional array of uint8: many vectors."""

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
    """A compiled rule without a Python wrapper. Calling its machine code from Python would crash the interpreter."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        name = self.py_func.__name__
        raise TypeError(f"{name} is an internal rule: call an entry, or set NUMBA_DISABLE_JIT=1")

    def add_overload(self, code: Any) -> None:
        """Register the compiled rule under its Python function, because it has no machine code of its own."""
        self.overloads[tuple(code.signature.args)] = code._replace(entry_point=self.py_func)
        self.targetctx.insert_user_function(self.py_func, code.fndesc, [code.library])


class RuleLibrary(JITCodeLibrary):
    """The unoptimised code of an internal rule, to be linked by entries. By default numba would optimise every rule
    together with everything it calls, again in each caller, and generate machine code that is never run."""

    def finalize(self) -> None:
        """Finish the library without optimising it."""
        self._finalize_dynamic_globals()
        self._finalized = True


class EntryLibrary(JITCodeLibrary):
    """The code of an entry and of all rules that it reaches, optimised once as a whole."""

    def finalize(self) -> None:
        """Link all rules that the entry reaches, then optimise."""
        reached = dict.fromkeys(self._linking_libraries)
        todo = list(reached)
        while todo:
            library = todo.pop()
            if isinstance(library, RuleLibrary):
                new = [other for other in library._linking_libraries if other not in reached]
                reached.update(dict.fromkeys(new))
                todo += new
        self._linking_libraries = list(reached)
        PROGRESS.optimising()
        super().finalize()


class EntryCache(_Cache):
    """Keeps the machine code of one entry, in place of numba's own cache: that would unpickle files without knowing who
    wrote them or whether they are whole, and it misses edits in other files."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @property
    def cache_path(self) -> str:
        """Folder that machine code is written to."""
        return str(stored.cache_folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled entry, or None if it must be compiled."""
        target_context.refresh()
        return stored.load(*self.found_by, lambda code: CompileResult._rebuild(target_context, *pickle.loads(code)))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled entry."""
        if data.library.has_dynamic_globals:
            raise TypeError(
                f"{self._function.__qualname__} can't be cached: it uses a large array as a global variable"
            )
        stored.save(*self.found_by, dumps(data._reduce()))

    def is_kept(self) -> bool:
        """Whether there is a file for this entry. It is named by a digest of the source, so it is not out of date."""
        return stored.is_kept(self.found_by[0])

    @cached_property
    def found_by(self) -> tuple[str, str]:
        """The name of the file, and the key that its content must have."""
        code = self._function.__code__
        cpu = cpu_target.target_context.codegen().magic_tuple()
        made_for = (
            sys.implementation.cache_tag,
            cpu,
            _signature(self._function),
            self._function.__module__,
            code.co_firstlineno,
            getattr(self._function, "given", ""),
        )
        digest = source_digest(Path(getattr(self._function, "source", code.co_filename)))
        key = hashlib.sha256(repr((digest, made_for, code.co_code)).encode()).hexdigest()
        readable = f"{Path(code.co_filename).stem}.{self._function.__qualname__}".replace("<", "").replace(">", "")
        return f"{digest}/{readable}.{key[:16]}{stored.SUFFIX}", key

    def enable(self) -> None:
        """Numba's interface; this cache is always on."""

    def disable(self) -> None:
        """Numba's interface; this cache is always on."""

    def flush(self) -> None:
        """Numba's interface; files are never out of date."""


COMPILING: list[tuple[str, type[JITCodeLibrary]]] = []  # functions being compiled: name and type of library
ONE_AT_A_TIME = threading.RLock()  # two threads may call an entry for the first time at once


def _choose_libraries() -> None:
    """Make numba put our functions into our libraries; other functions are not affected."""
    codegen = cpu_target.target_context.codegen()
    create = codegen.create_library

    def create_ours(name: str, **options: Any) -> Any:
        if COMPILING and COMPILING[-1][0] == name:
            return COMPILING[-1][1](codegen, name)
        return create(name, **options)

    codegen.create_library = create_ours


def rule(function: F) -> F:
    """Compile an internal function, which only other rules and entries can call."""
    if INTERPRETED:
        return function
    dispatcher = njit(**OPTIONS, **BARE)(function)
    dispatcher.__class__ = InternalRule
    dispatcher._compiler._customize_flags = _flags_of(function, no_compile=True)
    return cast(F, _pin(dispatcher, _signature(function), RuleLibrary))


def entry(function: F) -> F:
    """Compile a function that Python can call, and cache its machine code on disk."""
    if INTERPRETED:
        return function
    dispatcher = _pin(njit(**OPTIONS)(function), _signature(function), EntryLibrary)
    dispatcher._cache = EntryCache(function)
    dispatcher._compiler._customize_flags = _flags_of(function, no_compile=False)
    ENTRIES.append(dispatcher)
    return cast(F, dispatcher)


def specialised(function: Callable[..., Any], **given: Any) -> Any:
    """Compile a general function of the kernel as an internal function of one game. `given` says what names in the
    function stand for: the classes in its annotations, and the rules and constants that its body names."""
    return rule(_specialised(function, given))


def specialised_entry(function: Callable[..., Any], source: str, **given: Any) -> Any:
    """Compile a general function of the kernel as an entry of one game. `source` is the path of the game's module, on
    which its machine code depends."""
    copy: Any = _specialised(function, given)
    copy.source = source
    return entry(copy)


def _specialised(function: Callable[..., Any], given: dict[str, Any]) -> FunctionType:
    general = cast(FunctionType, function)
    names = {**general.__globals__, **given}
    copy: Any = FunctionType(general.__code__, names, general.__name__, general.__defaults__)
    copy.__qualname__, copy.__doc__ = general.__qualname__, general.__doc__
    kinds = general.__annotations__.items()
    copy.__annotations__ = {name: given.get(getattr(kind, "__name__", ""), kind) for name, kind in kinds}
    told = repr([(name, _told(given[name])) for name in sorted(given)])
    copy.given = hashlib.sha256(told.encode()).hexdigest()
    return cast(FunctionType, copy)


def _told(given: Any) -> Any:
    """Something that a general function was given, as text that is the same in every process."""
    python = getattr(given, "py_func", given)
    if not isinstance(python, FunctionType):
        return repr(given)
    return python.__module__, python.__qualname__, getattr(python, "given", "")


def _population(bits: int) -> int:
    return int(bits).bit_count()


@intrinsic
def _ctpop(_context: Any, _bits: Any) -> Any:
    """Count bits with a single machine instruction."""
    return types.int64(types.int64), lambda _, builder, _signature, args: builder.ctpop(args[0])


# Number of bits set in a non-negative number.
population = cast(Callable[[int], int], _population if INTERPRETED else _ctpop)


def _fetch_nothing(_records: Any, _index: int) -> None:
    pass


def fetch_until(field: str) -> Callable[[Any, int], None]:
    """Return a function `fetch(records, index)` that prefetches the cache lines of a record while another record is
    being worked on, because in a large batch the record is not in the cache. Lines from `field` on are rarely used and
    left out."""
    if INTERPRETED:
        return _fetch_nothing

    @intrinsic
    def fetch(_context: Any, records: Any, _index: Any) -> Any:
        length = records.dtype.offset(field)
        return types.void(records, types.int64), lambda *given: _prefetch(length, *given)

    return cast(Callable[[Any, int], None], fetch)


def _prefetch(length: int, context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Emit code that prefetches the first `length` bytes of a record."""
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


def _clear_fields(record: Any) -> None:
    for name in record.dtype.names:
        record[name] = 0


@intrinsic
def _clear_bytes(_context: Any, kind: Any) -> Any:
    """Set the bytes of a record to zero."""

    def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        cgutils.memset(builder, args[0], ir.Constant(ir.IntType(64), kind.size), 0)
        return context.get_dummy_value()

    return types.void(kind), emit


# Sets all fields of a record to zero.
clear_record = cast(Callable[[Any], None], _clear_fields if INTERPRETED else _clear_bytes)


# Marks an index as non-negative, as all are in rules: compiled code then need not check whether to count from the
# end, and can vectorise loops over arrays even where it can't prove this by itself.
unsigned = cast(Callable[[int], int], np.uint64)


def address_of(function: Callable[..., Any]) -> Address:
    """Return the address of an entry's machine code in this process; 0 when interpreted."""
    if INTERPRETED:
        return 0
    dispatcher: Any = function
    dispatcher.compile()
    (code,) = dispatcher.overloads.values()
    return int(code.library.get_pointer_to_function(code.fndesc.llvm_func_name))


def by_address(function: Callable[P, R]) -> Callable[Concatenate[int, P], R]:
    """Return a function that calls an entry at an address, for compiled code that would take long to compile if it
    linked the entry."""
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
    """Emit a call like numba's own calls, including error handling, but to an address."""
    convention, result, kinds = context.call_conv, pinned.return_type, tuple(pinned.args[1])
    code = builder.inttoptr(given[0], convention.get_function_type(result, kinds).as_pointer())
    status, value = convention.call_function(builder, code, result, kinds, cgutils.unpack_tuple(builder, given[1]))
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return value


def compile_entries() -> int:
    """Compile all entries of the modules imported so far and return their number; 0 when interpreted."""
    compile_missing()
    for dispatcher in ENTRIES:
        dispatcher.compile()
    return len(ENTRIES)


def compile_missing() -> None:
    """Compile the entries of the modules imported so far that are not in the cache, with one progress bar for all of
    them. Without it each is compiled, with a bar of its own, when it is first called."""
    missing = [dispatcher for dispatcher in ENTRIES if dispatcher._can_compile and not dispatcher._cache.is_kept()]
    if missing:
        with PROGRESS.batch(missing):
            for dispatcher in missing:
                dispatcher.compile()


def wanted_code() -> list[tuple[str, str]]:
    """Names and keys, in the cache, of the entries of the modules imported so far."""
    return [dispatcher._cache.found_by for dispatcher in ENTRIES]


def _left_to_compile(entries: Sequence[Any]) -> int:
    """The number of functions that entries reach, themselves included, and that are not compiled yet."""
    found = {entry.py_func: entry for entry in entries}
    todo = list(found.values())
    while todo:
        new = {one.py_func: one for one in _called_by(todo.pop().py_func) if one.py_func not in found}
        found.update(new)
        todo += new.values()
    return sum(one._can_compile for one in found.values())


PROGRESS = Progress(_left_to_compile)


def _flags_of(function: Callable[..., Any], no_compile: bool) -> Callable[[Any], Any]:
    """Return a hook that sets the compiler flags. It runs when the function is compiled: by then its callees exist."""

    def customize(flags: Any) -> Any:
        flags.no_compile = no_compile
        flags.nrt = _gets_new_arrays(function)
        return flags

    return customize


def _gets_new_arrays(function: Callable[..., Any]) -> bool:
    """Whether the function creates or returns arrays, or calls a rule that returns one. Numba counts references to an
    array at every call, which takes longer than most rules; functions that get no new array can do without. Both the
    function that returns an array and its caller must count, or the array is freed too soon or never."""
    called = [one.py_func for one in _called_by(function)]
    makes_some = not MAKERS_OF_ARRAYS.isdisjoint(function.__code__.co_names)
    return makes_some or any(map(_may_give_array, (function, *called)))


def _called_by(function: Callable[..., Any]) -> list[Any]:
    """The compiled functions that a function names."""
    names = function.__code__.co_names
    found: list[Any] = [function.__globals__.get(name) for name in names]
    found += [getattr(module, name, None) for module in found if inspect.ismodule(module) for name in names]
    return [one for one in found if hasattr(one, "py_func")]


def _may_give_array(function: Callable[..., Any]) -> bool:
    """Whether the function may return an array, by itself or in a tuple."""
    given = inspect.signature(function).return_annotation
    kinds = (given, *get_args(given))
    return any(kind in (*ARRAYS, Any) or get_origin(kind) is Records or _is_bundle(kind) for kind in kinds)


def _is_bundle(annotation: Any) -> bool:
    """Whether the annotation is a NamedTuple, which bundles arguments that belong together."""
    return isinstance(annotation, type) and issubclass(annotation, tuple) and hasattr(annotation, "_fields")


def _signature(function: Callable[..., Any]) -> tuple[Any, ...]:
    parameters = inspect.signature(function).parameters.values()
    if untyped := [each.name for each in parameters if each.annotation is inspect.Parameter.empty]:
        raise TypeError(
            f"{function.__qualname__} needs a type for {', '.join(untyped)}: it is compiled for its annotations"
        )
    return tuple(_numba_type(each.annotation) for each in parameters)


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
        typeof_impl.register(annotation)(_type_of_bundle)
        return types.BaseTuple.from_types([_numba_type(fields[name]) for name in annotation._fields], annotation)
    return from_dtype(dtype_of(annotation))


def _type_of_bundle(bundle: Any, context: Any) -> Any:
    """The type of a bundle that Python passes to an entry, remembered by what its fields are: numba would describe it
    anew at every call, which takes longer than many entries do."""
    key = _kind_of(bundle)
    if key not in TYPES_OF_BUNDLES:
        fields = [typeof_impl(field, context) for field in bundle]
        TYPES_OF_BUNDLES[key] = types.BaseTuple.from_types(fields, type(bundle))
    return TYPES_OF_BUNDLES[key]


def _kind_of(field: Any) -> Any:
    """All that the type of a field depends on."""
    if isinstance(field, np.ndarray):
        return field.dtype, field.ndim, field.flags.num
    return (type(field), *map(_kind_of, field)) if isinstance(field, tuple) else type(field)


def _pin(dispatcher: Any, signature: tuple[Any, ...], library: type[JITCodeLibrary]) -> Any:
    """Compile for exactly one signature, on first use. By default numba would compile a rule again for every literal
    and every integer width that it is called with."""
    resolve, compile_one = dispatcher.get_call_template, dispatcher.compile

    def compile_pinned(requested: Any = None) -> Any:
        if requested is not None and (wrong := _first_other_array(requested, signature)):
            raise TypeError(f"{dispatcher.py_func.__qualname__}: {wrong}")
        with ONE_AT_A_TIME:
            if dispatcher._can_compile:
                with PROGRESS.compiling(dispatcher):
                    COMPILING.append((dispatcher.py_func.__qualname__, library))
                    compile_one(signature)
                    COMPILING.pop()
                    dispatcher.disable_compile()
        return dispatcher.overloads[signature].entry_point

    def resolve_pinned(args: Any, kws: Any) -> Any:
        compile_pinned()
        return resolve(args, kws)

    dispatcher.get_call_template = resolve_pinned
    dispatcher.compile = compile_pinned
    return dispatcher


def _first_other_array(given: Sequence[Any], wanted: Sequence[Any]) -> str:
    """The first array that does not have the type and dimensions that a function is compiled for; "" if all have. Numba
    checks the arguments of a call only if the function was compiled before it."""
    for place, (one, other) in enumerate(zip(given, wanted, strict=False)):
        if isinstance(other, types.Array) and not (
            isinstance(one, types.Array)
            and (one.dtype, one.ndim, one.layout) == (other.dtype, other.ndim, other.layout)
        ):
            return f"argument {place} is {one}, not {other}"
    return ""


@cache
def source_digest(module: Path) -> str:
    """Return a hash of everything that the machine code of a module depends on. Numba itself checks only that one file,
    and would go on using stale code after an edit in another file. Where the files lie makes no difference, so all
    checkouts and virtual environments with the same sources share their machine code."""
    parts = [repr((sorted(OPTIONS.items()), numba.__version__, np.__version__, platform.machine()))]
    parts += sorted(f"{_name_in_package(path)}\0{path.read_text()}" for path in _imported_files(module))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _name_in_package(path: Path) -> str:
    """Return the path of a module from its package on, wherever the package is installed."""
    tops = [place for place, part in enumerate(path.parts[:-1]) if is_ours(part)]
    return "/".join(path.parts[tops[-1] :]) if tops else path.name


def _imported_files(module: Path) -> set[Path]:
    """Return the module's file and those of all our modules that it imports, directly or indirectly."""
    found, todo = {module}, [module]
    while todo:
        for path in _imports_of(todo.pop()):
            if path not in found:
                found.add(path)
                todo.append(path)
    return found


@cache
def _imports_of(module: Path) -> frozenset[Path]:
    """Return the files that a module imports from its own package and from ours."""
    found = (path for source in _sources_of(module) for path in (source.with_suffix(".py"), source / "__init__.py"))
    return frozenset(path for path in found if path.is_file())


def _sources_of(module: Path) -> Iterator[Path]:
    """Yield the possible paths, without file extension, of the modules that a module imports."""
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ImportFrom):
            source = module.parents[node.level - 1] if node.level else None
            for name in ("", *(alias.name for alias in node.names)):
                yield from _source(module, ".".join(filter(None, (node.module, name))), source)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield from _source(module, alias.name, None)


def _source(module: Path, name: str, folder: Path | None) -> Iterator[Path]:
    """Yield the possible path of an imported module, relative to a folder or else where the import system finds its
    package. Third-party packages are left out: compiled code hardly uses them, and they are large."""
    package, *rest = name.split(".")
    if folder is not None:
        yield folder.joinpath(package, *rest)
    elif is_ours(package) or package in module.parts:
        found = _folder_of(package)
        if found is not None and (is_ours(package) or module.is_relative_to(found)):
            yield found.joinpath(*rest)


def is_ours(package: str) -> bool:
    """Whether a package is one of ours, or has a game that is installed."""
    return package.startswith(OURS) or package in _packages_of_games()


@cache
def _packages_of_games() -> frozenset[str]:
    return frozenset(found.value.partition(":")[0].partition(".")[0] for found in entry_points(group=GAMES))


@cache
def _folder_of(package: str) -> Path | None:
    """Return the folder where the import system finds a package, or None."""
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    return Path(next(iter(folders))) if folders else None


def _convert_bundles() -> None:
    """Let numba convert a bundle of narrow numbers, as read from records, to the types that a rule expects, as it does
    with single numbers."""

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
    """Cache the description of a record type, which numba would otherwise build from its fields thousands of times."""
    record_type: Any = types.Record
    record_type.__repr__ = cache(record_type.__repr__)


_choose_libraries()
_convert_bundles()
_remember_descriptions()
