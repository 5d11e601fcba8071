#!/bin/sh
. "$(dirname "$0")/lib.sh"
if [ ! -x "$(dirname "$CORECAST")/engines/characterize/corecast-bench-openmp" ]; then
    skip "measures this machine" "the compiler this was built with has no OpenMP"
else
cc characterize --units --time 0.05 --repeat 1 -q -o here.ini; is $RC 0 "measures this machine and its units"
cc platform show here.ini --json; is $RC 0 "the result is a platform file"
value() { json ".values[]|select(.section==\"$1\" and .key==\"$2\")|.value" | sed 's/ .*//'; }
for k in par_open par_close thr_create thr_launch thr_prologue thr_free barrier_ovh critical_ovh reduction_ovh task_create task_start; do
    [ -n "$(value openmp.parallel $k)" ]; ok $? "openmp.parallel has $k"
done
for s in static dynamic; do for k in for_prologue for_epilogue for_gap for_next_chunk; do
    [ -n "$(value openmp.$s $k)" ]; ok $? "openmp.$s has $k"
done; done
echo "$(value platform clock_mhz)" | awk '{exit !($1 > 50 && $1 < 10000)}'; ok $? "the clock is between 50 MHz and 10 GHz"
[ "$(wc -l <here.grid)" -gt 20 ]; ok $? "copy times lie beside it"
for k in kind clock_mhz cores superscalar s_int m_int float specific branch address load_store vector_gain core_bandwidth bandwidth atomic barrier; do
    [ -n "$(value unit.cpu $k)" ]; ok $? "unit.cpu has $k"
done
value link.cpu.cpu points | grep -q '^4096:'; ok $? "and a curve of copies"
cc units "$SOURCE/examples/units/gradient-host.ini" --platform here.ini --unit cpu --json
is "$RC $(json '.chains[0] | .low > 0.1 and .high < 1000')" "0 true" "corecast units takes them"
cc characterize --time 0.02 --repeat 1 --json; is "$RC $(json .schema)" "0 corecast.characterize" "as JSON"
is "$(json '[.values[]|select(.section|startswith("unit."))]|length')" 0 "without the units"
# Sensors that a loop stands for: 3 W, and 7 W while the program has threads at work. A counter of RAPL the same.
cc platform show here.ini --json; mhz=$(value platform clock_mhz)
energy=$(dirname "$CORECAST")/engines/characterize/corecast-bench-energy
mkdir -p sys/class/hwmon/hwmon0 sys/class/hwmon/hwmon1 rapl/class/powercap/intel-rapl:0 rapl/class/powercap/intel-rapl:0:0
echo amdgpu >sys/class/hwmon/hwmon0/name; echo 9000000 >sys/class/hwmon/hwmon0/power1_input; echo board >sys/class/hwmon/hwmon1/name
echo package-0 >rapl/class/powercap/intel-rapl:0/name; echo core >rapl/class/powercap/intel-rapl:0:0/name; echo 5 >rapl/class/powercap/intel-rapl:0:0/energy_uj
echo 10000000 >rapl/class/powercap/intel-rapl:0/max_energy_range_uj
# sensor PID FILE counts|shows: a FIFO that is another one each time it is read, so that the answer is of that moment, however busy the machine
sensor() {
    at=$(date +%s%N); uj=9900000
    while exec 3>"$2"; do
        mkfifo next && mv next "$2"
        n=$(ls "/proc/$1/task" | wc -l); w=3; [ "$n" -gt 1 ] && w=7
        now=$(date +%s%N); uj=$(((uj + w * (now - at) / 1000) % 10000000)); at=$now
        if [ $3 = counts ]; then echo $uj; else echo ${w}000000; fi >&3
        exec 3>&-
    done
}
for root in sys rapl; do
    if [ $root = sys ]; then file=sys/class/hwmon/hwmon1/power1_input how=shows; else file=rapl/class/powercap/intel-rapl:0/energy_uj how=counts; fi
    mkfifo $file
    "$energy" 2 $root >energy.txt & pid=$!
    sensor $pid $file $how 2>/dev/null & answers=$!
    wait $pid; is $? 0 "$root: power is measured"
    kill $answers
    (echo 'corecast-bench 1 clock'; echo 'value platform clock_mhz 1000 1 9 stable'; echo end) >clock.txt
    cc characterize --import clock.txt --import energy.txt -o energy.ini; is $RC 0 "$root: imported"
    cc platform show energy.ini --json
    is "$(value energy idle | awk '{ print ($1 > 2 && $1 < 4) }')" 1 "$root: 3 W at rest"
    is "$(awk -v n="$(nproc)" -v mhz="$mhz" '/busy_cycle/ { w = $4 * n * mhz * 1e6; print (w > 2 && w < 7) }' energy.txt)" 1 "$root: the other 4 W are charged to the cycles of the CPUs"
    grep -q '^source = measured with ' energy.ini; ok $? "$root: the file says with what"
