/* Reads the fields of a request; what is wrong is said in one line that names the field and what was expected. */
#ifndef DL_SERVE_REQUEST_H
#define DL_SERVE_REQUEST_H

#include "serve/session.h"

/* A cell, [row, col]. `what` names it in messages. */
dl_status dl_serve_read_cell(const json_t *value, const char *what, difflns_cell *out, dl_error *err);
/* A list of cells, to free(); a field that is not there is an empty list. */
dl_status dl_serve_read_cells(const json_t *request, const char *field, difflns_cell **out, size_t *count,
                              dl_error *err);
/* Fields that are not there leave *out as it is. */
dl_status dl_serve_read_whole(const json_t *request, const char *field, int64_t low, int64_t high, int64_t *out,
                              dl_error *err);
dl_status dl_serve_read_real(const json_t *request, const char *field, double high, double *out, dl_error *err);
dl_status dl_serve_read_flag(const json_t *request, const char *field, bool *out, dl_error *err);
dl_status dl_serve_read_text(const json_t *request, const char *field, const char **out, dl_error *err);
/* The number of the robot that "robot" names. */
dl_status dl_serve_read_robot(const dl_serve *session, const json_t *request, int *out, dl_error *err);
/* The number of a robot by its name. */
dl_status dl_serve_find_robot(const dl_serve *session, const char *name, int *out, dl_error *err);

/* Adds to an answer and takes the value over; a value of NULL means that memory is out. */
dl_status dl_serve_put(json_t *answer, const char *field, json_t *value, dl_error *err);
json_t *dl_serve_cell(difflns_cell cell);

#endif
