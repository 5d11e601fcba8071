#!/bin/sh
# The report page: what it is made of without a browser, then in one (page/tests/page.mjs).
. "$(dirname "$0")/lib.sh"
"$MAKE_CAST" fixture.cast || exit 99

cc report fixture.cast --html page.html
case $(cat err) in
*"built without the report page"*)
    fails 2 "built without the report page: .*(node|npm)" "without the page, --html says what is missing"
    skip "the page" "$(sed -n 's/.*report page: //p' err)"
    done_testing
    exit
    ;;
esac
ok $RC "a page is written"
ok "$(grep -c 'wrote .page.html' err | sed 's/1/0/;t;s/.*/1/')" "and its name said"
grep -q "Content-Security-Policy\" content=\"default-src 'none'" page.html
ok $? "its policy forbids the network"
# xmlns are names, not addresses
ok "$(grep -oE '(https?:)?//[a-z0-9.-]+\.[a-z]+' page.html | grep -vcE 'www\.w3\.org|^//')" "it names nothing to load"
cc report fixture.cast --html again.html
cmp -s page.html again.html
ok $? "the same profile gives the same page"
sed 's/"fresh_exact":true/"fresh_exact":false/g' page.html >bound.html # as if states had run out
cc report fixture.cast --view comm --html flow.html
grep -q '"open":"comm"' flow.html
ok $? "--view is where it opens"
cc report --html page.html
fails 2 "expected a profile" "a page needs a profile"
cc report fixture.cast fixture.cast
fails 2 "only --html takes several" "only a page takes several profiles"
cc report fixture.cast --html p.html --json
fails 2 "writes a page and nothing else" "a page is no JSON"
cc report fixture.cast --no-source
fails 2 "is of '--html'" "--no-source is of a page"
cc report fixture.cast --platform cortex-a-quad
fails 2 "'--platform' is of '--html'" "so is --platform"
cc report fixture.cast --html p.html --scenario s.omp
fails 2 "needs '--platform'" "a scenario needs a platform"
cc report fixture.cast --html fixture.cast
fails 2 "would be lost" "a page does not replace its profile"
cc report fixture.cast missing.cast --html none.html
[ "$RC" -eq 3 ] && [ ! -e none.html ]
ok $? "a profile that cannot be read leaves no page"
cc compare fixture.cast fixture.cast --html diff.html
[ "$RC" -eq 0 ] && grep -q '"open":"compare"' diff.html && grep -q '"schema":{"[$]":[0-9]*},"version":1,"a"' diff.html
ok $? "compare writes a page that opens at the differences"

# names of every kind, and a source
sh "$SOURCE/page/tests/hostile.sh" >hostile.c && gcc -g -O1 -fno-inline hostile.c -o hostile 2>err || { ok 1 "hostile.c compiles"; done_testing; exit 1; }
cc record --loops dependences --tasks loops --objects -o hostile.cast -- ./hostile
ok $RC "a program with hostile names is recorded"
cc report hostile.cast --no-source --html bare.html
ok "$(grep -c 'free(a), free(b)' bare.html)" "--no-source leaves the source out"
echo 'int main(void) { return 0; }' >plain.c
gcc -g plain.c -o plain && cc record -q --loops dependences --objects -o plain.cast -- ./plain && cc report plain.cast --html plain.html
ok $RC "a page of a program that does nothing"
# what a simulation says, where one can be run
cat >share.c <<'END'
#include <pthread.h>
static int both[2];
static void *work(void *p) { for (int i = 0; i < 3000; i++) __atomic_add_fetch(&both[p != 0], 1, 0); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, both); work(0); pthread_join(t, 0); return 0; }
END
traced=
gcc -g -O1 -pthread share.c -o share && "$CORECAST" simulate -q --platform cortex-a-quad --cores 2 --trace share.trace ./share >/dev/null 2>err && 
    "$CORECAST" simulate -q --platform cortex-a-quad --cores 1 --trace one.trace ./share >/dev/null 2>err && traced="--trace one.trace --trace share.trace" &&
    "$CORECAST" mine contention share.trace --json >hostile-contention.json && "$CORECAST" mine scaling one.trace share.trace --json >hostile-scaling.json 2>err
cc report fixture.cast hostile.cast --platform cortex-a-quad $traced --html page.html
[ "$(grep -c 'free(a), free(b)' page.html)" -eq 1 ] && [ "$(grep -ci '</script' page.html)" -eq 2 ]
ok $? "a page has it, and no name ends the data"

if [ -e "$SOURCE/page/node_modules/typescript" ]; then
    (cd "$SOURCE/page" && ./node_modules/.bin/tsc --noEmit) >err 2>&1
    ok $? "its types fit"
else
    skip "its types" "npm ci was not run in page/"
fi
if [ ! -e "$SOURCE/page/node_modules/puppeteer-core" ]; then
    skip "the page in a browser" "npm ci was not run in page/"
elif ! node -e 'import("'"$SOURCE"'/page/tests/lib.mjs").then((m) => process.exit(m.program ? 0 : 1))'; then
    skip "the page in a browser" "no ${BROWSER:-chromium}"
else
    for profile in fixture hostile; do
        for view in summary functions calltree comm bandwidth lines loops objects frames; do "$CORECAST" report $profile.cast --view $view --json >$profile-$view.json 2>/dev/null; done
        for level in region thread; do "$CORECAST" report $profile.cast --view comm --by $level --json >$profile-$level.json 2>/dev/null; done
    done
    "$CORECAST" export --to chrome fixture.cast >fixture-chrome.json
    objects=$("$CORECAST" report fixture.cast --view objects --json | jq -r '.objects[].name' | sed "s/.*/--object '&'/" | tr '\n' ' ')
    eval "\"\$CORECAST\" report fixture.cast --view comm --by region $objects --json" >fixture-joined.json
    "$CORECAST" compare fixture.cast hostile.cast --json >hostile-compare.json 2>/dev/null
    "$CORECAST" explore hostile.cast --platform cortex-a-quad --json >hostile-explore.json 2>/dev/null
    node "$SOURCE/page/tests/page.mjs" "$WORK/page.html" "$WORK" >browser 2>err
    ok $? "the page in a browser"
    sed 's/^/# /' browser | grep -v '^# ok'
    grep -qE '"engine":"[A-Za-z0-9+/]{1000}' page.html && all=91 || all=75 # without What if
    [ "$(grep -c '^ok' browser)" -ge $all ]
    ok $? "all of its tests were run"
fi
done_testing
