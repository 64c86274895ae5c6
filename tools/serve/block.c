/* Cells and edges that close and open while the fleet drives. */
#include "serve/request.h"

typedef difflns_status change(difflns_fleet *fleet, const difflns_cell *cells, size_t cell_count,
                              const difflns_edge *edges, size_t edge_count, difflns_error *err);

static dl_status read_edges(const json_t *list, difflns_edge *edge, dl_error *err)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *pair = json_array_get(list, i);
        if (json_array_size(pair) != 2)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "edges: expected a list of pairs of cells, [[from, to], ...]");
        DL_TRY(dl_serve_read_cell(json_array_get(pair, 0), "edges", &edge[i].from, err));
        DL_TRY(dl_serve_read_cell(json_array_get(pair, 1), "edges", &edge[i].to, err));
    }
    return DIFFLNS_OK;
}

static dl_status change_closures(dl_serve *session, const json_t *request, change *call, dl_error *err)
{
    const json_t *list = json_object_get(request, "edges");
    difflns_cell *cell;
    size_t cells, edges = json_array_size(list);
    if (list && !json_is_array(list))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "edges: expected a list of pairs of cells, [[from, to], ...]");
    if (!list && !json_object_get(request, "cells"))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "expected cells, edges or both");
    DL_TRY(dl_serve_read_cells(request, "cells", &cell, &cells, err));
    difflns_edge *edge = DL_ARRAY(difflns_edge, edges);
    dl_status status = edge ? read_edges(list, edge, err) : dl_out_of_memory(err);
    if (status == DIFFLNS_OK) status = call(session->fleet, cell, cells, edge, edges, err);
    free(edge);
    free(cell);
    return status;
}

dl_status dl_serve_block(dl_serve *session, const json_t *request, json_t *answer, dl_error *err)
{
    (void)answer;
    return change_closures(session, request, difflns_fleet_block, err);
}

dl_status dl_serve_unblock(dl_serve *session, const json_t *request, json_t *answer, dl_error *err)
{
    (void)answer;
    return change_closures(session, request, difflns_fleet_unblock, err);
}
