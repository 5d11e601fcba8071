gcc -g -O0 examples/canny/canny.c -o prog -lm
