/* Functions whose use is a bug here; each has a bounded or checked replacement in src/base. */
#ifndef CC_BASE_BANNED_H
#define CC_BASE_BANNED_H
#pragma GCC poison strcpy strcat sprintf vsprintf gets atoi atol atoll atof strtok tmpnam mktemp
#endif
