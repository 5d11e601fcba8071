/* Shared memory that is attached where another segment was: nothing of that is in it. And requests that fill
 * nothing, though their numbers are near to those that do: what was written stays. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/msg.h>
#include <sys/shm.h>

enum { SIZE = 5000, SMALL = 64 };
#define OWN __attribute__((noipa))

OWN void fill(volatile char *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = 1;
}
OWN int own(volatile char *p)
{
    int s = 0;
    for (int i = 0; i < SIZE; i++)
        s += p[i];
    return s;
}
OWN int others(volatile char *p)
{
    int s = 0;
    for (int i = 0; i < SIZE; i++)
        s += p[i];
    return s;
}
OWN int kept(volatile char *p)
{
    int s = 0;
    for (int i = 0; i < SMALL; i++)
        s += p[i];
    return s;
}
OWN int message(volatile char *p)
{
    int s = 0;
    for (int i = 0; i < SMALL; i++)
        s += p[i];
    return s;
}

int main(void)
{
    int one = shmget(IPC_PRIVATE, SIZE, 0600), other = shmget(IPC_PRIVATE, SIZE, 0600),
        queue = msgget(IPC_PRIVATE, 0600), terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY);
    char *p = shmat(one, 0, 0), *q, buffer[SMALL];
    struct {
        long type;
        char text[SMALL];
    } sent = {3, "text"}, received;
    fill(p, SIZE);
    int wrong = own(p) != SIZE;
    shmdt(p);
    q = shmat(other, p, SHM_REMAP); /* where QEMU keeps addresses for the program they are taken */
    wrong |= q != p || others(q) != 0;
    shmdt(q);
    shmctl(one, IPC_RMID, 0);
    shmctl(other, IPC_RMID, 0);

    fill(buffer, SMALL);
    ioctl(terminal, TIOCNXCL, buffer);
    wrong |= kept(buffer) != SMALL;

    fill(received.text, SMALL);
    wrong |= msgsnd(queue, &sent, SMALL, 0) != 0 || msgrcv(queue, &received, SMALL, 0, 0) != SMALL;
    wrong |= message(received.text) != 't' + 'e' + 'x' + 't';
    msgctl(queue, IPC_RMID, 0);
    return wrong;
}
