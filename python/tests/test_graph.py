"""Graphs and answers, against searches that are written here."""

import heapq
import mmap
import os
import random
import subprocess
from collections import deque

import numpy as np
import pytest

import gohops


def rows_of(edges, count, directed):
    rows = [set() for _ in range(count)]
    for u, v in edges:
        rows[u].add(v)
        if not directed:
            rows[v].add(u)
    return rows


def levels_of(rows, root):
    levels = [-1] * len(rows)
    levels[root] = 0
    queue = deque([root])
    while queue:
        u = queue.popleft()
        for v in rows[u]:
            if levels[v] < 0:
                levels[v] = levels[u] + 1
                queue.append(v)
    return levels


def random_edges(seed, count, edges):
    draw = random.Random(seed)
    return [(draw.randrange(count), draw.randrange(count)) for _ in range(edges)]


def check_tree(search, rows, root):
    assert search.levels.tolist() == levels_of(rows, root)
    for v, parent in enumerate(search.parents.tolist()):
        if search.levels[v] < 0:
            assert parent == -1
        elif v == root:
            assert parent == root
        else:
            assert v in rows[parent] and search.levels[parent] == search.levels[v] - 1


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("edges", [0, 20, 60, 400])
def test_searches_are_right(edges, directed):
    pairs = random_edges(edges, 50, edges)
    g = gohops.from_edges(pairs, directed=directed, vertices=50)
    rows = rows_of(pairs, 50, directed)
    for root in (0, 17, 49):
        check_tree(g.bfs(root), rows, root)
        within_two = [level if level <= 2 else -1 for level in levels_of(rows, root)]
        assert g.bfs(root, max_depth=2).levels.tolist() == within_two
        near = g.near(root, 2)
        assert dict(zip(near.vertices.tolist(), near.distances.tolist())) == {
            v: level for v, level in enumerate(within_two) if level >= 0
        }
        for target in (0, 3, 30):
            path = g.path(root, target)
            level = levels_of(rows, root)[target]
            if level < 0:
                assert path is None
            else:
                assert path[0] == root and path[-1] == target and len(path) == level + 1
                assert all(v in rows[u] for u, v in zip(path, path[1:]))


@pytest.mark.parametrize("roots", [None, [4, 0]])
def test_closeness(roots):
    pairs = random_edges(1, 40, 60)
    g = gohops.from_edges(pairs, vertices=40)
    rows = rows_of(pairs, 40, False)
    found = g.closeness(roots)
    assert sorted(found.vertices.tolist()) == (list(range(40)) if roots is None else sorted(roots))
    assert (np.diff(found.closeness) <= 0).all()
    for v, closeness, reached, hops in zip(found.vertices, found.closeness, found.reached, found.hops):
        levels = [level for level in levels_of(rows, v) if level >= 0]
        assert (reached, hops) == (len(levels), sum(levels))
        assert closeness == pytest.approx((reached - 1) ** 2 / max(hops, 1) / 39)


# From 512 vertices on, another engine searches from many at once.
def test_closeness_of_many_vertices():
    pairs = random_edges(2, 600, 900)
    g = gohops.from_edges(pairs, vertices=600)
    rows = rows_of(pairs, 600, False)
    found = g.closeness()
    for i in range(0, 600, 37):
        levels = [level for level in levels_of(rows, found.vertices[i]) if level >= 0]
        assert (found.reached[i], found.hops[i]) == (len(levels), sum(levels))


def test_components():
    g = gohops.from_edges([(5, 1), (1, 2), (3, 4)], vertices=7, directed=True)
    found = g.components()
    assert found.count == 4
    assert found.lowest.tolist() == [0, 1, 1, 3, 3, 1, 6]


def test_distances():
    pairs = random_edges(3, 30, 90)
    draw = random.Random(4)
    weights = [draw.randrange(64) / 8 for _ in pairs]  # exact in 32 bits
    g = gohops.from_edges(pairs, weights=weights, directed=True, vertices=30)
    assert g.weighted
    far = dijkstra(pairs, weights, 30, 0)
    found = g.distances(0)
    assert found.distances.tolist() == far
    near = g.near(0, within=5)
    assert dict(zip(near.vertices.tolist(), near.distances.tolist())) == {v: d for v, d in enumerate(far) if d <= 5}
    for target in range(30):
        path = g.path(0, target, weighted=True)
        assert (path is None) == (far[target] == np.inf)
        if path is not None:
            least = {}
            for (u, v), w in zip(pairs, weights):
                least[u, v] = min(w, least.get((u, v), w))
            assert sum(least[step] for step in zip(path, path[1:])) == far[target]


def dijkstra(pairs, weights, count, root):
    far = [np.inf] * count
    queue = [(0.0, root)]
    while queue:
        d, u = heapq.heappop(queue)
        if far[u] > d:
            far[u] = d
            for (a, b), w in zip(pairs, weights):
                if a == u and d + w < far[b]:
                    heapq.heappush(queue, (d + w, b))
    return far


PAIRS = np.array([(0, 1), (1, 2), (2, 3), (5, 4)])


