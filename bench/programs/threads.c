/* Threads that smooth rows of one picture in turn: each reads what its neighbours wrote in the round before.
 *   threads [THREADS] [ROUNDS] */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 512, HEIGHT = 256, MOST = 64 };

static int picture[2][HEIGHT][WIDTH];
static pthread_barrier_t barrier;
static long threads, rounds;

static int smooth(const int from[HEIGHT][WIDTH], int y, int x)
{
    int above = from[(y + HEIGHT - 1) % HEIGHT][x], below = from[(y + 1) % HEIGHT][x];
    int left = from[y][(x + WIDTH - 1) % WIDTH], right = from[y][(x + 1) % WIDTH];
    return (above + below + left + right + 4 * from[y][x]) / 8;
}

static void *work(void *self)
{
    long me = (long)self;
    for (long r = 0; r < rounds; r++) {
        for (int y = (int)me; y < HEIGHT; y += (int)threads)
            for (int x = 0; x < WIDTH; x++)
                picture[(r + 1) & 1][y][x] = smooth(picture[r & 1], y, x);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    threads = argc > 1 ? strtol(argv[1], NULL, 10) : 8;
    rounds = argc > 2 ? strtol(argv[2], NULL, 10) : 20;
    if (threads < 1 || threads > MOST)
        return 1;
    pthread_t id[MOST];
    for (int i = 0; i < HEIGHT * WIDTH; i++)
        picture[0][i / WIDTH][i % WIDTH] = i * 37 % 1000;
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    for (long i = 0; i < threads; i++)
        pthread_create(&id[i], NULL, work, (void *)i);
    for (long i = 0; i < threads; i++)
        pthread_join(id[i], NULL);
    printf("%d\n", picture[rounds & 1][HEIGHT / 2][WIDTH / 2]);
    return 0;
}
