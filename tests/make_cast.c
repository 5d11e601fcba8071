/* make-cast FILE: the fixture's run as a profile, for tests of the command line. */
#include "fixture.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: make-cast FILE\n", stderr);
        return 2;
    }
    return cc_fixture_cast(argv[1]) == 0 ? 0 : 1;
}
