/* Rooms: walls on every (room_size + 1)-th row and column starting at 0, as in MovingAI's room maps; rooms at the far
 * edge may be narrower. The piece of a wall between two crossings is a segment, those on the border line included; a
 * random choice of the segments gets a one-cell door at a random place. */
#include "generate/generate_map.h"

typedef struct segment {
    int first;  /* square of its first cell */
    int length; /* cells */
    int stride; /* from one cell to the next: 1 along a row, the map's width along a column */
} segment;

/* How many segments one wall line of `side` cells is cut into. */
static int pieces(const dl_generate_params *params, int side)
{
    int pitch = params->room_size + 1;
    return (side - 1) / pitch + (side % pitch != 1); /* no piece after a crossing on the far edge */
}

static int wall_lines(const dl_generate_params *params, int side)
{
    return (side - 1) / (params->room_size + 1) + 1;
}

static int segments(const dl_generate_params *params)
{
    return wall_lines(params, params->height) * pieces(params, params->width) +
           wall_lines(params, params->width) * pieces(params, params->height);
}

static segment segment_at(const dl_generate_params *params, int index)
{
    int pitch = params->room_size + 1, across = pieces(params, params->width);
    bool horizontal = index < wall_lines(params, params->height) * across;
    if (!horizontal) index -= wall_lines(params, params->height) * across;
    int per_line = horizontal ? across : pieces(params, params->height);
    int side = horizontal ? params->width : params->height;
    int line = index / per_line * pitch, begin = index % per_line * pitch + 1;
    int end = begin + params->room_size < side ? begin + params->room_size : side;
    int first = horizontal ? line * params->width + begin : begin * params->width + line;
    return (segment){first, end - begin, horizontal ? 1 : params->width};
}

static dl_status check(const dl_generate_params *params, dl_error *err)
{
    if (params->room_size < 1 || params->room_size > DL_MAX_SIDE)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: room size %d: expected 1 to %d", params->family, params->room_size,
                       DL_MAX_SIDE);
    if (params->least_doors < 0 || params->least_doors > params->most_doors || params->most_doors > segments(params))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %d to %d doors: expected a range within 0 to %d, the wall segments",
                       params->family, params->least_doors, params->most_doors, segments(params));
    return DIFFLNS_OK;
}

static int most_free_cells(const dl_generate_params *params)
{
    int rows = params->height - wall_lines(params, params->height);
    int columns = params->width - wall_lines(params, params->width);
    return rows * columns + params->most_doors;
}

static bool draw(const dl_generate_params *params, dl_rng *rng, dl_arena *arena, uint8_t *blocked)
{
    int pitch = params->room_size + 1, count = segments(params);
    for (int row = 0; row < params->height; row++)
        for (int col = 0; col < params->width; col++)
            blocked[row * params->width + col] = row % pitch == 0 || col % pitch == 0;
    int doors = params->least_doors + (int)dl_rng_below(rng, (uint32_t)(params->most_doors - params->least_doors) + 1);
    int32_t *choice = DL_ARENA_ARRAY(arena, int32_t, count);
    if (!choice) return false;
    for (int i = 0; i < count; i++) choice[i] = i;
    for (int i = 0; i < doors; i++) {
        int pick = i + (int)dl_rng_below(rng, (uint32_t)(count - i));
        segment wall = segment_at(params, choice[pick]);
        choice[pick] = choice[i];
        blocked[wall.first + wall.stride * (int)dl_rng_below(rng, (uint32_t)wall.length)] = 0;
    }
    return true;
}

const dl_map_maker DL_ROOM_MAPS = {check, most_free_cells, draw};
