"""gohops searches graphs breadth first, with the program hops.

>>> import gohops
>>> g = gohops.from_edges([(0, 1), (1, 2), (3, 4)])
>>> g.bfs(0).levels
array([ 0,  1,  2, -1, -1], dtype=int32)
>>> g.path(2, 0)
[2, 1, 0]

A worker process, ``hops worker``, holds the graphs and searches them. It starts with the
first graph and ends with this process. Results are NumPy arrays that lie in shared memory,
where the worker wrote them.

Wherever a vertex is an argument, it is the name that its file has for it: text, or a
number. Arrays are in the order of vertices, which are numbered from 0: ``g.vertex(name)``
is the number of one, and ``g.name(number)`` its name. A graph of ``from_edges`` has no
other names than the numbers.
"""

from __future__ import annotations

from ._binary import find_binary
from ._errors import Cancelled, Error, FileMissing, RequestError, VertexError, WorkerDied
from ._graph import BFS, Closeness, Components, Distances, Graph, Near
from ._worker import Worker, default_worker

__all__ = [
    "BFS",
    "Cancelled",
    "Closeness",
    "Components",
    "Distances",
    "Error",
    "FileMissing",
    "Graph",
    "Near",
    "RequestError",
    "VertexError",
    "Worker",
    "WorkerDied",
    "find_binary",
    "from_edges",
    "open",
]


def open(path, **options) -> Graph:  # noqa: A001 (the name that users expect)
    """Open a graph file of hops, or read any other file that hops reads.

    See :meth:`Worker.open` for the options.
    """
    return default_worker().open(path, **options)


def from_edges(edges, targets=None, **options) -> Graph:
    """Make a graph of arrays of vertices.

    See :meth:`Worker.from_edges` for the options.
    """
    return default_worker().from_edges(edges, targets, **options)
