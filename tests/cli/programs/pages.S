/* Instructions that lie in two pages, 1000 times each: a sum, and a call. 6 + 8 * 1000 are executed. */
        .text
        .globl  _start
        .type   _start, @function
        .p2align 12
_start:
        mov     $1000, %ecx
        xor     %ebx, %ebx
        jmp     again
        .fill   4096 - (. - _start) - 6, 1, 0x90
again:
        add     $1, %eax
        add     $0x12345678, %ebx
        jmp     over
        .fill   8192 - (. - _start) - 4, 1, 0x90
over:
        nop
        call    leaf
        dec     %ecx
        jnz     again
        mov     $60, %eax
        xor     %edi, %edi
        syscall
        .size   _start, . - _start
        .type   leaf, @function
leaf:
        ret
        .size   leaf, . - leaf
        .section .note.GNU-stack, "", @progbits
