#include "lacam/lacam_graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/mix.h"

enum { CHUNK_BYTES = 1 << 20, FIRST_TABLE = 1 << 12 };

bool dl_lacam_graph_init(dl_lacam_graph *graph, int agents)
{
    size_t bytes = sizeof(dl_lacam_node) + (sizeof(dl_cell) + sizeof(uint16_t)) * (size_t)agents;
    *graph = (dl_lacam_graph){.agents = agents, .node_bytes = (bytes + 7) & ~(size_t)7};
    while (graph->node_bytes << (graph->chunk_shift + 1) <= CHUNK_BYTES) graph->chunk_shift++;
    graph->table_mask = FIRST_TABLE - 1;
    graph->table = dl_malloc(sizeof *graph->table * FIRST_TABLE);
    if (graph->table) dl_lacam_graph_reset(graph);
    return graph->table != NULL;
}

void dl_lacam_graph_release(dl_lacam_graph *graph)
{
    for (int i = 0; i < graph->chunks; i++) free(graph->chunk[i]);
    free(graph->chunk);
    free(graph->edge);
    free(graph->table);
}

void dl_lacam_graph_reset(dl_lacam_graph *graph)
{
    graph->nodes = graph->edges = 0;
    memset(graph->table, 0xFF, sizeof *graph->table * ((size_t)graph->table_mask + 1));
}

size_t dl_lacam_graph_bytes(const dl_lacam_graph *graph)
{
    return (size_t)graph->chunks * (graph->node_bytes << graph->chunk_shift) +
           sizeof *graph->edge * graph->edge_capacity + sizeof *graph->table * ((size_t)graph->table_mask + 1);
}

uint64_t dl_lacam_hash_of(int agent, dl_cell cell)
{
    return dl_mix64((uint64_t)(uint32_t)agent << 32 | (uint32_t)cell);
}

uint64_t dl_lacam_hash(int agents, const dl_cell *at)
{
    uint64_t hash = 0;
    for (int agent = 0; agent < agents; agent++) hash += dl_lacam_hash_of(agent, at[agent]);
    return hash;
}

uint32_t dl_lacam_graph_find(const dl_lacam_graph *graph, const dl_cell *at, uint64_t hash)
{
    uint32_t tag = (uint32_t)(hash >> 32);
    for (uint32_t i = (uint32_t)hash & graph->table_mask; graph->table[i].node != DL_NO_NODE;
         i = (i + 1) & graph->table_mask) {
        if (graph->table[i].tag != tag) continue;
        const dl_lacam_node *node = dl_lacam_graph_node(graph, graph->table[i].node);
        if (memcmp(node->at, at, sizeof *at * (size_t)graph->agents) == 0) return graph->table[i].node;
    }
    return DL_NO_NODE;
}

static void graph_put(dl_lacam_graph *graph, uint64_t hash, uint32_t node)
{
    uint32_t i = (uint32_t)hash & graph->table_mask;
    while (graph->table[i].node != DL_NO_NODE) i = (i + 1) & graph->table_mask;
    graph->table[i] = (dl_lacam_slot){(uint32_t)(hash >> 32), node};
}

static bool grow_table(dl_lacam_graph *graph)
{
    uint32_t mask = graph->table_mask * 2 + 1;
    size_t bytes = sizeof *graph->table * ((size_t)mask + 1);
    dl_lacam_slot *table = dl_malloc(bytes);
    if (!table) return false;
    free(graph->table);
    graph->table = table;
    graph->table_mask = mask;
    memset(graph->table, 0xFF, bytes);
    for (uint32_t node = 0; node < graph->nodes; node++) graph_put(graph, dl_lacam_graph_node(graph, node)->hash, node);
    return true;
}

static bool add_chunk(dl_lacam_graph *graph)
{
    if (!DL_GROW(graph->chunk, graph->chunk_capacity, graph->chunks + 1)) return false;
    char *chunk = dl_aligned(graph->node_bytes << graph->chunk_shift);
    if (chunk) graph->chunk[graph->chunks++] = chunk;
    return chunk != NULL;
}

uint32_t dl_lacam_graph_add(dl_lacam_graph *graph, const dl_cell *at, uint64_t hash)
{
    if (graph->nodes >= graph->table_mask / 2 && !grow_table(graph)) return DL_NO_NODE;
    if ((int)(graph->nodes >> graph->chunk_shift) == graph->chunks && !add_chunk(graph)) return DL_NO_NODE;
    assert(dl_lacam_graph_find(graph, at, hash) == DL_NO_NODE);
    uint32_t index = graph->nodes++;
    dl_lacam_node *node = dl_lacam_graph_node(graph, index);
    *node = (dl_lacam_node){.hash = hash, .parent = DL_NO_NODE, .first_edge = DL_NO_NODE};
    memcpy(node->at, at, sizeof *at * (size_t)graph->agents);
    graph_put(graph, hash, index);
    return index;
}

bool dl_lacam_graph_linked(const dl_lacam_graph *graph, uint32_t from, uint32_t to)
{
    uint32_t e = dl_lacam_graph_node(graph, from)->first_edge;
    while (e != DL_NO_NODE && graph->edge[e].target != to) e = graph->edge[e].next;
    return e != DL_NO_NODE;
}

bool dl_lacam_graph_link(dl_lacam_graph *graph, uint32_t from, uint32_t to, uint32_t cost)
{
    assert(from != to && from < graph->nodes && to < graph->nodes);
    dl_lacam_node *node = dl_lacam_graph_node(graph, from);
    if (!DL_GROW(graph->edge, graph->edge_capacity, graph->edges + 1)) return false;
    graph->edge[graph->edges] = (dl_lacam_edge){to, node->first_edge, cost};
    node->first_edge = graph->edges++;
    return true;
}
