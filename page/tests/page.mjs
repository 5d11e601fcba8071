// The page in a browser.   node page.mjs PAGE.html JSON_FOLDER
// The page holds two profiles: the fixture (threads, regions, frames; tests/fixture.h) and the one of hostile.sh (loops, objects, source, names).
// JSON_FOLDER has what `corecast report --view V --json` says of them: fixture-V.json and hostile-V.json.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { at, csv, done, is, lap, launch, media, ok, open, settle, theme } from './lib.mjs';

const [file, folder] = process.argv.slice(2); // folder has plain.html, too: of a program without a loop
const url = pathToFileURL(file).href;
const json = (profile, view) => JSON.parse(readFileSync(`${folder}/${profile}-${view}.json`, 'utf8'));
const SECTIONS = ['start', 'calls', 'loops', 'plan', 'whatif', 'flow', 'functions', 'memory', 'time', ...(existsSync(`${folder}/hostile-contention.json`) ? ['contention'] : []), 'differences', 'glossary'];
const browser = await launch();
const page = await open(browser);
await page.goto(url);
await page.bringToFront();
const focus = (selector) => page.$eval(selector, (e) => e.focus());
const count = (selector) => page.$$eval(selector, (l) => l.length);
const text = (selector) => page.$eval(selector, (e) => e.textContent);
const select = async (label, value) => {
  await page.evaluate((l, v) => {
    const s = [...document.querySelectorAll('.control')].find((c) => c.querySelector('span').textContent === l).querySelector('select');
    s.value = v;
    s.dispatchEvent(new Event('change', { bubbles: true }));
  }, label, value);
  await settle(page);
};
const type = async (selector, value) => {
  await page.evaluate((s, v) => {
    const i = document.querySelector(s);
    i.value = v;
    i.dispatchEvent(new Event('input', { bubbles: true }));
  }, selector, value);
  await settle(page);
};

lap('until what is shown is what the JSON says');

// --- what is shown is what the JSON says ---

const number = (s) => (s === '' ? null : Number(s));
const unquoted = (s) => (/^'[-+=@']/.test(s) ? s.slice(1) : s);
function same(shown, told, keys, name, what) {
  const flat = (r, k) => k.split('.').reduce((o, p) => o?.[p], r) ?? null;
  const line = (get) => keys.map((k) => get(k));
  const a = shown.map((r) => JSON.stringify(line((k) => (name.has(k) ? unquoted(r[k]) || null : number(r[k]))))).sort();
  const b = told.map((r) => JSON.stringify(line((k) => flat(r, k)))).sort();
  ok(a.length > 0 && a.length === b.length && a.every((x, i) => x === b[i]), what, `shown ${a.length} ${a[0]}\ntold  ${b.length} ${b[0]}\n${a.find((x, i) => x !== b[i])}\n${b.find((x, i) => x !== a[i])}`);
}
const TEXT = new Set(['name', 'from', 'to', 'function', 'id', 'verdict', 'sentence', 'kind', 'type', 'file']);
const nodes = (n) => [n, ...n.children.flatMap(nodes)];

