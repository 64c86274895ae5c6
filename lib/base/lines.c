#include "base/lines.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

dl_lines dl_lines_begin(const char *data, size_t size)
{
    static const char BYTE_ORDER_MARK[] = "\xEF\xBB\xBF";
    if (size >= 3 && memcmp(data, BYTE_ORDER_MARK, 3) == 0) {
        data += 3;
        size -= 3;
    }
    return (dl_lines){.next = data, .end = data + size};
}

bool dl_lines_next(dl_lines *lines)
{
    assert(lines->next <= lines->end);
    if (lines->next == lines->end) return false;
    const char *stop = memchr(lines->next, '\n', (size_t)(lines->end - lines->next));
    const char *after = stop ? stop + 1 : lines->end;
    if (!stop) stop = lines->end;
    assert(lines->next <= stop && stop <= after);
    while (stop > lines->next && is_blank(stop[-1])) stop--;
    lines->text = lines->next;
    lines->length = (size_t)(stop - lines->next);
    lines->next = after;
    lines->number++;
    return true;
}

bool dl_lines_next_full(dl_lines *lines)
{
    while (dl_lines_next(lines))
        if (lines->length > 0) return true;
    return false;
}

bool dl_scan_int(const char **cursor, const char *end, long low, long high, long *value)
{
    const char *p = *cursor;
    bool negative = p < end && *p == '-';
    if (negative) p++;
    if (p == end || *p < '0' || *p > '9') return false;
    long total = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++)
        if (__builtin_mul_overflow(total, 10L, &total) || __builtin_add_overflow(total, (long)(*p - '0'), &total))
            return false;
    if (negative) total = -total;
    if (total < low || total > high) return false;
    *cursor = p;
    *value = total;
    return true;
}

bool dl_scan_text(const char **cursor, const char *end, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(end - *cursor) < length || memcmp(*cursor, text, length) != 0) return false;
    *cursor += length;
    return true;
}

dl_found dl_scan_found(const char *cursor, const char *end)
{
    enum { SHOWN = 40 };
    dl_found found;
    if (cursor == end) {
        snprintf(found.text, sizeof found.text, "the end of the line");
        return found;
    }
    size_t length = (size_t)(end - cursor), shown = length < SHOWN ? length : SHOWN, at = 0;
    found.text[at++] = '"';
    for (size_t i = 0; i < shown; i++) found.text[at++] = cursor[i] >= ' ' && cursor[i] <= '~' ? cursor[i] : '?';
    snprintf(found.text + at, sizeof found.text - at, "%s\"", shown < length ? "..." : "");
    return found;
}

bool dl_scan_field(const char **cursor, const char *end, const char **field, size_t *length)
{
    const char *p = *cursor;
    while (p < end && is_blank(*p)) p++;
    if (p == end) return false;
    *field = p;
    while (p < end && !is_blank(*p)) p++;
    *length = (size_t)(p - *field);
    *cursor = p;
    return true;
}
