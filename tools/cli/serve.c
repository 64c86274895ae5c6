/* difflns serve: a fleet for programs in any language. JSON lines on standard input and output, or on a socket. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/terminal.h"
#include "serve/session.h"
#include "serve/wire.h"

static bool is_blank(const char *line, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (!strchr(" \t\r", line[i]) || !line[i]) return false;
    return true;
}

/* Answers lines until there are no more. False when an answer could not be written. */
static bool serve_client(dl_serve *session, int in, int out, int door, const atomic_int *stop)
{
    dl_wire wire = {.in = in, .door = door, .stop = stop};
    const char *line;
    size_t size;
    bool heard = true;
    for (dl_wire_event event; heard && (event = dl_wire_read(&wire, &line, &size)) != DL_WIRE_END;) {
        if (event == DL_WIRE_TOO_LONG)
            heard = dl_wire_write(out, dl_serve_refusal("expected a line of at most 16 MB"));
        else if (!is_blank(line, size))
            heard = dl_wire_write(out, dl_serve_answer(session, line, size));
    }
    dl_wire_free(&wire);
    return heard;
}

static bool is_socket(const char *path)
{
    struct stat found;
    return lstat(path, &found) == 0 && S_ISSOCK(found.st_mode);
}

/* A socket under that name; what a killed process left there is taken over. -1 with errno set if that can't be. */
static int open_door(const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof name.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(name.sun_path, path, strlen(path) + 1);
    int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (door < 0) return -1;
    bool bound = bind(door, (struct sockaddr *)&name, sizeof name) == 0;
    if (!bound && errno == EADDRINUSE && is_socket(path) && connect(door, (struct sockaddr *)&name, sizeof name) < 0 &&
        errno == ECONNREFUSED && unlink(path) == 0)
        bound = bind(door, (struct sockaddr *)&name, sizeof name) == 0;
    if (bound && listen(door, SOMAXCONN) == 0) return door;
    int reason = errno;
    close(door);
    errno = reason;
    return -1;
}

/* One client after the other drives the same fleet: who has lost the connection finds it as it was. */
static void serve_door(dl_serve *session, int door, const atomic_int *stop)
{
    dl_wire waiting = {.in = door, .door = -1, .stop = stop};
    while (dl_wire_wait(&waiting)) {
        int client = accept(door, NULL, NULL);
        if (client < 0) continue;
        (void)serve_client(session, client, client, door, stop);
        close(client);
    }
}

int cli_serve(const options *opts)
{
    dl_serve session = {0};
    const atomic_int *stop = terminal_catch_signals();
    bool heard = true;
    if (opts->serve_socket) {
        int door = open_door(opts->serve_socket);
        if (door < 0)
            return cli_usage("serve: --socket: %s: expected a path for a new socket: %s", opts->serve_socket,
                             strerror(errno));
        serve_door(&session, door, stop);
        close(door);
        unlink(opts->serve_socket);
    } else {
        heard = serve_client(&session, STDIN_FILENO, STDOUT_FILENO, -1, stop);
    }
    dl_serve_end(&session);
    if (!heard) return cli_usage("serve: standard output: cannot write an answer");
    return terminal_signal_status();
}