for (const [i, profile] of ['fixture', 'hostile'].entries()) {
  const p = i ? `profile=${i}` : '';
  await at(page, `start?${p}`);
  const summary = json(profile, 'summary');
  const tiles = await page.$$eval('#figures dd', (l) => Object.fromEntries(l.map((e) => [e.dataset.key, Number(e.querySelector('.fig').dataset.tip.split('\n')[0].replace(/\u202f/g, '').replace(/ .*/, ''))])));
  is(Object.entries(tiles).filter(([k, v]) => summary[k] !== v), [], `${profile}: the figures of the start are those of the summary`);
  await at(page, `functions?${p}`);
  same(await csv(page, 'functions'), json(profile, 'functions').functions, ['name', 'exclusive', 'inclusive', 'calls', 'line'], TEXT, `${profile}: functions`);
  await at(page, `calls?${p}`);
  const told = json(profile, 'calltree').threads.flatMap((t) => nodes(t.root).slice(1));
  const calls = await csv(page, 'calls');
  same(calls.filter((c) => !['all threads', '<runtime>'].includes(c.name) && !/^thread \d+ \(tid \d+\)$/.test(c.name)), told.filter((c) => c.name !== '<runtime>'), ['name', 'inclusive', 'exclusive', 'calls'], TEXT, `${profile}: call tree`);
  await at(page, `flow?${p}`);
  same(await csv(page, 'streams'), json(profile, 'comm').edges, ['from', 'to', 'bytes', 'unma', 'reads', 'fresh'], TEXT, `${profile}: streams`);
  await at(page, `time?${p}`);
  same(await csv(page, 'bandwidth'), json(profile, 'bandwidth').functions, ['name', 'bytes', 'read', 'written', 'active'], TEXT, `${profile}: bytes over time`);
}
await at(page, 'loops?profile=1');
same(await csv(page, 'loops'), json('hostile', 'loops').loops, ['id', 'function', 'share', 'verdict', 'sentence', 'invocations', 'iterations', 'instructions'], TEXT, 'hostile: loops');
await at(page, 'memory?profile=1');
same(await csv(page, 'objects'), json('hostile', 'objects').objects, ['name', 'kind', 'bytes_read', 'bytes_written', 'size', 'count', 'peak', 'reads', 'writes'], TEXT, 'hostile: objects');
await at(page, 'differences?profile=1');
same(await csv(page, 'differences-functions'), json('hostile', 'compare').functions, ['name', 'a', 'b', 'change', 'share'], TEXT, 'what changed between the profiles: functions');
const grown = await count('#chart-differences .difference');
await select('Of', 'streams');
same(await csv(page, 'differences-streams'), json('hostile', 'compare').streams, ['name', 'a', 'b', 'change', 'share'], TEXT, 'and streams');
ok(grown > 2 && (await count('#chart-differences .difference')) > 2 && /kind=streams/.test(await page.evaluate(() => location.hash)), 'with a bar for what changed most');
await at(page, 'differences');
is(await count('#chart-differences'), 0, 'the first profile has no differences');
await at(page, 'flow?by=region');
same(await csv(page, 'streams'), json('fixture', 'region').edges, ['from', 'to', 'bytes', 'unma', 'reads', 'fresh'], TEXT, 'fixture: streams between regions');
await at(page, 'flow?by=thread');
same(await csv(page, 'streams'), json('fixture', 'thread').edges, ['from', 'to', 'bytes', 'unma', 'reads', 'fresh'], TEXT, 'fixture: streams between threads');
await at(page, 'flow?by=region&frame=2');
const frame = new Map();
for (const s of json('fixture', 'frames').streams) if (s.consumer_frame === 2 && s.from !== s.to) frame.set(`${s.from} ${s.to}`, (frame.get(`${s.from} ${s.to}`) ?? 0) + s.bytes);
is((await csv(page, 'streams')).filter((r) => r.from !== r.to).map((r) => [`${r.from} ${r.to}`, Number(r.bytes)]).sort(), [...frame].sort(), 'fixture: streams of one frame');

lap('until charts show as much');

// --- charts show as much ---

await at(page, 'flow?look=graph&min=999');
const between = json('fixture', 'comm').edges.filter((e) => e.from !== e.to);
is(await count('#chart-flow .edge'), between.length, 'the graph has every stream between functions');
await at(page, 'flow?look=matrix');
is(await page.$$eval('.matrix path[class^=fill]', (l) => l.map((p) => (p.getAttribute('d').match(/M/g) ?? []).length).reduce((a, b) => a + b)), between.length, 'so has the matrix');
await at(page, 'loops?profile=1');
const boxes = await page.$$eval('#chart-loops .box', (l) => l.map((b) => b.getAttribute('aria-label')));
const wide = json('hostile', 'loops').loops.filter((l) => l.share > 0.01);
ok(wide.every((l) => boxes.some((b) => b.startsWith(`${l.id} `) && b.includes(l.verdict))), 'every loop that matters is drawn with its verdict', boxes.join('\n'));

lap('until dependences from line to line');

// --- dependences from line to line ---

