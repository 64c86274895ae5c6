#include "diffusion/demo_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/memory.h"
#include "base/text.h"
#include "mapf/check.h"

enum {
    MAGIC = 0x4F4D4544, /* "DEMO" */
    LEVEL = 12          /* of zstd: a record is a few kB, so even a slow level is far below the cost of solving it */
};
#define RAW_LIMIT ((uint32_t)1 << 30)
#define JOB_LIMIT ((uint64_t)1 << 30) /* writers keep a byte for each */

/* Every step is a bijection of the running value, so one changed bit always changes the result. */
uint64_t dl_demo_checksum(uint64_t seed, const void *bytes, size_t size)
{
    const uint64_t odd = 0x9FB21C651E98DF25u; /* any odd number with well-spread bits */
    const unsigned char *cursor = bytes;
    uint64_t sum = (seed ^ size) * odd;
    for (; size >= 8; size -= 8, cursor += 8) {
        uint64_t word;
        memcpy(&word, cursor, 8);
        sum = (sum ^ word) * odd;
        sum ^= sum >> 29;
    }
    for (; size > 0; size--) {
        sum = (sum ^ *cursor++) * odd;
        sum ^= sum >> 29;
    }
    return sum;
}

static uint64_t record_check(const dl_demo_header *header, const void *frame)
{
    dl_demo_header plain = *header;
    plain.check = 0;
    return dl_demo_checksum(dl_demo_checksum(0, &plain, sizeof plain), frame, header->size);
}

bool dl_demo_record_intact(const dl_demo_header *header, const void *frame)
{
    return header->check == record_check(header, frame);
}

const char *dl_demo_header_fault(const dl_demo_header *header)
{
    if (header->magic != MAGIC) return "no record begins here";
    if (header->raw > RAW_LIMIT || header->size > ZSTD_compressBound(RAW_LIMIT)) return "the size is out of range";
    if (header->about.job >= JOB_LIMIT) return "the number of the job is out of range";
    if (header->about.family[DL_DEMO_FAMILY - 1] || header->about.solver[DL_DEMO_SOLVER - 1])
        return "a name has no end";
    return NULL;
}

/* ---- Packing: numbers in groups of seven bits, lowest first, the top bit set on all but the last ---- */

static void add_number(dl_text *text, uint64_t number)
{
    char byte;
    for (; number >= 0x80; number >>= 7) {
        byte = (char)(number | 0x80);
        dl_text_add(text, &byte, 1);
    }
    byte = (char)number;
    dl_text_add(text, &byte, 1);
}

static char action_between(difflns_cell from, difflns_cell to)
{
    if (to.row != from.row) return to.row < from.row ? DL_UP : DL_DOWN;
    if (to.col != from.col) return to.col < from.col ? DL_LEFT : DL_RIGHT;
    return DL_STAY;
}

static void add_plan(dl_text *text, const dl_plan *plan)
{
    for (int agent = 0; agent < plan->agents; agent++) add_number(text, (uint64_t)dl_path_cost(&plan->path[agent]));
    for (int agent = 0; agent < plan->agents; agent++) {
        const dl_path *path = &plan->path[agent];
        for (int t = 1, cost = dl_path_cost(path); t <= cost; t++) {
            char action = action_between(path->at[t - 1], path->at[t]);
            dl_text_add(text, &action, 1);
        }
    }
}

static void add_content(dl_text *text, const dl_demo *demo)
{
    const dl_instance *instance = demo->instance;
    const dl_grid *grid = instance->grid;
    int area = grid->height * grid->width;
    add_number(text, (uint64_t)grid->height);
    add_number(text, (uint64_t)grid->width);
    for (int i = 0; i < area; i += 8) {
        char bits = 0;
        for (int k = 0; k < 8 && i + k < area; k++) bits |= (char)((grid->blocked[i + k] != 0) << k);
        dl_text_add(text, &bits, 1);
    }
    for (int agent = 0; agent < instance->agents; agent++)
        add_number(text, (uint64_t)grid->where[instance->start[agent]]);
    for (int agent = 0; agent < instance->agents; agent++)
        add_number(text, (uint64_t)grid->where[instance->goal[agent]]);
    add_plan(text, demo->plan);
    if (demo->earlier) add_plan(text, demo->earlier);
}

