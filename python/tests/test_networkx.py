"""The functions of the NetworkX backend against those of NetworkX, order included."""

import collections.abc
import functools
import inspect
import itertools
import math
import random

import networkx as nx
import pytest

from gohops import networkx_backend as hops
from gohops._networkx_info import info

KINDS = [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]


def make(kind, seed):
    """Return a random graph with nodes of several types, in no order, and loops."""
    draw = random.Random(seed)
    names = [0, 1, 5, 2.5, "a", "b", (1, 2), ("x", 3), frozenset([1]), None][:9] + list(range(100, 100 + seed % 20))
    draw.shuffle(names)
    graph = kind()
    graph.add_nodes_from(names[::2])
    for _ in range(draw.choice([0, 8, 20, 60])):
        graph.add_edge(draw.choice(names), draw.choice(names), weight=draw.random())
    return graph


GRAPHS = [make(kind, seed) for kind in KINDS for seed in range(1, 5)]


def outcome(f, *args, **kwargs):
    """Return what a function answers, in its order, or which exception it raises."""
    try:
        return ordered(f(*args, **kwargs))
    except (nx.NetworkXException, KeyError, TypeError, ValueError) as error:
        return type(error)


def ordered(answer):
    """Return an answer whose comparison minds types, and the order of dictionaries.

    Of an iterator, it does not matter what makes it.
    """
    if isinstance(answer, nx.Graph):
        return type(answer), list(answer.nodes), list(answer.edges)
    if isinstance(answer, dict):
        return [dict, *((key, ordered(value)) for key, value in answer.items())]
    if isinstance(answer, collections.abc.Iterator):
        return [iter, *map(ordered, answer)]
    if isinstance(answer, list):
        return [list, *map(ordered, answer)]
    return type(answer), answer


def same(name, graph, *args, **kwargs):
    got = outcome(getattr(hops, name), converted(graph), *args, **kwargs)
    want = outcome(getattr(nx, name), graph, *args, **kwargs)
    assert got == want, (name, args, kwargs)


@functools.lru_cache(maxsize=None)
def converted(graph):
    return hops.backend.convert_from_nx(graph)


@pytest.mark.parametrize("graph", GRAPHS)
def test_searches(graph):
    for source in [*list(graph)[:3], "absent"]:
        for limit in (None, 0, 1, 2.5, -1, True, 2**70, math.inf, -math.inf, math.nan, "1"):
            for name in ("single_source_shortest_path", "single_target_shortest_path"):
                same(name, graph, source, cutoff=limit)
        for limit in (None, 1, 3):
            for name in ("bfs_edges", "bfs_tree"):
                same(name, graph, source, depth_limit=limit)
                same(name, graph, source, reverse=True, depth_limit=limit)
            for name in ("bfs_predecessors", "bfs_successors"):
                same(name, graph, source, depth_limit=limit)
        for distance in range(3):
            same("descendants_at_distance", graph, source, distance)
    for sources in (list(graph)[:1], list(graph)[:3], [], ["absent"], list(graph)[:2] * 2, [["unhashable"]]):
        same("bfs_layers", graph, sources)
    same("bfs_layers", graph, next(iter(graph)))
    same("all_pairs_shortest_path", graph)
    for name in ("single_source_shortest_path", "single_source_shortest_path_length"):
        same(name, graph, ["unhashable"])


# The order of these was that of a set in older releases of NetworkX. Now it is that of
# bfs_edges.
@pytest.mark.parametrize("graph", GRAPHS)
def test_lengths(graph):
    for source in [*list(graph)[:3], "absent"]:
        for limit in (None, 0, 1, 2):
            for name, reverse in (("single_source_shortest_path_length", False), ("single_target_shortest_path_length", True)):
                got = outcome(getattr(hops, name), converted(graph), source, cutoff=limit)
                want = outcome(getattr(nx, name), graph, source, cutoff=limit)
                if not isinstance(want, list):
                    assert got == want
                    continue
                assert got[0] == want[0] and unordered(got) == unordered(want)
                if limit is None:
                    nodes = [source, *(v for _, v in nx.bfs_edges(graph, source, reverse))]
                    assert [v for v, _ in dict(getattr(hops, name)(converted(graph), source)).items()] == nodes
    assert {v: dict(found) for v, found in hops.all_pairs_shortest_path_length(graph, cutoff=2)} == {
        v: dict(found) for v, found in nx.all_pairs_shortest_path_length(graph, cutoff=2)
    }


def unordered(answer):
    """Return the pairs of an answer that is a dictionary or an iterator of pairs."""
    return dict(pair[1] if isinstance(pair[0], type) else pair for pair in answer[1:])


