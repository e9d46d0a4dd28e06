"""What users may give: wrong arguments are errors of their call, and nothing else is lost."""

import decimal
import fractions
import math
import os
import pathlib
import warnings

import numpy as np
import pytest

import gohops


class NoText:
    def __repr__(self):
        raise RuntimeError


VALUES = [
    None, True, np.bool_(True), -1, 2**31, 2**63, 2**64, -2**70, 10**5000, 0.5, 1.0, math.nan, math.inf, -math.inf,
    np.float32(1), np.float64("nan"), np.longdouble(1), np.int8(1), np.uint64(2**64 - 1), np.array(1), np.array([1]), np.ma.masked,
    np.ma.array([0, 1], mask=[0, 1]), 1j, "", "Ada", "x" * 100000, "\udcff", "\ud800", "a\0b", b"", b"Ada", b"\xff", bytearray(b"Ada"), [], [[0]],
    {}, {0: 1}, object(), NoText(), decimal.Decimal(1), fractions.Fraction(1, 2), np.zeros((2, 2)), np.array([None]), np.array([[None, 1]]),
    np.array([(1, 2)], "i4,i4"), np.datetime64(1, "s"), np.array(["a"]), int, memoryview(b"ab"), [NoText()], ["\ud800"],
]


@pytest.fixture(scope="module")
def graphs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("graphs")
    (folder / "text.txt").write_text("Ada Bob\n")
    (folder / "numbers.txt").write_text("10 20 1\n20 7 2\n")
    with gohops.Worker() as worker:
        yield {
            "none": (worker.from_edges([(0, 1), (1, 2)], weights=[1, 2]), 0),
            "text": (worker.open(folder / "text.txt"), "Ada"),
            "numbers": (worker.open(folder / "numbers.txt", weighted=True), 10),
            "worker": worker,
            "file": folder / "numbers.txt",
        }


METHODS = {
    "bfs": lambda g, v, x: g.bfs(x),
    "bfs max_depth": lambda g, v, x: g.bfs(v, max_depth=x),
    "distances": lambda g, v, x: g.distances(x),
    "path source": lambda g, v, x: g.path(x, v),
    "path target": lambda g, v, x: g.path(v, x),
    "path weighted": lambda g, v, x: g.path(v, v, weighted=x),
    "closeness": lambda g, v, x: g.closeness(x),
    "closeness of one": lambda g, v, x: g.closeness([x]),
    "near": lambda g, v, x: g.near(x),
    "near hops": lambda g, v, x: g.near(v, x),
    "near within": lambda g, v, x: g.near(v, within=x),
    "vertex": lambda g, v, x: g.vertex(x),
    "name": lambda g, v, x: g.name(x),
    "names": lambda g, v, x: g.names(x),
    "names of one": lambda g, v, x: g.names([x]),
    "request": lambda g, v, x: g._worker.request(x),
    "request graph": lambda g, v, x: g._worker.request("components", graph=x),
    "request field": lambda g, v, x: g._worker.request("near", graph=g._number, vertices=[0], within=x, id=x, Op=x),
}

FUNCTIONS = {
    "open": lambda w, file, x: w.open(x),
    **{f"open {name}": lambda w, file, x, name=name: w.open(file, **{name: x}) for name in ("directed", "weighted", "ids", "columns", "format")},
    "open a column": lambda w, file, x: w.open(file, columns=[x, 2]),
    "edges": lambda w, file, x: w.from_edges(x),
    "sources and targets": lambda w, file, x: w.from_edges(x, x),
    "targets": lambda w, file, x: w.from_edges([0], x),
    "one edge": lambda w, file, x: w.from_edges([(x, x)]),
    "weights": lambda w, file, x: w.from_edges([(0, 1)], weights=x),
    "one weight": lambda w, file, x: w.from_edges([(0, 1)], weights=[x]),
    "directed": lambda w, file, x: w.from_edges([(0, 1)], directed=x),
    "vertices": lambda w, file, x: w.from_edges([(0, 1)], vertices=x if type(x) is not int or abs(x) > 2**32 else -1),
    "threads": lambda w, file, x: gohops.Worker(threads=x).close(),
    "binary": lambda w, file, x: gohops.Worker(binary=x if x is not None else "").close(),
}


def attack(call, survivor):
    for value in VALUES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of NumPy, where it converts what it should not
            try:
                call(value)
            except (TypeError, ValueError, OSError, gohops.Error) as error:
                assert not isinstance(error, gohops.WorkerDied)
        assert survivor.bfs(0).levels.tolist() == [0, 1, 2]


@pytest.mark.parametrize("names", ["none", "text", "numbers"])
@pytest.mark.parametrize("method", METHODS)
def test_any_argument_of_a_method(graphs, method, names):
    g, vertex = graphs[names]
    attack(lambda value: METHODS[method](g, vertex, value), graphs["none"][0])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_any_argument_of_a_function(graphs, function):
    attack(lambda value: FUNCTIONS[function](graphs["worker"], graphs["file"], value), graphs["none"][0])


MASKED = np.ma.array([[0, 1], [1, 2]], mask=[[0, 0], [0, 1]])


