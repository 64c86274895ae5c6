#include "start/start.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/ablation.h"
#include "base/memory.h"
#include "lacam/pibt.h"

static const dl_start TABLE[] = {
#define START(id, name, turn, rounds, needs, check, title, help)                                                       \
    {name, turn, rounds, DL_START_NEEDS_##needs, check, title, help, dl_start_make_##id},
#include "start/start.def"
#undef START
};
enum { ROWS = sizeof TABLE / sizeof TABLE[0] };

#define START(id, name, ...) "|" name
const char DL_START_CHOICES[] = DL_START_AUTO
#include "start/start.def"
    ;
#undef START

const dl_start *dl_start_at(int index)
{
    return index >= 0 && index < ROWS ? &TABLE[index] : NULL;
}

const dl_start *dl_start_find(const char *name)
{
    for (int i = 0; i < ROWS; i++)
        if (strcmp(TABLE[i].name, name) == 0) return &TABLE[i];
    return NULL;
}

/* ---- which one ---- */

static bool has_what_it_needs(const dl_start *start, const dl_start_input *input)
{
    switch (start->needs) {
    case DL_START_NEEDS_NOTHING:
        return true;
    case DL_START_NEEDS_A_MODEL:
        return input->model != NULL;
    case DL_START_NEEDS_A_PLAN:
        return input->plan != NULL;
    }
    return false;
}

static bool is_left_out(const dl_start *start)
{
    static const struct {
        const char *name;
        dl_technique technique;
    } ROW[] = {{"pibt", DL_TECHNIQUE_pibt}, {"diffusion", DL_TECHNIQUE_diffusion}, {"pp", DL_TECHNIQUE_prioritized}};
    for (size_t i = 0; i < sizeof ROW / sizeof ROW[0]; i++)
        if (strcmp(start->name, ROW[i].name) == 0 && dl_is_without(ROW[i].technique)) return true;
    return false;
}

static bool has_a_turn(const dl_start *start, const dl_start_input *input, int turn)
{
    return start->turn > turn && has_what_it_needs(start, input) && !is_left_out(start);
}

/* The one of the lowest turn above `turn` that auto can use; NULL = there is none. */
static const dl_start *next_turn(const dl_start_input *input, int turn)
{
    const dl_start *next = NULL;
    for (int i = 0; i < ROWS; i++)
        if (has_a_turn(&TABLE[i], input, turn) && (!next || TABLE[i].turn < next->turn)) next = &TABLE[i];
    return next;
}

/* Agents stand on at least one of so many cells. Tuned on ht_chantry and warehouse-20-40-10-2-2: with half as many
 * agents prioritized planning takes no longer than LaCAM, with twice as many seven times as long. */
enum { CROWDED_CELLS = 20 };
/* What LaCAM's tables may take: a gigabyte is its limit, and the graph needs some of that. */
static const size_t MOST_TABLE_BYTES = (size_t)768 << 20;

bool dl_start_begins_with_lacam(const dl_start_input *input)
{
    const dl_instance *instance = input->instance;
    /* Where iterations are limited, each candidate has its share of them: there is no haste. */
    if (!instance || instance->errand || input->choice != 0 || input->iterations > 0) return false;
    const dl_grid *grid = instance->grid;
    if (grid->cells <= DL_BOARD_CELLS || dl_grid_is_large(grid)) return false;
    return (int64_t)instance->agents * CROWDED_CELLS >= grid->cells &&
           dl_pibt_tables_bytes(instance) <= MOST_TABLE_BYTES;
}

int dl_start_turn(const dl_start_input *input, int index)
{
    return index > 0 && dl_start_begins_with_lacam(input) ? index - 1 : index;
}

const dl_start *dl_start_of(int choice, const dl_start_input *input, int index)
{
    if (choice > 0) return dl_start_at(choice - 1);
    if (index == 0 && dl_start_begins_with_lacam(input)) return dl_start_find("lacam");
    index = dl_start_turn(input, index);
    assert(index >= 0);
    int count = 0;
    for (const dl_start *s = next_turn(input, 0); s; s = next_turn(input, s->turn)) count++;
    const dl_start *start = next_turn(input, 0);
    for (int left = count > 0 ? index % count : 0; left > 0; left--) start = next_turn(input, start->turn);
    return start;
}

dl_status dl_start_check(int choice, const dl_start_input *input, int threads, dl_error *err)
{
    const dl_start *start = dl_start_at(choice - 1);
    if (!start) return DIFFLNS_OK; /* auto passes over what it can't use */
    if (!has_what_it_needs(start, input))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "init %s needs %s", start->name,
                       start->needs == DL_START_NEEDS_A_MODEL ? "a model" : "a plan to start from");
    return start->check ? start->check(input, threads, err) : DIFFLNS_OK;
}

