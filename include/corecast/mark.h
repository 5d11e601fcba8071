/* SPDX-License-Identifier: BSD-2-Clause
 * corecast/mark.h: marks that tell Corecast (and gdb, perf, bpftrace, readelf -n) what a program is doing.
 *
 * Copyright (c) 2026 The Corecast authors
 * Redistribution and use in source and binary forms, with or without modification, are permitted provided
 * that the following conditions are met:
 * 1. Redistributions of source code must retain the above copyright notice, this list of conditions and the
 *    following disclaimer.
 * 2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and
 * the following disclaimer in the documentation and/or other materials provided with the distribution. THIS
 * SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED
 * WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A
 * PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDERS OR CONTRIBUTORS BE LIABLE FOR
 * ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED
 * TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION)
 * HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING
 * NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
 * POSSIBILITY OF SUCH DAMAGE.
 *
 * For programs (C99 and later, C++98 and later; gcc or clang; nothing to link):
 *
 *     CC_REGION_BEGIN("decode"); … CC_REGION_END("decode");    a named part of the run; regions nest
 *     CC_TASK_BEGIN("row");      … CC_TASK_END("row");         one unit of work, typically a loop iteration
 *     CC_FRAME();                                              a new frame (iteration of the main loop)
 * begins CC_RECORD_ON(); … CC_RECORD_OFF();                       switch recording for the whole process
 *     CC_OBJECT(pointer, size, name);                          these bytes are an object of type `name`
 *     CC_REGION_BEGIN_NAMED(name) and _END_, CC_TASK_BEGIN_NAMED(name) and _END_: the name is any expression
 *     of type const char *; the others take a string literal (or a macro that expands to one).
 *
 * -DCORECAST_OFF removes every mark. -DCORECAST_NATIVE makes regions, tasks, frames and record on/off call
 * libcorecast-native (engines/native/native.c) as well, which takes a time stamp: see docs/guide/marks.md.
 *
 * For tools: how a mark is found and read
 * ---------------------------------------
 * Every mark is one instruction and one note in the section .note.stapsdt (not loaded), in the format of
 * SystemTap's SDT version 3. Integers in the note have the byte order of the file, addresses the size of its
 * class (4 or 8 bytes):
 *
 *     u32 namesz = 8, u32 descsz, u32 type = 3, "stapsdt\0"
 *     desc: address pc, address base, address semaphore (always 0 here),
 *           "corecast\0", KIND "\0", ARGUMENTS "\0"                      then padding to 4 bytes
 *
 * pc is the link-time address of the mark's instruction: add the load bias of the object (run-time address
 * minus p_vaddr of a PT_LOAD). If the file was prelinked, first add (address of section .stapsdt.base -
 * base). A note whose pc lies in no executable PT_LOAD belongs to code the linker threw away (--gc-sections):
 * ignore it. On ARM the Thumb bit is not set. One mark in the source may have several notes (inlining,
 * unrolling, templates): each stands for itself. A mark happens when the instruction at pc is executed;
 * exactly once per execution.
 *
 * 1. Plain marks. The instruction is a no-op. KIND is one of
 *        region_begin region_end task_begin task_end frame record_on record_off
 *    ARGUMENTS is NAME " @" FILE ":" LINE. Cut at the LAST " @"; LINE is after the last ':'. NAME is empty
 * for frame, record_on and record_off. NAME may hold any bytes but NUL, of any length, spaces and newlines
 * too.
 *
 * 2. Marks that carry values. The instruction is a LOAD from a struct corecast_mark (below) that the thread
 * has just filled on its own stack, so threads and signal handlers cannot disturb each other. KIND is one of
 *        object region_begin_named region_end_named task_begin_named task_end_named
 *    ARGUMENTS is a regular SDT argument, the register with the address of the record ("8@%rax", "8@x3"). An
 *    engine that cannot read registers takes the address of the memory read that this instruction does (its
 *    only memory access, 4 or 8 bytes): that is the record's address. The record is complete and stays
 *    unchanged until the instruction after the load has been executed, so it may be read during the memory
 *    callback. (The instruction after the load stores the same value back, so that no translator takes the
 * load for dead.) All fields are 64-bit in the byte order of the machine, also on 32-bit machines; addresses
 * are zero-extended run-time addresses. Check `magic`; read `name` as a bounded C string (it comes from the
 *    program: anything may be in it); `name` or `file` 0 means none.
 */
#ifndef CORECAST_MARK_H
#define CORECAST_MARK_H

#include <stddef.h>

#define CORECAST_MARK_MAGIC 0x314b52414d4343ULL /* "CCMARK1" as a little-endian number */

