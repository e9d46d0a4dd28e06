"""Graphs and the answers about them."""

from __future__ import annotations

import base64
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, List, Optional, Union

import numpy as np

from . import _arguments
from ._errors import VertexError

if TYPE_CHECKING:
    from ._worker import Worker

Name = Union[int, str]

# Names that one request asks for: a line of some megabytes.
NAMES = 1 << 16


@dataclass(frozen=True)
class BFS:
    """A breadth-first search: two arrays with an element for every vertex."""

    levels: np.ndarray
    """The hops from the root, -1 where it does not lead."""
    parents: np.ndarray
    """The vertex before, on a shortest path; the root is its own, and -1 is none."""


@dataclass(frozen=True)
class Distances:
    """A search for shortest paths by weight: two arrays with an element for every vertex."""

    distances: np.ndarray
    """The least sum of weights of a path from the root, inf where there is none."""
    parents: np.ndarray
    """The vertex before, on such a path; the root is its own, and -1 is none."""


@dataclass(frozen=True)
class Components:
    """Which vertices hang together, whatever the direction of edges."""

    count: int
    lowest: np.ndarray
    """The lowest vertex of its component, for every vertex."""


@dataclass(frozen=True)
class Closeness:
    """How near vertices are to all others: arrays in the same order, the closest first."""

    vertices: np.ndarray
    closeness: np.ndarray
    """After Wasserman and Faust: (r-1)/s · (r-1)/(n-1)."""
    reached: np.ndarray
    """r, the vertices that each reaches, itself included."""
    hops: np.ndarray
    """s, the sum of the hops to them."""


@dataclass(frozen=True)
class Near:
    """A neighbourhood: two arrays in the same order, the nearest first."""

    vertices: np.ndarray
    distances: np.ndarray
    """Hops, or sums of weights if ``within`` was given."""


class Graph:
    """A graph that a worker holds. ``gohops.open`` and ``gohops.from_edges`` make one."""

    num_vertices: int
    num_edges: int
    directed: bool
    weighted: bool
    names_are: str  # "text", "numbers", or "none" where vertices have no other names

    def __init__(self, worker: "Worker", description: dict):
        self._worker = worker
        self._number: int = description["graph"]
        self.num_vertices = description["vertices"]
        self.num_edges = description["edges"]
        self.directed = description["directed"]
        self.weighted = description["weighted"]
        self.names_are = description["names"]
        close = _arguments.line({"op": "close", "graph": self._number})
        self._dropping = weakref.finalize(self, worker._channel.post, close)
        self._dropping.atexit = False

    def _ask(self, op: str, **params) -> dict:
        return self._worker.request(op, graph=self._number, **params)

    def _arrays(self, op: str, **params) -> dict:
        answer = self._ask(op, **params)
        return {key: self._worker.array(value) if isinstance(value, str) else value for key, value in answer.items()}

    # Questions

    def bfs(self, root: Name, *, max_depth: Optional[int] = None) -> BFS:
        """Search breadth first from a vertex, along directed edges, at most so many hops."""
        depth = None if max_depth is None else _arguments.levels(max_depth, "max_depth", 1)
        return BFS(**self._arrays("bfs", vertices=[self.vertex(root)], max_depth=depth))

    def distances(self, root: Name) -> Distances:
        """Find the shortest paths by weight from a vertex to all others."""
        return Distances(**self._arrays("distances", vertices=[self.vertex(root)]))

    def path(self, source: Name, target: Name, *, weighted: bool = False) -> Optional[List[Name]]:
        """Return the names on a shortest path, both ends included, or None if there is none.

        weighted: the path has the least sum of weights, not the fewest hops.
        """
        weighted = _arguments.flag(weighted, "weighted")
        answer = self._ask("path", vertices=[self.vertex(source), self.vertex(target)], weighted=weighted)
        return None if answer["path"] is None else self.names(answer["path"])

    def components(self) -> Components:
        """Find the connected components, of a directed graph the weakly connected ones."""
        return Components(**self._arrays("components"))

    def closeness(self, vertices: Optional[Iterable[Name]] = None) -> Closeness:
        """Tell how near vertices are to all others; without any, search from all of them."""
        roots = None if vertices is None else [self.vertex(v) for v in _arguments.several(vertices, "vertices")]
        return Closeness(**self._arrays("closeness", vertices=roots))

    def near(self, vertex: Name, hops: int = 1, *, within: Optional[float] = None) -> Near:
        """List the vertices at most so many hops away, or at most so far by weight."""
        depth = _arguments.levels(hops, "hops", 0)
        radius = None if within is None else _arguments.distance(within, "within")
        found = self._arrays("near", vertices=[self.vertex(vertex)], max_depth=depth, within=radius)
        if within is None:
            found["distances"] = found["distances"].astype(np.int32)
        return Near(**found)

    # Names

    def vertex(self, name: Name) -> int:
        """Return the number of the vertex that has this name."""
        if self.names_are == "text":
            if not isinstance(name, str):
                raise VertexError(f"vertices have text for names, not {_arguments.shown(name)}")
            text = name
        else:
            number = _arguments.whole(name)
            if number is None:
                raise VertexError(f"vertices have numbers for names, not {_arguments.shown(name)}")
            if self.names_are == "none":
                return self._among_all(number)
            text = str(number)
        try:
            encoded = base64.b64encode(text.encode("utf-8", "surrogateescape")).decode()
        except UnicodeEncodeError:  # no bytes decode to it
            raise VertexError(f"no vertex is called {_arguments.shown(name)}") from None
        return self._ask("lookup", names=[encoded])["vertices"][0]

    def _among_all(self, vertex: Any) -> int:
        number = _arguments.whole(vertex)
        if number is None:
            raise TypeError(f"vertices are numbered, and {_arguments.shown(vertex)} is no number of one")
        if not 0 <= number < self.num_vertices:
            raise VertexError(f"no vertex {_arguments.shown(number)}: the graph has {self.num_vertices}")
        return number

    def name(self, vertex: int) -> Name:
        """Return the name of the vertex that has this number."""
        return self.names([vertex])[0]

    def names(self, vertices: Optional[Iterable[int]] = None) -> List[Name]:
        """Return the names of vertices, of all of them by default.

        A byte that is not UTF-8 becomes a surrogate, as in ``os.fsdecode``.
        """
        all_vertices = range(self.num_vertices) if vertices is None else _arguments.several(vertices, "vertices")
        wanted = [self._among_all(v) for v in all_vertices]
        if self.names_are == "none":
            return list(wanted)
        found: List[Name] = []
        for start in range(0, len(wanted), NAMES):
            for encoded in self._ask("names", vertices=wanted[start:start + NAMES])["names"]:
                text = base64.b64decode(encoded).decode("utf-8", "surrogateescape")
                found.append(text if self.names_are == "text" else int(text))
        return found

    # The end

    def close(self) -> None:
        """Release the graph. Arrays stay."""
        if self._dropping.detach() and self._worker._usable():
            self._ask("close")

    def __enter__(self) -> "Graph":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        kind = ("directed" if self.directed else "undirected") + (", weighted" if self.weighted else "")
        return f"<gohops.Graph of {self.num_vertices} vertices and {self.num_edges} edges, {kind}>"
