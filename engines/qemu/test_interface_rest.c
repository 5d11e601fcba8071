/* The rest of what every version has: only that it is there. */
#define API __attribute__((visibility("default"))) void
#define STUB(name)  \
    API name(void); \
    API name(void) {}
STUB(qemu_plugin_register_vcpu_init_cb)
STUB(qemu_plugin_register_vcpu_exit_cb)
STUB(qemu_plugin_register_vcpu_idle_cb)
STUB(qemu_plugin_register_vcpu_tb_trans_cb)
STUB(qemu_plugin_register_vcpu_tb_exec_cb)
STUB(qemu_plugin_register_vcpu_insn_exec_cb)
STUB(qemu_plugin_register_vcpu_mem_cb)
STUB(qemu_plugin_register_vcpu_syscall_cb)
STUB(qemu_plugin_register_vcpu_syscall_ret_cb)
STUB(qemu_plugin_register_atexit_cb)
STUB(qemu_plugin_tb_n_insns)
STUB(qemu_plugin_tb_vaddr)
STUB(qemu_plugin_tb_get_insn)
STUB(qemu_plugin_insn_vaddr)
STUB(qemu_plugin_insn_haddr)
STUB(qemu_plugin_insn_disas)
STUB(qemu_plugin_get_hwaddr)
STUB(qemu_plugin_hwaddr_is_io)
#if INTERFACE >= 2
STUB(qemu_plugin_scoreboard_new)
#endif
#if INTERFACE >= 4
STUB(qemu_plugin_read_memory_vaddr)
#endif
#if INTERFACE >= 5
STUB(qemu_plugin_write_register)
#endif
