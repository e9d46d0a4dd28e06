"""hops as a backend of NetworkX: ``nx.config.backend_priority = ["gohops"]``.

The answers are those of NetworkX, exceptions and the order of nodes included. A search
that has an order follows the rows of the NetworkX graph in their own order, as its queue
does, so that dictionaries, layers and trees are in the same order, too. Of several shortest
paths between two nodes, any one may be returned.

What this backend does not do, such as paths by weight, ``can_run`` refuses, and NetworkX
does it itself.
"""

from __future__ import annotations

import inspect
import math
import re
from itertools import chain, groupby
from typing import Any, Hashable, Iterator, List, NamedTuple, Optional

import networkx as nx
import numpy as np

from ._arguments import ALL_LEVELS
from ._graph import Graph
from ._networkx_info import NAME, NAMES
from ._worker import default_worker

# Functions whose answers differ in form from release to release have the form of this one.
_VERSION = tuple(map(int, re.findall(r"\d+", nx.__version__)[:2]))


class Queue(NamedTuple):
    """The nodes that a search finds, in its order, with the parent of each."""

    order: list
    parents: list
    ends: List[int]  # where each level ends

    def levels(self) -> Iterator[list]:
        """Yield the nodes of every level."""
        start = 0
        for end in self.ends:
            yield self.order[start:end]
            start = end


class Rows:
    """The neighbours of all nodes, in one direction, in their order in NetworkX."""

    def __init__(self, nodes: list, index: dict, adjacency: Any, directed: bool):
        neighbours = [list(map(index.__getitem__, adjacency[node])) for node in nodes]
        lengths = np.fromiter(map(len, neighbours), np.int64, len(nodes))
        self._sources = np.repeat(np.arange(len(nodes), dtype=np.uint32), lengths)
        self._targets = np.fromiter(chain.from_iterable(neighbours), np.uint32, len(self._sources))
        self._directed = directed
        self._nodes = nodes
        self._graph: Optional[Graph] = None

    @property
    def graph(self) -> Graph:
        """The graph in the worker, made when it is first needed or its worker has ended."""
        worker = default_worker()
        if self._graph is None or self._graph._worker is not worker:
            self._graph = worker._from_pairs(self._sources, self._targets, None, self._directed, len(self._nodes), rows=True)
        return self._graph

    def queue(self, roots: List[int], limit: Optional[float] = None) -> Queue:
        """Search from roots that differ, as far as a limit that NetworkX takes."""
        depth = None
        if limit is not None and not limit > ALL_LEVELS:
            depth = math.ceil(limit) if limit > 0 else 0  # of what is not a number, too
        found = self.graph._arrays("queue", vertices=roots, max_depth=depth)
        named = self._nodes.__getitem__
        return Queue(list(map(named, found["order"].tolist())), list(map(named, found["parents"].tolist())), found["ends"].tolist())


class HopsGraph:
    """A NetworkX graph as hops has it. It does not follow later changes of that graph."""

    __networkx_backend__ = NAME

    def __init__(self, original: nx.Graph):
        self.original = original
        self.nodes = list(original)
        self.index = {node: i for i, node in enumerate(self.nodes)}
        self._directed = original.is_directed()
        self._multigraph = original.is_multigraph()
        self.forward = Rows(self.nodes, self.index, original._adj, self._directed)
        self.backward = self.forward
        if self._directed:
            self.backward = Rows(self.nodes, self.index, original._pred, True)

    def is_directed(self) -> bool:
        return self._directed

    def is_multigraph(self) -> bool:
        return self._multigraph

    def number_of_nodes(self) -> int:
        return len(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.nodes)

    def __contains__(self, node: object) -> bool:
        try:
            return node in self.index
        except TypeError:
            return False

    def needs(self, node: object, message: str) -> int:
        """Return the number of a node, or raise NodeNotFound."""
        if node not in self:
            raise nx.NodeNotFound(message)
        return self.index[node]

    def paths(self, rows: Rows, start: int, cutoff: Optional[float], backwards: bool) -> dict:
        """Return a shortest path for every node found from one."""
        found = rows.queue([start], cutoff)
        all_paths = {found.order[0]: [found.order[0]]}
        for node, parent in zip(found.order[1:], found.parents[1:]):
            path = all_paths[parent]
            all_paths[node] = [node, *path] if backwards else [*path, node]
        return all_paths

    def lengths(self, rows: Rows, start: int, cutoff: Optional[float]) -> dict:
        """Return the hops to every node found from one."""
        found = rows.queue([start], cutoff)
        return {node: depth for depth, level in enumerate(found.levels()) for node in level}

    def between(self, source: Hashable, target: Hashable) -> Optional[list]:
        """Return a shortest path or None; raise NodeNotFound."""
        ends = [self.needs(source, f"Source {source} is not in G"), self.needs(target, f"Target {target} is not in G")]
        path = self.forward.graph._ask("path", vertices=ends)["path"]
        return None if path is None else [self.nodes[v] for v in path]


