"""Arrays of edges, as users have them and as the worker reads them."""

from __future__ import annotations

from typing import Any, BinaryIO, Optional, Tuple

import numpy as np

from ._arguments import integer

# Vertices take 32 bits, and one pattern is "no vertex".
MAX_VERTICES = 2**32 - 1

# Numbers that are converted at a time: 4 MiB.
BLOCK = 1 << 20


def unmasked(values: Any, what: str) -> np.ndarray:
    """Return an array, and refuse a mask: NumPy would return the numbers under it."""
    parts = values if isinstance(values, (list, tuple)) else [values]
    if any(isinstance(part, np.ma.MaskedArray) and np.ma.is_masked(part) for part in parts):
        raise ValueError(f"some {what} are masked: leave these edges out, or fill them")
    return np.asarray(values)


def pairs(edges: Any, targets: Any = None) -> Tuple[np.ndarray, np.ndarray]:
    """Return the sources and the targets of edges."""
    first = unmasked(edges, "edges")
    if targets is None:
        if first.size == 0:
            return np.empty(0, np.uint32), np.empty(0, np.uint32)
        if first.ndim != 2 or 2 not in first.shape:
            raise ValueError(f"edges have the shape (m, 2) or (2, m), not {first.shape}")
        first, second = first.T if first.shape[1] == 2 else first
    else:
        second = unmasked(targets, "targets")
        if first.ndim != 1 or first.shape != second.shape:
            raise ValueError(f"sources and targets are two arrays of one length, not of {first.shape} and {second.shape}")
    for array in (first, second):
        if array.size and array.dtype.kind not in "iu":
            raise TypeError(f"vertices are integers, not {array.dtype}")
    return first, second


def count(sources: np.ndarray, targets: np.ndarray, vertices: Optional[int] = None) -> int:
    """Return the number of vertices, once all edges are seen to be among them."""
    least, most = 0, -1
    for array in (sources, targets):
        if array.size:
            least, most = min(least, int(array.min())), max(most, int(array.max()))
    vertices = integer(most + 1 if vertices is None else vertices, "the number of vertices", 0, MAX_VERTICES)
    if least < 0 or most >= vertices:
        raise ValueError(f"vertices from {least} to {most}: they are numbers from 0 to {vertices - 1}")
    return vertices


def write(file: BinaryIO, sources: np.ndarray, targets: np.ndarray, weights: Any = None) -> None:
    """Write edges as the worker reads them: all sources, all targets, all weights."""
    columns = [(sources, "<u4"), (targets, "<u4")]
    if weights is not None:
        weights = unmasked(weights, "weights")
        if weights.shape != sources.shape:
            raise ValueError(f"{weights.shape} weights for {sources.shape} edges")
        if weights.dtype.kind not in "iufb":
            raise TypeError(f"weights are numbers, not {weights.dtype}")
        columns.append((weights, "<f4"))
    shape = (len(columns) * len(sources),)
    np.lib.format.write_array_header_1_0(file, {"descr": "<u4", "fortran_order": False, "shape": shape})
    for column, dtype in columns:
        for start in range(0, len(column), BLOCK):
            with np.errstate(over="ignore"):  # the worker refuses what is infinite in 32 bits
                block = memoryview(np.ascontiguousarray(column[start:start + BLOCK], dtype=dtype)).cast("B")
            while block:
                block = block[file.write(block):]
