#!/usr/bin/env python3
"""Runs a command on a terminal of its own and prints what it wrote there.   on-terminal.py ROWS COLUMNS COMMAND...
Ends with the command's status. Standard output and standard error are the terminal; with ERR=only just the latter is, and standard output is dropped."""
import fcntl, os, pty, struct, sys, termios

rows, columns = int(sys.argv[1]), int(sys.argv[2])
pid, fd = pty.fork()
if pid == 0:
    if os.environ.get("ERR") == "only":
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.execvp(sys.argv[3], sys.argv[3:])
out = b""
while True:
    try:
        piece = os.read(fd, 65536)
    except OSError:  # the last one has closed it
        break
    if not piece:
        break
    out += piece
status = os.waitpid(pid, 0)[1]
sys.stdout.buffer.write(out.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)
