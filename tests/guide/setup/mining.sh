cd examples/threaded && make -s CFLAGS='-O1 -g -static' && awk 'BEGIN { for (i = 0; i < 300; i++) print i % 7, 10 + i % 5, 20 + i % 3 }' >transactions.dat &&
    { echo cycle,cpu,pc,address,latency; awk 'BEGIN { for (i = 0; i < 300; i++) print i * 10 "," i % 4 "," 64 * i "," 16 * i "," i % 50 }'; } >other.csv
