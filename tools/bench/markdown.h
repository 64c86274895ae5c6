/* Summaries as tables for documents: summary.md. */
#ifndef DL_BENCH_MARKDOWN_H
#define DL_BENCH_MARKDOWN_H

#include "bench/repairability.h"

/* One row for each method of each setting, followed by the paper's figures. */
dl_status dl_markdown_write(const dl_summary *summary, const dl_paper *paper, const char *experiment, const char *path,
                            dl_error *err);
/* One row for each setting, one column for each start: the share repaired within the budget. */
dl_status dl_markdown_write_starts(const dl_repairability *table, const char *path, dl_error *err);

#endif
