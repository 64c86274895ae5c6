/* The page's part of the public interface. */
#include "base/print.h"
#include "page/page.h"
#include "solver/api.h"

/* One plan or two, side by side. */
static dl_status show(const dl_instance *instance, const dl_plan *first, const char *first_title, const dl_plan *second,
                      const char *second_title, dl_page_plan plans[2], dl_page *page, dl_error *err)
{
    DL_REQUIRE(instance);
    DL_REQUIRE(first);
    plans[0] = (dl_page_plan){first, first_title, NULL};
    plans[1] = (dl_page_plan){second, second_title, NULL};
    *page = (dl_page){.instance = instance, .count = second ? 2 : 1, .plans = plans};
    return DIFFLNS_OK;
}

difflns_status difflns_page_write(const difflns_instance *instance, const difflns_plan *first, const char *first_title,
                                  const difflns_plan *second, const char *second_title, const char *path,
                                  difflns_error *err)
{
    dl_page_plan plans[2];
    dl_page page;
    DL_REQUIRE(path);
    DL_TRY(show(instance, first, first_title, second, second_title, plans, &page, err));
    return dl_page_write(&page, path, err);
}

difflns_status difflns_page_print(const difflns_instance *instance, const difflns_plan *first, const char *first_title,
                                  const difflns_plan *second, const char *second_title, char **out, size_t *size,
                                  difflns_error *err)
{
    dl_page_plan plans[2];
    dl_page page;
    DL_REQUIRE_OUT(out);
    DL_TRY(show(instance, first, first_title, second, second_title, plans, &page, err));
    dl_print print;
    DL_TRY(dl_print_open(&print, err));
    dl_status status = dl_page_print(&page, print.stream, err);
    if (status == DIFFLNS_OK) return dl_print_finish(&print, out, size, err);
    dl_print_discard(&print);
    return status;
}
