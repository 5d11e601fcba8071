#!/bin/sh
# Programs that are neither C nor C++: functions and variables bear the names that their source has, streams and calls are those of the source,
# and nothing is said that only makes sense in C.
. "$(dirname "$0")/lib.sh"
PROGRAMS=$SOURCE/tests/cli/programs
calls() { jq -r --arg f "$1" '[.functions[]|select(.name==$f)|.calls]|add // 0' out; }
stream() { jq -r --arg f "$1" --arg t "$2" '[.edges[]|select(.from==$f and .to==$t)|.bytes]|add' out; }
if command -v gfortran >/dev/null && gfortran -g -O0 -o heat "$PROGRAMS/heat.f90" 2>/dev/null; then
    for engine in valgrind qemu; do
        cc record --engine $engine --objects -o f.cast ./heat
        is $RC 0 "Fortran, $engine: recorded"
        cc report f.cast --view functions --min-share 0 --json
        is "$(calls heat::fill) $(calls heat::total) $(calls chain) $(calls MAIN__)" "3 1 3 1" "Fortran, $engine: procedures of modules and others, by their names"
        cc report f.cast --view comm --min-share 0 --json
        is "$(stream heat::fill heat::total) $(stream heat::fill MAIN__)" "8000 400" "Fortran, $engine: bytes"
        cc report f.cast --view objects --min-share 0 --json
        is "$(jq -r '.objects[]|select(.name=="/shared/")|"\(.bytes_written) \(.size)"' out)" "$((8 + 3 * 99 * 8)) 800" "Fortran, $engine: a common block"
        is "$(jq -r '.objects[]|select(.name=="heat::field")|.type' out)" "real(kind=8)[]" "Fortran, $engine: a variable of a module"
        is "$(jq -r '.objects[]|select(.name=="MAIN__:line")|.type' out)" "real(kind=8)[50]" "Fortran, $engine: an array begins at 1"
        is "$(jq -r '.objects[]|select(.name=="heat::total:total")|.bytes_written' out)" "8008" "Fortran, $engine: a function's result bears its name"
    done
    cc record --loops dependences --region a=heat::fill --region b=chain -o l.cast ./heat
    is $RC 0 "regions by the names of the source"
    cc report l.cast --view comm --by region --json
    is "$(jq -r '[.nodes[].name]|sort|join(" ")' out | tr ' ' '\n' | grep -c '^[ab]$')" 2 "and both are there"
    cc record --region a=fill -o x.cast ./heat
    fails 125 "did you mean 'heat::fill'" "another name is offered as it has to be written"
    cc report l.cast --view loops --min-share 0 --json
    is "$(jq -r '.loops[]|select(.function=="chain")|"\(.verdict) \(.sentence)"' out)" "sequential an iteration reads /shared/ at line 29 that an earlier one wrote at line 29" "a loop through a common block"
    is "$(jq -r '.loops[]|select(.function=="heat::total")|"\(.verdict) \(.clauses.reduction[0]|.operator+.variable)"' out)" "reduction +total" "a loop that adds up"
    is "$(jq -r '[.loops[].pragma|select(.)]|length' out)" 0 "no pragma for what is not C"
    cc explore --platform cortex-a53-quad --patch plan.diff -- ./heat
    tr -s " \n" " " <out | grep -q "its source is Fortran, and only C and C++ are read"; ok $? "no plan is written into what is not C, and why"
else
    skip "Fortran" "there is no gfortran"
fi
cat >rust.rs <<'XX'
mod shapes {
    pub struct Square(pub u64);
    impl Square { #[inline(never)] pub fn area(&self) -> u64 { self.0 * self.0 } }
}
static mut TABLE: [u64; 100] = [0; 100];
#[inline(never)]
fn fill() { let mut i = 0; while i < 100 { unsafe { TABLE[i] = i as u64; } i += 1; } }
#[inline(never)]
fn sum() -> u64 { let mut s = 0; let mut i = 0; while i < 100 { unsafe { s += TABLE[i]; } i += 1; } s }
#[inline(never)]
fn same<T: Copy>(x: T) -> T { x }
fn main() {
    fill();
    let q = shapes::Square(same(3u64));
    std::process::exit((sum() + q.area() + same(2u64) - 4961) as i32 + 3);
}
XX
if command -v rustc >/dev/null && rustc --version >/dev/null 2>&1; then
    for mangling in usual v0; do
        flag=
        [ $mangling = usual ] || flag='-C symbol-mangling-version=v0'
        rustc -g -C opt-level=1 $flag -o rust rust.rs 2>/dev/null || continue
        cc record --objects -o r.cast ./rust
        is $RC 3 "Rust, $mangling: recorded, with its status"
        cc report r.cast --view functions --min-share 0 --json
        is "$(calls rust::fill) $(($(calls '<rust::shapes::Square>::area') + $(calls rust::shapes::Square::area)))" "1 1" "Rust, $mangling: functions"
        cc report r.cast --view comm --min-share 0 --json
        is "$(stream rust::fill rust::sum)" 800 "Rust, $mangling: bytes"
        cc report r.cast --view objects --min-share 0 --json
        is "$(jq -r '.objects[]|select(.name=="rust::TABLE")|"\(.bytes_written) \(.size)"' out)" "800 800" "Rust, $mangling: a variable"
    done
else
    skip "Rust" "there is no rustc"
fi
done_testing
