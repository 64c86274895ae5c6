# A browser's worker is one thread: OpenMP's pragmas are passed over, its functions come from serial/omp.h.
set(OpenMP_C_FLAGS -I${CMAKE_CURRENT_LIST_DIR}/../serial)
add_library(OpenMP::OpenMP_C INTERFACE IMPORTED GLOBAL)
set(OpenMP_FOUND TRUE)
