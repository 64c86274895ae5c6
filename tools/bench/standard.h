/* The standard benchmark: official maps with their scenarios, MAP/MAP.map with MAP-random-K.scen and MAP-even-K.scen
 * beside it, or all in one folder. A setting is a map with a kind of scenario ("MAP-random") and a size of the teams, a
 * case the scenario's number. */
#ifndef DL_BENCH_STANDARD_H
#define DL_BENCH_STANDARD_H

#include "bench/experiment.h"
#include "bench/summary.h"
#include "mapf/plan.h"

/* One map with the scenarios of a kind. */
typedef struct dl_standard_family {
    char name[DL_RECORD_NAME];
    char *folder;
    int *number, *rows; /* [count]: which scenarios there are, and how many agents each has */
    int count, room;
} dl_standard_family;

typedef struct dl_standard {
    dl_standard_family *family;
    int count, room;
    bool grows; /* teams grow until a method fails twice in a row */
} dl_standard;

/* Reads which scenarios a folder has. `scenarios`: "random:1-25,even:1-25". Free it in any case. */
dl_status dl_standard_open(const char *folder, const char *scenarios, dl_standard *out, dl_error *err);
void dl_standard_free(dl_standard *standard);

/* The teams of every family, in growing order. `agents`: "50,100", "max", "step" or "step:20"; or a list with maps,
 * "empty-32-32:500,ost003d:600". The settings name families of *standard. */
dl_status dl_standard_settings(dl_standard *standard, const char *agents, dl_setting_list *out, dl_error *err);
/* The scenarios of a setting that have so many agents: their numbers into number [*count], the caller's to free. */
int *dl_standard_cases(const dl_standard *standard, const dl_setting *setting, int *count);
dl_status dl_standard_load(const dl_standard *standard, const dl_setting *setting, int number, dl_instance **out,
                           dl_error *err);

/* FOLDER/standard.csv: every run with what others need to argue with it. */
dl_status dl_standard_write(const dl_records *records, const char *commit, const char *folder, dl_error *err);
/* FOLDER/published.csv: our mean sum of delays beside the best of ten published methods, where a setting is one of
 * lns_benchmark.csv; FOLDER/known.csv: plans beside known records of the community's tracker. Both also as tables. */
dl_status dl_standard_compare(const dl_records *records, const dl_summary *summary, const char *folder, FILE *table,
                              dl_error *err);

/* Keeps a plan as DIR/MAP-random-K-AGENTS.json in the tracker's submission format. */
dl_status dl_standard_keep(const char *folder, const dl_instance *instance, const dl_plan *plan,
                           const dl_record *record, dl_error *err);

#endif