const bad = json('hostile', 'loops').loops.findIndex((l) => l.verdict === 'sequential');
await at(page, `loops?profile=1&loop=${bad}`);
const reasons = json('hostile', 'loops').loops[bad].reasons.filter((r) => r.from.line && r.to.line);
ok(reasons.length > 0 && (await count('.arcs .arc')) === reasons.length, 'each dependence of a loop is an arrow', reasons.length);
ok((await page.$$eval('.line.involved .number', (l) => l.map((e) => Number(e.textContent)))).includes(reasons[0].from.line), 'its lines are marked');
const lines = new Map(json('hostile', 'lines').lines.filter((l) => l.file?.endsWith('hostile.c')).map((l) => [l.line, l.instructions]));
const total = json('hostile', 'lines').instructions;
const gutter = await page.$$eval('.line', (l) => l.map((e) => [Number(e.querySelector('.number').textContent), e.querySelector('.figure').textContent]));
ok(gutter.length > 20 && gutter.every(([n, f]) => (f === '' ? !lines.has(n) : /</.test(f) ? lines.get(n) / total < 0.0005 : Math.abs(parseFloat(f) - (100 * lines.get(n)) / total) < 0.051)), 'the gutter has the share of each line', JSON.stringify(gutter.slice(0, 40)));

lap('until controls do what they say');

// --- plans ---

await at(page, 'plan?profile=1');
const plans = json('hostile', 'explore').plans;
const dots = await page.$$eval('#chart-plans circle', (l) => l.map((c) => c.dataset.tip));
is(dots.sort(), plans.flatMap((p) => p.speedup.map((s) => `plan ${p.rank}\n${s.processors} processors: ${s.speedup.toFixed(2)} (${s.low.toFixed(2)} to ${s.high.toFixed(2)})`)).sort(), 'every speed-up of every plan is drawn');
is(await page.$$eval('#plan-detail .directives code', (l) => l.map((e) => e.textContent)), plans[0].directives.map((d) => d.pragma), 'the first plan has its directives');
is((await csv(page, 'rejected')).length, json('hostile', 'explore').rejected.length, 'and the loops that are in none their reasons');
await at(page, 'start?profile=1');
ok((await text('#story li[data-id=plan]')).includes(`${plans[0].speedup.at(-1).speedup.toFixed(2)} times as fast on ${plans[0].speedup.at(-1).processors} processors`), 'the start says what the best plan gives', await text('#story li[data-id=plan]'));
await at(page, 'plan');
ok(/^Plans: .{20,}/.test(await text('.missing')), 'a profile without loops says what is missing for plans', await text('main'));

lap('until controls');

// --- controls do what they say ---

await at(page, 'calls');
const fills = () => page.$$eval('#chart-calls .box rect', (l) => l.map((e) => e.getAttribute('class')).join());
const first = await fills();
await select('Colour', 'memory');
const memory = await fills();
await select('Colour', 'name');
ok(new Set([first, memory, await fills()]).size === 3, 'colours change with what they show');
const before = await count('#chart-calls .box');
await select('Thread', '2');
ok((await count('#chart-calls .box')) < before, 'a thread shows less than all');
await select('Thread', '');
await select('Show', 'up');
is(await page.$$eval('#chart-calls .box', (l) => l[0].getAttribute('aria-label').split('\n')[0]), 'all functions', 'callers are shown below their callees');
await select('Show', 'down');
await type('#chart-calls input[type=search]', 'filter');
ok((await count('#chart-calls .box.hit')) === 1 && (await count('#chart-calls .box.dim')) > 1, 'what is found stands out');
await type('#chart-calls input[type=search]', '');
const wideOf = (name) => page.$$eval('#chart-calls .box', (l, n) => Number(l.find((b) => b.getAttribute('aria-label').startsWith(n))?.querySelector('rect').getAttribute('width') ?? 0), name);
const narrow = await wideOf('filter');
await page.evaluate(() => [...document.querySelectorAll('#chart-calls .box')].find((b) => b.getAttribute('aria-label').startsWith('filter')).dispatchEvent(new MouseEvent('click', { bubbles: true })));
await settle(page);
ok((await wideOf('filter')) > 2 * narrow, 'a click zooms');
const zoomed = await page.evaluate(() => location.hash);
await at(page, 'start');
await at(page, zoomed.slice(1));
ok((await wideOf('filter')) > 2 * narrow, 'a link shows the same again');
await at(page, 'calls');
await focus('#chart-calls .box[tabindex="0"]');
await page.keyboard.press('ArrowDown');
await page.keyboard.press('Enter');
await settle(page);
ok(/zoom=/.test(await page.evaluate(() => location.hash)), 'the keyboard walks the tree and zooms');

