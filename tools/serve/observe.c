/* Many observations at once. The library takes them one by one and refuses a cell on which another robot is, so they
 * are made in an order in which each cell is free by then; robots that changed places with each other are led around by
 * a free cell. If one is refused in the end, all robots are put back to where they were. */
#include <string.h>

#include "serve/request.h"

typedef struct sighting {
    int robot;
    difflns_cell at;
    bool made;
} sighting;

/* session->on[cell]: 1 + index of the sighting whose robot is thought to be there, -1 for other robots, 0 for none. */
typedef struct sightings {
    dl_serve *session;
    int width;
    int count;
    sighting *each;
} sightings;

static int *on_cell(const sightings *all, difflns_cell cell)
{
    return &all->session->on[(size_t)cell.row * (size_t)all->width + (size_t)cell.col];
}

static dl_status look_at(sightings *all, int index, difflns_cell at, dl_error *err)
{
    sighting *seen = &all->each[index];
    difflns_cell from = difflns_fleet_at(all->session->fleet, seen->robot);
    DL_TRY(difflns_fleet_observe(all->session->fleet, seen->robot, at, err));
    if (*on_cell(all, from) == index + 1) *on_cell(all, from) = 0;
    *on_cell(all, at) = index + 1;
    return DIFFLNS_OK;
}

/* The sighting that must be made first, because its robot is thought to be on this one's cell; -1 = none. */
static int waits_for(const sightings *all, int index)
{
    int first = *on_cell(all, all->each[index].at) - 1;
    return first < 0 || first == index || all->each[first].made ? -1 : first;
}

/* Every sighting waits for another: leads a robot of a ring out of the way. */
static dl_status break_ring(sightings *all, int index, dl_error *err)
{
    for (int i = 0; i < all->count; i++) index = waits_for(all, index);
    int height = difflns_map_height(all->session->map);
    for (int row = 0; row < height; row++)
        for (int col = 0; col < all->width; col++) {
            difflns_cell cell = {row, col};
            if (*on_cell(all, cell) || difflns_map_blocked(all->session->map, row, col)) continue;
            if (look_at(all, index, cell, err) == DIFFLNS_OK) return DIFFLNS_OK;
        }
    return dl_fail(err, DIFFLNS_BAD_INPUT, "robots: expected no exchange of cells on a map without a free cell");
}

static dl_status make_sightings(sightings *all, dl_error *err)
{
    int left = all->count, waiting = 0;
    for (bool forward = true; left > 0; forward = !forward) {
        int before = left;
        for (int k = 0; k < all->count; k++) {
            int i = forward ? k : all->count - 1 - k;
            if (all->each[i].made) continue;
            waiting = i;
            if (waits_for(all, i) >= 0) continue;
            DL_TRY(look_at(all, i, all->each[i].at, err));
            all->each[i].made = true;
            left--;
        }
        if (left == before) DL_TRY(break_ring(all, waiting, err));
    }
    return DIFFLNS_OK;
}

/* Marks who is where now; session->move has `moves` robots. */
static void mark_robots(const sightings *all, int moves)
{
    for (int i = 0; i < moves; i++)
        *on_cell(all, difflns_fleet_at(all->session->fleet, all->session->move[i].robot)) = -1;
    for (int i = 0; i < all->count; i++)
        *on_cell(all, difflns_fleet_at(all->session->fleet, all->each[i].robot)) = i + 1;
}

static dl_status make_all(sightings *all, int moves, dl_error *err)
{
    mark_robots(all, moves);
    dl_status status = make_sightings(all, err);
    int cells = difflns_map_height(all->session->map) * all->width;
    memset(all->session->on, 0, (size_t)cells * sizeof *all->session->on);
    return status;
}

/* Back to where everybody was, by session->move. */
static void take_back(sightings *all, int moves)
{
    sighting *each = DL_ARRAY(sighting, moves);
    if (!each) return;
    sightings back = {.session = all->session, .width = all->width, .each = each};
    for (int i = 0; i < moves; i++) {
        const difflns_fleet_move *was = &all->session->move[i];
        difflns_cell at = difflns_fleet_at(all->session->fleet, was->robot);
        if (at.row != was->at.row || at.col != was->at.col)
            each[back.count++] = (sighting){.robot = was->robot, .at = was->at};
    }
    (void)make_all(&back, moves, NULL);
    free(each);
}

static dl_status read_sightings(const json_t *robots, sightings *all, dl_error *err)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)robots, name, value)
    {
        sighting *seen = &all->each[all->count];
        DL_TRY(dl_serve_find_robot(all->session, name, &seen->robot, err));
        DL_TRY(dl_serve_read_cell(value, name, &seen->at, err));
        if (difflns_map_blocked(all->session->map, seen->at.row, seen->at.col))
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%.80s: expected a free cell; (%d, %d) is none", name, seen->at.row,
                           seen->at.col);
        all->count++;
    }
    return DIFFLNS_OK;
}

dl_status dl_serve_observe(dl_serve *session, const json_t *request, json_t *answer, dl_error *err)
{
    (void)answer;
    const json_t *robots = json_object_get(request, "robots");
    if (!json_is_object(robots))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "robots: expected cells by name, {\"name\": [row, col], ...}");
    sightings all = {.session = session, .width = difflns_map_width(session->map)};
    all.each = DL_ARRAY(sighting, json_object_size(robots));
    if (!all.each) return dl_out_of_memory(err);
    dl_status status = read_sightings(robots, &all, err);
    if (status == DIFFLNS_OK) {
        int moves = difflns_fleet_moves(session->fleet, session->move, (size_t)session->room);
        status = make_all(&all, moves, err);
        if (status != DIFFLNS_OK) take_back(&all, moves);
    }
    free(all.each);
    return status;
}
