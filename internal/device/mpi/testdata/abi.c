// The standard binary interface of MPI 5.0 over Open MPI 4: as much of it as
// hops calls, so that its table is run where no library has that interface yet.
//
// Values are those of the standard's chapter 20 and its annex A.1. Predefined
// handles are small numbers there and addresses of objects in Open MPI; all other
// handles are the library's own, in both. Whatever is not expected ends the
// process with a message: a wrong constant must not pass for another one.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *handle;

typedef struct {
	int source, tag, error, internal[5];
} status;

typedef struct {
	int source, tag, error, cancelled;
	size_t bytes;
} their_status;

static void fail(const char *what, intptr_t value) {
	fprintf(stderr, "abi.c: %s 0x%lx is not one of the standard's that hops uses\n", what, (long)value);
	exit(3);
}

// real finds a function or an object of Open MPI.
static void *real(const char *name) {
	static void *library;
	if (!library) library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL | RTLD_DEEPBIND);
	void *symbol = library ? dlsym(library, name) : NULL;
	if (!symbol) {
		fprintf(stderr, "abi.c: no %s: %s\n", name, dlerror());
		exit(3);
	}
	return symbol;
}

// CALL calls the function of Open MPI that has the name of the caller.
#define CALL(...)                                                      \
	({                                                             \
		static int (*function)();                              \
		if (!function) function = (int (*)())real(__func__);   \
		function(__VA_ARGS__);                                 \
	})

struct predefined {
	intptr_t value;
	const char *symbol;
};

// translate replaces a predefined handle by Open MPI's.
static handle translate(const char *kind, handle h, const struct predefined *known) {
	if ((uintptr_t)h >= 0x1000) return h;
	for (; known->symbol; known++)
		if (known->value == (intptr_t)h) return real(known->symbol);
	fail(kind, (intptr_t)h);
	return NULL;
}

static handle comm(handle h) {
	static const struct predefined known[] = {{0x101, "ompi_mpi_comm_world"}, {0}};
	return translate("communicator", h, known);
}

static handle type(handle h) {
	static const struct predefined known[] = {{0x247, "ompi_mpi_byte"}, {0x259, "ompi_mpi_uint64_t"}, {0}};
	return translate("datatype", h, known);
}

static handle op(handle h) {
	static const struct predefined known[] = {
		{0x21, "ompi_mpi_op_sum"}, {0x22, "ompi_mpi_op_min"}, {0x23, "ompi_mpi_op_max"}, {0x29, "ompi_mpi_op_bor"}, {0}};
	return translate("operation", h, known);
}

static handle request(handle h) {
	static const struct predefined known[] = {{0x180, "ompi_request_null"}, {0}};
	return translate("request", h, known);
}

// given turns a request of Open MPI into one of the standard.
static handle given(handle r) { return r == real("ompi_request_null") ? (handle)0x180 : r; }

static const void *from(const void *buffer) {
	if (buffer == (void *)1) return buffer; // MPI_IN_PLACE, the same in both
	if ((uintptr_t)buffer - 1 < 0xfff) fail("buffer", (intptr_t)buffer);
	return buffer;
}

static int rank_or_any(int rank) {
	if (rank < -1) fail("source", rank);
	return rank; // MPI_ANY_SOURCE is -1 in both
}

static int tag_or_any(int tag) {
	if (tag < 0 && tag != -2) fail("tag", tag);
	return tag == -2 ? -1 : tag;
}

static void give(status *to, const their_status *of) {
	memset(to, 0xee, sizeof *to);
	to->source = of->source, to->tag = of->tag, to->error = of->error;
	to->internal[0] = of->cancelled;
	memcpy(to->internal + 1, &of->bytes, sizeof of->bytes);
}

static their_status take(const status *of) {
	their_status to = {of->source, of->tag, of->error, of->internal[0], 0};
	memcpy(&to.bytes, of->internal + 1, sizeof to.bytes);
	return to;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
	static const int levels[] = {0, 1024, 2048, 4096}; // single, funneled, serialized, multiple
	for (int level = 0; level < 4; level++)
		if (levels[level] == required) {
			int code = CALL(argc, argv, level, provided);
			*provided = levels[*provided];
			return code;
		}
	fail("thread level", required);
	return 0;
}

