/* QEMU's plugin interface, as far as Corecast uses it: the header is not packaged.
 *
 * Versions 1 (QEMU 7.2 to 8.2), 2 (9.0), 3 (9.1), 4 (9.2 to 10.0), 5 (10.1 and 10.2) and those that come
 * after them while they still take what was made for 5. What not all of them have is weak, so that the plugin
 * can be loaded by any; what they have under one name with different arguments is behind a function of ours
 * (plugin.c). */
#ifndef CC_ENGINES_QEMU_PLUGIN_H
#define CC_ENGINES_QEMU_PLUGIN_H

#include "../../src/isa/isa.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QEMU_PLUGIN_EXPORT __attribute__((visibility("default")))
#define QEMU_PLUGIN_SINCE __attribute__((weak)) /* a later version than 1 */

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;

typedef struct qemu_info_t {
    const char *target_name; /* "aarch64", "arm", "riscv64", "x86_64"… */
    struct {
        int min, cur;
    } version;
    bool system_emulation;
    union {
        struct {
            int smp_vcpus, max_vcpus;
        } system;
    };
} qemu_info_t;

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_hwaddr;

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_CB_R_REGS, QEMU_PLUGIN_CB_RW_REGS };
/* 7.2 delivers R and W callbacks swapped: register RW and ask qemu_plugin_mem_is_store. */
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };

typedef void (*qemu_plugin_simple_cb_t)(qemu_plugin_id_t id);
typedef void (*qemu_plugin_udata_cb_t)(qemu_plugin_id_t id, void *userdata);
typedef void (*qemu_plugin_vcpu_simple_cb_t)(qemu_plugin_id_t id, unsigned vcpu);
typedef void (*qemu_plugin_vcpu_udata_cb_t)(unsigned vcpu, void *userdata);
typedef void (*qemu_plugin_vcpu_tb_trans_cb_t)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*qemu_plugin_vcpu_mem_cb_t)(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr,
                                          void *userdata);
typedef void (*qemu_plugin_vcpu_syscall_cb_t)(qemu_plugin_id_t id, unsigned vcpu, int64_t num, uint64_t a1,
                                              uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
                                              uint64_t a7, uint64_t a8);
typedef void (*qemu_plugin_vcpu_syscall_ret_cb_t)(qemu_plugin_id_t id, unsigned vcpu, int64_t num,
                                                  int64_t ret);

extern QEMU_PLUGIN_EXPORT int qemu_plugin_version;
QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                           char **argv);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_simple_cb_t cb);
void qemu_plugin_register_vcpu_exit_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_simple_cb_t cb);
void qemu_plugin_register_vcpu_idle_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_simple_cb_t cb);
void qemu_plugin_register_vcpu_resume_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_simple_cb_t cb);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_tb_trans_cb_t cb);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, qemu_plugin_vcpu_udata_cb_t cb,
                                          enum qemu_plugin_cb_flags flags, void *userdata);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_plugin_vcpu_udata_cb_t cb,
                                            enum qemu_plugin_cb_flags flags, void *userdata);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_plugin_vcpu_mem_cb_t cb,
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
                                      void *userdata);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_syscall_cb_t cb);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_syscall_ret_cb_t cb);
void qemu_plugin_register_flush_cb(qemu_plugin_id_t id, qemu_plugin_simple_cb_t cb);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_plugin_udata_cb_t cb, void *userdata);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t idx);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void *
qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn); /* in user mode, where it is in this process */
char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *insn); /* free() it */
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *insn);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(qemu_plugin_meminfo_t info, uint64_t vaddr);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *haddr);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *haddr);
void qemu_plugin_outs(const char *string);

/* Version 2: registers. Arrays are GLib's, which QEMU is linked to and we are not. */
struct qemu_plugin_register;
struct qemu_plugin_array { /* GArray, GByteArray */
    char *data;
    unsigned len;
};
struct qemu_plugin_reg_descriptor {
    struct qemu_plugin_register *handle;
    const char *name, *feature;
};
QEMU_PLUGIN_SINCE struct qemu_plugin_array *qemu_plugin_get_registers(void); /* of the vCPU that calls */
/* Appends the value to the array. What it returns differs between versions. */
QEMU_PLUGIN_SINCE int qemu_plugin_read_register(struct qemu_plugin_register *handle,
                                                struct qemu_plugin_array *to);
QEMU_PLUGIN_SINCE struct qemu_plugin_array *g_byte_array_new(void);
QEMU_PLUGIN_SINCE char *g_array_free(struct qemu_plugin_array *array, int and_data);

/* --- ours (plugin.c) --- */

/* Instructions of a block that are executed with it. QEMU before 8.1 also tells of one that it has begun to
 * translate and left to the next block, since x86's may reach into another page. */
size_t cc_plugin_insns(const struct qemu_plugin_tb *tb, enum cc_isa_id isa);

/* First in qemu_plugin_install. False: not an interface that we know. */
bool cc_plugin_begin(const qemu_info_t *info);
/* Whether a new vCPU's callback comes from its own thread, some time after the system call that makes it;
 * before version 2 it comes from within that call. */
bool cc_plugin_starts_later(void);

enum { CC_PLUGIN_CODE = 16 }; /* bytes of the longest instruction, and one */
struct cc_plugin_code {
    uint8_t bytes[CC_PLUGIN_CODE];
    size_t size;
};
struct cc_plugin_code cc_plugin_code(const struct qemu_plugin_insn *insn);

/* Where log2 of the size is in qemu_plugin_meminfo_t (three bits), and whether it reads and writes (two
 * bits): asking QEMU at each access would take longer than all the rest of it. 0: it does not say it as we
 * know it. */
unsigned cc_plugin_size_at(void);
enum { CC_PLUGIN_RW_AT = 16 };

#endif
