/* Make an instance from arrays, as a robot controller would, and see how bad input is refused. */
#include <difflns.h>
#include <stdio.h>

int main(void)
{
    const uint8_t blocked[3 * 4] = {0, 0, 0, 0, /* 3 rows of 4 cells, a wall in the middle */
                                    0, 1, 1, 0, /**/
                                    0, 0, 0, 0};
    const difflns_cell starts[2] = {{0, 0}, {2, 3}}, goals[2] = {{2, 3}, {0, 0}};
    difflns_error err;
    difflns_instance *instance;
    if (difflns_instance_create(3, 4, blocked, 2, starts, goals, &instance, &err) != DIFFLNS_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    printf("%d agents on %d x %d cells, at least %lld steps in all\n", difflns_instance_agents(instance),
           difflns_instance_height(instance), difflns_instance_width(instance),
           (long long)difflns_instance_sum_of_distances(instance));
    difflns_instance_free(instance);

    const difflns_cell on_the_wall[2] = {{1, 1}, {2, 3}};
    difflns_status status = difflns_instance_create(3, 4, blocked, 2, on_the_wall, goals, &instance, &err);
    printf("refused (%s): %s\n", difflns_status_name(status), err.message);
    return status == DIFFLNS_BAD_INPUT ? 0 : 1;
}
