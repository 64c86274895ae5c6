#include "faults.h"

#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

/* A sanitizer has taken malloc's place already: the linker's --wrap then turns the library's own calls to us. Without
 * one, a malloc of the program's own serves everybody in the process. */
#ifdef SANITIZED
#define OURS(name) __wrap_##name
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *block);
#define real_malloc  __real_malloc
#define real_calloc  __real_calloc
#define real_realloc __real_realloc
#define real_aligned __real_aligned_alloc
#define real_free    __real_free
#else
#define OURS(name)   name
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *block);
#define real_malloc  __libc_malloc
#define real_calloc  __libc_calloc
#define real_realloc __libc_realloc
#define real_aligned __libc_memalign
#define real_free    __libc_free
#endif
void *OURS(malloc)(size_t bytes);
void *OURS(calloc)(size_t count, size_t size);
void *OURS(realloc)(void *old, size_t bytes);
void *OURS(aligned_alloc)(size_t alignment, size_t bytes);
void OURS(free)(void *block);

/* A size that no machine has is to be refused, not reported. */
#ifdef SANITIZED
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}
#endif

/* ---- Which allocation fails ------------------------------------------------------------------------------------- */

static atomic_bool armed, onwards, failed;
static atomic_long left; /* allocations until the one that fails */

/* Code that ends the process when memory is out, and that is not ours to change: the run-time of OpenMP, BLAS. */
enum { MAX_EXEMPT = 16 };
static struct {
    uintptr_t from, to;
} exempt[MAX_EXEMPT];
static int exempts;

static int note_module(struct dl_phdr_info *module, size_t size, void *user)
{
    (void)size;
    (void)user;
    if (!strstr(module->dlpi_name, "omp") && !strstr(module->dlpi_name, "blas")) return 0;
    for (int i = 0; i < module->dlpi_phnum && exempts < MAX_EXEMPT; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        exempt[exempts].from = module->dlpi_addr + part->p_vaddr;
        exempt[exempts++].to = module->dlpi_addr + part->p_vaddr + part->p_memsz;
    }
    return 0;
}

static bool fails(uintptr_t caller)
{
    if (!atomic_load_explicit(&armed, memory_order_relaxed)) return false;
    for (int i = 0; i < exempts; i++)
        if (caller >= exempt[i].from && caller < exempt[i].to) return false;
    long n = atomic_fetch_sub(&left, 1);
    if (n > 1 || (n < 1 && !atomic_load(&onwards))) return false;
    atomic_store(&failed, true);
    errno = ENOMEM;
    return true;
}

void faults_arm(long n, faults_mode mode)
{
    exempts = 0;
    dl_iterate_phdr(note_module, NULL);
    atomic_store(&left, n);
    atomic_store(&onwards, mode == FAULTS_ONWARDS);
    atomic_store(&failed, false);
    atomic_store(&armed, true);
}

bool faults_disarm(void)
{
    atomic_store(&armed, false);
    return atomic_load(&failed);
}

bool faults_failed(void)
{
    return atomic_load(&failed);
}

static bool was_armed;

void faults_pause(void)
{
    was_armed = atomic_exchange(&armed, false);
}

void faults_resume(void)
{
    atomic_store(&armed, was_armed);
}

/* ---- Which blocks are held --------------------------------------------------------------------------------------- */

/* Blocks that code of this program asked for: a set with linear probing, guarded by a spin lock. */
enum { TABLE_BITS = 20, TABLE = 1 << TABLE_BITS };
static uintptr_t held[TABLE];
static long live;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static size_t home(uintptr_t block)
{
    return (size_t)((uint64_t)block * 0x9E3779B97F4A7C15u >> (64 - TABLE_BITS));
}

static void hold(void *block, uintptr_t caller)
{
#ifdef SANITIZED
    bool ours = true; /* --wrap sees only what is linked into the program */
    (void)caller;
#else
    extern char __executable_start[], etext[];
    bool ours = caller >= (uintptr_t)__executable_start && caller < (uintptr_t)etext;
#endif
    if (!block || !ours) return;
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) continue;
    size_t at = home((uintptr_t)block);
    while (held[at]) at = (at + 1) % TABLE;
    held[at] = (uintptr_t)block;
    live++;
    atomic_flag_clear_explicit(&busy, memory_order_release);
}

static void let_go(void *block)
{
    if (!block) return;
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) continue;
    size_t at = home((uintptr_t)block);
    while (held[at] && held[at] != (uintptr_t)block) at = (at + 1) % TABLE;
    if (held[at]) {
        live--;
        /* Later entries of the same run move up, so that a search never meets a hole. */
        for (size_t next = (at + 1) % TABLE; held[next]; next = (next + 1) % TABLE) {
            size_t distance = (next - home(held[next])) % TABLE;
            if (distance < (next - at) % TABLE) continue;
            held[at] = held[next];
            at = next;
        }
        held[at] = 0;
    }
    atomic_flag_clear_explicit(&busy, memory_order_release);
}

long faults_live(void)
{
    return live;
}

/* ---- In malloc's place --------------------------------------------------------------------------------------------
 */

#define CALLER ((uintptr_t)__builtin_return_address(0))

void *OURS(malloc)(size_t bytes)
{
    if (fails(CALLER)) return NULL;
    void *block = real_malloc(bytes);
    hold(block, CALLER);
    return block;
}

void *OURS(calloc)(size_t count, size_t size)
{
    if (fails(CALLER)) return NULL;
    void *block = real_calloc(count, size);
    hold(block, CALLER);
    return block;
}

void *OURS(realloc)(void *old, size_t bytes)
{
    if (fails(CALLER)) return NULL;
    let_go(old); /* before another thread can be given the address */
    void *block = real_realloc(old, bytes);
    hold(block ? block : old, CALLER);
    return block;
}

void *OURS(aligned_alloc)(size_t alignment, size_t bytes)
{
    if (fails(CALLER)) return NULL;
    void *block = real_aligned(alignment, bytes);
    hold(block, CALLER);
    return block;
}

void OURS(free)(void *block)
{
    let_go(block);
    real_free(block);
}