int MPI_Finalize(void) { return CALL(); }
int MPI_Abort(handle c, int code) { return CALL(comm(c), code); }
int MPI_Error_string(int code, char *text, int *length) { return CALL(code, text, length); }
int MPI_Get_library_version(char *text, int *length) { return CALL(text, length); }
int MPI_Get_processor_name(char *text, int *length) { return CALL(text, length); }

int MPI_Comm_rank(handle c, int *rank) { return CALL(comm(c), rank); }
int MPI_Comm_size(handle c, int *size) { return CALL(comm(c), size); }
int MPI_Comm_split(handle c, int color, int key, handle *made) { return CALL(comm(c), color, key, made); }
int MPI_Comm_free(handle *c) {
	int code = CALL(c);
	*c = (handle)0x100; // MPI_COMM_NULL
	return code;
}
int MPI_Comm_set_errhandler(handle c, handle handler) {
	static const struct predefined known[] = {{0x143, "ompi_mpi_errors_return"}, {0}};
	return CALL(comm(c), translate("error handler", handler, known));
}

int MPI_Isend(const void *buffer, int count, handle t, int to, int tag, handle c, handle *r) {
	return CALL(from(buffer), count, type(t), to, tag_or_any(tag), comm(c), r);
}
int MPI_Irecv(void *buffer, int count, handle t, int source, int tag, handle c, handle *r) {
	return CALL(buffer, count, type(t), rank_or_any(source), tag_or_any(tag), comm(c), r);
}
int MPI_Iprobe(int source, int tag, handle c, int *flag, status *s) {
	their_status theirs = {0};
	int code = CALL(rank_or_any(source), tag_or_any(tag), comm(c), flag, &theirs);
	if (!code && *flag && s) give(s, &theirs); // MPI_STATUS_IGNORE is 0
	return code;
}
int MPI_Improbe(int source, int tag, handle c, int *flag, handle *message, status *s) {
	their_status theirs = {0};
	int code = CALL(rank_or_any(source), tag_or_any(tag), comm(c), flag, message, &theirs);
	if (!code && *flag) give(s, &theirs);
	return code;
}
int MPI_Imrecv(void *buffer, int count, handle t, handle *message, handle *r) {
	int code = CALL(buffer, count, type(t), message, r);
	*message = (handle)0x128; // MPI_MESSAGE_NULL
	return code;
}
int MPI_Cancel(handle *r) { return CALL(r); }
int MPI_Test(handle *r, int *flag, status *s) {
	their_status theirs = {0};
	handle h = request(*r);
	int code = CALL(&h, flag, &theirs);
	*r = given(h);
	if (!code && *flag && s) give(s, &theirs); // MPI_STATUS_IGNORE is 0
	return code;
}
int MPI_Testsome(int n, handle *requests, int *found, int *indices, status *statuses) {
	handle *h = malloc(n * sizeof *h);
	their_status *theirs = malloc(n * sizeof *theirs);
	for (int i = 0; i < n; i++) h[i] = request(requests[i]);
	int code = CALL(n, h, found, indices, theirs);
	for (int i = 0; i < n; i++) requests[i] = given(h[i]);
	for (int i = 0; !code && i < *found; i++) give(&statuses[i], &theirs[i]);
	free(h);
	free(theirs);
	return code;
}
int MPI_Get_count(const status *s, handle t, int *count) {
	their_status theirs = take(s);
	return CALL(&theirs, type(t), count);
}

int MPI_Ibarrier(handle c, handle *r) { return CALL(comm(c), r); }
int MPI_Ibcast(void *buffer, int count, handle t, int root, handle c, handle *r) {
	return CALL(buffer, count, type(t), root, comm(c), r);
}
int MPI_Iallreduce(const void *in, void *out, int count, handle t, handle o, handle c, handle *r) {
	return CALL(from(in), out, count, type(t), op(o), comm(c), r);
}
int MPI_Ireduce(const void *in, void *out, int count, handle t, handle o, int root, handle c, handle *r) {
	return CALL(from(in), out, count, type(t), op(o), root, comm(c), r);
}
int MPI_Iallgatherv(const void *in, int count, handle t, void *out, const int *counts, const int *starts, handle u, handle c, handle *r) {
	return CALL(from(in), count, type(t), out, counts, starts, type(u), comm(c), r);
}
int MPI_Ialltoallv(const void *in, const int *counts, const int *starts, handle t, void *out, const int *counts2, const int *starts2,
		   handle u, handle c, handle *r) {
	return CALL(from(in), counts, starts, type(t), out, counts2, starts2, type(u), comm(c), r);
}