@pytest.mark.parametrize(
    "call, exception, message",
    [
        (lambda g: g.near(0, within=math.nan), ValueError, "within is a number from 0 on, not nan"),
        (lambda g: g.near(0, within=-1), ValueError, "not -1"),
        (lambda g: g.near(0, within="5"), TypeError, "within is a number, not '5'"),
        (lambda g: g.near(0, None), TypeError, "hops is a whole number, not None"),
        (lambda g: g.near(0, -1), ValueError, "hops is at least 0, not -1"),
        (lambda g: g.bfs(0, max_depth=2.0), TypeError, "max_depth is a whole number"),
        (lambda g: g.bfs(True), gohops.VertexError, "not True"),
        (lambda g: g.bfs(10**5000), gohops.VertexError, "thousands of digits"),
        (lambda g: g.path(0, 1, weighted="no"), TypeError, "weighted is True or False, not 'no'"),
        (lambda g: g.closeness("01"), TypeError, "vertices are several"),
        (lambda g: g.names([-1]), gohops.VertexError, "no vertex -1: the graph has 3"),
        (lambda g: g._worker.open(None), TypeError, "NoneType"),
        (lambda g: g._worker.open(""), ValueError, "names no file"),
        (lambda g: g._worker.open("a\0b"), ValueError, "names no file"),
        (lambda g: g._worker.open("x", columns="12"), TypeError, "columns are several"),
        (lambda g: g._worker.open("x", format="\udcff"), ValueError, "surrogates"),
        (lambda g: g._worker.open("/dev/stdin"), ValueError, "pipe between this worker"),
        (lambda g: g._worker.from_edges([(0, 1)], vertices=3.5), TypeError, "the number of vertices is a whole number, not 3.5"),
        (lambda g: g._worker.from_edges([], vertices=-1), ValueError, "at least 0"),
        (lambda g: g._worker.from_edges([(0, 1)], directed="no"), TypeError, "directed is True or False"),
        (lambda g: g._worker.from_edges([(0, 1)], weights=[1e39]), gohops.Error, "Inf"),
        (lambda g: g._worker.from_edges(MASKED), ValueError, "some edges are masked"),
        (lambda g: g._worker.from_edges(list(MASKED)), ValueError, "some edges are masked"),
        (lambda g: g._worker.from_edges([0, 1], MASKED[:, 1]), ValueError, "some targets are masked"),
        (lambda g: g._worker.from_edges([0, 1], [1, 2], weights=MASKED[1]), ValueError, "some weights are masked"),
        (lambda g: gohops.Worker(threads=1.5), TypeError, "threads is a whole number"),
        (lambda g: gohops.Worker(threads=-1), ValueError, "threads is at least 0"),
        (lambda g: g._worker.request("cancel"), ValueError, "no answer"),
        (lambda g: g._worker.request("closeness", graph=g._number, vertices=[0] * 2**23), ValueError, "at most 16777216 bytes"),
        (lambda g: g._worker.request("open", path=b"x"), TypeError, "no place for b'x'"),
        (lambda g: g._worker.request("near", within=math.nan), ValueError, "JSON"),
    ],
)
def test_what_is_refused(graphs, call, exception, message):
    g = graphs["none"][0]
    with pytest.raises(exception, match=message):
        call(g)
    assert g.bfs(0).levels.tolist() == [0, 1, 2]


def test_infinity_is_no_limit(graphs):
    for limit in (math.inf, np.float32("inf"), 10**400, np.finfo(float).max):
        assert graphs["none"][0].near(0, within=limit).distances.tolist() == [0, 1, 3]


def test_scalars_of_numpy(graphs):
    g = graphs["none"][0]
    assert g.bfs(np.uint8(0), max_depth=np.int64(1)).levels.tolist() == [0, 1, -1]
    assert g.bfs(np.array(0), max_depth=2**70).levels.tolist() == [0, 1, 2]
    assert g.near(np.int16(0), within=np.float32(1)).vertices.tolist() == [0, 1]
    assert g.path(0, 2, weighted=np.bool_(True)) == [0, 1, 2]
    assert g.names(np.array([2, 0])) == [2, 0]
    assert g._worker.request("path", graph=np.int64(g._number), vertices=np.array([0, 1]), weighted=np.False_) == {"path": [0, 1]}
    assert gohops.from_edges([(0, 1)], directed=np.True_, vertices=np.uint16(3)).num_vertices == 3
    assert gohops.open(graphs["file"], weighted=np.True_, columns=(np.int64(1), "2", 3)).weighted


def test_edges_that_are_not_masked():
    assert gohops.from_edges(np.ma.array([[0, 1], [1, 2]], mask=False)).num_edges == 2


def test_array_that_is_read_only():
    edges = np.array([[0, 1], [1, 2]])
    edges.flags.writeable = False
    assert gohops.from_edges(edges).num_edges == 2


def test_names_of_files(tmp_path):
    name = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    try:
        with open(name, "w") as file:
            file.write("1 2\n")
    except OSError:
        pytest.skip("the file system has no such names")
    for path in (name, os.fsdecode(name), pathlib.Path(os.fsdecode(name))):
        assert gohops.open(path).path(1, 2) == [1, 2]
    with pytest.raises(FileNotFoundError):
        gohops.open(name + b".gz")


def test_folders_of_arrays(tmp_path, monkeypatch):
    folder = os.fsencode(tmp_path) + b"/caf\xe9"
    try:
        os.mkdir(folder)
    except OSError:
        pytest.skip("the file system has no such names")
    monkeypatch.chdir(tmp_path)
    for directory in (folder, os.path.basename(folder), pathlib.Path(os.fsdecode(folder))):
        os.chdir(tmp_path)
        with gohops.Worker(directory=directory) as worker:
            os.chdir("/")
            assert worker.from_edges([(0, 1)]).bfs(1).levels.tolist() == [1, 0]
        assert os.listdir(folder) == []
