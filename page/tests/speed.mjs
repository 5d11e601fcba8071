// How soon the page is there, and how soon it answers.   node speed.mjs PAGE.html
import { pathToFileURL } from 'node:url';
import { program, launch, open } from './lib.mjs';

if (!program) {
  console.log('  no chromium: not measured');
  process.exit(0);
}
const url = pathToFileURL(process.argv[2]).href;
const browser = await launch();
const TRIES = 5;
const least = (list) => Math.min(...list);
const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

const paints = [];
for (let i = 0; i < TRIES; i++) {
  const page = await open(browser);
  await page.goto(url);
  await page.waitForSelector('#story li');
  paints.push(await page.evaluate(() => new Promise((done) => {
    const seen = performance.getEntriesByName('first-contentful-paint')[0];
    if (seen) done(seen.startTime);
    else new PerformanceObserver((l) => done(l.getEntriesByName('first-contentful-paint')[0].startTime)).observe({ type: 'paint', buffered: true });
  })));
  await page.close();
}
console.log(`  first paint: ${least(paints).toFixed(0)} ms at best, ${middle(paints).toFixed(0)} ms in the middle of ${TRIES}`);

// From the input until the frame that shows its effect is made.
const page = await open(browser);
await page.goto(url);
// On a machine that has other things to do, time that the page's own thread was running tells more than the clock.
const client = await page.createCDPSession();
await client.send('Performance.enable', { timeDomain: 'threadTicks' });
const busy = async () => 1000 * (await client.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value;
const timed = async (act, ...args) =>
  page.evaluate(`(async () => { const act = ${act}; const start = performance.now(); act(...${JSON.stringify(args)}); await new Promise((r) => requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = r; c.port2.postMessage(0); })); return performance.now() - start; })()`);
const hash = '(h) => { location.hash = h; dispatchEvent(new HashChangeEvent("hashchange")); }';
const input = '(s, v) => { const e = document.querySelector(s); e.value = v; e.dispatchEvent(new Event("input", { bubbles: true })); }';
const click = '(s) => document.querySelector(s).dispatchEvent(new MouseEvent("click", { bubbles: true }))';
const ACTIONS = [
  ['calls', hash, 'calls'],
  ['calls: zoom', click, '#chart-calls .box:nth-of-type(3)'],
  ['calls: find', input, '#chart-calls input[type=search]', '99'],
  ['calls: colour', hash, 'calls?color=memory'],
  ['calls: callers', hash, 'calls?way=up'],
  ['calls: sort', click, '#table-calls th[data-key=exclusive] button'],
  ['calls: filter', input, '#table-calls input', '12'],
  ['loops', hash, 'loops'],
  ['what if', hash, 'whatif'],
  ['what if: 64 cores', hash, 'whatif?cores=64'],
  ['what if: overheads', hash, 'whatif?cores=64&overhead=3'],
  ['what if: 3 cores', hash, 'whatif?cores=64&at=3'],
  ['flow', hash, 'flow'],
  ['flow: matrix', hash, 'flow?look=matrix'],
  ['flow: matrix, threshold', input, '#threshold', '20'],
  ['flow: matrix, order', hash, 'flow?look=matrix&order=flow'],
  ['flow: sort', click, '#table-streams th[data-key=unma] button'],
  ['flow: filter', input, '#table-streams input', '77'],
  ['flow: graph', hash, 'flow?look=graph'],
  ['flow: graph, threshold', input, '#threshold', '18'],
  ['flow: neighbourhood', click, '#chart-flow .node'],
  ['flow: one stream', click, '#chart-flow .edge'],
  ['functions', hash, 'functions'],
  ['functions: axis', hash, 'functions?axis=intensity'],
  ['functions: sort', click, '#table-functions th[data-key=bytes_read] button'],
  ['memory', hash, 'memory'],
  ['time', hash, 'time'],
  ['time: zoom', hash, 'time?zoom=1000-50000'],
  ['time: calls, 60 arrows', hash, 'time?below=calls&arrows=60'],
  ['flow: regions and objects', hash, 'flow?by=joined'],
  ['glossary', hash, 'glossary'],
  ['start', hash, 'start'],
];
const took = new Map(), worked = new Map();
for (let i = 0; i < TRIES; i++)
  for (const [name, act, ...args] of ACTIONS) {
    const there = act === hash || (await page.$(args[0]));
    if (!there) continue;
    const before = await busy();
    took.set(name, [...(took.get(name) ?? []), await timed(act, ...args)]);
    worked.set(name, [...(worked.get(name) ?? []), (await busy()) - before]);
  }
const best = [...took].map(([name, list]) => [name, least(list), middle(list)]).sort((a, b) => b[1] - a[1]);
console.log(`  interactions at best of ${TRIES}, slowest first: ${best.slice(0, 8).map(([n, v]) => `${n} ${v.toFixed(0)} ms`).join(', ')}`);
const work = [...worked].map(([name, list]) => [name, least(list)]).sort((a, b) => b[1] - a[1]);
console.log(`  of that the page's thread was running: ${work.slice(0, 5).map(([n, v]) => `${n} ${v.toFixed(0)} ms`).join(', ')}`);
console.log(`  ${best.filter(([, v]) => v < 100).length} of ${best.length} interactions took less than 100 ms`);
await browser.close();
