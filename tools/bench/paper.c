#include "bench/paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/lines.h"
#include "base/memory.h"
#include "bench_assets.h"
#include "memory/need.h"

static void next_field(const char **at, const char *end, char field[DL_RECORD_NAME])
{
    dl_text text = {0};
    need(dl_csv_next(at, end, &text) != DL_CSV_NO_MEMORY);
    need(!text.cut);
    snprintf(field, DL_RECORD_NAME, "%s", text.data);
    dl_text_free(&text);
}

static double next_number(const char **at, const char *end)
{
    char field[DL_RECORD_NAME];
    next_field(at, end, field);
    return *field ? strtod(field, NULL) : NAN;
}

dl_paper dl_paper_read(void)
{
    dl_paper paper = {0};
    dl_lines lines = dl_lines_begin(asset_paper_csv, sizeof asset_paper_csv - 1);
    dl_lines_next(&lines); /* the header */
    while (dl_lines_next_full(&lines)) {
        dl_paper_row row;
        const char *at = lines.text, *end = at + lines.length;
        next_field(&at, end, row.experiment);
        next_field(&at, end, row.family);
        row.agents = (int)next_number(&at, end);
        next_field(&at, end, row.method);
        row.success = next_number(&at, end) / 100;
        row.soc = next_number(&at, end);
        row.seconds = next_number(&at, end);
        row.candidates = next_number(&at, end);
        need(DL_GROW(paper.row, paper.room, paper.count + 1));
        paper.row[paper.count++] = row;
    }
    return paper;
}

void dl_paper_free(dl_paper *paper)
{
    free(paper->row);
    *paper = (dl_paper){0};
}

const dl_paper_row *dl_paper_find(const dl_paper *paper, const char *experiment, const char *family, int agents,
                                  const char *method)
{
    for (int i = 0; method && i < paper->count; i++) {
        const dl_paper_row *row = &paper->row[i];
        if (row->agents == agents && strcmp(row->experiment, experiment) == 0 && strcmp(row->family, family) == 0 &&
            strcmp(row->method, method) == 0)
            return row;
    }
    return NULL;
}

const char *dl_paper_method(const char *ours)
{
    static const char *const PAIR[][2] = {{"difflns", "DiffLNS"},    {"lns2", "LNS2"},
                                          {"lns2-plain", "LNS2"},    {"lacam", "LaCAM3"},
                                          {"lacam-limit", "LaCAM3"}, {"pp-multistart", "PP-Multistart"}};
    for (size_t i = 0; i < sizeof PAIR / sizeof PAIR[0]; i++)
        if (strcmp(ours, PAIR[i][0]) == 0) return PAIR[i][1];
    return NULL;
}
