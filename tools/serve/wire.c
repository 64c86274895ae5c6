#include "serve/wire.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/session.h"

/* What is read at once; also the smallest buffer. */
enum { PIECE = 1 << 16 };
/* A signal that comes just before the waiting begins is noticed after so many milliseconds. */
enum { PATIENCE_MS = 200 };

/* One client at a time. */
static void turn_away(int door)
{
    int client = accept(door, NULL, NULL);
    if (client < 0) return;
    if (!dl_wire_write(client, dl_serve_refusal("expected no second client; one is being served"))) errno = 0;
    close(client);
}

bool dl_wire_wait(const dl_wire *wire)
{
    while (!atomic_load(wire->stop)) {
        struct pollfd both[] = {{.fd = wire->in, .events = POLLIN}, {.fd = wire->door, .events = POLLIN}};
        int ready = poll(both, 2, PATIENCE_MS);
        if (ready < 0 && errno != EINTR) return false;
        if (ready > 0 && both[1].revents) turn_away(wire->door);
        if (ready > 0 && both[0].revents) return !atomic_load(wire->stop);
    }
    return false;
}

/* Reads a piece behind what is there. False when nothing comes any more, or memory is out. */
static bool read_piece(dl_wire *wire)
{
    if (wire->begin > 0) memmove(wire->data, wire->data + wire->begin, wire->size - wire->begin);
    wire->size -= wire->begin;
    wire->begin = 0;
    if (!DL_GROW(wire->data, wire->capacity, wire->size + PIECE)) return false;
    if (!dl_wire_wait(wire)) {
        wire->ended = true;
        wire->size = 0; /* stopped: what is half there is not wanted */
        return true;
    }
    ssize_t count = read(wire->in, wire->data + wire->size, PIECE);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    if (count <= 0) wire->ended = true;
    if (count > 0) wire->size += (size_t)count;
    return true;
}

/* Drops what there is of a line that is too long. */
static void drop_line(dl_wire *wire)
{
    wire->begin = wire->size = wire->seen = 0;
    wire->skips = true;
}

dl_wire_event dl_wire_read(dl_wire *wire, const char **line, size_t *size)
{
    for (;;) {
        size_t left = wire->size - wire->begin;
        char *text = wire->data + wire->begin;
        const char *end = left > wire->seen ? memchr(text + wire->seen, '\n', left - wire->seen) : NULL;
        if (atomic_load(wire->stop)) return DL_WIRE_END;
        if (end || (wire->ended && left > 0)) {
            bool skipped = wire->skips;
            *line = text;
            *size = end ? (size_t)(end - text) : left;
            wire->begin += *size + (end ? 1 : 0);
            wire->seen = 0;
            wire->skips = false;
            if (skipped || *size > DL_WIRE_LONGEST) return DL_WIRE_TOO_LONG;
            return DL_WIRE_LINE;
        }
        if (wire->ended) {
            bool skipped = wire->skips;
            wire->skips = false;
            return skipped ? DL_WIRE_TOO_LONG : DL_WIRE_END;
        }
        wire->seen = left;
        if (wire->skips || left > DL_WIRE_LONGEST) drop_line(wire);
        if (!read_piece(wire)) drop_line(wire);
    }
}

/* Not to a client that is gone: that must not end the program. */
static bool write_all(int out, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t count = send(out, bytes, size, MSG_NOSIGNAL);
        if (count < 0 && errno == ENOTSOCK) count = write(out, bytes, size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        bytes += count;
        size -= (size_t)count;
    }
    return true;
}

bool dl_wire_write(int out, json_t *value)
{
    dl_text text = {0};
    dl_json_add(&text, value, JSON_COMPACT | DL_JSON_DIGITS);
    dl_text_add(&text, "\n", 1);
    bool written = !text.cut && write_all(out, text.data, text.size);
    dl_text_free(&text);
    return written;
}

void dl_wire_free(dl_wire *wire)
{
    free(wire->data);
    wire->data = NULL;
}