await at(page, 'functions');
const cell = (row, n) => page.$eval(`#table-functions tbody tr:nth-child(${row}) td:nth-child(${n})`, (e) => e.textContent);
await page.evaluate(() => document.querySelector('#table-functions th[data-key=name] button').click());
await settle(page);
const up = await cell(1, 1);
await page.evaluate(() => document.querySelector('#table-functions th[data-key=name] button').click());
await settle(page);
ok(up < (await cell(1, 1)) && (await page.$eval('#table-functions th[data-key=name]', (e) => e.getAttribute('aria-sort'))) === 'descending', 'a heading sorts up and down');
await type('#table-functions input', 'dive');
is([await text('#table-functions .count'), await cell(1, 1)], [`1 of ${json('fixture', 'functions').functions.length} rows`, 'dive'], 'a filter leaves what matches');
is((await csv(page, 'functions')).length, 1, 'and CSV has only that');
const spots = () => page.$$eval('.dot', (l) => l.map((e) => e.getAttribute('cx')).join());
const mar = await spots();
await select('Across', 'bytes_per_access');
ok(mar !== (await spots()), 'the scatter changes its axis');

await at(page, 'flow?look=graph');
const slide = async (v) => {
  await type('#threshold', v);
  return [await count('#chart-flow .edge'), await text('#pieces')];
};
const [many] = await slide('99');
const [few, said] = await slide('1');
ok(few < many && /left out carry/.test(said), 'the threshold leaves streams out, and says how much they carry', said);
const joined = await page.evaluate(() => {
  const d = [...document.querySelectorAll('#chart-flow .edge')].map((e) => e.getAttribute('aria-label').split(': ')[0].split(' → '));
  const up = new Map();
  const find = (x) => (up.get(x) === x || !up.has(x) ? (up.set(x, x), x) : find(up.get(x)));
  for (const [a, b] of d) up.set(find(a), find(b));
  return new Set([...up.keys()].map(find)).size;
});
is(/make (\d+) pieces/.exec(said)?.[1] ?? '1', String(joined), 'and in how many pieces that leaves the graph');
await page.evaluate(() => [...document.querySelectorAll('#chart-flow .node')].find((n) => n.getAttribute('aria-label').startsWith('filter')).dispatchEvent(new MouseEvent('click', { bubbles: true })));
await settle(page);
ok((await page.$$eval('#chart-flow .edge', (l) => l.map((e) => e.getAttribute('aria-label')))).every((l) => /\bfilter\b/.test(l)), 'a node shows its neighbourhood');
await page.evaluate(() => document.querySelector('#chart-flow .edge').dispatchEvent(new MouseEvent('click', { bubbles: true })));
await settle(page);
ok(/distinct addresses/.test(await text('#stream-detail')), 'a stream tells all of it');
await at(page, 'flow?look=matrix');
await focus('.matrix');
await page.keyboard.press('ArrowDown');
await settle(page);
ok(/→/.test(await text('.readout')), 'the keyboard walks the matrix');

await at(page, 'memory?profile=1');
const areas = () => page.$$eval('#chart-objects rect', (l) => l.map((e) => e.getAttribute('width') + e.getAttribute('class')).join());
const traffic = await areas();
await select('Area', 'size');
const sized = await areas();
await select('Colour', 'kind');
ok(new Set([traffic, sized, await areas()]).size === 3, 'the treemap changes its area and colour');

await at(page, 'time');
const area = () => page.$eval('#chart-time .area', (e) => e.getAttribute('d'));
const whole = await area();
await select('Bytes', 'writes');
const written = await area();
await focus('#chart-time svg');
await page.keyboard.press('+');
await settle(page);
ok(new Set([whole, written, await area()]).size === 3 && /zoom=/.test(await page.evaluate(() => location.hash)), 'time changes what it counts, and zooms');

await page.evaluate(() => document.querySelector('.theme').click());
await settle(page);
is(await page.evaluate(() => document.documentElement.dataset.theme), 'dark', 'the colours can be turned around');
await page.evaluate(() => document.querySelector('.theme').click());

lap('until definitions');

// --- definitions ---