def _hops(G: Any) -> HopsGraph:
    return G if isinstance(G, HopsGraph) else HopsGraph(G)


def _only_for(G: HopsGraph, directed: bool) -> None:
    if G.is_directed() != directed:
        raise nx.NetworkXNotImplemented(f"not implemented for {'directed' if G.is_directed() else 'undirected'} type")


# Shortest paths


def single_source_shortest_path_length(G, source, cutoff=None):
    G = _hops(G)
    return G.lengths(G.forward, G.needs(source, f"Source {source} is not in G"), cutoff)


def single_target_shortest_path_length(G, target, cutoff=None):
    G = _hops(G)
    lengths = G.lengths(G.backward, G.needs(target, f"Target {target} is not in G"), cutoff)
    return lengths if _VERSION >= (3, 5) else iter(lengths.items())


def single_source_shortest_path(G, source, cutoff=None):
    G = _hops(G)
    return G.paths(G.forward, G.needs(source, f"Source {source} not in G"), cutoff, False)


def single_target_shortest_path(G, target, cutoff=None):
    G = _hops(G)
    return G.paths(G.backward, G.needs(target, f"Target {target} not in G"), cutoff, True)


def all_pairs_shortest_path_length(G, cutoff=None):
    G = _hops(G)
    for node in G:
        yield node, single_source_shortest_path_length(G, node, cutoff)


def all_pairs_shortest_path(G, cutoff=None):
    G = _hops(G)
    for node in G:
        yield node, single_source_shortest_path(G, node, cutoff)


def bidirectional_shortest_path(G, source, target):
    path = _hops(G).between(source, target)
    if path is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return path


def has_path(G, source, target):
    try:
        shortest_path(G, source, target)
    except nx.NetworkXNoPath:
        return False
    return True


def shortest_path(G, source=None, target=None, weight=None, method="dijkstra"):
    if target is None:
        return single_source_shortest_path(G, source)
    if source is None:
        return single_target_shortest_path(G, target)
    return bidirectional_shortest_path(G, source, target)


def shortest_path_length(G, source=None, target=None, weight=None, method="dijkstra"):
    if target is None:
        return single_source_shortest_path_length(G, source)
    if source is None:
        return dict(single_target_shortest_path_length(G, target))
    return len(bidirectional_shortest_path(G, source, target)) - 1


def average_shortest_path_length(G, weight=None, method=None):
    G = _hops(G)
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept("the null graph has no paths, thus there is no average shortest path length")
    if n == 1:
        return 0
    found = G.forward.graph.closeness()
    if (found.reached < n).any():
        raise nx.NetworkXError(f"Graph is not {'strongly ' if G.is_directed() else ''}connected.")
    return int(found.hops.sum()) / (n * (n - 1))


# Breadth-first search


def _search(G: HopsGraph, source: Hashable, reverse: bool, depth_limit: Optional[float]) -> Queue:
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the {'digraph' if G.is_directed() else 'graph'}.")
    return (G.backward if reverse else G.forward).queue([G.index[source]], depth_limit)


def bfs_edges(G, source, reverse=False, depth_limit=None, sort_neighbors=None):
    found = _search(_hops(G), source, reverse, depth_limit)
    yield from zip(found.parents[1:], found.order[1:])


def generic_bfs_edges(G, source, neighbors=None, depth_limit=None):
    yield from bfs_edges(G, source, depth_limit=depth_limit)


def bfs_tree(G, source, reverse=False, depth_limit=None, sort_neighbors=None):
    tree = nx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(bfs_edges(G, source, reverse, depth_limit))
    return tree


def bfs_predecessors(G, source, depth_limit=None, sort_neighbors=None):
    for parent, child in bfs_edges(G, source, depth_limit=depth_limit):
        yield child, parent


def bfs_successors(G, source, depth_limit=None, sort_neighbors=None):
    found = _search(_hops(G), source, False, depth_limit)
    if len(found.order) == 1:
        yield source, []
    for parent, family in groupby(zip(found.parents[1:], found.order[1:]), key=lambda pair: pair[0]):
        yield parent, [child for _, child in family]