struct corecast_mark {
    unsigned long long magic;
    unsigned long long address; /* object: first byte; else 0 */
    unsigned long long size;    /* object: bytes; else 0 */
    unsigned long long name;    /* address of a NUL-terminated string */
    unsigned long long file;    /* address of a NUL-terminated string */
    unsigned long long line;
};

#ifdef CORECAST_OFF

#define CC_REGION_BEGIN(name) ((void)0)
#define CC_REGION_END(name) ((void)0)
#define CC_TASK_BEGIN(name) ((void)0)
#define CC_TASK_END(name) ((void)0)
#define CC_FRAME() ((void)0)
#define CC_RECORD_ON() ((void)0)
#define CC_RECORD_OFF() ((void)0)
#define CC_OBJECT(pointer, size, name) ((void)(pointer), (void)(size), (void)(name))
#define CC_REGION_BEGIN_NAMED(name) ((void)(name))
#define CC_REGION_END_NAMED(name) ((void)(name))
#define CC_TASK_BEGIN_NAMED(name) ((void)(name))
#define CC_TASK_END_NAMED(name) ((void)(name))

#else

#if defined(__LP64__) || defined(_LP64)
#define CC_MARK_ADDRESS_ ".8byte "
#define CC_MARK_SIZE_ "8"
#else
#define CC_MARK_ADDRESS_ ".4byte "
#define CC_MARK_SIZE_ "4"
#endif

/* The text of a literal as the assembler writes it, quotes and escapes included; macros are expanded first.
 */
#define CC_MARK_TEXT_(x) #x
#define CC_MARK_TEXT(x) CC_MARK_TEXT_(x)

/* 990 is the instruction. Numeric labels, since inlining and unrolling copy the text. "?" puts the note into
 * the section group of its code (C++ inline functions, templates), so that both stay or go. */
#define CC_MARK_NOTE_(kind, arguments)                                                           \
    ".pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n"                                     \
    ".4byte 992f-991f\n.4byte 994f-993f\n.4byte 3\n"                                             \
    "991: .asciz \"stapsdt\"\n992: .balign 4\n"                                                  \
    "993: " CC_MARK_ADDRESS_ "990b\n" CC_MARK_ADDRESS_ "_.stapsdt.base\n" CC_MARK_ADDRESS_ "0\n" \
    ".asciz \"corecast\"\n.asciz \"" kind "\"\n" arguments "994: .balign 4\n.popsection\n"       \
    ".ifndef _.stapsdt.base\n"                                                                   \
    ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"                      \
    ".weak _.stapsdt.base\n.hidden _.stapsdt.base\n"                                             \
    "_.stapsdt.base: .space 1\n.size _.stapsdt.base,1\n.popsection\n.endif\n"

/* A mark is one instruction and many lines of notes. Compilers take an asm for as long as it has lines, and
 * do not put a function with marks into another, unless they are told that it is short. */
#if defined(__clang__) ? __clang_major__ >= 11 : __GNUC__ >= 9
#define CC_MARK_ASM_ __asm__ __volatile__ __inline__
#else
#define CC_MARK_ASM_ __asm__ __volatile__
#endif

/* No operands: in this form of asm a '%' in a name or path means itself. The empty asms keep the compiler
 * from moving memory accesses over the mark. */
#define CC_MARK_PLAIN_(kind, name)                                                                    \
    do {                                                                                              \
        (void)sizeof("" name ""); /* the name of this mark must be a string literal: see ..._NAMED */ \
        __asm__ __volatile__("" : : : "memory");                                                      \
        CC_MARK_ASM_("990: nop\n" CC_MARK_NOTE_(                                                      \
            kind, ".ascii " CC_MARK_TEXT(name) "\n.ascii \" @\"\n.ascii " CC_MARK_TEXT(               \
                      __FILE__) "\n.asciz \":" CC_MARK_TEXT(__LINE__) "\"\n"));                       \
        __asm__ __volatile__("" : : : "memory");                                                      \
    } while (0)

#if defined(__x86_64__) || defined(__i386__)
#define CC_MARK_LOAD_ "{mov (%2), %0|mov %0, [%2]}"
#define CC_MARK_STORE_ "{mov %0, (%2)|mov [%2], %0}"
#elif defined(__aarch64__)
#define CC_MARK_LOAD_ "ldr %0, [%2]"
#define CC_MARK_STORE_ "str %0, [%2]"
#elif defined(__arm__)
#define CC_MARK_LOAD_ "ldr %0, [%2]"
#define CC_MARK_STORE_ "str %0, [%2]"
#elif defined(__riscv) && __riscv_xlen == 64
#define CC_MARK_LOAD_ "ld %0, 0(%2)"
#define CC_MARK_STORE_ "sd %0, 0(%2)"
#elif defined(__riscv) || defined(__mips__)
#define CC_MARK_LOAD_ "lw %0, 0(%2)"
#define CC_MARK_STORE_ "sw %0, 0(%2)"
#elif defined(__powerpc64__)
#define CC_MARK_LOAD_ "ld %0, 0(%2)"
#define CC_MARK_STORE_ "std %0, 0(%2)"
#else
#error "corecast/mark.h does not know this machine: add its load instruction, or compile with -DCORECAST_OFF"
#endif

