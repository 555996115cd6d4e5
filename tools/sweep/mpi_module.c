/* The few calls of MPI that the program needs, in a module of its own which it loads where it was started by mpirun or the
   like: the program itself runs on machines without MPI, and does not load it for other commands. mpi_library.hpp has the
   other side. All of them return 0 where they succeed. */
#include <mpi.h>
#include <stddef.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int delassus_mpi_start(int* rank, int* ranks) {
  if (MPI_Init(NULL, NULL) != MPI_SUCCESS) return 1;
  if (MPI_Comm_rank(MPI_COMM_WORLD, rank) != MPI_SUCCESS) return 1;
  return MPI_Comm_size(MPI_COMM_WORLD, ranks) != MPI_SUCCESS;
}

EXPORT int delassus_mpi_send(int to, int tag, const void* bytes, int size) {
  return MPI_Send(bytes, size, MPI_BYTE, to, tag, MPI_COMM_WORLD) != MPI_SUCCESS;
}

/* The size of the message that waits, -1 where none does. */
EXPORT int delassus_mpi_probe(int* from, int* tag, int* size) {
  MPI_Status status;
  int waits = 0;
  *size = -1;
  if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waits, &status) != MPI_SUCCESS) return 1;
  if (!waits) return 0;
  *from = status.MPI_SOURCE;
  *tag = status.MPI_TAG;
  return MPI_Get_count(&status, MPI_BYTE, size) != MPI_SUCCESS;
}

EXPORT int delassus_mpi_receive(int from, int tag, void* bytes, int size) {
  return MPI_Recv(bytes, size, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS;
}

EXPORT int delassus_mpi_end(void) {
  return MPI_Finalize() != MPI_SUCCESS;
}
