/* What an instruction computes, as units of a chip are compared by. */
#ifndef CC_ISA_CLASS_H
#define CC_ISA_CLASS_H

enum cc_class { CC_S_INT, CC_M_INT, CC_FLOAT, CC_SPECIFIC, CC_BRANCH, CC_ADDRESS, CC_MEMORY, CC_CLASSES };
extern const char *const cc_class_names[CC_CLASSES]; /* as in kernel files and JSON: "s_int" … "memory" */

#endif
