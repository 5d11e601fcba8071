awk '/^```c/ { on = 1; next } /^```/ { if (on) exit } on' "$SOURCE/docs/guide/report.md" >edges.c
gcc -g -O1 -fno-inline examples/canny/canny.c -o canny -lm