await at(page, 'glossary?profile=1');
const terms = await csv(page, 'terms');
const vague = terms.filter((t) => t.meaning.replace(/ /g, '') === t.figure.replace(/[_. ]/g, ''));
is(vague.map((t) => `${t.view}.${t.table}.${t.figure}`), [], 'no definition only repeats the name');

lap('until what if');

// --- what if ---

// In a page without it (see tests/cli/page.sh) there is only the sentence that says why.
const engine = await page.evaluate(() => 'engine' in JSON.parse(document.getElementById('data').textContent));
await at(page, 'whatif?profile=1');
if (!engine) {
  ok(/What if .*Here it cannot: .{20,}/s.test(await text('#section-whatif .missing')), 'without its engine What if says why');
} else {
  const answer = async () => {
    await page.waitForSelector('#whatif-answer');
    return text('#whatif-answer');
  };
  const slide = async (label, value) => {
    await page.evaluate((l, v) => {
      const i = [...document.querySelectorAll('#section-whatif .control')].find((c) => c.querySelector('span').textContent.startsWith(l)).querySelector('input');
      i.value = v;
      i.dispatchEvent(new Event('input', { bubbles: true }));
    }, label, value);
    await settle(page);
  };
  const edit = (t) => type('#directives textarea', t);
  const best = json('hostile', 'explore').plans[0];
  const begun = await answer();
  const last = best.speedup.at(-1);
  ok(begun.startsWith(`On ${last.processors} cores the run is ${last.speedup.toFixed(2)} times as fast`), 'What if begins with the best plan, and says of it what explore says', begun);
  is(await page.$eval('#directives textarea', (e) => e.value), best.scenario, 'with its directives');
  is((await csv(page, 'whatif-regions')).length > 0, true, 'and its regions');
  const dots = () => page.$$eval('#chart-whatif-speedup circle', (l) => l.map((c) => c.getAttribute('data-tip')));
  const rows = () => page.$$eval('#chart-whatif-schedule text', (l) => l.filter((t) => t.textContent.startsWith('core')).length);
  const drawn = [(await dots()).length, await rows()];
  await slide('Cores up to', '9');
  ok((await answer()).startsWith('On 9 cores') && (await dots()).length === 9 && (await rows()) === 9 && `${drawn}` === '4,4', 'cores: more of them in curve, answer and schedule', await answer());
  const nine = await answer();
  await select('Schedule', 'dynamic');
  ok(/schedule\(dynamic\)/.test(await page.$eval('#directives textarea', (e) => e.value)) && (await answer()) !== nine, 'schedule: written into the directives, and another result', await answer());
  await slide('Chunk', '7');
  ok(/schedule\(dynamic, 7\)/.test(await page.$eval('#directives textarea', (e) => e.value)), 'chunk: too');
  const chunked = await answer();
  await slide('Overheads', '20');
  const dear = await answer();
  await slide('Overheads', '-20');
  const speed = (t) => Number(/is ([\d.]+) times/.exec(t)[1]);
  ok(speed(dear) < speed(chunked) && speed(chunked) <= speed(await answer()), 'overheads: a hundred times is slower, none is faster', `${speed(dear)} ${speed(chunked)} ${speed(await answer())}`);
  ok(/times as fast as what this page began with/.test(dear), 'and it says what that is against the beginning');
  await slide('Overheads', '0');
  await select('Cores', '3');
  ok((await answer()).startsWith('On 3 cores') && (await rows()) === 3, 'the schedule of another number of cores');
  const there = page.url();
  await page.goto('about:blank');
  await page.goto(there);
  ok((await answer()).startsWith('On 3 cores') && /dynamic, 7/.test(await page.$eval('#directives textarea', (e) => e.value)), 'all of it is in the address');
  const good = await answer();
  await edit('no.such.task = #pragma omp parallel for\n');
  ok(/line 1: .*no\.such\.task/.test(await text('#whatif-message')) && (await answer()) === good, 'a directive that is wrong is told with its line, and the last answer stays', await text('#whatif-message'));
  await edit('');
  await page.$eval('#directives .add', (e) => e.dispatchEvent(new MouseEvent('click', { bubbles: true })));
  await settle(page);
  ok(/^[^=]+ = #pragma omp parallel for schedule\(static\)\n$/.test(await page.$eval('#directives textarea', (e) => e.value)), 'a directive for a task that is chosen is added');
  await select('What to do with it', 'block');
  await page.$eval('#directives .add', (e) => e.dispatchEvent(new MouseEvent('click', { bubbles: true })));
  await settle(page);
  await slide('Hardware block', '40');
  const block = await answer();
  await slide('Hardware block', '2');
  const gain = (t) => Number(/blocks it is ([\d.]+)/.exec(t)?.[1]);
  ok(gain(block) > gain(await answer()), 'hardware block: a faster one gains more', `${block}\n${await answer()}`);
  await edit(`${best.directives[0].loop} = #pragma omp parallel for\n${best.directives[0].loop} = #pragma corecast dma read(256) write(256)\n`);
  const exact = () => page.$eval('#whatif-answer .fig', (e) => e.dataset.tip);
  const two = await exact();
  await select('DMA buffers', '1');
  ok(/buffers\(1\)/.test(await page.$eval('#directives textarea', (e) => e.value)) && (await exact()) !== two, 'DMA: its buffers are written into the directive, and another result', `${await text('#whatif-message')} ${two}`);
  await edit(`${best.directives[0].loop} = #pragma corecast tile(auto) image(64, 64)\n`);
  await select('Tile', 'own');
  ok(/tile\(64, 8\)/.test(await page.$eval('#directives textarea', (e) => e.value)), 'tile: a size of one\'s own');
  await slide('Tile width', '16');
  ok(/tile\(16, 8\)/.test(await page.$eval('#directives textarea', (e) => e.value)), 'which can be changed');
}

lap('until contention');

// --- contention ---

const simulated = existsSync(`${folder}/hostile-contention.json`);
if (simulated) {
  const told = json('hostile', 'contention');
  await at(page, 'contention?profile=1');
  same(await csv(page, 'lines'), told.lines, ['address', 'object', 'cause', 'cycles'], new Set(['address', 'object', 'cause']), 'lines of memory that cost most');
  const lost = Object.keys(told.causes).filter((c) => told.timeline.some((b) => b.causes[c] > 0));
  const shapes = await page.$$eval('#chart-timeline path[data-tip]', (l) => l.map((e) => e.dataset.tip.split(':')[0]));
  ok(told.timeline.length > 1 && shapes.length > 0 && shapes.every((s) => lost.includes(s)), 'what is lost over time, by cause', `${shapes} | ${lost}`);
  const scaling = json('hostile', 'scaling');
  same(await csv(page, 'stacks'), scaling.stacks, ['cores', 'cycles', 'speedup', 'efficiency'], TEXT, 'speed-up stacks over core counts');
  is(await page.$$eval('#chart-scaling rect', (l) => l.length), scaling.stacks.flatMap((s) => Object.values(s.parts).filter((v) => v > 0.001 * s.cycles * 2)).length, 'a part of a stack for each thing cores spend time on');
  ok(await page.$$eval('#chart-scaling rect', (l) => l.every((r) => Number(r.getAttribute('y')) >= 0)), 'and no stack is higher than its chart');
  is(await count('#chart-lines rect'), told.lines.slice(0, 20).flatMap((l) => l.by_cpu).filter((v) => v > 0).length, 'a cell for each line and core that loses at it');
  await select('Across', 'node');
  is(await count('#chart-lines rect'), Math.min(20, told.lines.length), 'a line of memory has one home');
}

// --- over time: calls and regions with the data between them ---

await at(page, 'time?below=calls&arrows=60');
const told = json('fixture', 'chrome').traceEvents.filter((e) => e.ph === 'X' && e.cat === 'call');
const trace = told.filter((e) => !told.some((o) => o !== e && o.name === e.name && o.tid === e.tid && o.ts <= e.ts && o.ts + o.dur >= e.ts + e.dur)); // recursion is one box
is((await csv(page, 'spans')).map((r) => `${r.name} ${r.thread} ${r.start} ${r.length}`).sort(), trace.map((e) => `${e.name} ${e.tid} ${e.ts} ${e.dur}`).sort(), 'calls over time are those of the exported trace');
is([await count('#chart-time .span'), (await count('#chart-time .flowing')) > 0], [trace.length, true], 'each is drawn, with arrows between them');
await at(page, 'time?below=regions&arrows=60');
const byRegion = json('fixture', 'region').edges.filter((e) => e.from !== e.to).reduce((s, e) => s + e.bytes, 0);
const tipBytes = (t) => { const [, n, unit] = /: ([\d.]+) (B|KiB)/.exec(t); return Number(n) * (unit === 'KiB' ? 1024 : 1); };
const drawn = await page.$$eval('#chart-time .flowing', (l) => l.map((e) => e.dataset.tip));
ok(Math.abs(drawn.map(tipBytes).reduce((a, b) => a + b, 0) - byRegion) < 0.01 * byRegion, 'arrows between regions carry what flows between them', `${drawn.join(' | ')}: ${byRegion}`);
await page.$eval('#chart-time svg', (e) => e.focus());
const boxesBefore = await page.$$eval('#chart-time .span rect', (l) => l.map((e) => e.getAttribute('width')).join());
await page.keyboard.press('+');
await settle(page);
ok((await page.$$eval('#chart-time .span rect', (l) => l.map((e) => e.getAttribute('width')).join())) !== boxesBefore, 'they are zoomed together with the rest');

// --- regions and chosen objects in one graph ---

await at(page, 'flow?by=joined');
const joinedTold = JSON.parse(readFileSync(`${folder}/fixture-joined.json`, 'utf8'));
for (;;) { // each click redraws the list
  const left = await page.$('#objects-among input:not(:checked)');
  if (!left) break;
  await left.evaluate((e) => e.click());
  await settle(page);
}
same(await csv(page, 'streams'), joinedTold.edges, ['from', 'to', 'bytes', 'unma', 'reads'], TEXT, 'regions with all objects are what report --by region --object says');
const withAll = await count('#chart-flow .node.object');
await page.$eval('#objects-among input:checked', (e) => e.click());
await settle(page);
is([withAll, await count('#chart-flow .node.object')], [joinedTold.nodes.filter((n) => n.kind === 'object').length, withAll - 1], 'an object that is not chosen is no node');

lap('until saving');

// --- saving ---

const charts = { calls: 'calls', loops: 'loops', plan: 'plans', ...(engine ? { whatif: 'whatif-schedule' } : {}), flow: 'flow', functions: 'intensity', memory: 'objects', time: 'time', ...(simulated ? { contention: 'timeline' } : {}), differences: 'differences' };
const broken = [];
for (const [s, id] of Object.entries(charts)) {
  await at(page, `${s}?profile=1`);
  const made = await page.evaluate(async (i) => {
    window.saved = [];
    document.querySelector(`#chart-${i} .save-svg`).dispatchEvent(new MouseEvent('click', { bubbles: true }));
    const source = await window.saved[0].text();
    const doc = new DOMParser().parseFromString(source, 'image/svg+xml');
    return { bad: doc.querySelector('parsererror') !== null, n: doc.querySelectorAll('rect,path,circle').length, here: document.querySelectorAll(`#chart-${i} .chart svg :is(rect,path,circle)`).length, told: [...document.querySelectorAll(`#chart-${i} .legend li`)].every((l) => doc.documentElement.textContent.includes(l.textContent.trim())), samples: document.querySelectorAll(`#chart-${i} .legend li`).length, titled: doc.documentElement.textContent.includes(document.querySelector(`#chart-${i} h3`).textContent), styled: /fill="rgb/.test(source), script: doc.querySelectorAll('script,foreignObject').length };
  }, id);
  if (made.bad || made.n !== made.here + made.samples + 1 || !made.told || !made.titled || !made.styled || made.script) broken.push([id, made]);
}
is(broken, [], 'every chart saves as SVG with all its shapes and colours, its title and its legend');

lap('until names are data');

// --- names are data ---

await at(page, 'start?profile=1');
is([await page.evaluate(() => window.hacked ?? null), await count('img, iframe, object, embed'), await count('script')], [null, 0, 2], 'no name became markup');
const names = (await (await at(page, 'functions?profile=1'), csv(page, 'functions'))).map((r) => unquoted(r.name));
is(json('hostile', 'functions').functions.filter((f) => !names.includes(f.name)).length, 0, 'every name is there as it is');
ok((await csv(page, 'functions')).some((r) => r.name.startsWith("'=cmd")), 'a name that a spreadsheet would run is told to be text');
const shown = await page.$$eval('#table-functions .name', (l) => l.map((e) => e.textContent).join('\n'));
ok(/\\u202e/.test(shown) && !/[\u202a-\u202e\u2066-\u2069\u200f]/.test(shown), 'marks that turn text around are shown, not obeyed');

lap('until alone, and closed');

// --- first reads that are a lower bound ---

const bound = await open(browser);
await bound.goto(pathToFileURL(`${folder}/bound.html`).href);
await settle(bound);
const flows = await bound.$eval('#story li[data-id=flow]', (e) => e.textContent);
ok(/; at most [\d.,\s]+% of that is the same data read again/.test(flows), 'what may be new is not said to be read again', flows);
await at(bound, 'flow');
await bound.$eval('.edge', (e) => e.dispatchEvent(new MouseEvent('click', { bubbles: true })));
await settle(bound);
const copy = await bound.$eval('#stream-detail', (e) => e.textContent);
ok(/would carry at least .* may be the same data read again/.test(copy), 'nor of one stream', copy);
await bound.close();

// --- a program with nothing to it ---

const plain = await open(browser, 375);
await plain.goto(pathToFileURL(`${folder}/plain.html`).href);
await settle(plain);
const tale = await plain.$eval('#story', (e) => e.textContent);
ok(/No loop of the program ran/.test(tale) && !/not followed|Record loops/.test(tale), 'a program without loops is not told to record them again', tale);
for (const s of SECTIONS.filter((x) => !['contention', 'differences'].includes(x))) await at(plain, s);
is(plain.wrong, [], 'and every section of its page can be opened');
await plain.close();

// --- alone, and closed ---

const tried = await page.evaluate(async () => {
  const s = document.createElement('script');
  s.textContent = 'window.hacked = 2';
  document.body.append(s);
  s.remove();
  return [window.hacked ?? null, await fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'refused')];
});
is(tried, [null, 'refused'], 'the policy lets nothing else run, and nothing out');
for (let i = 0; i < 30 && page.wrong.length < 2; i++) await new Promise((r) => setTimeout(r, 100)); // Firefox tells its refusals later
const refusals = page.wrong.splice(0).filter((w) => !/Content Security Policy|Fetch API cannot load|Failed to load resource|violates/.test(w));
is([refusals, page.asked.filter((u) => !u.startsWith('http://127.0.0.1:9'))], [[], []], 'no error on the console, no request');

lap('until every size, every reader');

// --- every size, every reader ---

// With FULL axe looks at every section at both sizes, else at one of each kind: the others are made of the same parts.
const LOOKED_AT = { 1280: ['flow', 'functions'], 375: ['start', 'loops', 'whatif'] };
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
await page.evaluate(axe);
await page.evaluate(() => delete document.documentElement.dataset.theme);
const serious = [], overflowing = [], meaningless = [];
for (const [width, colours] of [[1280, 'light'], [375, 'dark']]) {
  await page.setViewport({ width, height: 900 });
  await theme(page, colours);
  for (const s of SECTIONS) {
    await at(page, `${s}?profile=1`);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) overflowing.push(`${s} at ${width}: ${over}`);
    meaningless.push(...(await page.$$eval('th.n button, .fig, .hint', (l) => l.map((e) => e.dataset.tip ?? '').filter((t) => !/: .{6,}|^.{20,}/s.test(t)))).map((t) => `${s}: ${t}`));
    if (!process.env.FULL && !LOOKED_AT[width].includes(s)) continue;
    const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'], preload: false, iframes: false }).then((r) => r.violations.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 160)}`)));
    serious.push(...found.map((f) => `${s} ${width} ${colours}: ${f}`));
    lap(`axe ${s} ${colours}`);
  }
}
is(overflowing, [], 'no section is wider than the window at 1280 and 375');
is(meaningless, [], 'every figure says what it means');
is(serious, [], 'axe finds nothing serious');

lap('until on paper');

// --- on paper ---

await page.setViewport({ width: 1280, height: 900 });
await media(page, 'print');
await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
await settle(page);
is(await count('main > section'), SECTIONS.length, 'paper has every section');
await page.evaluate(() => dispatchEvent(new Event('afterprint')));
await settle(page);
is([await count('main > section'), page.wrong], [1, []], 'and the screen one, without an error');

await browser.close();
done();
