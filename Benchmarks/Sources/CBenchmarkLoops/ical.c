#include "benchmark_loops.h"

#include <libical/ical.h>
#include <stdlib.h>

struct benchmark_ical {
    struct icalrecurrencetype rule;
    struct icaltimetype start;
    icaltimezone *zone; /* libical's own, for the life of the process */
};

static double seconds_since(int64_t begun) { return (double)(benchmark_thread_nanoseconds() - begun) * 1e-9; }

static bool read_rule(benchmark_ical *into, const char *rule, const char *start) {
    into->rule = icalrecurrencetype_from_string(rule);
    into->start = icaltime_from_string(start);
    into->start.zone = into->zone;
    return into->rule.freq != ICAL_NO_RECURRENCE && !icaltime_is_null_time(into->start);
}

benchmark_ical *benchmark_ical_open(const char *rule, const char *start, const char *zone) {
    icaltimezone *found = icaltimezone_get_builtin_timezone(zone);
    benchmark_ical *opened = calloc(1, sizeof *opened);
    if (!found || !opened) {
        free(opened);
        return NULL;
    }
    opened->zone = found;
    if (!read_rule(opened, rule, start)) {
        free(opened);
        return NULL;
    }
    /* The first conversion of a year expands the zone's changes up to it; later ones find them. */
    struct icaltimetype far = opened->start;
    far.year = 2037;
    (void)icaltime_as_timet_with_zone(far, opened->zone);
    return opened;
}

void benchmark_ical_close(benchmark_ical *rule) { free(rule); }

size_t benchmark_ical_walk(const benchmark_ical *rule, int64_t *dates, size_t count, double *elapsed) {
    icalrecur_iterator *iterator = icalrecur_iterator_new(rule->rule, rule->start);
    size_t found = 0;
    int64_t begun = benchmark_thread_nanoseconds();
    while (found < count) {
        struct icaltimetype next = icalrecur_iterator_next(iterator);
        if (icaltime_is_null_time(next)) break;
        dates[found++] = icaltime_as_timet_with_zone(next, rule->zone);
    }
    *elapsed = seconds_since(begun);
    icalrecur_iterator_free(iterator);
    return found;
}

int64_t benchmark_ical_first(const benchmark_ical *rule, size_t rounds, double *elapsed) {
    int64_t date = 0;
    int64_t begun = benchmark_thread_nanoseconds();
    for (size_t round = 0; round < rounds; round++) {
        icalrecur_iterator *iterator = icalrecur_iterator_new(rule->rule, rule->start);
        date = icaltime_as_timet_with_zone(icalrecur_iterator_next(iterator), rule->zone);
        icalrecur_iterator_free(iterator);
    }
    *elapsed = seconds_since(begun);
    return date;
}

int64_t benchmark_ical_convert(const benchmark_ical *rule, size_t rounds, double *elapsed) {
    int64_t date = 0;
    struct icaltimetype start = rule->start;
    int64_t begun = benchmark_thread_nanoseconds();
    for (size_t round = 0; round < rounds; round++) {
        start.minute = (int)(round % 60);
        date ^= icaltime_as_timet_with_zone(start, rule->zone);
    }
    *elapsed = seconds_since(begun);
    return date;
}

int64_t benchmark_ical_parse_and_first(
    const char *rule, const char *start, const char *zone, size_t rounds, double *elapsed) {
    benchmark_ical read = {.zone = icaltimezone_get_builtin_timezone(zone)};
    int64_t date = 0;
    int64_t begun = benchmark_thread_nanoseconds();
    for (size_t round = 0; round < rounds; round++) {
        if (!read_rule(&read, rule, start)) return -1;
        icalrecur_iterator *iterator = icalrecur_iterator_new(read.rule, read.start);
        date = icaltime_as_timet_with_zone(icalrecur_iterator_next(iterator), read.zone);
        icalrecur_iterator_free(iterator);
    }
    *elapsed = seconds_since(begun);
    return date;
}
