// A library with NCCL's interface for memory of the host: sends and receives of a
// group are matched in order when the group ends, and copied.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int rank, ranks; } comm_t;
typedef struct { void *data; size_t bytes; int from, to, receives; void *stream; } half_t;

static half_t halves[4096];
static int count, depth;

int ncclGetVersion(int *version) {
	const char *text = getenv("FAKE_NCCL_VERSION");
	*version = text ? atoi(text) : 22807;
	return 0;
}

const char *ncclGetErrorString(int code) { return code == 4 ? "invalid argument" : code == 5 ? "invalid usage" : "unhandled"; }

int ncclCommInitAll(comm_t **comms, int ranks, const int *devices) {
	for (int i = 0; i < ranks; i++)
		for (int j = 0; j < i; j++)
			if (devices[i] == devices[j]) return 5;
	for (int i = 0; i < ranks; i++) {
		comms[i] = malloc(sizeof(comm_t));
		comms[i]->rank = i;
		comms[i]->ranks = ranks;
	}
	return 0;
}

int ncclCommDestroy(comm_t *comm) {
	free(comm);
	return 0;
}

int ncclGroupStart(void) {
	depth++;
	return 0;
}

// The stream of a member must be its own: the test gives member i the stream i + 1.
static int put(void *data, size_t bytes, int type, int peer, comm_t *comm, void *stream, int receives) {
	if (!depth || type != 1 || peer < 0 || peer >= comm->ranks || (size_t)stream != (size_t)comm->rank + 1) return 4;
	half_t h = {data, bytes, receives ? peer : comm->rank, receives ? comm->rank : peer, receives, stream};
	halves[count++] = h;
	return 0;
}

int ncclSend(void *data, size_t bytes, int type, int peer, comm_t *comm, void *stream) { return put(data, bytes, type, peer, comm, stream, 0); }
int ncclRecv(void *data, size_t bytes, int type, int peer, comm_t *comm, void *stream) { return put(data, bytes, type, peer, comm, stream, 1); }

int ncclGroupEnd(void) {
	int failed = 0;
	if (--depth) return 0;
	for (int i = 0; i < count; i++) {
		if (halves[i].receives) continue;
		int j = 0;
		while (j < count && !(halves[j].receives == 1 && halves[j].from == halves[i].from && halves[j].to == halves[i].to)) j++;
		if (j == count || halves[j].bytes != halves[i].bytes) {
			failed = 5;
			continue;
		}
		memcpy(halves[j].data, halves[i].data, halves[i].bytes);
		halves[j].receives = 2;
	}
	count = 0;
	return failed;
}
