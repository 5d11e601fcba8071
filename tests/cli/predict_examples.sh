#!/bin/sh
# examples/predict: the serial, marked program and the OpenMP one give the same output, and native recording works.
. "$(dirname "$0")/lib.sh"
E=$SOURCE/examples/predict
compile() { # compile SOURCE OUTPUT FLAGS…
    src=$1 out=$2
    shift 2
    gcc -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas -I"$SOURCE/include" "$@" "$E/$src.c" -o "$out" -lm 2>err
}
gcc -O2 -c "$SOURCE/engines/native/native.c" -o native.o 2>err; ok $? "the native library compiles alone"
for p in fast edge isort matmul mandel stencil triangle; do
    compile $p serial -DCORECAST_NATIVE native.o -lpthread && compile $p omp -fopenmp -DCORECAST_OFF && compile $p dyn -fopenmp -DCORECAST_OFF -DINNER -DSCHEDULE=dynamic,3
    ok $? "$p compiles"
    want=$(./serial)
    [ -n "$want" ]; ok $? "$p runs"
    is "$(OMP_NUM_THREADS=3 ./omp) $(OMP_NUM_THREADS=2 ./dyn)" "$want $want" "$p: serial and parallel agree"
done
done_testing