static dl_demo_record pack(const dl_demo_summary *about, uint32_t outcome, const void *raw, size_t size)
{
    size_t room = size ? ZSTD_compressBound(size) : 0;
    char *bytes = dl_malloc(sizeof(dl_demo_header) + room);
    if (bytes && room) room = ZSTD_compress(bytes + sizeof(dl_demo_header), room, raw, size, LEVEL);
    if (!bytes || ZSTD_isError(room)) { /* with enough room, compression fails only for want of memory */
        free(bytes);
        return (dl_demo_record){0};
    }
    dl_demo_header header = {
        .magic = MAGIC, .size = (uint32_t)room, .raw = (uint32_t)size, .outcome = outcome, .about = *about};
    header.check = record_check(&header, bytes + sizeof header);
    memcpy(bytes, &header, sizeof header);
    return (dl_demo_record){bytes, sizeof header + room};
}

dl_demo_record dl_demo_pack(dl_demo *demo)
{
    demo->about.agents = demo->instance->agents;
    demo->about.soc = dl_plan_soc(demo->plan);
    demo->about.makespan = dl_plan_makespan(demo->plan);
    dl_text raw = {0};
    add_content(&raw, demo);
    dl_demo_record record = {0};
    if (!raw.cut) record = pack(&demo->about, DL_DEMO_SOLVED, raw.data, raw.size);
    dl_text_free(&raw);
    return record;
}

dl_demo_record dl_demo_pack_unsolved(const dl_demo_summary *about)
{
    return pack(about, DL_DEMO_UNSOLVED, NULL, 0);
}

bool dl_demo_record_summary(const dl_demo_record *record, dl_demo_summary *about, bool *solved)
{
    dl_demo_header header;
    if (record->size < sizeof header) return false;
    memcpy(&header, record->bytes, sizeof header);
    if (dl_demo_header_fault(&header) || record->size != sizeof header + header.size) return false;
    *about = header.about;
    *solved = header.outcome == DL_DEMO_SOLVED;
    return dl_demo_record_intact(&header, (const char *)record->bytes + sizeof header);
}

void dl_demo_record_release(dl_demo_record *record)
{
    free(record->bytes);
    *record = (dl_demo_record){0};
}

void dl_demo_release(dl_demo *demo)
{
    dl_plan_free(demo->plan);
    dl_plan_free(demo->earlier);
    dl_instance_free(demo->instance);
    *demo = (dl_demo){0};
}

/* ---- Unpacking ---- */

typedef struct cursor {
    const unsigned char *next, *end;
    bool failed;  /* read past the end or a number out of range; everything reads as 0 from there */
    bool starved; /* memory was out */
} cursor;

static int take_number(cursor *c, int high)
{
    uint64_t number = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        if (c->next == c->end) break;
        unsigned char byte = *c->next++;
        number |= (uint64_t)(byte & 0x7F) << shift;
        if (byte & 0x80) continue;
        if (number > (uint64_t)high) break;
        return (int)number;
    }
    c->failed = true;
    c->next = c->end;
    return 0;
}

static dl_grid *take_grid(cursor *c)
{
    int height = take_number(c, DL_MAX_SIDE), width = take_number(c, DL_MAX_SIDE), area = height * width;
    if (area == 0 || c->end - c->next < (area + 7) / 8) {
        c->failed = true;
        return NULL;
    }
    uint8_t *blocked = DL_ARRAY(uint8_t, area);
    if (!blocked) {
        c->starved = true;
        return NULL;
    }
    for (int i = 0; i < area; i++) blocked[i] = c->next[i / 8] >> i % 8 & 1;
    c->next += (area + 7) / 8;
    dl_grid *grid = NULL;
    dl_status status = dl_grid_create(height, width, blocked, &grid, NULL);
    c->starved = status == DIFFLNS_OUT_OF_MEMORY;
    c->failed = c->failed || status != DIFFLNS_OK;
    free(blocked);
    return grid;
}

