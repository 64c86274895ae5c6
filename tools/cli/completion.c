#include "cli/completion.h"

#include <string.h>

/* "a|b|c" as "a b c". */
static void print_words(FILE *stream, const char *choices)
{
    for (; *choices; choices++) fputc(*choices == '|' ? ' ' : *choices, stream);
}

/* ---- bash: files are what is left when nothing else fits ---- */

static void bash_verb(FILE *stream, const verb *v)
{
    option_view row;
    fprintf(stream, "    %s)\n        options='--help", v->name);
    for (int at = 0; options_next(v, &at, &row);) fprintf(stream, " --%s", row.name);
    fprintf(stream, "'\n        case $before in\n");
    for (int at = 0; options_next(v, &at, &row);) {
        if (!row.choices) continue;
        fprintf(stream, "        --%s) words='", row.name);
        print_words(stream, row.choices);
        fprintf(stream, "' ;;\n");
    }
    fprintf(stream, "        esac ;;\n");
}

static void print_bash(FILE *stream, const verb *verbs, int count)
{
    fprintf(stream, "# bash completion for difflns\n_difflns() {\n"
                    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options='' words=''\n"
                    "    if [ \"$COMP_CWORD\" = 1 ]; then\n        COMPREPLY=($(compgen -W '");
    for (int i = 0; i < count; i++) fprintf(stream, "%s ", verbs[i].name);
    fprintf(stream, "--help --version' -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
    for (int i = 0; i < count; i++) bash_verb(stream, &verbs[i]);
    fprintf(stream, "    esac\n"
                    "    if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                    "    elif [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
                    "    else COMPREPLY=()\n    fi\n}\ncomplete -o default -F _difflns difflns\n");
}

/* ---- zsh ---- */

/* A text inside brackets, inside single quotes. */
static void zsh_text(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'') fputs("'\\'", stream);
        if (strchr("[]:", *text)) fputc('\\', stream);
        fputc(*text, stream);
    }
}

static void zsh_option(FILE *stream, const option_view *row)
{
    fprintf(stream, "            '--%s[", row->name);
    zsh_text(stream, row->help);
    fputc(']', stream);
    if (row->choices) {
        fprintf(stream, ":%s:(", row->name);
        print_words(stream, row->choices);
        fputc(')', stream);
    } else if (*row->value) {
        fprintf(stream, ":%s:_files", row->name);
    }
    fprintf(stream, "' \\\n");
}

static void print_zsh(FILE *stream, const verb *verbs, int count)
{
    fprintf(stream, "#compdef difflns\n_difflns() {\n    if (( CURRENT == 2 )); then\n        local -a verbs=(\n");
    for (int i = 0; i < count; i++) {
        fprintf(stream, "            '%s:", verbs[i].name);
        zsh_text(stream, verbs[i].summary);
        fprintf(stream, "'\n");
    }
    fprintf(stream, "        )\n        _describe verb verbs\n        return\n    fi\n    local verb=$words[2]\n"
                    "    shift words\n    (( CURRENT-- ))\n    case $verb in\n");
    for (int i = 0; i < count; i++) {
        fprintf(stream, "    %s)\n        _arguments \\\n", verbs[i].name);
        option_view row;
        for (int at = 0; options_next(&verbs[i], &at, &row);) zsh_option(stream, &row);
        fprintf(stream, "            '*:file:_files' ;;\n");
    }
    fprintf(stream, "    esac\n}\n_difflns \"$@\"\n");
}

/* ---- fish ---- */

/* A text inside single quotes. */
static void fish_text(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'') fputc('\\', stream);
        fputc(*text, stream);
    }
}

static void print_fish(FILE *stream, const verb *verbs, int count)
{
    fprintf(stream, "# fish completion for difflns\n");
    for (int i = 0; i < count; i++) {
        fprintf(stream, "complete -c difflns -n __fish_use_subcommand -f -a %s -d '", verbs[i].name);
        fish_text(stream, verbs[i].summary);
        fprintf(stream, "'\n");
        option_view row;
        for (int at = 0; options_next(&verbs[i], &at, &row);) {
            fprintf(stream, "complete -c difflns -n '__fish_seen_subcommand_from %s' -l %s", verbs[i].name, row.name);
            if (row.letter) fprintf(stream, " -s %c", row.letter);
            if (row.choices) {
                fprintf(stream, " -x -a '");
                print_words(stream, row.choices);
                fputc('\'', stream);
            } else if (*row.value) {
                fprintf(stream, " -r");
            }
            fprintf(stream, " -d '");
            fish_text(stream, row.help);
            fprintf(stream, "'\n");
        }
    }
}

bool completion_print(FILE *stream, const char *shell, const verb *verbs, int count)
{
    static const struct {
        const char *shell;
        void (*print)(FILE *stream, const verb *verbs, int count);
    } SHELLS[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (size_t i = 0; i < sizeof SHELLS / sizeof SHELLS[0]; i++)
        if (strcmp(shell, SHELLS[i].shell) == 0) {
            SHELLS[i].print(stream, verbs, count);
            return true;
        }
    return false;
}
