#include "page/page.h"

#include <string.h>

#include "base/output.h"
#include "base/text.h"
#include "page/page_data.h"
#include "page_assets.h"

/* Text for inside an element: the page's title. False when memory is out. */
static bool write_html(FILE *stream, const char *plain)
{
    dl_text text = {0};
    dl_text_add_html(&text, plain);
    if (text.size) fwrite(text.data, 1, text.size, stream);
    bool whole = !text.cut;
    dl_text_free(&text);
    return whole;
}

/* What stands for {{name}} in page.html; nothing for what only the playground has. False when memory is out. */
static bool write_part(FILE *stream, const dl_page *page, const char *name, size_t length)
{
    static const struct {
        const char *name, *text;
    } ASSET[] = {{"page.css", asset_page_css},
                 {"plan.js", asset_plan_js},
                 {"dependencies.js", asset_dependencies_js},
                 {"scene.js", asset_scene_js},
                 {"denoising.js", asset_denoising_js},
                 {"numbers.js", asset_numbers_js},
                 {"viewer.js", asset_viewer_js},
                 {"input.js", asset_input_js},
                 {"page.js", asset_page_js},
                 {"start.js", asset_start_js}};
    for (size_t i = 0; i < sizeof ASSET / sizeof ASSET[0]; i++)
        if (strlen(ASSET[i].name) == length && memcmp(ASSET[i].name, name, length) == 0) fputs(ASSET[i].text, stream);
    if (length == 4 && memcmp(name, "data", 4) == 0) return dl_page_write_data(stream, page);
    if (length == 5 && memcmp(name, "title", 5) == 0)
        return write_html(stream, page->title ? page->title : page->instance->map_name);
    return true;
}

static bool write_page(FILE *stream, const dl_page *page)
{
    const char *at = asset_page_html, *open;
    while ((open = strstr(at, "{{")) != NULL) {
        const char *close = strstr(open, "}}");
        fwrite(at, 1, (size_t)(open - at), stream);
        if (!write_part(stream, page, open + 2, (size_t)(close - open - 2))) return false;
        at = close + 2;
    }
    fputs(at, stream);
    return true;
}

static dl_status check_agents(const dl_page *page, dl_error *err)
{
    for (int i = 0; i < page->count; i++) {
        const dl_plan *plan = page->plans[i].plan;
        if (plan->agents != page->instance->agents)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: plan of %d agents for an instance of %d",
                           page->plans[i].title ? page->plans[i].title : "page", plan->agents, page->instance->agents);
    }
    return DIFFLNS_OK;
}

dl_status dl_page_write(const dl_page *page, const char *path, dl_error *err)
{
    DL_TRY(check_agents(page, err));
    dl_output out;
    DL_TRY(dl_output_open(&out, path, err));
    if (write_page(out.stream, page)) return dl_output_commit(&out, err);
    dl_output_discard(&out);
    return dl_out_of_memory(err);
}

dl_status dl_page_print(const dl_page *page, FILE *stream, dl_error *err)
{
    DL_TRY(check_agents(page, err));
    return write_page(stream, page) ? DIFFLNS_OK : dl_out_of_memory(err);
}
