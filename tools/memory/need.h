/* The program ends when memory is out; the library never does. Whatever it was writing is whole or not there. */
#ifndef DL_TOOLS_NEED_H
#define DL_TOOLS_NEED_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_OUT_OF_MEMORY = 4 };

_Noreturn static inline void end_without_memory(void)
{
    fputs("difflns: out of memory\n", stderr);
    exit(EXIT_OUT_OF_MEMORY);
}

static inline void need(bool enough)
{
    if (!enough) end_without_memory();
}

/* What the library handed out, and not NULL. */
static inline void *needed(void *memory)
{
    if (!memory) end_without_memory();
    return memory;
}

#endif
