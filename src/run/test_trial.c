/* Copies of trees, and commands that are ended in time with all they started. */
#include "trial.h"
#include "../base/file.h"
#include "../../tests/tap.h"

#include <sys/stat.h>
#include <unistd.h>

static char top[TAP_FOLDER];

static int run(const char *command, const char *out, double limit, struct cc_trial_end *ret)
{
    struct cc_trial t = {.folder = top, .command = command, .out = out, .limit = limit};
    struct cc_err err = {0};
    return cc_trial_run(&t, ret, &err);
}

static void test_commands(void)
{
    struct cc_trial_end e;
    char *text = NULL;
    size_t size;
    CC_CLEANUP(cc_free_ptr) char *out = cc_asprintf("%s/out", top);
    OK(run("echo \"it's $((1 + 1))\"; exit 3", out, 10, &e) == 0 && e.status == 3, "its status");
    OK(cc_file_read(out, 1000, &text, &size, NULL) == 0 && strcmp(text, "it's 2\n") == 0, "its output");
    free(text);
    OK(run("i=0; while test $i -lt 20000; do i=$((i + 1)); done", NULL, 60, &e) == 0 &&
           e.user + e.system > 0.001,
       "processor time of a command that works");
    OK(run("sleep 0.3", NULL, 60, &e) == 0 && e.user + e.system < 0.2, "and of one that sleeps");
    OK(run("kill -9 $$", NULL, 10, &e) == 0 && e.status == 137, "a signal");
    OK(run("sleep 30 & sleep 30", NULL, 0.2, &e) == 0 && e.late && e.seconds < 10,
       "ended when its time is over");
    OK(run("(sleep 0.5; touch left) & exit 0", NULL, 10, &e) == 0 && e.status == 0 && !e.late,
       "what it leaves behind");
    usleep(700000);
    CC_CLEANUP(cc_free_ptr) char *left = cc_asprintf("%s/left", top);
    OK(access(left, F_OK) != 0, "is ended too");
    volatile sig_atomic_t stop = 1;
    struct cc_trial t = {.folder = top, .command = "sleep 30", .limit = 60, .stop = &stop};
    OK(cc_trial_run(&t, &e, NULL) == 0 && e.stopped, "stopped on demand");
}

/* Three that need each other to go on, one that is too late, one that fails. */
static void test_at_once(void)
{
    static const char meet[] =
        "touch here.%d; while ! [ -e here.0 -a -e here.1 -a -e here.2 ]; do sleep 0.01; done";
    enum { N = 5 };
    struct cc_trial t[N];
    struct cc_trial_end e[N];
    struct cc_err err = {0};
    char *commands[3];
    for (int i = 0; i < N; i++)
        t[i] = (struct cc_trial){.folder = top, .limit = 60};
    for (int i = 0; i < 3; i++)
        t[i].command = commands[i] = cc_asprintf(meet, i);
    t[3].command = "sleep 30";
    t[3].limit = 0.2;
    t[4].command = "exit 7";
    OK(cc_trial_run_all(t, N, e, &err) == 0 && e[0].status == 0 && e[1].status == 0 && e[2].status == 0 &&
           !e[0].late,
       "several at once: %s", err.msg);
    OK(e[3].late && e[3].seconds < 10 && !e[4].late && e[4].status == 7, "each ends by itself");
    OK(e[4].memory > 100000 && e[4].memory < (uint64_t)100 << 20, "memory of a shell");
    static const char *const nobody[] = {"/no/such/tool", NULL};
    t[4].before = nobody;
    OK(cc_trial_run_all(t, N, e, &err) < 0, "none runs if one cannot");
    for (int i = 0; i < 3; i++)
        free(commands[i]);
}

static void test_trees(void)
{
    struct cc_trial_end e;
    struct cc_err err = {0};
    struct stat st;
    CC_CLEANUP(cc_free_ptr) char *from = cc_asprintf("%s/from", top), *to = cc_asprintf("%s/to", top);
    CC_CLEANUP(cc_free_ptr)
    char *script = cc_asprintf("%s/to/a/run.sh", top), *git = cc_asprintf("%s/to/.git", top),
         *link = cc_asprintf("%s/to/l", top);
    run("mkdir -p from/a from/.git && echo x >from/a/run.sh && chmod +x from/a/run.sh && ln -s a/run.sh "
        "from/l && "
        "mkfifo from/p && touch -d 2001-01-01 from/a/run.sh",
        NULL, 10, &e);
    OK(cc_trial_copy(from, to, &err) == 0, "a tree is copied: %s", err.msg);
    OK(stat(script, &st) == 0 && (st.st_mode & 0100) && st.st_mtime < 1000000000, "with modes and times");
    OK(access(git, F_OK) != 0, "without version control");
    OK(lstat(link, &st) == 0 && S_ISLNK(st.st_mode), "links stay links");
    OK(cc_trial_copy(from, to, &err) < 0, "but not over another");
    run("ln -s /etc from/outside", NULL, 10, &e);
    cc_trial_remove(from);
    OK(access(from, F_OK) != 0 && access("/etc/passwd", F_OK) == 0, "removing follows no link");
    run("mkdir many && cd many && i=0; while [ $i -lt 80 ]; do mkdir d && cd d; i=$((i+1)); done", NULL, 10,
        &e);
    CC_CLEANUP(cc_free_ptr) char *many = cc_asprintf("%s/many", top), *copy = cc_asprintf("%s/copy", top);
    err = (struct cc_err){0};
    OK(cc_trial_copy(many, copy, &err) < 0 && strstr(err.msg, "deep"), "a bound on depth");
}

int main(void)
{
    tap_program_folder(top);
    test_commands();
    test_at_once();
    test_trees();
    cc_trial_remove(top);
    OK(access(top, F_OK) != 0, "nothing is left");
    return TAP_DONE();
}