@pytest.mark.parametrize("graph", GRAPHS)
def test_paths(graph):
    some = [*list(graph)[:6], "absent", ["unhashable"]]
    for source, target in itertools.product(some, some):
        for name in ("has_path", "shortest_path_length"):
            same(name, graph, source, target)
        for name in ("shortest_path", "bidirectional_shortest_path"):
            got = outcome(getattr(hops, name), converted(graph), source, target)
            want = outcome(getattr(nx, name), graph, source, target)
            if not isinstance(want, list):
                assert got == want
                continue
            got = [node for _, node in got[1:]]
            assert (got[0], got[-1], len(got)) == (source, target, len(want) - 1)
            assert nx.is_path(graph, got)
    for node in some:
        for end in ("source", "target"):
            same("shortest_path", graph, **{end: node})
            same("has_path", graph, **{"source": None, "target": None, end: node})
            got, want = (outcome(f.shortest_path_length, g, **{end: node}) for f, g in ((hops, converted(graph)), (nx, graph)))
            assert got == want or got[0] == want[0] and unordered(got) == unordered(want)


@pytest.mark.parametrize("graph", GRAPHS)
def test_components(graph):
    for name in (
        "connected_components", "number_connected_components", "is_connected",
        "weakly_connected_components", "number_weakly_connected_components", "is_weakly_connected",
    ):
        same(name, graph)
    for node in [*list(graph)[:3], "absent"]:
        same("node_connected_component", graph, node)


@pytest.mark.parametrize("graph", GRAPHS + [nx.cycle_graph(7), nx.cycle_graph(7, nx.DiGraph), nx.path_graph(1), nx.gnp_random_graph(550, 0.01, 1)])
def test_closeness(graph):
    for improved in (True, False):
        same("closeness_centrality", graph, wf_improved=improved)
    same("closeness_centrality", graph, next(iter(graph)))
    same("closeness_centrality", graph, "absent")
    if len(graph) < 100:
        same("average_shortest_path_length", graph)


@pytest.mark.parametrize("kind", KINDS)
def test_null_graph(kind):
    graph = kind()
    for name in ("closeness_centrality", "average_shortest_path_length", "connected_components", "is_connected",
                 "weakly_connected_components", "is_weakly_connected", "all_pairs_shortest_path"):
        same(name, graph)


def test_views():
    graph = nx.gnp_random_graph(40, 0.1, 3, directed=True)
    for view in (graph.subgraph([7, 3, 9, 20, 21, 22]), graph.reverse(copy=False), graph.to_undirected(as_view=True)):
        for source in view:
            same("bfs_edges", view, source)
            same("single_source_shortest_path", view, source)


def test_what_networkx_has_to_run():
    can_run = hops.backend.can_run
    graph = nx.path_graph(3)
    for name, args, kwargs in [
        ("shortest_path", (graph, 0, 2, "weight"), {}),
        ("shortest_path", (graph,), {}),
        ("shortest_path_length", (graph, 0), {"weight": "weight"}),
        ("shortest_path", (graph, 0), {"method": "magic"}),
        ("closeness_centrality", (graph,), {"distance": "weight"}),
        ("average_shortest_path_length", (graph,), {"method": "floyd-warshall"}),
        ("bfs_edges", (graph, 0), {"sort_neighbors": sorted}),
        ("generic_bfs_edges", (graph, 0, graph.neighbors), {}),
        ("pagerank", (graph,), {}),
        ("bfs_edges", (graph,), {}),
    ]:
        refusal = can_run(name, args, kwargs)
        assert isinstance(refusal, str) and not refusal, name
    for name, args, kwargs in [
        ("shortest_path", (graph, 0), {}), ("shortest_path_length", (graph,), {"target": 2}), ("closeness_centrality", (graph,), {}),
        ("descendants_at_distance", (graph, 0, 2), {}), ("bfs_edges", (graph, 0), {"depth_limit": 2}),
    ]:
        assert can_run(name, args, kwargs) is True, name


def test_conversion():
    graph = nx.path_graph(4, nx.DiGraph)
    converted = hops.backend.convert_from_nx(graph, edge_attrs={}, name="bfs_edges")
    assert (converted.is_directed(), converted.is_multigraph(), len(converted), 3 in converted, 4 in converted) == (True, False, 4, True, False)
    assert hops.backend.convert_to_nx(converted) is graph
    assert hops.backend.convert_to_nx([1]) == [1]
    assert hops.backend.convert_from_nx(converted) is converted
    graph.remove_node(3)  # the conversion does not follow
    assert hops.has_path(converted, 0, 3) and not hops.has_path(converted, 3, 0)
    assert set(info()["functions"]) == {f.__name__ for f in hops.FUNCTIONS} <= set(dir(hops.backend))


def test_functions_have_the_arguments_of_networkx():
    for f in hops.FUNCTIONS:
        if f is hops.generic_bfs_edges and not hasattr(nx, "generic_bfs_edges"):
            continue  # older releases do not export it
        known = inspect.signature(getattr(nx, f.__name__)).parameters
        assert list(inspect.signature(f).parameters) == [p for p in known if p not in ("backend", "backend_kwargs")][:len(inspect.signature(f).parameters)]
