#include "report.h"
#include "../../base/json.h"

static void put_stack(struct cc_json *j, const double *stack)
{
    cc_json_obj(j, "stack");
    for (int k = 0; k < CC_PARTS; k++)
        cc_json_num(j, cc_part_names[k], stack[k]);
    cc_json_end(j);
}

static void put_energy(struct cc_json *j, const char *key, const struct cc_predict_energy *e)
{
    if (!e->known) {
        cc_json_null(j, key);
        return;
    }
    cc_json_obj(j, key);
    cc_json_num(j, "total", e->total);
    cc_json_num(j, "fixed", e->fixed);
    cc_json_num(j, "busy", e->busy);
    cc_json_num(j, "waiting", e->waiting);
    cc_json_num(j, "accesses", e->accesses);
    cc_json_num(j, "transfers", e->transfers);
    cc_json_end(j);
}

static void put_dma(struct cc_json *j, const struct cc_predict_dma *d)
{
    if (!d->transfers) {
        cc_json_null(j, "dma");
        return;
    }
    cc_json_obj(j, "dma");
    cc_json_u64(j, "transfers", d->transfers);
    cc_json_num(j, "bytes", d->bytes);
    cc_json_num(j, "read_busy", d->busy[0]);
    cc_json_num(j, "write_busy", d->busy[1]);
    cc_json_end(j);
}

static void put_schedule(struct cc_json *j, const struct cc_predict_schedule *s, double seconds)
{
    cc_json_obj(j, NULL);
    cc_json_u64(j, "processors", s->processors);
    cc_json_num(j, "time", CC_TICKS_TO_F64(s->time));
    cc_json_num(j, "time_low", CC_TICKS_TO_F64(s->time_low));
    cc_json_num(j, "time_high", CC_TICKS_TO_F64(s->time_high));
    if (seconds > 0)
        cc_json_num(j, "seconds", CC_TICKS_TO_F64(s->time) * seconds);
    else
        cc_json_null(j, "seconds");
    cc_json_num(j, "speedup", s->speedup);
    cc_json_num(j, "amdahl", s->amdahl);
    cc_json_num(j, "efficiency", s->efficiency);
    put_stack(j, s->stack);
    put_dma(j, &s->dma);
    put_energy(j, "energy", &s->energy);
    cc_json_arr(j, "regions");
    for (size_t i = 0; i < s->nregions; i++) {
        const struct cc_predict_region *r = &s->regions[i];
        cc_json_obj(j, NULL);
        cc_json_str(j, "path", r->path);
        cc_json_str(j, "directive", r->directive);
        cc_json_u64(j, "calls", r->calls);
        cc_json_num(j, "threads", r->processors);
        cc_json_num(j, "time", r->time);
        put_stack(j, r->stack);
        cc_json_end(j);
    }
    cc_json_end(j);
    cc_json_end(j);
}

void cc_predict_print_json(const struct cc_predict_result *r, const struct cc_htg *h, FILE *out)
{
    struct cc_json j;
    cc_json_document(&j, out, "corecast.predict", 1);
    cc_json_str(&j, "clock", h->clock);
    cc_json_u64(&j, "tasks", h->tasks);
    cc_json_arr(&j, "scenarios");
    for (size_t i = 0; i < r->n; i++) {
        const struct cc_predict_outcome *o = &r->outcomes[i];
        cc_json_obj(&j, NULL);
        cc_json_str(&j, "name", o->scenario->name);
        cc_json_obj(&j, "parameters");
        for (size_t a = 0; a < o->setting->n; a++) {
            const char *eq = strchr(o->setting->assignments[a], '=');
            CC_CLEANUP(cc_free_ptr)
            char *name = cc_strndup(o->setting->assignments[a], (size_t)(eq - o->setting->assignments[a]));
            double v;
            if (cc_parse_f64(eq + 1, &v))
                cc_json_num(&j, name, v);
            else
                cc_json_str(&j, name, eq + 1);
        }
        cc_json_end(&j);
        cc_json_num(&j, "sequential_time", CC_TICKS_TO_F64(o->sequential));
        put_energy(&j, "sequential_energy", &o->energy);
        cc_json_arr(&j, "schedules");
        for (size_t c = 0; c < r->ncores; c++)
            put_schedule(&j, &o->schedules[c], o->seconds);
        cc_json_end(&j);
        cc_json_end(&j);
    }
    cc_json_end(&j);
    cc_json_end(&j);
}
