#!/usr/bin/env python3
"""What NetworkX says about graphs that hops is asked about as well.

    python3 answers.py REAL [GRAPHS] > answers.json

REAL is edge/format/testdata/real, GRAPHS the folder of the larger graphs that its
README lists. Files are read here without any code of hops; the first two graphs
are those that NetworkX brings along.
"""
import csv
import json
import pathlib
import random
import sys

import networkx as nx

real = pathlib.Path(sys.argv[1])
large = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None


def karate():
    return nx.relabel_nodes(nx.Graph(nx.karate_club_graph().edges()), lambda v: str(v + 1))


def romania():
    with open(real / "romania.csv") as f:
        return nx.Graph((row["from"], row["to"]) for row in csv.DictReader(f))


def rome(kind):
    lines = (large / "rome99.gr").read_text().splitlines()
    count = next(int(line.split()[2]) for line in lines if line.startswith("p "))
    g = kind(line.split()[1:3] for line in lines if line.startswith("a "))
    g.add_nodes_from(str(v + 1) for v in range(count))
    return g


def edges(name, kind):
    return nx.read_edgelist(large / name, create_using=kind, data=False, delimiter=None)


graphs = [
    ("karate.mtx", [], karate),
    ("florentine.csv", ["--ids", "string", "--header", "yes"], nx.florentine_families_graph),
    ("romania.csv", ["--ids", "string", "--header", "yes"], romania),
]
if large:
    graphs += [
        ("rome99.gr", [], lambda: rome(nx.DiGraph)),
        ("email-Eu-core.txt", [], lambda: edges("email-Eu-core.txt", nx.Graph)),
        ("email-Eu-core.txt", ["--directed"], lambda: edges("email-Eu-core.txt", nx.DiGraph)),
        ("p2p-Gnutella31.e", ["--format", "edges"], lambda: edges("p2p-Gnutella31.e", nx.Graph)),
        ("p2p-Gnutella31.e", ["--format", "edges", "--directed"], lambda: edges("p2p-Gnutella31.e", nx.DiGraph)),
    ]


def histogram(distances):
    sizes = [0] * (1 + max(distances.values()))
    for d in distances.values():
        sizes[d] += 1
    return sizes


def answers(name, flags, make):
    g = make()
    g.remove_edges_from(list(nx.selfloop_edges(g)))
    weak = nx.weakly_connected_components if g.is_directed() else nx.connected_components
    sizes = sorted((len(c) for c in weak(g)), reverse=True)
    nodes = sorted(g)
    small = len(nodes) < 100
    chosen = random.Random(1)
    roots = nodes if small else chosen.sample(nodes, 4)
    searches, paths = [], []
    for root in roots:
        distances = nx.single_source_shortest_path_length(g, root)
        search = {"root": root, "levels": histogram(distances)}
        if small:
            search["distances"] = distances
        searches.append(search)
        for to in chosen.sample(nodes, 2 if small else 5):
            paths.append({"from": root, "to": to, "hops": distances.get(to, -1)})
    return {
        "file": name, "flags": flags, "directed": g.is_directed(),
        "vertices": len(nodes), "edges": g.number_of_edges(),
        "components": len(sizes), "largest": sizes[0],
        "diameter": nx.diameter(g) if small else -1,
        "searches": searches, "paths": paths,
    }


json.dump({"networkx": nx.__version__, "graphs": [answers(*g) for g in graphs]}, sys.stdout, indent=None, separators=(",", ":"))
print()
