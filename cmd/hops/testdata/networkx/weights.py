#!/usr/bin/env python3
"""What NetworkX says about distances by weight.

    python3 weights.py REAL [GRAPHS] > weights.json

REAL and GRAPHS are those of answers.py. Files are read here without any code of
hops. Weights are integers, so that sums are exact; of parallel edges the lightest
counts.
"""
import csv
import json
import pathlib
import random
import sys

import networkx as nx

real = pathlib.Path(sys.argv[1])
large = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None


def lightest(kind, rows):
    g = kind()
    for u, v, weight in rows:
        g.add_edge(u, v, weight=min(int(weight), g.get_edge_data(u, v, {"weight": int(weight)})["weight"]))
    return g


def romania(kind):
    with open(real / "romania.csv") as f:
        return lightest(kind, list(csv.reader(f))[1:])


def rome():
    lines = (large / "rome99.gr").read_text().splitlines()
    return lightest(nx.DiGraph, (line.split()[1:] for line in lines if line.startswith("a ")))


graphs = [
    ("romania.csv", [], romania(nx.Graph)),
    ("romania.csv", ["--directed"], romania(nx.DiGraph)),
]
if large:
    graphs.append(("rome99.gr", [], rome()))


def answers(name, flags, g):
    nodes = sorted(g)
    searches = []
    for root in random.Random(1).sample(nodes, 5):
        far = nx.single_source_dijkstra_path_length(g, root)
        searches.append({"root": root, "distances": [far.get(v) for v in nodes]})
    return {"file": name, "flags": flags, "vertices": nodes, "searches": searches}


json.dump({"networkx": nx.__version__, "graphs": [answers(*g) for g in graphs]}, sys.stdout, separators=(",", ":"))
print()