/* ---- making one ---- */

struct dl_starts {
    dl_start_input input;
    pthread_mutex_t lock; /* of what is shared */
    void *shared;
    void (*release)(void *shared);
};

dl_starts *dl_starts_create(const dl_start_input *input)
{
    dl_starts *starts = DL_NEW(dl_starts);
    if (!starts) return NULL;
    starts->input = *input;
    pthread_mutex_init(&starts->lock, NULL);
    return starts;
}

void dl_starts_free(dl_starts *starts)
{
    if (!starts) return;
    if (starts->shared) starts->release(starts->shared);
    pthread_mutex_destroy(&starts->lock);
    free(starts);
}

void *dl_starts_share(dl_starts *starts, void *(*make)(const dl_start_input *input), void (*release)(void *shared))
{
    pthread_mutex_lock(&starts->lock);
    if (!starts->shared) starts->shared = make(&starts->input);
    starts->release = release;
    void *shared = starts->shared;
    pthread_mutex_unlock(&starts->lock);
    return shared;
}

const dl_start_input *dl_starts_input(const dl_starts *starts)
{
    assert(starts);
    return &starts->input;
}

bool dl_start_make(const dl_start *start, dl_starts *starts, dl_planner *planner, int index, dl_start_effort *effort,
                   const dl_deadline *deadline)
{
    assert(index >= 0 && start && starts->input.instance == planner->instance);
    uint64_t seed = starts->input.seed;
    dl_start_effort unlimited = {0};
    dl_start_job job = {.starts = starts,
                        .input = &starts->input,
                        .planner = planner,
                        .rng = dl_rng_stream(seed, DL_PURPOSE('s', 't', 'a', 'r'), (uint64_t)index),
                        .index = (uint64_t)index,
                        .effort = effort ? effort : &unlimited,
                        .deadline = deadline};
    assert(start && index >= 0 && planner->instance == starts->input.instance);
    planner->rng = dl_rng_stream(seed, DL_PURPOSE('s', 't', 't', 'i'), (uint64_t)index);
    return start->make(&job);
}

void dl_start_read_plan(dl_planner *planner, const dl_plan *plan)
{
    dl_planner_clear(planner);
    for (int agent = 0; agent < planner->instance->agents && agent < plan->agents; agent++)
        dl_planner_read_path(planner, agent, &plan->path[agent]);
}

/* Goes on from the path's last cell to goal number `goal` by a shortest way. False when memory or time is out. */
static bool go_on_to(dl_planner *p, dl_path *path, int agent, int goal)
{
    const dl_grid *grid = p->instance->grid;
    const dl_field *distance = path->at ? dl_distance_acquire_goal(p->distance, agent, goal) : NULL;
    if (!distance) return false;
    difflns_cell last = path->at[path->length - 1];
    dl_cell at = dl_grid_cell(grid, last.row, last.col);
    int left = at != DL_NO_CELL ? dl_field_at(distance, at) : DL_UNREACHABLE;
    bool fits = left != DL_UNREACHABLE;
    for (; fits && left > 0; left--) {
        at = dl_field_step(distance, grid, at);
        fits = dl_path_append(path, dl_grid_position(grid, at));
    }
    dl_distance_release_goal(p->distance, agent, goal);
    return fits;
}

void dl_start_read_ahead(dl_planner *p, const dl_plan *plan)
{
    if (!p->instance->errand) {
        dl_start_read_plan(p, plan);
        return;
    }
    dl_planner_clear(p);
    for (int agent = 0; agent < p->instance->agents && agent < plan->agents; agent++) {
        const dl_route route = dl_planner_route(p, agent);
        dl_path path = {0};
        bool fits = true;
        for (int t = 0; t < route.time && fits; t++)
            fits = dl_path_append(&path,
                                  dl_grid_position(p->instance->grid, dl_errand_at(&p->instance->errand[agent], t)));
        for (int t = 0; t < plan->path[agent].length && fits; t++)
            fits = dl_path_append(&path, plan->path[agent].at[t]);
        for (int leg = 1; leg < route.legs && fits; leg++) fits = go_on_to(p, &path, agent, route.visited + leg);
        if (fits) dl_planner_read_path(p, agent, &path);
        free(path.at);
    }
}

dl_start_lengths dl_start_measure(dl_planner *planner, const dl_deadline *deadline)
{
    dl_start_lengths found = {0};
    int count = 0;
    for (; count < planner->instance->agents && !dl_deadline_passed(deadline); count++) {
        int length = dl_distance_of_start(planner->distance, count);
        if (length == DL_UNREACHABLE) break; /* time or memory is out */
        found.mean += length;
        if (length > found.longest) found.longest = length;
    }
    if (count > 0) found.mean /= count;
    return found;
}
