#include "solver/stop_rule.h"

#include <assert.h>
#include <string.h>

/* Settled: less than this share cheaper than it was when this share of everything was spent. */
static const double SETTLED_GAIN = 0.01, LOOK_BACK = 2.0 / 3;
/* How close milestones are kept. */
static const double SAME_MILESTONE = 1.01;

void dl_stop_rule_begin(dl_stop_rule *rule, dl_stop stop, double least)
{
    *rule = (dl_stop_rule){.stop = stop, .least = least};
}

/* The last milestone that was there when so much was spent; -1 = none was. */
static int milestone_at(const dl_stop_rule *rule, double spent)
{
    int i = rule->count - 1;
    while (i >= 0 && rule->history[i].spent > spent) i--;
    return i;
}

void dl_stop_rule_note(dl_stop_rule *rule, double spent, int64_t soc)
{
    assert(spent >= 0 && soc >= 0);
    dl_milestone *history = rule->history;
    if (rule->count == 0) {
        rule->first = spent;
        history[rule->count++] = (dl_milestone){spent, soc};
        return;
    }
    dl_milestone *last = &history[rule->count - 1];
    if (soc >= last->soc) return;
    if (rule->count > 1 && spent < SAME_MILESTONE * last->spent) {
        last->soc = soc;
        return;
    }
    int forgotten = milestone_at(rule, LOOK_BACK * spent);
    if (forgotten > 0) {
        rule->count -= forgotten;
        memmove(history, history + forgotten, sizeof *history * (size_t)rule->count);
    }
    assert(rule->count < DL_MILESTONES && soc < history[rule->count - 1].soc);
    history[rule->count++] = (dl_milestone){spent, soc};
}

void dl_stop_rule_renew(dl_stop_rule *rule, double spent)
{
    if (rule->count == 0) return;
    rule->history[0] = (dl_milestone){spent, rule->history[rule->count - 1].soc};
    rule->first = spent;
    rule->count = 1;
}

bool dl_stop_rule_is_met(const dl_stop_rule *rule, double spent)
{
    if (rule->count == 0 || rule->stop == DL_STOP_LIMIT) return false;
    if (rule->stop == DL_STOP_FIRST) return true;
    int then = milestone_at(rule, LOOK_BACK * spent);
    if (then < 0 || spent - rule->first < rule->least) return false;
    double was = (double)rule->history[then].soc, is = (double)rule->history[rule->count - 1].soc;
    return was - is < SETTLED_GAIN * was;
}
