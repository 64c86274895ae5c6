/* Random maps: exactly floor(height * width * density) obstacles on distinct, uniformly drawn cells. */
#include "generate/generate_map.h"

static int obstacles(const dl_generate_params *params)
{
    return (int)((int64_t)params->height * params->width * dl_millionths(params->density) / DL_MILLION);
}

static dl_status check(const dl_generate_params *params, dl_error *err)
{
    (void)params, (void)err;
    return DIFFLNS_OK;
}

static int most_free_cells(const dl_generate_params *params)
{
    return params->height * params->width - obstacles(params);
}

static bool draw(const dl_generate_params *params, dl_rng *rng, dl_arena *arena, uint8_t *blocked)
{
    int area = params->height * params->width, count = obstacles(params);
    int32_t *square = DL_ARENA_ARRAY(arena, int32_t, area);
    if (!square) return false;
    for (int i = 0; i < area; i++) square[i] = i;
    for (int i = 0; i < count; i++) {
        int pick = i + (int)dl_rng_below(rng, (uint32_t)(area - i));
        blocked[square[pick]] = 1;
        square[pick] = square[i];
    }
    return true;
}

const dl_map_maker DL_RANDOM_MAPS = {check, most_free_cells, draw};
