gcc -g -O1 -fno-inline examples/canny/canny.c -o canny -lm
