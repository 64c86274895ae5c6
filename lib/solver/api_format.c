/* Plan formats through difflns.h. */
#include "formats/plan_format.h"

const char *difflns_format_name(int format)
{
    const dl_plan_format *row = dl_plan_format_at(format);
    return row ? row->name : NULL;
}

int difflns_format_find(const char *name)
{
    return name ? dl_plan_format_find(name) : -1;
}
