#include "records.h"
#include "../base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum {
    MAX_RECORD = 1 << 20, /* bytes; the largest holds two paths */
    AHEAD = 1 << 18       /* read at once: most records are small, and there are millions */
};

static const uint32_t fixed_size[] = {
    [CC_REC_RUN] = sizeof(struct cc_rec_run),
    [CC_REC_BINARY] = sizeof(struct cc_rec_binary),
    [CC_REC_FUNCTION] = sizeof(struct cc_rec_function),
    [CC_REC_THREAD] = sizeof(struct cc_rec_thread),
    [CC_REC_CONTEXT] = sizeof(struct cc_rec_context),
    [CC_REC_SOURCE] = sizeof(struct cc_rec_source),
    [CC_REC_NODE] = sizeof(struct cc_rec_node),
    [CC_REC_EDGE] = sizeof(struct cc_rec_edge),
    [CC_REC_CALL] = sizeof(struct cc_rec_call),
    [CC_REC_REGION] = sizeof(struct cc_rec_region),
    [CC_REC_SCOPE] = sizeof(struct cc_rec_scope),
    [CC_REC_SPAN] = sizeof(struct cc_rec_span),
    [CC_REC_FRAME] = sizeof(struct cc_rec_frame),
    [CC_REC_FRAME_PART] = sizeof(struct cc_rec_frame_part),
    [CC_REC_FLOW] = sizeof(struct cc_rec_flow),
    [CC_REC_PROBLEM] = sizeof(struct cc_rec_problem),
    [CC_REC_SLICE] = sizeof(struct cc_rec_slice),
    [CC_REC_BLOCK] = sizeof(struct cc_rec_block),
    [CC_REC_EXEC] = sizeof(struct cc_rec_exec),
    [CC_REC_CHANNEL] = sizeof(struct cc_rec_channel),
    [CC_REC_OBJECT] = sizeof(struct cc_rec_object),
    [CC_REC_OBJECT_SITE] = sizeof(struct cc_rec_object_site),
    [CC_REC_OBJECT_ACCESS] = sizeof(struct cc_rec_object_access),
    [CC_REC_OBJECT_SLOT] = sizeof(struct cc_rec_object_slot),
    [CC_REC_LOOP] = sizeof(struct cc_rec_loop),
    [CC_REC_LOOP_NODE] = sizeof(struct cc_rec_loop_node),
    [CC_REC_LOOP_BLOCK] = sizeof(struct cc_rec_loop_block),
    [CC_REC_DEPENDENCE] = sizeof(struct cc_rec_dependence),
    [CC_REC_LOOP_CODE] = sizeof(struct cc_rec_loop_code),
    [CC_REC_LOCALITY] = sizeof(struct cc_rec_locality),
    [CC_REC_REUSE] = sizeof(struct cc_rec_reuse),
    [CC_REC_SIBLING] = sizeof(struct cc_rec_dependence),
    [CC_REC_ALLOCATION] = sizeof(struct cc_rec_allocation),
    [CC_REC_END] = sizeof(struct cc_rec_end),
};

static int bad(const struct cc_records *r, const char *what, struct cc_err *err)
{
    return cc_err_at(err, CC_EINPUT, r->path, 0, "damaged record file: %s (record %llu)", what,
                     (unsigned long long)r->read);
}

/* The next bytes of the file; how many there were. */
static size_t take(struct cc_records *r, void *to, size_t size)
{
    size_t taken = 0;
    for (;;) {
        size_t n = CC_MIN(size - taken, r->filled - r->at);
        memcpy((char *)to + taken, r->ahead + r->at, n);
        r->at += n;
        taken += n;
        if (taken == size)
            return taken;
        r->at = 0;
        r->filled = fread_unlocked(r->ahead, 1, AHEAD, r->f);
        if (r->filled == 0)
            return taken;
    }
}

int cc_records_open(struct cc_records *r, const char *path, struct cc_err *err)
{
    *r = (struct cc_records){.path = path};
    int rc = cc_file_open_stream(path, &r->f, err);
    if (rc < 0)
        return rc;
    char magic[8];
    r->ahead = cc_alloc(AHEAD);
    if (take(r, magic, sizeof magic) != sizeof magic || memcmp(magic, CC_RECORD_MAGIC, 8) != 0) {
        cc_records_close(r);
        return cc_err_at(err, CC_EINPUT, path, 0, "not a record file");
    }
    r->body = cc_alloc(MAX_RECORD);
    return 0;
}

void cc_records_close(struct cc_records *r)
{
    if (r->f)
        fclose(r->f);
    free(r->body);
    free(r->ahead);
    *r = (struct cc_records){.path = r->path};
}

static int at_end(struct cc_records *r, struct cc_err *err)
{
    if (((const struct cc_rec_end *)r->body)->records != r->read - 1)
        return bad(r, "records are missing", err);
    size_t n; /* room that an engine made in advance, megabytes of it, is 0 */
    while ((n = take(r, r->body, MAX_RECORD)) > 0)
        if (r->body[0] != 0 || memcmp(r->body, r->body + 1, n - 1) != 0)
            return bad(r, "something follows the end", err);
    return 0;
}

int cc_records_next(struct cc_records *r, struct cc_err *err)
{
    if (take(r, &r->head, sizeof r->head) != sizeof r->head)
        return bad(r, "the file is cut short", err);
    r->read++;
    if (r->head.tag == 0 || r->head.tag >= CC_COUNT(fixed_size))
        return bad(r, "unknown kind of record", err);
    uint32_t fixed = fixed_size[r->head.tag];
    if (r->head.size < fixed || r->head.size > MAX_RECORD)
        return bad(r, "a record has an impossible size", err);
    if (take(r, r->body, r->head.size) != r->head.size)
        return bad(r, "the file is cut short", err);
    return r->head.tag == CC_REC_END ? at_end(r, err) : 1;
}

const char *cc_records_text(const struct cc_records *r, uint64_t at, uint32_t size)
{
    uint64_t start = fixed_size[r->head.tag] + at;
    if (start + size > r->head.size)
        return NULL;
    const char *text = (const char *)r->body + start;
    return memchr(text, 0, size) ? NULL : text;
}

int cc_records_check(const char *path, struct cc_rec_run *ret_run, struct cc_err *err)
{
    struct cc_records r;
    int rc = cc_records_open(&r, path, err);
    if (rc < 0)
        return rc;
    rc = cc_records_next(&r, err);
    if (rc >= 0 && r.head.tag != CC_REC_RUN)
        rc = bad(&r, "it does not start with the run", err);
    if (rc > 0)
        memcpy(ret_run, r.body, sizeof *ret_run);
    while (rc > 0)
        rc = cc_records_next(&r, err);
    cc_records_close(&r);
    return rc;
}

bool cc_records_run(const char *path, struct cc_rec_run *ret)
{
    struct {
        char magic[8];
        struct cc_rec_head head;
        struct cc_rec_run run;
    } begin;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe would keep us waiting */
    ssize_t n = fd >= 0 ? read(fd, &begin, sizeof begin) : -1;
    if (fd >= 0)
        close(fd);
    bool known = n == (ssize_t)sizeof begin &&
                 memcmp(begin.magic, CC_RECORD_MAGIC, sizeof begin.magic) == 0 &&
                 begin.head.tag == CC_REC_RUN && begin.head.size >= sizeof begin.run;
    if (known)
        *ret = begin.run;
    return known;
}

uint64_t cc_records_instructions(const char *path)
{
    struct cc_rec_run run;
    return cc_records_run(path, &run) ? run.instructions : 0;
}
