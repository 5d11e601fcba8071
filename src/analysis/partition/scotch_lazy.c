/* Scotch, loaded when something is first partitioned (base/lazy.h). */
#include "../../base/lazy.h"

#include <stdint.h>
#include <stdio.h>

#include <scotch/scotch.h>

static const char *const names[] = {CC_SONAME_SCOTCH, NULL}; /* it brings libscotcherr with it */
static struct cc_lazy scotch = {.names = names};

#define FORWARD(name, params, args) CC_LAZY(scotch, 1, int, name, params, args)
#define FORWARD_VOID(name, params, args) CC_LAZY_VOID(scotch, name, params, args)

/* clang-format off */
FORWARD(SCOTCH_archBuild, (SCOTCH_Arch *const a, const SCOTCH_Graph *const b, const SCOTCH_Num c, const SCOTCH_Num *const d, const SCOTCH_Strat *const e), (a, b, c, d, e))
FORWARD_VOID(SCOTCH_archExit, (SCOTCH_Arch *const a), (a))
FORWARD(SCOTCH_archInit, (SCOTCH_Arch *const a), (a))
FORWARD(SCOTCH_contextBindGraph, (SCOTCH_Context *const a, const SCOTCH_Graph *const b, SCOTCH_Graph *const c), (a, b, c))
FORWARD_VOID(SCOTCH_contextExit, (SCOTCH_Context *const a), (a))
FORWARD(SCOTCH_contextInit, (SCOTCH_Context *const a), (a))
FORWARD(SCOTCH_contextOptionSetNum, (SCOTCH_Context *const a, const int b, const SCOTCH_Num c), (a, b, c))
FORWARD(SCOTCH_contextRandomClone, (SCOTCH_Context *const a), (a))
FORWARD_VOID(SCOTCH_contextRandomReset, (SCOTCH_Context *const a), (a))
FORWARD_VOID(SCOTCH_contextRandomSeed, (SCOTCH_Context *const a, const SCOTCH_Num b), (a, b))
CC_LAZY(scotch, NULL, SCOTCH_Graph *, SCOTCH_graphAlloc, (void), ())
FORWARD(SCOTCH_graphBuild, (SCOTCH_Graph *const a, const SCOTCH_Num b, const SCOTCH_Num c, const SCOTCH_Num *const d, const SCOTCH_Num *const e, const SCOTCH_Num *const f,
                            const SCOTCH_Num *const g, const SCOTCH_Num h, const SCOTCH_Num *const i, const SCOTCH_Num *const j), (a, b, c, d, e, f, g, h, i, j))
FORWARD_VOID(SCOTCH_graphExit, (SCOTCH_Graph *const a), (a))
FORWARD(SCOTCH_graphInit, (SCOTCH_Graph *const a), (a))
FORWARD(SCOTCH_graphMap, (SCOTCH_Graph *const a, const SCOTCH_Arch *const b, SCOTCH_Strat *const c, SCOTCH_Num *const d), (a, b, c, d))
FORWARD(SCOTCH_graphPart, (SCOTCH_Graph *const a, const SCOTCH_Num b, SCOTCH_Strat *const c, SCOTCH_Num *const d), (a, b, c, d))
FORWARD(SCOTCH_graphPartFixed, (SCOTCH_Graph *const a, const SCOTCH_Num b, SCOTCH_Strat *const c, SCOTCH_Num *const d), (a, b, c, d))
FORWARD_VOID(SCOTCH_randomReset, (void), ())
FORWARD_VOID(SCOTCH_randomSeed, (SCOTCH_Num a), (a))
FORWARD_VOID(SCOTCH_stratExit, (SCOTCH_Strat *const a), (a))
FORWARD(SCOTCH_stratGraphMapBuild, (SCOTCH_Strat *const a, const SCOTCH_Num b, const SCOTCH_Num c, const double d), (a, b, c, d))
FORWARD(SCOTCH_stratInit, (SCOTCH_Strat *const a), (a))
