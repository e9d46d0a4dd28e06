// A library with NCCL's interface for memory of the host. Members may be in several
// threads of one process. When a group of calls ends, its sends are put on a board,
// and its receives are matched with what is there, in order, and copied; it returns
// when all of them are done.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { int rank, ranks, group; } comm_t;
typedef struct { void *data; size_t bytes; int group, from, to, receives, done; } half_t;

static __thread half_t halves[4096];
static __thread int count, depth;

static half_t *board[4096];
static int posted, groups;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int ncclGetVersion(int *version) {
	const char *text = getenv("FAKE_NCCL_VERSION");
	*version = text ? atoi(text) : 22807;
	return 0;
}

const char *ncclGetErrorString(int code) { return code == 4 ? "invalid argument" : code == 5 ? "invalid usage" : "unhandled"; }

int ncclGetUniqueId(unsigned char *id) {
	memset(id, 0, 128);
	id[127] = 1 + __sync_fetch_and_add(&groups, 1);
	return 0;
}

int ncclCommInitRankScalable(comm_t **comm, int ranks, int rank, int ids, const unsigned char *id, void *config) {
	if (ids != 1 || config || rank < 0 || rank >= ranks || !id[127]) return 4;
	if (getenv("FAKE_NCCL_ONE_DEVICE")) return 5;
	comm_t c = {rank, ranks, id[127]};
	memcpy(*comm = malloc(sizeof c), &c, sizeof c);
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
	half_t h = {data, bytes, comm->group, receives ? peer : comm->rank, receives ? comm->rank : peer, receives, 0};
	halves[count++] = h;
	return 0;
}

int ncclSend(void *data, size_t bytes, int type, int peer, comm_t *comm, void *stream) { return put(data, bytes, type, peer, comm, stream, 0); }
int ncclRecv(void *data, size_t bytes, int type, int peer, comm_t *comm, void *stream) { return put(data, bytes, type, peer, comm, stream, 1); }

// match copies to a receive what was sent for it, if that is on the board.
static int match(half_t *r) {
	for (int i = 0; i < posted; i++) {
		half_t *s = board[i];
		if (s->done || s->group != r->group || s->from != r->from || s->to != r->to) continue;
		if (s->bytes == r->bytes) memcpy(r->data, s->data, s->bytes);
		s->done = r->done = s->bytes == r->bytes ? 1 : 2;
		pthread_cond_broadcast(&changed);
		return 1;
	}
	return 0;
}

// finish matches the receives of this thread and then waits for its sends. What
// nobody answers is given up after some seconds.
static int finish(void) {
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 20;
	for (int receives = 1; receives >= 0; receives--)
		for (int i = 0; i < count; i++) {
			half_t *h = &halves[i];
			if (h->receives != receives) continue;
			while (!h->done && !(receives && match(h)))
				if (pthread_cond_timedwait(&changed, &lock, &until)) return 5;
			if (h->done == 2) return 5;
		}
	return 0;
}

int ncclGroupEnd(void) {
	if (--depth) return 0;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < count; i++)
		if (!halves[i].receives) board[posted++] = &halves[i];
	pthread_cond_broadcast(&changed);
	int failed = finish(), kept = 0;
	for (int i = 0; i < posted; i++)
		if (board[i] < halves || board[i] >= halves + 4096) board[kept++] = board[i];
	posted = kept;
	count = 0;
	pthread_mutex_unlock(&lock);
	return failed;
}
