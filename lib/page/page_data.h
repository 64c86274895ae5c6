/* What a page plays, as JSON for its scripts. For tools. */
#ifndef DL_PAGE_PAGE_DATA_H
#define DL_PAGE_PAGE_DATA_H

#include <stdio.h>

#include "base/memory.h"
#include "page/page.h"

/* Safe inside a script element: no '<' can end it or open a comment. False when memory is out. */
DL_MUST_CHECK bool dl_page_write_data(FILE *stream, const dl_page *page);

#endif
