/* Preloaded before a program, lets the n-th call of one kind fail: DIFFLNS_FAIL=write:3. At exit the number of such
 * calls is appended to the file DIFFLNS_FAIL_COUNT, so that the tester knows when it has tried them all. Standard
 * output and standard error are left alone: losing them is tested by tests/cli. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_int calls;

/* Counts a call of that kind; true if it is the one to fail. */
static int fails(const char *kind)
{
    const char *wanted = getenv("DIFFLNS_FAIL"), *colon = wanted ? strchr(wanted, ':') : NULL;
    if (!colon || strlen(kind) != (size_t)(colon - wanted) || strncmp(wanted, kind, strlen(kind)) != 0) return 0;
    return atomic_fetch_add(&calls, 1) + 1 == atoi(colon + 1);
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("DIFFLNS_FAIL_COUNT");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    fprintf(file, "%d\n", atomic_load(&calls));
    fclose(file);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    if (descriptor > STDERR_FILENO && fails("write")) {
        errno = ENOSPC;
        return -1;
    }
    return REAL(write)(descriptor, bytes, count);
}

/* stdio's own writes do not pass through write(): a stream fails as a whole. */
int fclose(FILE *stream)
{
    int bad = fileno(stream) > STDERR_FILENO && fails("fclose");
    int status = REAL(fclose)(stream);
    if (bad) errno = ENOSPC;
    return bad ? EOF : status;
}

int fflush(FILE *stream)
{
    if (stream && fileno(stream) > STDERR_FILENO && fails("fflush")) {
        errno = ENOSPC;
        return EOF;
    }
    return REAL(fflush)(stream);
}

int fsync(int descriptor)
{
    if (fails("fsync")) {
        errno = EIO;
        return -1;
    }
    return REAL(fsync)(descriptor);
}

int rename(const char *from, const char *to)
{
    if (fails("rename")) {
        errno = EACCES;
        return -1;
    }
    return REAL(rename)(from, to);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    if (fails("thread")) return EAGAIN;
    return REAL(pthread_create)(thread, attributes, start, argument);
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset)
{
    if (descriptor >= 0 && fails("mmap")) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return REAL(mmap)(address, length, protection, flags, descriptor, offset);
}
