#!/usr/bin/env python3
"""Runs a command on a terminal of its own and prints what it wrote there.   on-terminal.py ROWS COLUMNS COMMAND...
Ends with the command's status. Standard output and standard error are the terminal; with ERR=only just the latter is, and standard output is dropped."""
import fcntl, os, pty, select, struct, sys, termios

rows, columns = int(sys.argv[1]), int(sys.argv[2])
fd, terminal = pty.openpty()
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
pid = os.fork()
if pid == 0:
    os.close(fd)
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for i in range(3):
        os.dup2(terminal, i)
    if os.environ.get("ERR") == "only":
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.closerange(3, 16)
    os.execvp(sys.argv[3], sys.argv[3:])
# The terminal stays open here, so that what is still in it when the command ends is not lost.
out, ended = b"", False
while True:
    if select.select([fd], [], [], 0 if ended else 0.05)[0]:
        out += os.read(fd, 65536)
    elif ended:
        break
    else:
        done, status = os.waitpid(pid, os.WNOHANG)
        ended = done == pid
sys.stdout.buffer.write(out.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)
