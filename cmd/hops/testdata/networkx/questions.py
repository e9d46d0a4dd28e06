#!/usr/bin/env python3
"""What NetworkX answers to the questions of docs/guide/questions.md.

    python3 questions.py REAL > questions.json

REAL is edge/format/testdata/real. Files are read here without any code of hops.
"""
import csv
import itertools
import json
import pathlib
import random
import sys

import networkx as nx

real = pathlib.Path(sys.argv[1])


def karate(kind):
    lines = [line for line in (real / "karate.mtx").read_text().splitlines() if not line.startswith("%")]
    return kind(line.split()[:2] for line in lines[1:])


def table(name, kind):
    with open(real / name) as f:
        rows = csv.reader(f)
        next(rows)
        g = kind()
        for row in rows:
            g.add_edge(row[0], row[1], **({"weight": float(row[2])} if len(row) > 2 else {}))
        return g


graphs = [
    ("karate.mtx", [], karate(nx.Graph)),
    ("florentine.csv", [], table("florentine.csv", nx.Graph)),
    ("florentine.csv", ["--directed"], table("florentine.csv", nx.DiGraph)),
    ("romania.csv", [], table("romania.csv", nx.Graph)),
    ("romania.csv", ["--directed"], table("romania.csv", nx.DiGraph)),
]


def paths(g, chosen):
    for a, b in [chosen.sample(sorted(g), 2) for _ in range(6)]:
        if not nx.has_path(g, a, b):
            yield {"from": a, "to": b, "all": [], "k": [], "lightest": []}
            continue
        lightest = []
        if nx.is_weighted(g):
            lightest = [nx.path_weight(g, p, "weight") for p in itertools.islice(nx.shortest_simple_paths(g, a, b, "weight"), 7)]
        yield {
            "from": a, "to": b,
            "all": sorted(nx.all_shortest_paths(g, a, b)),
            "k": [len(p) - 1 for p in itertools.islice(nx.shortest_simple_paths(g, a, b), 7)],
            "lightest": lightest,
        }


def answers(name, flags, g):
    strong = nx.strongly_connected_components(g) if g.is_directed() else nx.connected_components(g)
    parts = sorted(strong, key=len, reverse=True)
    largest = g.subgraph(parts[0])
    unique = len(parts) == 1 or len(parts[0]) > len(parts[1])
    return {
        "file": name, "flags": flags,
        "strong": [len(p) for p in parts],
        "eccentricities": nx.eccentricity(largest) if unique else {},
        "betweenness": nx.betweenness_centrality(g),
        "raw": nx.betweenness_centrality(g, normalized=False),
        "degrees": dict(g.degree()),
        "paths": list(paths(g, random.Random(3))),
    }


json.dump({"networkx": nx.__version__, "graphs": [answers(*g) for g in graphs]}, sys.stdout, separators=(",", ":"))
print()
