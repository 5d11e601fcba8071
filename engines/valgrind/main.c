/* The Valgrind engine: a tool that feeds the collector. Its life, from the run file to the last snapshot. */
#include "engine.h"
#include "pub_tool_options.h"

struct engine engine = {.task_fd = -1};

static void fork_parent(ThreadId tid)
{
    engine.forked = !engine.options.follow;
}

static void fork_child(ThreadId tid)
{
    if (!engine.options.follow) {
        engine.silent = True;
        return;
    }
    HChar *path = VG_(malloc)("cc.out", VG_(strlen)(engine.options.out) + 16);
    VG_(sprintf)(path, "%s.%d", engine.options.out, VG_(getpid)());
    engine.options.out = path;
    cc_vg_sync_threads();
    cc_vg_forget_threads(tid);
    cc_forget(engine.collect);
    if (engine.task_fd >= 0)
        VG_(close)(engine.task_fd);
    engine.task_fd = -1;
    engine.boats[0].p = engine.boats[1].p = NULL; /* its parent's */
    engine.turn = 0;
    engine.next_snapshot_ms = 0;
}

static Bool option(const HChar *arg)
{
    return VG_STR_CLO(arg, "--cc-run", engine.run_file);
}

static void usage(void)
{
    VG_(printf)("    started by 'corecast record'; see corecast-record(1)\n");
}

static void ready(void)
{
    cc_vg_map_shadow(&cc_vg_host);
    if (engine.run_file && cc_options_read(&cc_vg_host, engine.run_file, &engine.options))
        engine.collect = cc_collect_new(&cc_vg_host, &engine.options);
    if (!engine.collect) {
        VG_(umsg)
        ("corecast: '%s' is not a run file of this version\n", engine.run_file ? engine.run_file : "");
        VG_(exit)(1);
    }
    cc_vg_depend_begin();
    engine.quick = cc_vg_host.words && !engine.options.channels;
    engine.guests = VG_(calloc)("cc.guests", VG_N_THREADS, sizeof *engine.guests);
    engine.next_snapshot_ms = VG_(read_millisecond_timer)() + 500;
}

static void finish(Int status)
{
    cc_vg_end_threads();
    cc_vg_snapshot(CC_RUN_FINAL);
}

static void before_options(void)
{
    VG_(details_name)("Corecast");
    VG_(details_version)(NULL);
    VG_(details_description)("the valgrind engine");
    VG_(details_copyright_author)("GPL-2.0-or-later");
    VG_(details_bug_reports_to)("the Corecast project");
    VG_(details_avg_translation_sizeB)(400);
    VG_(basic_tool_funcs)(ready, cc_vg_translate, finish);
    VG_(needs_command_line_options)(option, usage, usage);
    cc_vg_track_threads();
    cc_vg_track_memory();
    cc_vg_track_syscalls();
    VG_(atfork)(NULL, fork_parent, fork_child);
    VG_(clo_vex_control).guest_chase = False;
    VG_(clo_px_file_backed) = VexRegUpdSpAtMemAccess; /* syscalls.c */
}

/* In place of the core's: reading the debugging information of every file takes a third of a short run, and
 * nobody here asks for it. 0: there is none of this mapping. */
ULong __wrap_vgPlain_di_notify_mmap(Addr a, Bool allow_file, Int fd);
ULong __wrap_vgPlain_di_notify_mmap(Addr a, Bool allow_file, Int fd)
{
    return 0;
}

/* libgcc's atomics helpers ask for it; the tool is linked without a C library */
unsigned long __getauxval(unsigned long type);
unsigned long __getauxval(unsigned long type)
{
    return 0;
}

VG_DETERMINE_INTERFACE_VERSION(before_options)
