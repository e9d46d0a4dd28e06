#!/bin/sh
# Makes an undirected and a directed graph of a list of edges, and asks every engine for
# the levels from a root. They must be those of bfs.c, which shares no code with hops. The
# list is a file of two numbers a line, or that of Graph500 at some scale. Scale 23 has 134
# million edges, and needs 12 GB in FOLDER.
#
#   run.sh SCALE|FILE FOLDER ENGINE...    such as run.sh 23 /tmp/answers cpu gpu cluster:ranks=4
set -eu
hops=${HOPS:-hops}
list=$1
plain=$(realpath "$(dirname "$0")/bfs.c")
mkdir -p "$2"
[ ! -f "$list" ] || cp "$list" "$2/list.el"
cd "$2"
shift 2
"${CC:-gcc}" -O2 -o bfs "$plain"
[ -f list.el ] || "$hops" generate --scale "$list" --to el --output list.el --quiet
for kind in undirected directed; do
	[ -f "$kind.hops" ] || "$hops" convert $([ "$kind" = undirected ] || echo --directed) list.el "$kind.hops"
	root=$("$hops" closeness "$kind.hops" --samples 1 --engine cpu --quiet | tail -n 1 | cut -f 5)
	./bfs list.el "$root" "$kind" >plain.csv &
	for engine; do
		began=$(date +%s%N)
		"$hops" bfs "$kind.hops" --root "$root" --engine "$engine" --levels "$engine.csv" --quiet >/dev/null
		echo "$kind, root $root, $engine: $((($(date +%s%N) - began) / 1000000)) ms"
	done
	wait $!
	for engine; do cmp "$engine.csv" plain.csv; done
	echo "$kind, root $root: the levels of $(($(wc -l <plain.csv) - 1)) vertices are equal"
done
