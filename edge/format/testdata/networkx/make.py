"""Writes the files beside it with NetworkX 3.6: Padgett's families in Florence in
every format that both programs know, and a small weighted graph with directions."""
import json
import networkx as nx

g = nx.florentine_families_graph()
nx.write_graphml_xml(g, "florentine.graphml")
nx.write_gml(g, "florentine.gml")
nx.write_pajek(g, "florentine.net")
nx.write_adjlist(g, "florentine.adjlist")
with open("florentine.json", "w") as f:
    json.dump(nx.node_link_data(g), f, indent=1)

d = nx.DiGraph()
d.add_weighted_edges_from([("a", "b", 1.5), ("b", "c", 2), ("c", "a", 0.25), ("a", "d e", 4)])
d.add_node("alone")
nx.write_graphml_xml(d, "weighted.graphml")
nx.write_gml(d, "weighted.gml")
nx.write_pajek(d, "weighted.net")
with open("weighted.json", "w") as f:
    json.dump(nx.node_link_data(d), f)

# Graphviz writes the DOT file: graphml2gv florentine.graphml > florentine.dot
