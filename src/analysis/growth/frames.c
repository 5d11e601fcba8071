#include "samples.h"
#include "../frames/frames.h"
#include "../../base/csv.h"

#include <math.h>

/* --- the control variables of each frame --- */

struct rows {
    const struct cc_csv *csv; /* NULL: the number of the frame is the only variable */
    size_t frames;            /* those that were marked: 1 to frames */
    size_t column;            /* `frame`; SIZE_MAX: rows are in order */
    const char **values;      /* [frame - 1][variable] */
    const char **names;
    size_t n;
};

static size_t find_column(const struct cc_csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->ncols; i++)
        if (strcmp(csv->header.cells[i], name) == 0)
            return i;
    return SIZE_MAX;
}

static int frame_of_row(const struct rows *r, size_t row, size_t *ret, struct cc_err *err)
{
    const struct cc_csv_row *x = &r->csv->rows[row];
    int64_t frame = (int64_t)row + 1;
    if (r->column != SIZE_MAX && !cc_parse_i64(x->cells[r->column], &frame))
        return cc_err_at(err, CC_EINPUT, r->csv->path, x->line, "'%s' is no frame", x->cells[r->column]);
    if (frame < 1 || (uint64_t)frame > r->frames)
        return cc_err_at(err, CC_EINPUT, r->csv->path, x->line,
                         "frame %lld is not in the recording, which has %zu", (long long)frame, r->frames);
    *ret = (size_t)frame - 1;
    return 0;
}

static int take_rows(struct rows *r, struct cc_arena *arena, struct cc_err *err)
{
    r->column = find_column(r->csv, "frame");
    r->n = r->csv->ncols - (r->column != SIZE_MAX);
    if (r->n == 0 || r->n > CC_CONTROLS_MAX)
        return cc_err_at(err, CC_EINPUT, r->csv->path, r->csv->header.line,
                         "expected 1 to %d variables beside 'frame'", CC_CONTROLS_MAX);
    r->names = cc_arena_alloc(arena, r->n * sizeof *r->names);
    r->values = cc_arena_alloc(arena, r->frames * r->n * sizeof *r->values);
    for (size_t c = 0, v = 0; c < r->csv->ncols; c++)
        if (c != r->column)
            r->names[v++] = cc_arena_strdup(arena, r->csv->header.cells[c]);
    for (size_t row = 0; row < r->csv->nrows; row++) {
        size_t frame = 0;
        int rc = frame_of_row(r, row, &frame, err);
        if (rc < 0)
            return rc;
        for (size_t c = 0, v = 0; c < r->csv->ncols; c++)
            if (c != r->column)
                r->values[frame * r->n + v++] = cc_arena_strdup(arena, r->csv->rows[row].cells[c]);
    }
    return 0;
}

static void number_frames(struct rows *r, struct cc_arena *arena)
{
    r->n = 1;
    r->names = cc_arena_alloc(arena, sizeof *r->names);
    r->names[0] = "frame";
    r->values = cc_arena_alloc(arena, r->frames * sizeof *r->values);
    for (size_t i = 0; i < r->frames; i++) {
        r->values[i] = cc_arena_printf(arena, "%zu", i + 1);
    }
}

/* --- figures --- */

static struct cc_thing *add_thing(struct cc_samples *s, enum cc_subject_kind kind, const char *name)
{
    struct cc_thing t = {.kind = kind, .name = cc_arena_strdup(&s->arena, name)};
    t.y[0] = cc_alloc_array(s->nruns + 1, sizeof *t.y[0]);
    CC_VEC_PUSH(&s->things, t);
    return &s->things.v[s->things.n - 1];
}

/* Place among the samples of each frame that has values; SIZE_MAX for the others. */
static void put_figures(struct cc_samples *s, const struct cc_frames *f, const size_t *place)
{
    CC_CLEANUP(cc_free_ptr) size_t *region = cc_alloc_array(f->nregions + 1, sizeof *region);
    for (size_t i = 0; i < f->nregions; i++)
        region[i] = (size_t)(add_thing(s, CC_OF_REGION, f->regions[i].name) - s->things.v);
    for (size_t frame = 1; frame < f->nframes; frame++)
        for (size_t k = f->first[frame]; place[frame] != SIZE_MAX && k < f->first[frame + 1]; k++)
            for (size_t i = 0; i < f->nregions; i++)
                if (f->regions[i].region == f->parts[k]->region)
                    s->things.v[region[i]].y[0][place[frame]] += (double)f->parts[k]->instructions;
    for (size_t i = 0; i < f->nstreams; i++) {
        CC_CLEANUP(cc_free_ptr) char *name = cc_asprintf("%s -> %s", f->streams[i].from, f->streams[i].to);
        struct cc_thing *t = add_thing(s, f->by == CC_LEVEL_REGION ? CC_OF_FLOW : CC_OF_STREAM, name);
        for (size_t k = 0; k < f->streams[i].nuses; k++) {
            const struct cc_frame_use *u = &f->streams[i].uses[k];
            if (u->frame && place[u->frame] != SIZE_MAX)
                t->y[0][place[u->frame]] = (double)(u->intra + u->earlier);
        }
    }
}

static int take(struct cc_samples *s, const struct cc_frames *f, const struct cc_csv *csv, struct cc_err *err)
{
    enum { LEAST = 4 };
    struct rows r = {.csv = csv, .frames = f->nframes - 1};
    int rc = 0;
    if (csv)
        rc = take_rows(&r, &s->arena, err);
    else
        number_frames(&r, &s->arena);
    if (rc < 0)
        return rc;
    CC_CLEANUP(cc_free_ptr) size_t *place = cc_alloc_array(f->nframes + 1, sizeof *place);
    CC_CLEANUP(cc_free_ptr) const char **values = cc_alloc_array(r.frames * r.n + 1, sizeof *values);
    s->runs = cc_arena_alloc(&s->arena, (r.frames + 1) * sizeof *s->runs);
    for (size_t i = 0; i < r.frames; i++) {
        place[i + 1] = r.values[i * r.n] ? s->nruns : SIZE_MAX;
        s->skipped += !r.values[i * r.n];
        if (!r.values[i * r.n])
            continue;
        s->runs[s->nruns] = cc_arena_printf(&s->arena, "frame %zu", i + 1);
        memcpy(&values[s->nruns++ * r.n], &r.values[i * r.n], r.n * sizeof *values);
    }
    if (s->nruns < LEAST)
        return cc_err_set(err, CC_EINPUT, "%zu frames; a law needs at least %d", s->nruns, LEAST);
    cc_controls_init(&s->controls, r.names, r.n, values, s->nruns);
    put_figures(s, f, place);
    return 0;
}

int cc_samples_of_frames(const char *path, const char *controls, struct cc_samples **ret, struct cc_err *err)
{
    struct cc_profile *p;
    struct cc_frames *f = NULL;
    struct cc_csv *csv = NULL;
    struct cc_samples *s = cc_alloc(sizeof *s);
    int rc = cc_profile_load(path, &p, err);
    if (rc == 0) {
        enum cc_level by = p->nregions > 1 ? CC_LEVEL_REGION : CC_LEVEL_FUNCTION;
        rc = cc_frames_build(p, by, &(struct cc_filter){0}, &f, err);
        if (rc == 0 && controls)
            rc = cc_csv_load(controls, &csv, err);
        if (rc == 0)
            rc = take(s, f, csv, err);
        cc_csv_free(csv);
        cc_frames_free(f);
        cc_profile_free(p);
    }
    if (rc < 0)
        cc_samples_free(s);
    else
        *ret = s;
    return rc;
}
