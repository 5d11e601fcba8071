/* The trace that libcorecast-native writes and src/profile/native.c reads.
 *
 * A file of 64 KiB blocks in the byte order of the machine that wrote it. Block 0 holds struct cc_nt_header.
 * After it come pieces, each a whole number of blocks, starting with struct cc_nt_piece:
 *   - CC_NT_EVENTS: u64 events of one thread, in the order they happened:
 *         (ticks since header.start + 1) << 16 | site id
 *     The first 0 ends the piece. A thread's next piece has the next `seq`.
 *   - CC_NT_SITES: struct cc_nt_site records, 8-byte aligned, each followed by its name and file (no NULs). A
 *     record with length 0 ends the piece.
 * Files are mapped shared, so whatever was written before a crash or SIGKILL is in the file.
 */
#ifndef CC_ENGINES_NATIVE_TRACE_H
#define CC_ENGINES_NATIVE_TRACE_H

#include <stdint.h>

#define CC_NT_MAGIC "CCNATIV1"
#define CC_NT_ENV "CORECAST_NATIVE_TRACE"       /* path of the file to create; unset: marks do nothing */
#define CC_NT_CORUN_ENV "CORECAST_NATIVE_CORUN" /* a plan of co-runs, see engines/native/corun.h */

enum {
    CC_NT_BLOCK = 64 << 10,
    CC_NT_MAX_BLOCKS = 16,   /* largest piece, in blocks */
    CC_NT_MAX_SITES = 65535, /* ids 1..65535 */
    CC_NT_MAX_NAME = 60000,  /* longer names and paths are cut */
};

/* What a site marks; the numbers of enum corecast_kind in mark.h. */
enum cc_nt_kind {
    CC_NT_REGION_BEGIN = 1,
    CC_NT_REGION_END,
    CC_NT_TASK_BEGIN,
    CC_NT_TASK_END,
    CC_NT_FRAME,
    CC_NT_RECORD_ON,
    CC_NT_RECORD_OFF,
};
enum cc_nt_clock { CC_NT_MONOTONIC = 1, CC_NT_TSC, CC_NT_CNTVCT };
enum cc_nt_piece_type { CC_NT_EVENTS = 1, CC_NT_SITES };

struct cc_nt_header {
    char magic[8];
    uint32_t order; /* 0x01020304 as the writer stores it */
    uint32_t clock; /* enum cc_nt_clock */
    uint32_t pid;
    uint32_t complete;   /* 1 once the program has left through exit() */
    double hz;           /* ticks per second */
    double mark_ticks;   /* what one mark costs, measured when the program started */
    uint64_t begun;      /* ticks when the library began; until `start` it measured itself */
    uint64_t start, end; /* ticks; end is 0 until complete */
    uint64_t cpu_ns;     /* CPU time of the process between start and end */
    uint32_t blocks;     /* blocks handed out so far, block 0 included */
    uint32_t lost; /* marks that could not be written: disk full, too many sites, nested signal handlers */
};

struct cc_nt_piece {
    uint32_t type;
    uint32_t blocks;
    uint32_t thread; /* 0 is the thread that first met a mark, and so on */
    uint32_t stream; /* 0; 1 holds the marks of signal handlers that broke into a mark of the same thread */
    uint64_t seq;
    /* Ticks when the library began and had finished setting this piece up: time that is not the program's. */
    uint64_t begun, ready;
};

struct cc_nt_site {
    uint32_t length; /* of the whole record, padding included */
    uint32_t id, kind, line;
    uint32_t name_length, file_length;
};

#endif
