#include "bench/experiment.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench/external.h"
#include "memory/need.h"
#include "solver/options.h"

/* Algorithm 1 makes four candidates per round; the paper's multi-start experiment stops after five rounds. */
enum { CANDIDATES = 4, ROUNDS = 5 };

#define SOLVE(label, source)                                                                                           \
    {                                                                                                                  \
        .name = label, .kind = DL_METHOD_SOLVE, .start = source, .stop = DL_STOP_FIRST                                 \
    }
#define MULTISTART(label, source)                                                                                      \
    {                                                                                                                  \
        .name = label, .kind = DL_METHOD_STARTS, .start = source, .candidates = CANDIDATES, .rounds = ROUNDS           \
    }
#define ONE_START(label, source, ...)                                                                                  \
    {                                                                                                                  \
        .name = label, .kind = DL_METHOD_STARTS, .start = source, .candidates = 1, .rounds = 1, .patient = true,       \
        __VA_ARGS__                                                                                                    \
    }

/* All hand over their first plan, as the paper's methods do, except for LaCAM and for auto, which is what the program
 * does when nothing is asked of it. lns2 is one prioritized start, repaired until the limit; lns2-plain without what we
 * added to repair. */
static const dl_method WHOLE[] = {
    SOLVE("difflns", "diffusion"),
    {.name = "difflns-paper", .kind = DL_METHOD_SOLVE, .start = "diffusion", .stop = DL_STOP_FIRST, .as_paper = true},
    ONE_START("lns2", "pp", .plain = false),
    ONE_START("lns2-plain", "pp-published", .plain = true),
    ONE_START("lns2-paper", "pp-published", .plain = true),
    {.name = "lacam", .kind = DL_METHOD_LACAM},
    {.name = "lacam-limit", .kind = DL_METHOD_LACAM, .patient = true},
    {.name = "auto", .kind = DL_METHOD_SOLVE, .start = "auto", .stop = DL_STOP_SETTLED},
    SOLVE("auto-first", "auto"),
    SOLVE("pp", "pp"),
    SOLVE("slack", "slack"),
    SOLVE("paths", "paths"),
    SOLVE("traffic", "traffic"),
    {.name = NULL},
};

static const dl_method MANY_STARTS[] = {
    MULTISTART("difflns", "diffusion"),
    MULTISTART("pp-multistart", "pp"),
    MULTISTART("slack-multistart", "slack"),
    {.name = NULL},
};

static const dl_method ATTENTION[] = {
    {.name = "sparse", .kind = DL_METHOD_SOLVE, .start = "diffusion"},
    {.name = "dense", .kind = DL_METHOD_SOLVE, .start = "diffusion", .dense = true},
    {.name = NULL},
};

/* The first is the solver as it is with a fixed limit. */
static const dl_method STANDARD[] = {
    {.name = "auto", .kind = DL_METHOD_SOLVE, .start = "auto", .stop = DL_STOP_LIMIT},
    {.name = "auto-settled", .kind = DL_METHOD_SOLVE, .start = "auto", .stop = DL_STOP_SETTLED},
    SOLVE("auto-first", "auto"),
    {.name = "lacam-limit", .kind = DL_METHOD_LACAM, .patient = true},
    ONE_START("lns2", "pp", .plain = false),
    ONE_START("lns2-plain", "pp-published", .plain = true),
    {.name = NULL},
};

#define REPAIRED(start) ONE_START(start, start, .plain = false)

/* All of the product's that need nobody to give them a plan, and the controls. */
static const dl_method SINGLE_STARTS[] = {
#define REPAIRED_NOTHING(start) REPAIRED(start),
#define REPAIRED_A_MODEL(start) REPAIRED(start),
#define REPAIRED_A_PLAN(start)
#define START(id, name, turn, rounds, needs, ...) REPAIRED_##needs(name)
#include "start/start.def"
#undef START
    REPAIRED("pp-published"), REPAIRED("matched-slack"), REPAIRED("untrained"), REPAIRED("shuffled"),
    REPAIRED("no-network"),   REPAIRED("oracle"),        {.name = NULL},
};

