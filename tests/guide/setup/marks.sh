cat >prog.c <<'END'
#include <corecast/mark.h>
#include <stdio.h>
static volatile int sum;
int main(void)
{
    /* two frames */
    for (int f = 0; f < 2; f++) {

        CC_REGION_BEGIN("decode");
        for (int i = 0; i < 100; i++) sum += i;
        CC_REGION_END("decode");
        CC_FRAME();
    }
    return 0;
}
END
cp platforms/stxp70-asmp.ini here.ini
