/* Escorts against what moves can really reach, on every small map, from every arrangement, to every goal. */
#include "base/memory.h"
#include "fleet/escort.h"
#include "support_worlds.h"

enum { ESCORTED = 0 };

/* ---- Driving ---- */

static void put_robots(uint16_t *on, int cells, uint32_t occupied, int at)
{
    int robot = ESCORTED + 1;
    for (int cell = 0; cell < cells; cell++) {
        on[cell] = DL_NO_ROBOT;
        if (cell == at)
            on[cell] = ESCORTED;
        else if (occupied >> cell & 1)
            on[cell] = (uint16_t)robot++;
    }
}

static int place_of(const uint16_t *on, int robot)
{
    int cell = 0;
    while (on[cell] != robot) cell++;
    return cell;
}

/* Makes the moves of a leg one after the other and looks at each. */
static void make_moves(const dl_escort *e, const dl_grid *grid, uint16_t *on)
{
    for (size_t i = 0; i < e->pebbles.moves;) {
        const dl_move *move = &e->pebbles.log[i];
        size_t length = move->ring > 0 ? (size_t)move->ring : 1;
        for (size_t k = 0; k < length; k++) {
            assert_int_equal(on[move[k].from], move[k].agent);
            assert_int_equal(move[k].ring, move->ring);
            assert_true(grid->neighbor[move[k].from][0] == move[k].to ||
                        grid->neighbor[move[k].from][1] == move[k].to ||
                        grid->neighbor[move[k].from][2] == move[k].to || grid->neighbor[move[k].from][3] == move[k].to);
        }
        for (size_t k = 0; k < length; k++) on[move[k].from] = DL_NO_ROBOT;
        for (size_t k = 0; k < length; k++) {
            assert_int_equal(on[move[k].to], DL_NO_ROBOT);
            on[move[k].to] = (uint16_t)move[k].agent;
        }
        i += length;
    }
}

/* True if it arrives; every leg must bring it nearer. */
static bool escort_to(dl_escort *e, const dl_grid *grid, const dl_field *field, const dl_deadline *deadline,
                      uint16_t *on)
{
    for (int distance; (distance = dl_field_at(field, place_of(on, ESCORTED))) > 0;) {
        dl_escort_outcome outcome = dl_escort_plan(e, ESCORTED, field, on, deadline);
        for (int again = 0; outcome == DL_ESCORT_PAUSED; again++) {
            assert_true(deadline && again < 2 * grid->cells);
            outcome = dl_escort_plan(e, ESCORTED, field, on, deadline);
        }
        if (outcome == DL_ESCORT_STUCK) return false;
        assert_int_equal(outcome, DL_ESCORT_LEG);
        make_moves(e, grid, on);
        assert_true(dl_field_at(field, place_of(on, ESCORTED)) < distance);
    }
    return true;
}

static uint64_t compare_world(const world *w, uint32_t map, const dl_deadline *deadline)
{
    int cells = w->grid->cells;
    world_reach reach;
    world_reach_find(w, &reach);
    dl_escort e;
    assert_true(dl_escort_create(&e, w->grid) && dl_escort_fit(&e, cells));
    uint64_t count = 0;
    for (dl_cell goal = 0; goal < cells; goal++) {
        dl_field field = {0};
        assert_true(dl_field_fill(&field, w->grid, goal, NULL));
        for (uint32_t occupied = 1; occupied < 1u << cells; occupied++)
            for (int at = 0; at < cells; at++) {
                if (!(occupied >> at & 1) || at == goal) continue;
                uint16_t on[WORLD_MAX_CELLS];
                put_robots(on, cells, occupied, at);
                bool can = world_reach_from(&reach, occupied, at) >> goal & 1;
                if (escort_to(&e, w->grid, &field, deadline, on) != can)
                    fail_msg("map %x, occupied %x, from %d to %d: expected %s", map, occupied, at, (int)goal,
                             can ? "a way" : "none");
                count++;
            }
        dl_field_free(&field);
    }
    dl_escort_release(&e);
    world_reach_free(&reach);
    return count;
}

static void compare_all(int height, int width, int stride, const dl_deadline *deadline)
{
    world *w = DL_NEW(world);
    uint64_t count = 0;
    int maps = 0;
    for (uint32_t map = 1; map < 1u << (height * width); map += (uint32_t)stride) {
        world_create(w, height, width, map);
        if (w->grid->components == 1) {
            maps++;
            count += compare_world(w, map, deadline);
        }
        world_free(w);
    }
    print_message("%dx%d: %d connected maps, %llu escorts\n", height, width, maps, (unsigned long long)count);
    free(w);
}

static void escorts_arrive_wherever_a_robot_can_get_on_every_map_of_3x3(void **state)
{
    (void)state;
    compare_all(3, 3, 1, NULL);
}

static void escorts_arrive_wherever_a_robot_can_get_on_every_map_of_2x5(void **state)
{
    (void)state;
    compare_all(2, 5, 1, NULL);
}

/* With DIFFLNS_LONG in the environment all of them, which takes minutes. */
static void escorts_arrive_wherever_a_robot_can_get_on_maps_of_3x4(void **state)
{
    (void)state;
    compare_all(3, 4, getenv("DIFFLNS_LONG") ? 1 : 3, NULL);
}

static void escorts_arrive_wherever_a_robot_can_get_on_maps_of_3x5(void **state)
{
    (void)state;
    compare_all(3, 5, getenv("DIFFLNS_LONG") ? 1 : 151, NULL);
}

static void time_that_is_always_out_changes_nothing(void **state)
{
    (void)state;
    const dl_deadline passed = {0};
    compare_all(3, 3, 1, &passed);
    compare_all(3, 4, 29, &passed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(escorts_arrive_wherever_a_robot_can_get_on_every_map_of_3x3),
                                       cmocka_unit_test(escorts_arrive_wherever_a_robot_can_get_on_every_map_of_2x5),
                                       cmocka_unit_test(escorts_arrive_wherever_a_robot_can_get_on_maps_of_3x4),
                                       cmocka_unit_test(escorts_arrive_wherever_a_robot_can_get_on_maps_of_3x5),
                                       cmocka_unit_test(time_that_is_always_out_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
