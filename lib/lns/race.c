#include "lns/race.h"

#include "base/ablation.h"

/* Searches for each agent at the first level's age: there the order of descents begins to tell where they will end. */
static const uint64_t FIRST_AGE = 300;
/* A champion is challenged when its cost fell by less than this share while its age doubled: descents end farther apart
 * than that. */
static const double STALL = 0.01;
/* The share of all searches that challengers get at most. */
static const double SHARE = 0.4;
/* So many starts in a row that could not be repaired say that the board is too full for them. */
enum { MOST_FAILURES = 2 };
/* Whether a challenge is to begin or to end is looked at after so many iterations. */
enum { LOOK_ITERATIONS = 64 };

bool dl_race_begin(dl_race *r, dl_planner *planner, const dl_iterated_options *options, dl_challenges policy)
{
    *r = (dl_race){.policy = policy};
    bool ready = dl_iterated_begin(&r->iterated, planner, options);
    return dl_snapshot_begin(&r->champion, planner->instance->agents) && ready;
}

void dl_race_end(dl_race *r)
{
    dl_iterated_end(&r->iterated);
    dl_snapshot_end(&r->champion);
    dl_plan_free(r->start);
    dl_plan_free(r->challenger_start);
}

const dl_snapshot *dl_race_best(const dl_race *r)
{
    const dl_snapshot *best = &r->iterated.best;
    return r->is_challenge && r->champion.soc <= best->soc ? &r->champion : best;
}

static uint64_t age_of_level(const dl_race *r, int level)
{
    return FIRST_AGE * (uint64_t)r->iterated.planner->instance->agents << level;
}

static uint64_t age(const dl_race *r)
{
    return r->iterated.searches - r->born;
}

/* ---- challenges ---- */

static bool begin_challenge(dl_race *r, const dl_deadline *deadline)
{
    dl_iterated *m = &r->iterated;
    for (int agent = 0; agent < m->best.agents; agent++)
        if (!dl_track_copy(&r->champion.track[agent], &m->best.track[agent])) return false;
    r->champion.soc = m->best.soc;
    r->lessons = m->lessons;
    r->champion_born = r->born;
    r->challenge_began = m->searches;
    r->is_challenge = true;
    r->level = 0;
    r->challenges++;
    if (!dl_iterated_restart(m, r->fresh, deadline)) return false;
    r->born = m->searches; /* LaCAM's are none of its age */
    dl_plan_free(r->challenger_start);
    r->challenger_start = r->keeps_starts ? dl_planner_write_plan(m->planner) : NULL;
    return true;
}

static void end_challenge(dl_race *r)
{
    r->is_challenge = false;
    r->challenged += r->iterated.searches - r->challenge_began;
}

/* The champion goes on with what it has learned. False when memory is out: then it still is the best plan. */
static bool lose(dl_race *r)
{
    dl_iterated *m = &r->iterated;
    uint64_t searches = m->searches - r->challenge_began;
    dl_deadline never = dl_no_deadline();
    m->lessons = r->lessons;
    m->lessons.opening_searches += searches;
    if (!dl_iterated_adopt(m, r->champion.track, r->champion.soc, &never)) return false;
    r->born = r->champion_born + searches;
    r->level = r->levels;
    end_challenge(r);
    return true;
}

static void win(dl_race *r)
{
    for (int level = 0; level < r->level; level++) r->champion_at[level] = r->challenger_at[level];
    r->levels = r->level;
    r->won++;
    dl_plan_free(r->start);
    r->start = r->challenger_start;
    r->challenger_start = NULL;
    end_challenge(r);
}

/* Where starts can't be repaired, each one doubles the time to the next. */
static bool fail(dl_race *r)
{
    if (++r->failures >= MOST_FAILURES) r->pause = 2 * r->iterated.searches;
    return lose(r);
}

static bool judge(dl_race *r)
{
    const dl_iterated *m = &r->iterated;
    if (m->phase == DL_STRANDED) return fail(r);
    if (m->phase == DL_STARTING) { /* repair takes now more, now less: age begins after it */
        r->born = m->searches;
        return true;
    }
    r->failures = 0;
    if (m->best.soc < r->champion.soc) {
        win(r);
        return true;
    }
    if (age(r) < age_of_level(r, r->level)) return true;
    if (r->level == r->levels || m->best.soc > r->champion_at[r->level]) return lose(r);
    r->challenger_at[r->level++] = m->best.soc;
    return true;
}

static void note_age(dl_race *r)
{
    if (r->level == DL_RACE_LEVELS || age(r) < age_of_level(r, r->level)) return;
    r->champion_at[r->level++] = r->iterated.best.soc;
    r->levels = r->level;
}

static bool has_stalled(const dl_race *r)
{
    if (r->levels < 2) return false;
    int64_t before = r->champion_at[r->levels - 2], after = r->champion_at[r->levels - 1];
    return (double)(before - after) < STALL * (double)before;
}

/* Later ones only between two rounds: a kick needs its time to show what it is worth. */
static bool is_time_for_a_challenge(dl_race *r)
{
    const dl_iterated *m = &r->iterated;
    bool new_round = m->rounds != r->rounds;
    r->rounds = m->rounds;
    if (r->policy == DL_CHALLENGES_NEVER || dl_is_without(DL_TECHNIQUE_challengers)) return false;
    if (r->challenges == 0 && r->policy == DL_CHALLENGES_AT_ONCE) return true;
    /* On full boards the opening lasts too long to wait for its end. */
    bool may_begin = new_round || (r->fresh == DL_FRESH_LACAM && m->phase == DL_OPENING);
    if (!may_begin || m->searches < r->pause) return false;
    if (r->policy == DL_CHALLENGES_EARLY) return r->levels > 0;
    return has_stalled(r) && (double)r->challenged <= SHARE * (double)m->searches;
}

static bool look(dl_race *r, const dl_deadline *deadline)
{
    if (r->is_challenge) return judge(r);
    note_age(r);
    return !is_time_for_a_challenge(r) || begin_challenge(r, deadline);
}

/* ---- running ---- */

bool dl_race_start(dl_race *r, uint64_t seed, uint64_t index)
{
    r->is_challenge = false;
    r->levels = r->level = r->failures = 0;
    r->born = r->rounds = r->challenged = r->pause = r->challenges = r->won = 0;
    return dl_iterated_start(&r->iterated, seed, index);
}

void dl_race_run(dl_race *r, uint64_t iterations, const dl_deadline *deadline)
{
    dl_iterated *m = &r->iterated;
    uint64_t most = UINT64_MAX - m->iterations, end = m->iterations + (iterations < most ? iterations : most);
    while (m->iterations < end) {
        uint64_t before = m->iterations, wanted = LOOK_ITERATIONS - before % LOOK_ITERATIONS;
        dl_iterated_run(m, wanted < end - before ? wanted : end - before, deadline);
        bool is_stranded = m->phase == DL_STRANDED;
        if (m->iterations == before && !is_stranded) return; /* time or memory is out, or nothing can be better */
        if ((is_stranded || m->iterations % LOOK_ITERATIONS == 0) && !look(r, deadline)) m->planner->exhausted = true;
    }
}

bool dl_race_adopt(dl_race *r, const dl_track *track, int64_t soc, const dl_deadline *deadline)
{
    if (r->is_challenge) end_challenge(r);
    return dl_iterated_adopt(&r->iterated, track, soc, deadline);
}
