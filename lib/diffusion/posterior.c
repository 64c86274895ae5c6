#include "diffusion/posterior.h"

#include <assert.h>
#include <math.h>

dl_reverse_step dl_reverse_step_between(const dl_schedule *schedule, int k, int j)
{
    assert(j >= 0 && j < k && k <= schedule->steps);
    double alpha = schedule->kept[k] / schedule->kept[j];
    return (dl_reverse_step){
        .stay = alpha,
        .jump = (1 - alpha) / DL_ACTIONS,
        .kept = schedule->kept[j],
        .rest = (1 - schedule->kept[j]) / DL_ACTIONS,
    };
}

static double transition(const dl_reverse_step *step, int token, int noisy)
{
    return (token == noisy ? step->stay : 0) + step->jump;
}

void dl_reverse_probabilities(const dl_reverse_step *step, int noisy, const double *clean, double *out)
{
    assert(noisy >= 0 && noisy < DL_ACTIONS);
    double sum = 0;
    for (int a = 0; a < DL_ACTIONS; a++) {
        out[a] = transition(step, a, noisy) * (step->kept * clean[a] + step->rest);
        sum += out[a];
    }
    for (int a = 0; a < DL_ACTIONS; a++) out[a] /= sum;
}

double dl_posterior_divergence(const dl_reverse_step *step, int noisy, int target, const double *clean, double scale,
                               double *gradient)
{
    double point[DL_ACTIONS] = {0}, q[DL_ACTIONS], r[DL_ACTIONS], z = 0, divergence = 0;
    assert(target >= 0 && target < DL_ACTIONS);
    point[target] = 1;
    dl_reverse_probabilities(step, noisy, point, q);
    for (int a = 0; a < DL_ACTIONS; a++) {
        r[a] = transition(step, a, noisy) * (step->kept * clean[a] + step->rest);
        z += r[a];
    }
    for (int a = 0; a < DL_ACTIONS; a++) {
        if (q[a] > 0) divergence += q[a] * log(q[a] * z / r[a]);
        double pull = q[a] > 0 ? q[a] / r[a] : 0;
        gradient[a] -= scale * step->kept * transition(step, a, noisy) * (pull - 1 / z);
    }
    return divergence;
}
