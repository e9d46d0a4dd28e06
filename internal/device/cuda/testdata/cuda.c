// A library with the interface of the CUDA driver for machines without a GPU: its
// devices have memory of the host and run no kernel. The environment says what is
// wrong with them.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_CONTEXT = 201, ALREADY_ENABLED = 704, NOT_FOUND = 500, NOT_SUPPORTED = 801 };

static int number(const char *name, int otherwise) {
	const char *text = getenv(name);
	return text ? atoi(text) : otherwise;
}

static _Thread_local size_t current; // the context of device d is d + 1

int cuInit(unsigned flags) { return number("FAKE_CUDA_INIT", 0); }
int cuDriverGetVersion(int *version) { *version = number("FAKE_CUDA_VERSION", 12040); return 0; }
int cuGetErrorName(int code, const char **text) {
	*text = code == NO_DEVICE ? "CUDA_ERROR_NO_DEVICE" : code == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OTHER";
	return 0;
}
int cuGetErrorString(int code, const char **text) { *text = code == NO_DEVICE ? "no CUDA-capable device is detected" : "it failed"; return 0; }
int cuDeviceGetCount(int *count) { *count = number("FAKE_CUDA_DEVICES", 2); return 0; }
int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return 0; }
int cuDeviceGetName(char *name, int length, int device) { strncpy(name, "Imitation", length); return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
	int capability = number("FAKE_CUDA_CAPABILITY", 90);
	*value = attribute == 16 ? 2 : attribute == 75 ? capability / 10 : attribute == 76 ? capability % 10 : attribute == 97 ? 232448 : 0;
	return 0;
}
int cuDevicePrimaryCtxRetain(size_t *context, int device) { *context = device + 1; return 0; }
int cuDevicePrimaryCtxRelease_v2(int device) { return 0; }
int cuCtxSetCurrent(size_t context) { current = context; return 0; }

static int peers[16][16];
int cuDeviceCanAccessPeer(int *can, int device, int other) { *can = device != other; return 0; }
int cuCtxEnablePeerAccess(size_t other, unsigned flags) {
	if (!current) return INVALID_CONTEXT;
	return peers[current][other]++ ? ALREADY_ENABLED : 0;
}

static size_t used;
static size_t total(void) { return (size_t)number("FAKE_CUDA_MEGABYTES", 64) << 20; }
int cuMemGetInfo_v2(size_t *free_bytes, size_t *all) { *free_bytes = total() - used; *all = total(); return 0; }
int cuMemAlloc_v2(uintptr_t *address, size_t bytes) {
	if (!current) return INVALID_CONTEXT;
	if (bytes > total() - used) return OUT_OF_MEMORY;
	size_t *block = malloc(bytes + 16);
	*block = bytes;
	used += bytes;
	*address = (uintptr_t)(block + 2);
	return 0;
}
int cuMemFree_v2(uintptr_t address) { size_t *block = (size_t *)address - 2; used -= *block; free(block); return 0; }
int cuMemGetAddressRange_v2(uintptr_t *base, size_t *bytes, uintptr_t address) { *base = address - 16; *bytes = 16; return 0; }

// A handle is an address and a pattern: all 64 bytes must arrive.
typedef struct { uintptr_t address; unsigned char pattern[56]; } handle_t;
int cuIpcGetMemHandle(handle_t *handle, uintptr_t address) {
	handle->address = address - 16;
	for (int i = 0; i < 56; i++) handle->pattern[i] = 3 * i + 1;
	return 0;
}
int cuIpcOpenMemHandle_v2(uintptr_t *address, handle_t handle, unsigned flags) {
	if (!current || flags != 1) return INVALID_CONTEXT;
	for (int i = 0; i < 56; i++) if (handle.pattern[i] != (unsigned char)(3 * i + 1)) return NOT_FOUND;
	*address = handle.address;
	return 0;
}
int cuIpcCloseMemHandle(uintptr_t address) { return 0; }

int cuMemHostAlloc(void **address, size_t bytes, unsigned flags) { *address = memset(malloc(bytes), 0xa5, bytes); return 0; } // as its last user left it
int cuMemFreeHost(void *address) { free(address); return 0; }
int cuMemcpyHtoDAsync_v2(void *to, void *from, size_t bytes, size_t stream) { memcpy(to, from, bytes); return stream == current ? 0 : INVALID_CONTEXT; }
int cuMemcpyDtoHAsync_v2(void *to, void *from, size_t bytes, size_t stream) { return cuMemcpyHtoDAsync_v2(to, from, bytes, stream); }
int cuMemcpyDtoDAsync_v2(void *to, void *from, size_t bytes, size_t stream) { return cuMemcpyHtoDAsync_v2(to, from, bytes, stream); }
int cuMemcpyPeerAsync(void *to, size_t to_context, void *from, size_t from_context, size_t bytes, size_t stream) {
	if (to_context != current || !peers[to_context][from_context]) return INVALID_CONTEXT;
	return cuMemcpyHtoDAsync_v2(to, from, bytes, stream);
}
int cuMemsetD8Async(void *to, unsigned char value, size_t bytes, size_t stream) { memset(to, value, bytes); return 0; }

int cuModuleLoadData(size_t *module, const char *text) { *module = 1; return 0; }
int cuModuleUnload(size_t module) { return 0; }
int cuModuleGetFunction(size_t *function, size_t module, const char *name) { *function = 1; return strcmp(name, "thrice") ? 0 : NOT_FOUND; }
int cuFuncSetAttribute(size_t function, int attribute, int value) { return 0; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, size_t function, int threads, size_t shared) { *blocks = 1; return 0; }
int cuLaunchKernel(void) { return NOT_SUPPORTED; }
int cuLaunchCooperativeKernel(void) { return NOT_SUPPORTED; }

int cuStreamCreate(size_t *stream, unsigned flags) { *stream = current; return 0; }
int cuStreamSynchronize(size_t stream) { return stream == current ? 0 : INVALID_CONTEXT; }
int cuStreamDestroy_v2(size_t stream) { return 0; }
