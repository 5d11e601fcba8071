for b in openmp memory cores energy units; do "$(dirname "$(command -v corecast)")/engines/characterize/corecast-bench-$b" 0.01; done >board.txt &&
    awk 'BEGIN { for (i = 0; i < 20; i++) print "loop.it," i * 1000 "," i * 1000 + 900; print "loop,0,20000" }' >t.csv && cp t.csv prof.cast && echo 'loop.it = #pragma omp parallel for' >loop.omp