#define CC_MARK_RECORD_(kind, pointer, bytes, text)                                \
    do {                                                                           \
        struct corecast_mark corecast_r_;                                          \
        size_t corecast_v_;                                                        \
        corecast_r_.magic = CORECAST_MARK_MAGIC;                                   \
        corecast_r_.address = (size_t)(pointer);                                   \
        corecast_r_.size = (unsigned long long)(bytes);                            \
        corecast_r_.name = (size_t)(const char *)(text);                           \
        corecast_r_.file = (size_t)(const char *)__FILE__;                         \
        corecast_r_.line = __LINE__;                                               \
        CC_MARK_ASM_("990: " CC_MARK_LOAD_ "\n" CC_MARK_STORE_                     \
                     "\n" CC_MARK_NOTE_(kind, ".asciz \"" CC_MARK_SIZE_ "@%2\"\n") \
                     : "=&r"(corecast_v_), "+m"(corecast_r_)                       \
                     : "r"(&corecast_r_)                                           \
                     : "memory");                                                  \
        (void)corecast_v_;                                                         \
    } while (0)

#ifdef CORECAST_NATIVE

enum corecast_kind {
    CORECAST_REGION_BEGIN = 1,
    CORECAST_REGION_END,
    CORECAST_TASK_BEGIN,
    CORECAST_TASK_END,
    CORECAST_FRAME,
    CORECAST_RECORD_ON,
    CORECAST_RECORD_OFF
};

/* One for each mark in the source; the library gives it its id when the mark is first met. */
struct corecast_site {
    unsigned id, kind, line;
    const char *name, *file;
};

#ifdef __cplusplus
extern "C" {
#endif
void corecast_native_mark(struct corecast_site *site);
void corecast_native_named(unsigned kind, const char *name, const char *file, unsigned line);
#ifdef __cplusplus
}
#endif

#define CC_MARK_STAMP_(kind, name)                                                         \
    do {                                                                                   \
        static struct corecast_site corecast_s_ = {0, (kind), __LINE__, (name), __FILE__}; \
        corecast_native_mark(&corecast_s_);                                                \
    } while (0)
#define CC_MARK_STAMP_NAMED_(kind, name) corecast_native_named((kind), (name), __FILE__, __LINE__)

#else
#define CC_MARK_STAMP_(kind, name) ((void)0)
#define CC_MARK_STAMP_NAMED_(kind, name) ((void)0)
#endif

#define CC_MARK_(note, kind, name)  \
    do {                            \
        CC_MARK_PLAIN_(note, name); \
        CC_MARK_STAMP_(kind, name); \
    } while (0)
#define CC_MARK_NAMED_(note, kind, name)          \
    do {                                          \
        const char *corecast_n_ = (name);         \
        CC_MARK_RECORD_(note, 0, 0, corecast_n_); \
        CC_MARK_STAMP_NAMED_(kind, corecast_n_);  \
    } while (0)

#define CC_REGION_BEGIN(name) CC_MARK_("region_begin", CORECAST_REGION_BEGIN, name)
#define CC_REGION_END(name) CC_MARK_("region_end", CORECAST_REGION_END, name)
#define CC_TASK_BEGIN(name) CC_MARK_("task_begin", CORECAST_TASK_BEGIN, name)
#define CC_TASK_END(name) CC_MARK_("task_end", CORECAST_TASK_END, name)
#define CC_FRAME() CC_MARK_("frame", CORECAST_FRAME, "")
#define CC_RECORD_ON() CC_MARK_("record_on", CORECAST_RECORD_ON, "")
#define CC_RECORD_OFF() CC_MARK_("record_off", CORECAST_RECORD_OFF, "")
#define CC_REGION_BEGIN_NAMED(name) CC_MARK_NAMED_("region_begin_named", CORECAST_REGION_BEGIN, name)
#define CC_REGION_END_NAMED(name) CC_MARK_NAMED_("region_end_named", CORECAST_REGION_END, name)
#define CC_TASK_BEGIN_NAMED(name) CC_MARK_NAMED_("task_begin_named", CORECAST_TASK_BEGIN, name)
#define CC_TASK_END_NAMED(name) CC_MARK_NAMED_("task_end_named", CORECAST_TASK_END, name)
#define CC_OBJECT(pointer, size, name) CC_MARK_RECORD_("object", pointer, size, name)

#endif
#endif
