/* LaCAM's search graph: the configurations ever reached, found again by hash, and the transitions seen between them.
 * Nodes are numbers; memory comes in chunks and is kept for reuse by the next search. */
#ifndef DL_LACAM_LACAM_GRAPH_H
#define DL_LACAM_LACAM_GRAPH_H

#include "base/memory.h"
#include "lacam/constraint.h"

#define DL_NO_NODE UINT32_MAX

typedef struct dl_lacam_node {
    uint64_t hash;
    int64_t g, h; /* sum of loss from the root along parents; sum of distances to the goals */
    dl_constraint_cursor constraints;
    uint32_t parent;
    uint32_t first_edge;
    dl_cell at[]; /* [agents] the configuration; after it the order of the agents */
} dl_lacam_node;

typedef struct dl_lacam_edge {
    uint32_t target, next;
    uint32_t cost; /* agents that are not at home both before and after */
} dl_lacam_edge;

typedef struct dl_lacam_slot {
    uint32_t tag, node; /* upper half of the hash; DL_NO_NODE = empty */
} dl_lacam_slot;

typedef struct dl_lacam_graph {
    int agents;
    size_t node_bytes;
    int chunk_shift; /* nodes a chunk, as a power of two */
    char **chunk;
    int chunks, chunk_capacity;
    uint32_t nodes;
    dl_lacam_edge *edge;
    uint32_t edges, edge_capacity;
    dl_lacam_slot *table;
    uint32_t table_mask;
} dl_lacam_graph;

/* False when memory is out, here and below. */
DL_MUST_CHECK bool dl_lacam_graph_init(dl_lacam_graph *graph, int agents);
void dl_lacam_graph_release(dl_lacam_graph *graph);
/* Forgets all nodes and edges, keeps the memory. */
void dl_lacam_graph_reset(dl_lacam_graph *graph);
/* Bytes held. */
size_t dl_lacam_graph_bytes(const dl_lacam_graph *graph);

static inline dl_lacam_node *dl_lacam_graph_node(const dl_lacam_graph *graph, uint32_t index)
{
    uint32_t inside = index & ((1u << graph->chunk_shift) - 1);
    return (dl_lacam_node *)(graph->chunk[index >> graph->chunk_shift] + inside * graph->node_bytes);
}

static inline uint16_t *dl_lacam_graph_order(const dl_lacam_graph *graph, dl_lacam_node *node)
{
    return (uint16_t *)(node->at + graph->agents);
}

/* The share of one agent in the hash of a configuration, which is the sum over agents. */
uint64_t dl_lacam_hash_of(int agent, dl_cell cell);
uint64_t dl_lacam_hash(int agents, const dl_cell *at);

/* The node of a configuration, or DL_NO_NODE. */
uint32_t dl_lacam_graph_find(const dl_lacam_graph *graph, const dl_cell *at, uint64_t hash);
/* A new node; the configuration must not be known. Its order is left to the caller, its costs are 0.
 * DL_NO_NODE when memory is out. */
DL_MUST_CHECK uint32_t dl_lacam_graph_add(dl_lacam_graph *graph, const dl_cell *at, uint64_t hash);
/* Is this transition recorded? */
bool dl_lacam_graph_linked(const dl_lacam_graph *graph, uint32_t from, uint32_t to);
/* Records a transition that is not recorded yet. */
DL_MUST_CHECK bool dl_lacam_graph_link(dl_lacam_graph *graph, uint32_t from, uint32_t to, uint32_t cost);

#endif
