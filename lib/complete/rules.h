/* The two rule sets of moving on a graph. A plan under pebble rules is a plan under MAPF rules; they differ only by the
 * simultaneous rotation of a completely full cycle, which MAPF rules allow. */
#ifndef DL_COMPLETE_RULES_H
#define DL_COMPLETE_RULES_H

typedef enum dl_rules {
    DL_RULES_PEBBLE, /* one agent at a time moves to a free neighboring cell */
    DL_RULES_MAPF    /* all move at once; no two on one cell, no two exchange cells */
} dl_rules;

#endif
