/* The page's part of the public interface. */
#include "page/page.h"

difflns_status difflns_page_write(const difflns_instance *instance, const difflns_plan *first, const char *first_title,
                                  const difflns_plan *second, const char *second_title, const char *path,
                                  difflns_error *err)
{
    dl_page_plan plans[2] = {{first, first_title, NULL}, {second, second_title, NULL}};
    dl_page page = {.instance = instance, .count = second ? 2 : 1, .plans = plans};
    return dl_page_write(&page, path, err);
}
