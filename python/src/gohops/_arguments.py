"""What users give, and what a request says: every argument comes through here.

Scalars of NumPy are as good as those of Python. What is of another kind is a TypeError and
what is out of range a RequestError, before anything is sent.
"""

from __future__ import annotations

import base64
import json
import numbers
import operator
import os
import reprlib
from typing import Any, Dict, List, Optional

import numpy as np

from ._errors import RequestError

# Levels of a search beyond which there are none: the worker counts vertices in 32 bits.
ALL_LEVELS = 2**31 - 1

# The largest number that JSON can carry. Sums of weights, which have 32 bits, are less.
MAX_NUMBER = float(np.finfo(np.float64).max)


def flag(value: Any, what: str) -> bool:
    """Return a truth value."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{what} is True or False, not {shown(value)}")
    return bool(value)


def whole(value: Any) -> Optional[int]:
    """Return a whole number, or None if it is not one. True and False are not."""
    try:
        return None if isinstance(value, (bool, np.bool_)) else operator.index(value)
    except TypeError:
        return None


def integer(value: Any, what: str, least: int, most: Optional[int] = None) -> int:
    """Return a whole number within bounds."""
    number = whole(value)
    if number is None:
        raise TypeError(f"{what} is a whole number, not {shown(value)}")
    if number < least or most is not None and number > most:
        bounds = f"at least {least}" + ("" if most is None else f" and at most {most}")
        raise RequestError(f"{what} is {bounds}, not {shown(number)}")
    return number


def levels(value: Any, what: str, least: int) -> int:
    """Return a number of hops. Beyond all vertices, more of them make no difference."""
    return min(integer(value, what, least), ALL_LEVELS)


def distance(value: Any, what: str) -> float:
    """Return a sum of weights; infinity is no limit."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(f"{what} is a number, not {shown(value)}")
    if not value >= 0:
        raise RequestError(f"{what} is a number from 0 on, not {shown(value)}")
    return float(min(value, MAX_NUMBER))


def text(value: Any, what: str) -> str:
    """Return text."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is text, not {shown(value)}")
    return value


def file(path: Any) -> Dict[str, str]:
    """Return the fields of a request that name a file, in bytes where they are not UTF-8."""
    name = os.fsencode(path)
    if not name or b"\0" in name:
        raise RequestError(f"{shown(path)} names no file")
    name = os.path.abspath(name)
    try:
        return {"path": name.decode()}
    except UnicodeDecodeError:
        return {"path_bytes": base64.b64encode(name).decode()}


def columns(value: Any) -> Optional[List[str]]:
    """Return names and numbers of columns."""
    if value is None:
        return None
    return [c if isinstance(c, str) else str(integer(c, "a column", 1, ALL_LEVELS)) for c in several(value, "columns")]


def several(values: Any, what: str) -> Any:
    """Return what can be iterated over, and is not one text."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise TypeError(f"{what} are several, not {shown(values)}")
    return values


def line(request: Dict[str, Any]) -> bytes:
    """Return a request as the worker reads it; what is None is left out."""
    given = {key: value for key, value in request.items() if value is not None}
    return json.dumps(given, ensure_ascii=False, allow_nan=False, default=_plain).encode() + b"\n"


def _plain(value: Any) -> Any:
    if isinstance(value, (np.generic, np.ndarray)) and value.dtype.kind in "biuf":
        return np.asarray(value, float if value.dtype.kind == "f" else None).tolist()
    raise TypeError(f"a request has no place for {shown(value)}")


def shown(value: Any) -> str:
    """Return a value for a message, in short."""
    try:
        return _short.repr(value)
    except ValueError:
        return "a number of thousands of digits"


_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = 100
