// bfs.c: the plainest search there is, to compare with. It shares no code with hops and
// reads the list of edges itself.
//
//   bfs LIST ROOT directed|undirected    writes a line "vertex,level" for all it reaches
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *at, *end;

static int next(unsigned *number) {
	while (at < end && (*at < '0' || *at > '9')) at++;
	if (at == end) return 0;
	for (*number = 0; at < end && *at >= '0' && *at <= '9'; at++) *number = *number * 10 + (unsigned)(*at - '0');
	return 1;
}

int main(int argc, char **argv) {
	FILE *list = argc == 4 ? fopen(argv[1], "rb") : NULL;
	if (!list) return fprintf(stderr, "usage: bfs LIST ROOT directed|undirected\n"), 2;
	fseek(list, 0, SEEK_END);
	size_t size = (size_t)ftell(list);
	char *text = malloc(size + 1);
	rewind(list);
	if (!text || fread(text, 1, size, list) != size) return perror(argv[1]), 1;
	int both = strcmp(argv[3], "undirected") == 0;
	unsigned *edge = malloc(size * sizeof *edge), u, v, n = 0; // an end takes two bytes of text at least
	size_t ends = 0;
	for (at = text, end = text + size; next(&u); edge[ends++] = u)
		if (u >= n) n = u + 1;
	size_t *row = calloc(n + 2, sizeof *row);
	for (size_t i = 0; i < ends; i += 2) row[edge[i] + 2]++, row[edge[i + 1] + 2] += both;
	for (v = 0; v <= n; v++) row[v + 1] += row[v];
	unsigned *out = malloc((row[n + 1] + 1) * sizeof *out), *queue = malloc(n * sizeof *queue);
	int *level = malloc(n * sizeof *level);
	for (size_t i = 0; i < ends; i += 2) {
		out[row[edge[i] + 1]++] = edge[i + 1];
		if (both) out[row[edge[i + 1] + 1]++] = edge[i];
	}
	memset(level, -1, n * sizeof *level);
	size_t tail = 1;
	level[queue[0] = (unsigned)atoi(argv[2])] = 0;
	for (size_t head = 0; head < tail; head++)
		for (size_t i = row[queue[head]]; i < row[queue[head] + 1]; i++)
			if (level[out[i]] < 0) level[queue[tail++] = out[i]] = level[queue[head]] + 1;
	puts("vertex,level");
	for (v = 0; v < n; v++)
		if (level[v] >= 0) printf("%u,%d\n", v, level[v]);
	return 0;
}
