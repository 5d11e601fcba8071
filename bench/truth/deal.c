/* Hands dealt by one and played by all, again and again in one region: single with copyprivate, a loop, a
 * barrier. */
#include "truth.h"
enum { CARDS = SIZE(640, 60000), HANDS = SIZE(24, 400) };
static unsigned card[CARDS];
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 0; i < CARDS; i++)
        card[i] = (unsigned)i * 2246822519u;
    unsigned deck = 12345;
    KERNEL_BEGIN();
    BEGIN("deal.all");
#pragma omp parallel
    {
        unsigned trump;
        for (int h = 0; h < HANDS; h++) {
            BEGIN("deal.cut");
#pragma omp single copyprivate(trump)
            {
                for (int i = 0; i < 40; i++)
                    deck = deck * 1664525 + card[i];
                trump = deck;
            }
            END("deal.cut");
#pragma omp for schedule(static)
            for (int i = 0; i < CARDS; i++) {
                BEGIN("deal.card");
                unsigned x = card[i] ^ trump;
                card[i] = (x ^ x >> 15) * 2654435761u;
                END("deal.card");
            }
        }
    }
    END("deal.all");
    KERNEL_END(card[5] >> 8);
}