static dl_instance *take_instance(cursor *c, const dl_demo_summary *about, const char *name)
{
    dl_grid *grid = take_grid(c);
    if (!grid) return NULL;
    int agents = about->agents, area = grid->height * grid->width, width = grid->width;
    dl_task *tasks = DL_ARRAY(dl_task, agents);
    if (!tasks) {
        dl_grid_free(grid);
        c->starved = true;
        return NULL;
    }
    for (int i = 0; i < agents; i++) {
        int where = take_number(c, area - 1);
        tasks[i].start = (difflns_cell){where / width, where % width};
    }
    for (int i = 0; i < agents; i++) {
        int where = take_number(c, area - 1);
        tasks[i].goal = (difflns_cell){where / width, where % width};
    }
    char map_name[128];
    snprintf(map_name, sizeof map_name, "%s-%d-%llu.map", about->family, agents, (unsigned long long)about->seed);
    dl_instance *instance = NULL;
    if (c->failed) {
        dl_grid_free(grid);
    } else if (dl_instance_create(grid, map_name, name, agents, tasks, &instance, NULL) == DIFFLNS_OUT_OF_MEMORY) {
        c->starved = true;
    }
    free(tasks);
    return instance;
}

static dl_plan *take_plan(cursor *c, const dl_instance *instance)
{
    static const difflns_cell STEP[DL_ACTIONS] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    dl_plan *plan = dl_plan_create(instance->agents);
    int64_t actions = 0;
    c->starved = !plan;
    for (int i = 0; i < instance->agents && !c->starved; i++) {
        int cost = take_number(c, DL_MAX_PATH - 1);
        actions += cost;
        if (actions > c->end - c->next) { /* an action is a byte: nothing is allocated that is not there */
            c->failed = true;
            cost = 0;
        }
        plan->path[i].at = DL_ARRAY(difflns_cell, cost + 1);
        c->starved = !plan->path[i].at;
        if (!c->starved) plan->path[i].length = plan->path[i].capacity = cost + 1;
    }
    for (int i = 0; i < instance->agents && !c->failed && !c->starved; i++) {
        difflns_cell at = dl_grid_position(instance->grid, instance->start[i]);
        plan->path[i].at[0] = at;
        for (int t = 1; t < plan->path[i].length; t++) {
            int action = take_number(c, DL_ACTIONS - 1);
            at.row += STEP[action].row;
            at.col += STEP[action].col;
            plan->path[i].at[t] = at;
        }
    }
    return plan;
}

/* What follows the demonstration is the earlier plan. */
static void take_plans(cursor *c, dl_demo *out)
{
    out->plan = take_plan(c, out->instance);
    if (!c->failed && !c->starved && c->next != c->end) out->earlier = take_plan(c, out->instance);
    if (c->next != c->end) c->failed = true;
}

/* NULL if it passes, or memory is out. */
static const char *plan_fault(const dl_instance *instance, const dl_plan *plan, bool *starved)
{
    dl_check_result check = {0};
    *starved = !dl_check(instance, plan, &check, NULL, 0, NULL);
    return check.violations > 0 ? "its plan does not pass the checker" : NULL;
}

dl_status dl_demo_unpack(const dl_demo_header *header, const void *frame, const char *name, int64_t index, dl_demo *out,
                         dl_error *err)
{
    *out = (dl_demo){.about = header->about};
    unsigned char *raw = dl_malloc((size_t)header->raw + 1);
    if (!raw) return dl_out_of_memory(err);
    size_t size = ZSTD_decompress(raw, header->raw, frame, header->size);
    cursor c = {raw, raw + header->raw, size != header->raw, ZSTD_getErrorCode(size) == ZSTD_error_memory_allocation};
    bool sane = header->about.agents > 0 && header->about.agents <= DL_MAX_AGENTS;
    if (!c.failed && sane) {
        out->instance = take_instance(&c, &header->about, name);
        if (out->instance) take_plans(&c, out);
    }
    free(raw);
    const char *fault = NULL;
    if (!c.starved && (c.failed || !out->plan))
        fault = "its content makes no sense";
    else if (!c.starved)
        fault = plan_fault(out->instance, out->plan, &c.starved);
    if (!c.starved && !fault && out->earlier) fault = plan_fault(out->instance, out->earlier, &c.starved);
    if (c.starved) {
        dl_demo_release(out);
        return dl_out_of_memory(err);
    }
    if (!fault &&
        (dl_plan_soc(out->plan) != header->about.soc || dl_plan_makespan(out->plan) != header->about.makespan))
        fault = "its costs are not those of its plan";
    if (!fault) return DIFFLNS_OK;
    dl_demo_release(out);
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: demonstration %lld: %s", name, (long long)index, fault);
}