def bfs_layers(G, sources):
    G = _hops(G)
    # The first layer is a set since NetworkX 3.5, and was what is given.
    first = [sources] if sources in G else list(sources if _VERSION < (3, 5) else set(sources))
    roots = dict.fromkeys(first)
    for source in roots:
        if source not in G:
            raise nx.NetworkXError(f"The node {source} is not in the graph.")
    if not first:
        return
    yield first
    levels = G.forward.queue([G.index[s] for s in roots]).levels()
    next(levels)
    yield from levels


def descendants_at_distance(G, source, distance):
    G = _hops(G)
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    for depth, level in enumerate(G.forward.queue([G.index[source]]).levels()):
        if depth == distance:
            return set(level)
    return set()


# Components


def _components(G: HopsGraph) -> Iterator[set]:
    lowest = G.forward.graph.components().lowest
    order = np.argsort(lowest, kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(lowest[order])) + 1):
        if part.size:
            yield {G.nodes[v] for v in part.tolist()}


def _is_one(G: HopsGraph) -> bool:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return G.forward.graph.components().count == 1


def connected_components(G):
    G = _hops(G)
    _only_for(G, directed=False)
    return _components(G)


def number_connected_components(G):
    G = _hops(G)
    _only_for(G, directed=False)
    return G.forward.graph.components().count


def is_connected(G):
    G = _hops(G)
    _only_for(G, directed=False)
    return _is_one(G)


def node_connected_component(G, n):
    G = _hops(G)
    _only_for(G, directed=False)
    return set(G.forward.queue([G.index[n]]).order)


def weakly_connected_components(G):
    G = _hops(G)
    _only_for(G, directed=True)
    return _components(G)


def number_weakly_connected_components(G):
    G = _hops(G)
    _only_for(G, directed=True)
    return G.forward.graph.components().count


def is_weakly_connected(G):
    G = _hops(G)
    _only_for(G, directed=True)
    return _is_one(G)


# Centrality


def closeness_centrality(G, u=None, distance=None, wf_improved=True):
    G = _hops(G)
    wanted = None if u is None else [G.needs(u, f"Source {u} is not in G")]
    found = G.backward.graph.closeness(wanted)
    values = {}
    for vertex, reached, hops in zip(found.vertices.tolist(), found.reached.tolist(), found.hops.tolist()):
        values[vertex] = 0.0
        if hops > 0 and len(G) > 1:
            values[vertex] = (reached - 1.0) / hops
            if wf_improved:
                values[vertex] *= (reached - 1.0) / (len(G) - 1)
    if u is not None:
        return values[G.index[u]]
    return {node: values[v] for v, node in enumerate(G.nodes)}


FUNCTIONS = [globals()[name] for name in NAMES]

_SIGNATURES = {f.__name__: inspect.signature(f) for f in FUNCTIONS}


class Refusal(str):
    """Why a function cannot run: older releases of NetworkX ask whether it is true."""

    def __bool__(self) -> bool:
        return False


class Backend:
    """What NetworkX asks of a backend."""

    def __init__(self) -> None:
        for f in FUNCTIONS:
            setattr(self, f.__name__, f)

    @staticmethod
    def convert_from_nx(graph, *args, **kwargs):
        """Return the graph as hops has it."""
        return _hops(graph)

    @staticmethod
    def convert_to_nx(result, **kwargs):
        """Return what a function returned, as NetworkX has it."""
        return result.original if isinstance(result, HopsGraph) else result

    @staticmethod
    def can_run(name, args, kwargs):
        """Return True, or why NetworkX has to run a function itself, which is false."""
        if name not in _SIGNATURES:
            return Refusal("not implemented")
        try:
            given = _SIGNATURES[name].bind(*args, **kwargs).arguments
        except TypeError as wrong:
            return Refusal(wrong)
        for argument in ("weight", "distance", "sort_neighbors", "neighbors"):
            if given.get(argument) is not None and (name, argument) != ("descendants_at_distance", "distance"):
                return Refusal(f"{argument} is not supported")
        if name in ("shortest_path", "shortest_path_length", "has_path"):
            if given.get("method", "dijkstra") not in ("dijkstra", "bellman-ford"):
                return Refusal("unknown method")
            if given.get("source") is None and given.get("target") is None:
                return Refusal("all pairs are asked for one by one")
        if name == "average_shortest_path_length" and given.get("method") not in (None, "unweighted", "dijkstra", "bellman-ford"):
            return Refusal("unknown method")
        return True


backend = Backend()
