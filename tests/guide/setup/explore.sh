cp "$SOURCE/examples/programs/image.c" "$SOURCE/examples/programs/quicksort.c" "$SOURCE/examples/programs/nbody.c" . && gcc -O2 -g -o quicksort quicksort.c && gcc -O2 -g -o nbody nbody.c -lm
