/* Code of loops on its way into a snapshot: each piece once, and no more than is kept. */
#include "../tests/collect.h"

enum { N = 4096 };

struct seen {
    uint64_t code, blocks, jumps;
    struct cc_rec_loop_code last;
    uint32_t flags;
    struct cc_rec_head head;
    uint8_t body[4096];
    size_t n; /* bytes of head and body */
    bool magic;
};

static void take(struct seen *s)
{
    struct cc_rec_run run;
    memcpy(&run, s->body, sizeof run);
    if (s->head.tag == CC_REC_RUN)
        s->flags = run.flags;
    if (s->head.tag != CC_REC_LOOP_CODE)
        return;
    s->code++;
    memcpy(&s->last, s->body, sizeof s->last);
    s->blocks += s->last.kind == CC_CODE_BLOCK;
    s->jumps += s->last.kind == CC_CODE_TARGET;
}

static int see(void *self, const void *data, size_t size)
{
    struct seen *s = self;
    const uint8_t *p = data;
    for (size_t i = s->magic ? 0 : 8; i < size; i++) {
        uint8_t *head = (uint8_t *)&s->head;
        if (s->n < sizeof s->head)
            head[s->n] = p[i];
        else if (s->n - sizeof s->head < sizeof s->body)
            s->body[s->n - sizeof s->head] = p[i];
        if (++s->n >= sizeof s->head && s->n == sizeof s->head + s->head.size) {
            take(s);
            s->n = 0;
        }
    }
    s->magic = true;
    return 0;
}

static struct seen snapshot(struct cc_collect *c)
{
    struct seen s = {0};
    cc_snapshot(c, &(struct cc_sink){&s, see}, 1, 0);
    return s;
}

int main(void)
{
    static struct cc_rec_loop_code code[N];
    struct cc_collect *c = plain();
    code[0] = (struct cc_rec_loop_code){.kind = CC_CODE_BLOCK, .a = 3, .value = 0x1000};
    for (uint32_t i = 1; i < N; i++)
        code[i] = (struct cc_rec_loop_code){.kind = CC_CODE_CONST, .to = i, .value = i};
    cc_loop_code_add(c, code, 3);
    cc_loop_code_add(c, code, 3);
    struct seen s = snapshot(c);
    OK(s.code == 3 && s.blocks == 1, "what is translated again is kept once");
    code[2].value++;
    cc_loop_code_add(c, code, 3);
    s = snapshot(c);
    OK(s.code == 6 && s.blocks == 2, "other code at the same address is kept too");
    OK(!(s.flags & CC_RUN_CODE_CUT), "nothing was left out");
    cc_loop_code_jump(c, UINT64_C(0x100001000), 0x2000);
    cc_loop_code_jump(c, UINT64_C(0x100001000), 0x2000);
    cc_loop_code_jump(c, UINT64_C(0x100001000), 0x2100);
    s = snapshot(c);
    OK(s.code == 8 && s.jumps == 2 && s.last.a == 0x1000 && s.last.b == 1 && s.last.value == 0x2100,
       "where an indirect jump went is kept once each");
    code[0].a = N;
    for (uint32_t i = 0; i < 300; i++) {
        code[0].value = 0x2000 + i * 64;
        cc_loop_code_add(c, code, N);
    }
    s = snapshot(c);
    OK(s.code == 8 + 255 * N && s.blocks == 257, "at most 2^20 records are kept");
    OK(s.flags & CC_RUN_CODE_CUT, "and that some are not is said");
    return TAP_DONE();
}
