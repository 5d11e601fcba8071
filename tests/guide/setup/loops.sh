gcc -g -O2 examples/canny/canny.c -o canny -lm
