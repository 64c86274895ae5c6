/* Runs a fuzz target over every file of a folder: the corpus as an ordinary test, without clang. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "faults.h"
#include "fuzz.h"

/* Of one file; some corpora hold texts that take thousands of allocations. */
enum { MOST_FAULTS = 200 };

/* Other than a fuzzer, which has only the last byte to choose with, a replay can try them all. */
static void replay_without_memory(const uint8_t *data, size_t size)
{
    for (long n = 1; FUZZ_WITHOUT_MEMORY && n <= MOST_FAULTS; n++) {
        long held = faults_live();
        faults_arm(n, n % 2 ? FAULTS_ONCE : FAULTS_ONWARDS);
        fuzz_one(data, size);
        bool hit = faults_disarm();
        MUST(faults_live() == held);
        if (!hit) return;
    }
}

static void replay_file(const char *path)
{
    FILE *stream = fopen(path, "rb");
    MUST(stream);
    MUST(fseek(stream, 0, SEEK_END) == 0);
    size_t size = (size_t)ftell(stream);
    rewind(stream);
    uint8_t *data = dl_malloc(size ? size : 1);
    MUST(fread(data, 1, size, stream) == size);
    fclose(stream);
    LLVMFuzzerTestOneInput(data, size);
    replay_without_memory(data, size);
    free(data);
}

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "usage: replay FOLDER\n");
        return 2;
    }
    int files = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        if (entry->d_name[0] == '.') continue;
        puts(entry->d_name);
        fflush(stdout); /* so that the last name printed is the one that crashed */
        replay_file(path);
        files++;
    }
    closedir(folder);
    return files > 0 ? 0 : 1; /* an empty corpus proves nothing */
}
