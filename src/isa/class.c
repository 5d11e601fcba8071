#include "class.h"

const char *const cc_class_names[CC_CLASSES] = {"s_int",  "m_int",   "float", "specific",
                                                "branch", "address", "memory"};
