#include "diffusion/wishes.h"

#include <stdlib.h>

#include "base/memory.h"

static const float LEVELS_A_NAT = 25.5f;

dl_wishes dl_wishes_from_draft(const dl_model *model, const dl_draft *draft)
{
    int agents = draft->plan->agents;
    dl_wishes wishes = {.preference = DL_ARRAY(dl_preference, agents)};
    if (model->config.tokens != DL_TOKENS_ABSOLUTE) return wishes;
    size_t row = (size_t)draft->horizon * DL_ACTIONS, count = (size_t)agents * row;
    wishes.score = DL_ARRAY(uint8_t, count);
    for (size_t i = 0; i < count; i++) {
        float level = 255 + LEVELS_A_NAT * draft->log_probability[i];
        wishes.score[i] = (uint8_t)(level > 0 ? level < 255 ? level : 255 : 0);
    }
    for (int agent = 0; agent < agents; agent++)
        wishes.preference[agent] = (dl_preference){draft->horizon, wishes.score + (size_t)agent * row};
    return wishes;
}

void dl_wishes_free(dl_wishes *wishes)
{
    free(wishes->preference);
    free(wishes->score);
    *wishes = (dl_wishes){0};
}
