/* Plans from and to files, whatever their format: tells formats apart by content (plan_format.h). For tools. */
#ifndef DL_FORMATS_PLAN_IO_H
#define DL_FORMATS_PLAN_IO_H

#include <stdio.h>

#include "mapf/plan.h"

/* Reads a file ("-" is standard input). The plan is complete (each agent has a path of at least one cell) but not
 * checked. `order` is for path text. */
dl_status dl_plan_read(const dl_instance *instance, const char *path, difflns_order order, dl_plan **out,
                       dl_error *err);
/* The same from memory; `name` is for messages. */
dl_status dl_plan_parse(const dl_instance *instance, const char *name, const char *data, size_t size,
                        difflns_order order, dl_plan **out, dl_error *err);
/* The same for the bytes of a file, which may be compressed. */
dl_status dl_plan_decode(const dl_instance *instance, const char *name, const void *bytes, size_t size,
                         difflns_order order, dl_plan **out, dl_error *err);
/* Writes to a stream; what was written before a failure is the caller's to drop. */
dl_status dl_plan_print(FILE *stream, const dl_instance *instance, const dl_plan *plan, difflns_format format,
                        dl_error *err);
/* Nothing is written on failure. */
dl_status dl_plan_write(const dl_instance *instance, const dl_plan *plan, difflns_format format, const char *path,
                        dl_error *err);

#endif
