"""What NetworkX shows of the backend. NetworkX reads it when it is imported itself, so that
this module must not import NetworkX."""

from __future__ import annotations

NAME = "gohops"

# The functions that the backend has.
NAMES = """
    single_source_shortest_path_length single_target_shortest_path_length single_source_shortest_path
    single_target_shortest_path all_pairs_shortest_path_length all_pairs_shortest_path bidirectional_shortest_path
    has_path shortest_path shortest_path_length average_shortest_path_length
    bfs_edges generic_bfs_edges bfs_tree bfs_predecessors bfs_successors bfs_layers descendants_at_distance
    connected_components number_connected_components is_connected node_connected_component
    weakly_connected_components number_weakly_connected_components is_weakly_connected
    closeness_centrality
""".split()


def info() -> dict:
    """Return what NetworkX shows of this backend."""
    return {
        "backend_name": NAME,
        "project": NAME,
        "package": "gohops",
        "url": "https://github.com/gohops/hops",
        "short_summary": "Breadth-first search by the program hops",
        "functions": {name: {} for name in NAMES},
    }