/* LNS2 as published, after what the paper and its controls give it; the controls go with the paper's drafts. */
static const dl_method AS_PUBLISHED[] = {
    ONE_START("difflns-paper", "diffusion", .plain = true, .as_paper = true),
    ONE_START("matched-slack", "matched-slack", .plain = true, .as_paper = true),
    ONE_START("shuffled", "shuffled", .plain = true, .as_paper = true),
    ONE_START("untrained", "untrained", .plain = true, .as_paper = true),
    ONE_START("lns2-plain", "pp-published", .plain = true),
    ONE_START("slack", "slack", .plain = true),
    ONE_START("difflns", "diffusion", .plain = true), /* drafts as the product samples them */
    {.name = NULL},
};

static const char MAIN_ABOUT[] =
    "Success rate over all cases, sum of costs over the solved ones, runtime over all. lacam has, case by case, only "
    "as "
    "much time as difflns took (or auto, when difflns is not among the methods; or the setting's limit, when neither "
    "is); lacam-limit has the setting's own limit. "
    "auto stops when its plan is settled, as difflns solve does by default; auto-first and all others of ours hand "
    "over "
    "their first plan.";
static const char FRONTIER_ABOUT[] =
    "The settings where fast repair no longer solves everything. An instance may have no solution at all: those proved "
    "unsolvable are counted.";
static const char MULTISTART_ABOUT[] =
    "The same repair of up to 20 starts, five rounds of four, at the densest setting of each family: only where the "
    "starts come from differs.";
static const char INIT_ABOUT[] =
    "One start each, the same repair, limited by iterations instead of seconds, so that the machine does not matter. "
    "The budget compared at is the one at which prioritized planning succeeds on half of the cases.";

static const char STANDARD_ABOUT[] =
    "Official maps and scenarios, every run with the same limit. auto is difflns solve --stop limit. The gap is the "
    "cost "
    "above a lower bound that is computed apart from the runs. Published figures are the mean sum of delays over all "
    "random scenarios by the best of ten methods of MAPF-LNS, on another machine.";

static const dl_experiment EXPERIMENT[] = {
    {.name = "main",
     .title = "The paper's main experiment",
     .about = MAIN_ABOUT,
     .paper = "main",
     .pool = DL_POOL_PAPER,
     .shape = DL_SHAPE_LINES,
     .timed = true,
     .usual = "difflns,lns2,lacam,lacam-limit,auto",
     .known = WHOLE},
    {.name = "frontier",
     .title = "Beyond the paper: denser than its settings",
     .about = FRONTIER_ABOUT,
     .paper = "main",
     .pool = DL_POOL_FRONTIER,
     .shape = DL_SHAPE_LINES,
     .timed = true,
     .usual = "difflns,lns2,lacam,lacam-limit,auto",
     .known = WHOLE},
    {.name = "candidates",
     .title = "How many candidates DiffLNS uses",
     .about = "Drafts sampled until one was repaired, four per round.",
     .paper = "main",
     .pool = DL_POOL_PAPER,
     .shape = DL_SHAPE_CANDIDATES,
     .timed = true,
     .usual = "difflns",
     .known = WHOLE},
    {.name = "multistart",
     .title = "Diffusion against repeated prioritized planning",
     .about = MULTISTART_ABOUT,
     .paper = "multistart",
     .pool = DL_POOL_DENSEST,
     .shape = DL_SHAPE_BARS,
     .timed = true,
     .seconds = 2 * CANDIDATES * ROUNDS * DL_REPAIR_SECONDS, /* room for sampling, so that only repair is limited */
     .usual = "difflns,pp-multistart",
     .known = MANY_STARTS},
    {.name = "attention",
     .title = "Sparse against dense social attention",
     .about = "The same solver with two models that differ in their social attention only.",
     .paper = "attention",
     .pool = DL_POOL_ATTENTION,
     .shape = DL_SHAPE_BARS,
     .timed = true,
     .usual = "sparse,dense",
     .known = ATTENTION},
    {.name = "standard",
     .title = "The standard benchmark",
     .about = STANDARD_ABOUT,
     .paper = "standard",
     .pool = DL_POOL_PAPER,
     .shape = DL_SHAPE_STANDARD,
     .timed = true,
     .usual = "auto",
     .known = STANDARD},
    {.name = "init",
     .title = "One start under the same repair",
     .about = INIT_ABOUT,
     .paper = "init",
     .pool = DL_POOL_DENSEST,
     .shape = DL_SHAPE_INIT,
     .cases = 20,
     .iterations = 50000,
     .usual = "pp,paths,traffic,slack,pibt,matched-slack,untrained,shuffled,no-network,diffusion,oracle",
     .known = SINGLE_STARTS},
    {.name = "paper",
     .title = "Is a draft easier to repair than a prioritized plan?",
     .about = "One start each and LNS2 as published, limited by iterations: 15,000 are what the authors' program does "
              "in the paper's 120 s.",
     .paper = "main",
     .pool = DL_POOL_PAPER,
     .shape = DL_SHAPE_LINES,
     .cases = 25,
     .iterations = 15000,
     .usual = "difflns-paper,lns2-plain,matched-slack,shuffled",
     .known = AS_PUBLISHED},
};
enum { EXPERIMENTS = sizeof EXPERIMENT / sizeof EXPERIMENT[0] };