@pytest.mark.parametrize("dtype", ["i4", "i8", "u4", "u8", "i2", ">i4"])
@pytest.mark.parametrize(
    "form",
    [
        lambda a: (a,),
        lambda a: (a.T,),
        lambda a: (np.asfortranarray(a),),
        lambda a: (np.repeat(a, 2, axis=0)[::2],),
        lambda a: (a[:, 0], a[:, 1]),
        lambda a: (a[:, 0].tolist(), a[:, 1].tolist()),
        lambda a: (a.tolist(),),
    ],
)
def test_forms_of_edges(form, dtype):
    g = gohops.from_edges(*form(PAIRS.astype(dtype)))
    assert (g.num_vertices, g.num_edges) == (6, 4)
    assert g.bfs(0).levels.tolist() == [0, 1, 2, 3, -1, -1]


def test_two_edges_are_rows():
    assert gohops.from_edges(np.array([(0, 1), (2, 3)])).path(0, 1) == [0, 1]


def test_more_edges_than_a_block():
    n = (1 << 20) + 10
    g = gohops.from_edges(np.arange(n, dtype=np.int32), np.arange(1, n + 1, dtype=np.int64))
    assert g.num_edges == n
    assert g.path(n, n - 3) == [n, n - 1, n - 2, n - 3]


@pytest.mark.parametrize(
    "arguments, options, exception, message",
    [
        (([1, 2, 3],), {}, ValueError, "shape"),
        ((np.zeros((2, 3, 4), int),), {}, ValueError, "shape"),
        (([1, 2], [1]), {}, ValueError, "length"),
        (([0.5], [1.5]), {}, TypeError, "integers"),
        (([(0, -1)],), {}, ValueError, "from -1"),
        (([(0, 7)],), {"vertices": 7}, ValueError, "from 0 to 6"),
        (([(0, 2**32)],), {}, ValueError, "at most"),
        (([(0, 1)],), {"weights": [1, 2]}, ValueError, "weights"),
        (([(0, 1)],), {"weights": ["a"]}, TypeError, "weights"),
        (([(0, 1)],), {"weights": [-1]}, gohops.Error, "-1"),
        (([(0, 1)],), {"weights": [np.nan]}, gohops.Error, "NaN"),
    ],
)
def test_edges_that_are_refused(arguments, options, exception, message):
    with pytest.raises(exception, match=message):
        gohops.from_edges(*arguments, **options)
    assert not [name for name in os.listdir(gohops._worker.default_worker().directory) if name.startswith("in-")]


def test_arrays_lie_in_shared_memory():
    search = gohops.from_edges(PAIRS).bfs(0)
    for array in (search.levels, search.parents):
        base = array
        while isinstance(base, np.ndarray):
            base = base.base
        assert isinstance(base, mmap.mmap)
        array[0] = 7  # it is the caller's own
    assert os.listdir(gohops._worker.default_worker().directory) == []


def test_names(tmp_path):
    file = tmp_path / "friends.txt"
    file.write_bytes("Ada Bob\nBob Zoë\nEve Fay\n".encode() + b"Fay Z\xfcrich\n")
    with gohops.open(file) as g:
        assert (g.num_vertices, g.names_are) == (6, "text")
        assert g.path("Zoë", "Ada") == ["Zoë", "Bob", "Ada"]
        assert g.path("Eve", "Z\udcfcrich") == ["Eve", "Fay", "Z\udcfcrich"]
        assert g.path("Ada", "Eve") is None
        assert g.names() == ["Ada", "Bob", "Zoë", "Eve", "Fay", "Z\udcfcrich"]
        assert g.name(g.vertex("Bob")) == "Bob"
        assert g.bfs("Ada").levels.tolist() == [0, 1, 2, -1, -1, -1]
        with pytest.raises(gohops.VertexError, match='no vertex is called "Bop"; did you mean "Bob"?'):
            g.bfs("Bop")
        with pytest.raises(gohops.VertexError, match="text"):
            g.bfs(1)


def test_names_that_are_numbers(tmp_path):
    file = tmp_path / "gaps.txt"
    file.write_text("10 20 1.5\n20 7 2\n")
    g = gohops.open(file, weighted=True, columns=[1, 2, 3])
    assert g.names() == [7, 10, 20]
    assert g.path(np.int64(7), 10) == [7, 20, 10]
    assert g.distances(10).distances[g.vertex(7)] == 3.5
    with pytest.raises(gohops.VertexError):
        g.bfs(8)
    with pytest.raises(gohops.VertexError):
        g.bfs("7")


def test_files_that_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such file"):
        gohops.open(tmp_path / "absent.hops")
    file = tmp_path / "plain.txt"
    file.write_text("1 2\n")
    with pytest.raises(gohops.Error, match="no weights"):
        gohops.open(file, weighted=True)
    own = tmp_path / "plain.hops"
    subprocess.run([gohops.find_binary(), "convert", "--quiet", file, own], check=True)
    with pytest.raises(gohops.Error, match="no weights"):
        gohops.open(own, weighted=True)
    assert gohops.open(own).path(1, 2) == [1, 2]
    with pytest.raises(gohops.RequestError, match="ids"):
        gohops.open(file, ids="words")


def test_vertices_that_are_refused():
    g = gohops.from_edges(PAIRS)
    for ask in (g.bfs, g.near, lambda v: g.path(0, v), lambda v: g.closeness([v]), g.distances):
        for name in (6, -1, 2**70):
            with pytest.raises(gohops.VertexError):
                ask(name)
    with pytest.raises(gohops.VertexError):
        g.names([6])
    with pytest.raises(gohops.RequestError, match="at least 1"):
        g.bfs(0, max_depth=0)
    with pytest.raises(gohops.Error, match="no weights"):
        g.distances(0)
