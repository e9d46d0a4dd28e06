// What an MPI library says of memory of devices, in the way of Open MPI or of MPICH.
#ifdef OPENMPI
int MPIX_Query_cuda_support(void) { return OPENMPI; }
#endif
#ifdef MPICH
int MPIX_GPU_query_support(int kind, int *answer) {
	*answer = kind == 0 && MPICH == 1;
	return MPICH < 0 ? 5 : 0;
}
#endif