const dl_experiment *dl_experiment_find(const char *name)
{
    for (int i = 0; i < EXPERIMENTS; i++)
        if (strcmp(EXPERIMENT[i].name, name) == 0) return &EXPERIMENT[i];
    return NULL;
}

const char *dl_experiment_names(void)
{
    return "main, frontier, candidates, multistart, attention, init, paper, standard, anytime, repair, kernels, live, "
           "large, "
           "guarantee";
}

/* ---- settings ---- */

static bool last_of_paper(int index)
{
    return index + 1 == DL_PAPER_SETTINGS || strcmp(DL_SETTING[index].family, DL_SETTING[index + 1].family) != 0;
}

static bool in_pool(dl_setting_pool pool, int index)
{
    const dl_setting *setting = &DL_SETTING[index];
    switch (pool) {
    case DL_POOL_PAPER:
        return !setting->frontier;
    case DL_POOL_FRONTIER:
        return setting->frontier;
    case DL_POOL_DENSEST:
        return !setting->frontier && last_of_paper(index);
    case DL_POOL_ATTENTION:
        return !setting->frontier && last_of_paper(index) && strncmp(setting->family, "medium-", 7) == 0;
    }
    return false;
}

static void add_setting(dl_setting_list *list, dl_setting setting)
{
    for (int i = 0; i < list->count; i++)
        if (list->setting[i].agents == setting.agents && strcmp(list->setting[i].family, setting.family) == 0) return;
    need(DL_GROW(list->setting, list->room, list->count + 1));
    list->setting[list->count++] = setting;
}

static void add_pool(dl_setting_list *list, dl_setting_pool pool, const char *family)
{
    for (int i = 0; i < DL_SETTINGS; i++)
        if (in_pool(pool, i) && (!family || strcmp(DL_SETTING[i].family, family) == 0))
            add_setting(list, DL_SETTING[i]);
}

/* One of ours, or a number of agents of the user's own with the limits of the family's last setting. */
static bool add_named(dl_setting_list *list, const char *family, int agents)
{
    const dl_setting *last = NULL;
    for (int i = 0; i < DL_SETTINGS; i++) {
        if (strcmp(DL_SETTING[i].family, family) != 0) continue;
        last = &DL_SETTING[i];
        if (last->agents == agents) break;
    }
    if (!last) return false;
    dl_setting setting = *last;
    setting.agents = agents;
    add_setting(list, setting);
    return true;
}

static bool add_word(const dl_experiment *experiment, dl_setting_list *list, char *word)
{
    int before = list->count;
    char *colon = strchr(word, ':'), *end;
    if (!colon) {
        if (strcmp(word, "frontier") == 0)
            add_pool(list, DL_POOL_FRONTIER, NULL);
        else if (strcmp(word, "paper") == 0)
            add_pool(list, DL_POOL_PAPER, NULL);
        else
            add_pool(list, experiment->pool, word);
        return list->count > before;
    }
    *colon = 0;
    long agents = strtol(colon + 1, &end, 10);
    return end != colon + 1 && !*end && agents >= 1 && agents <= DL_MAX_AGENTS && add_named(list, word, (int)agents);
}