done
"$energy" 0.1 nowhere >none.txt; grep -q '^text energy source not measured: no RAPL' none.txt; ok $? "no sensor: it says so"
cc characterize --import none.txt -o none.ini; cc platform check none.ini --json
is "$(json '.answers[]|select(.question=="energy")|.answer')" false "and the file tells no energy"
cc platform show here.ini --json; is "$(json '.values[]|select(.section=="dma" and .key=="i0")|.source' | cut -c1-20)" "measured with memcpy" "[dma] says that it was measured with memcpy"
cc platform check here.ini --json; is "$(json .unsourced)" 0 "every section names its source"
is "$(json '[.answers[] | select(.answer | not) | .question | select(. != "energy" and . != "simulate")] | join(" ")')" "" "the file answers every command, but what sensors and caches do not tell"
if grep -q '^\[core\]' here.ini; then
    echo 'int main(void) { return 0; }' | gcc -x c - -o nothing && cc simulate -p here.ini -n 1 --json -- ./nothing; is "$RC" 0 "and this machine can be simulated"
else
    skip "this machine can be simulated" "its caches are not told"
fi
# A driver that answers at once stands for a GPU: 2 multiprocessors whose every kernel takes 1048576 cycles and a millisecond.
gcc -shared -fPIC -x c - -o libcuda.so.1 <<'END'
#include <string.h>
#include <unistd.h>
static unsigned long long device[1 << 16], used;
int cuInit(unsigned f) { return 0; }
int cuDeviceGet(int *d, int i) { *d = 0; return 0; }
int cuDeviceGetCount(int *n) { *n = 1; return 0; }
int cuDeviceGetName(char *s, int n, int d) { strncpy(s, "Paper [1]", n); return 0; }
int cuDeviceGetAttribute(int *v, int a, int d) { *v = a == 16 ? 2 : 9; return 0; }
int cuDevicePrimaryCtxRetain(void **c, int d) { return 0; }
int cuCtxSetCurrent(void *c) { return 0; }
int cuCtxSynchronize(void) { return 0; }
int cuModuleLoadData(void **m, const char *text) { return !strstr(text, ".target sm_90") || !strstr(text, "fma.rn.f32 %a7, %a7, %f, %f;") || strchr(text, '#'); }
int cuModuleGetFunction(void **f, void *m, const char *name) { return 0; }
int cuMemAlloc_v2(unsigned long long *p, size_t n) { *p = ++used; return 0; }
int cuMemFree_v2(unsigned long long p) { return 0; }
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t n) { return n > 65536; }
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t n) { memcpy(to, device, n); return 0; }
int cuMemcpyDtoD_v2(unsigned long long to, unsigned long long from, size_t n) { return 1; }
int cuLaunchKernel(void *f, unsigned x, unsigned y, unsigned z, unsigned tx, unsigned ty, unsigned tz, unsigned s, void *q, void **p, void **e) { device[0] = 1; device[1] = 1 << 20; usleep(1000); return x > 2; }
END
LD_LIBRARY_PATH=$PWD "$(dirname "$CORECAST")/engines/characterize/corecast-bench-units" 0.01 >gpu.txt; is $? 0 "units of a machine with a GPU"
cc characterize --import gpu.txt -o gpu.ini; is $RC 0 "imported"
cc platform show gpu.ini --json
is "$(value unit.gpu kind) $(value unit.gpu cores) $(value unit.gpu float) $(value unit.gpu s_int)" "gpu 2 64 128" "two multiprocessors with 64 multiply-adds and 128 simple instructions a cycle"
value link.cpu.gpu points | grep -q '^4096:'; ok $? "a link to the GPU"
is "$(json '.values[]|select(.section=="link.cpu.gpu" and .key=="points")|.value' | wc -w)" 3 "without the sizes it refused"
grep -q '^; \[unit.gpu\] bandwidth could not be measured' gpu.ini; ok $? "what could not be measured is said"
fi
printf 'corecast-bench 1 board\nvalue platform clock_mhz 600 1 9 stable\nvalue openmp.parallel par_open 9000 100 9 unstable\nend\n' >board.txt
cc characterize --import board.txt --name 'odd [name]; #1' -o board.ini; is $RC 0 "imports what a board printed"
fails 0 "1 of 2 figures did not settle" "and says that a figure is not stable"
cc platform show board.ini; is $RC 0 "the imported file loads"
cc characterize --import board.txt --csv; is "$RC $(sed -n 3p out)" "0 openmp.parallel,par_open,,9000,100,9,no," "figures as CSV"
printf 'corecast-bench 1 board\nvalue platform clock_mhz 600 1 9 stable\n' >cut.txt
cc characterize --import cut.txt -o cut.ini; fails 3 'cut.txt:2: .*not whole' "a run cut short is refused"
[ ! -e cut.ini ]; ok $? "and writes nothing"
printf 'corecast-bench 1 board\nvalue openmp.parallel nonsense 600 1 9 stable\nend\n' >odd.txt
cc characterize --import odd.txt; fails 3 "nonsense" "a key the format lacks is refused"
cc characterize --import nowhere.txt; fails 3 "cannot open" "absent file"
cc characterize extra; fails 2 "unexpected operand" "operands are refused"
for b in openmp memory cores units; do
    gcc -O2 -fopenmp "$SOURCE/engines/characterize/$b.c" -o b -lm -ldl 2>err; ok $? "$b compiles alone"
done
done_testing
