/* A loop that jumps lead into where one inside it begins, as compilers make it of a nest below a choice. */
static short from[512], to[512];
static unsigned char when[512];

static void rows(int n)
{
    int i = 0, j = 0;
    if (when[i])
        goto busy;
idle:
    do
        j += 2;
    while (j < 12);
next:
    i += 3;
    if (i >= 3 * n)
        return;
    j = 0;
    if (!when[i])
        goto idle;
busy:
    do { /* busy */
        to[4 + j] = (short)(from[4 + j] + to[3 + i]);
        j += 2;
    } while (j < 12);
    goto next;
}

int main(void)
{
    for (int i = 0; i < 512; i++)
        when[i] = i != 0 && i != 21;
    rows(9);
    return to[4];
}