dl_status dl_settings_read(const dl_experiment *experiment, const char *list, dl_setting_list *out, dl_error *err)
{
    *out = (dl_setting_list){0};
    if (!list) {
        add_pool(out, experiment->pool, NULL);
        return DIFFLNS_OK;
    }
    char *copy = needed(dl_strdup(list)), *rest = copy;
    dl_status status = DIFFLNS_OK;
    for (char *word; status == DIFFLNS_OK && (word = strsep(&rest, ","));) {
        char *shown = needed(dl_strdup(word));
        if (!add_word(experiment, out, word))
            status = dl_fail(err, DIFFLNS_BAD_INPUT,
                             "settings: \"%s\": expected FAMILY or FAMILY:AGENTS, e.g. medium-maze:190", shown);
        free(shown);
    }
    free(copy);
    if (status == DIFFLNS_OK) return status;
    free(out->setting);
    *out = (dl_setting_list){0};
    return status;
}

/* ---- methods ---- */

static const dl_method *find_method(const dl_method *known, const char *name)
{
    while (known->name && strcmp(known->name, name) != 0) known++;
    return known->name ? known : NULL;
}

static dl_status add_method(dl_method_list *list, const dl_method *method, dl_error *err)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->method[i].name, method->name) == 0)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "methods: %s is named twice", method->name);
    need(DL_GROW(list->method, list->room, list->count + 1));
    list->method[list->count++] = *method;
    return DIFFLNS_OK;
}

/* A name is a column of tables and part of file names. */
static bool good_name(const char *name, size_t length)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+._-";
    return length > 0 && length < DL_RECORD_NAME && strspn(name, LETTERS) >= length;
}

static dl_status add_external(dl_method_list *list, char *text, dl_error *err)
{
    char *equals = strchr(text, '=');
    if (!equals || !good_name(text, (size_t)(equals - text)))
        return dl_fail(err, DIFFLNS_BAD_INPUT,
                       "external: \"%s\": expected NAME=COMMAND, the name in letters and digits", text);
    *equals = 0;
    DL_TRY(dl_external_check(text, equals + 1, err));
    return add_method(list, &(dl_method){.name = text, .kind = DL_METHOD_EXTERNAL, .command = equals + 1}, err);
}

static dl_status add_known(const dl_experiment *experiment, dl_method_list *list, const char *names, dl_error *err)
{
    char *copy = needed(dl_strdup(names)), *rest = copy;
    dl_status status = DIFFLNS_OK;
    for (char *word; status == DIFFLNS_OK && (word = strsep(&rest, ","));) {
        const dl_method *method = find_method(experiment->known, word);
        if (method)
            status = add_method(list, method, err);
        else if (*word) /* "" is none: external solvers alone */
            status = dl_fail(err, DIFFLNS_BAD_INPUT, "methods: \"%s\": bench %s has %s among others", word,
                             experiment->name, experiment->usual);
    }
    free(copy);
    return status;
}

/* LaCAM needs to know how long another method took, so it runs last. */
static void put_lacam_last(dl_method_list *list)
{
    for (int i = 0; i + 1 < list->count; i++) {
        if (list->method[i].kind != DL_METHOD_LACAM || list->method[i].patient) continue;
        dl_method lacam = list->method[i];
        memmove(&list->method[i], &list->method[i + 1], sizeof lacam * (size_t)(list->count - i - 1));
        list->method[list->count - 1] = lacam;
        return;
    }
}

dl_status dl_methods_read(const dl_experiment *experiment, const char *list, const char *const *external,
                          int external_count, dl_method_list *out, dl_error *err)
{
    *out = (dl_method_list){0};
    size_t size = 0;
    for (int i = 0; i < external_count; i++) size += strlen(external[i]) + 1;
    out->text = needed(dl_malloc(size + 1));
    dl_status status = add_known(experiment, out, list ? list : experiment->usual, err);
    char *at = out->text;
    for (int i = 0; i < external_count && status == DIFFLNS_OK; i++) {
        size_t length = strlen(external[i]) + 1;
        memcpy(at, external[i], length);
        status = add_external(out, at, err);
        at += length;
    }
    if (status == DIFFLNS_OK && out->count == 0)
        status = dl_fail(err, DIFFLNS_BAD_INPUT, "methods: expected at least one");
    put_lacam_last(out);
    if (status != DIFFLNS_OK) dl_methods_free(out);
    return status;
}

void dl_methods_free(dl_method_list *list)
{
    free(list->method);
    free(list->text);
    *list = (dl_method_list){0};
}
