#!/bin/sh
# The long measurements of `map`: proofs for 20 and 30 tasks x 4 units, 500-task graphs against HEFT and PEFT and against long random restarts.
# usage: map.sh BUILD [RESTARTS STEPS]
build=${1:-build}
"$build"/tests/test-mapping tasks 20 210
"$build"/tests/test-mapping tasks 30 50 cores
"$build"/tests/test-mapping-published 6 500
"$build"/tests/test-mapping large "${2:-8}" "${3:-1000000}"
