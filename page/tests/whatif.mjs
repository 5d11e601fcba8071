// The engine of the page against the tool: the same profile, platform, directives and settings give the same JSON, byte for byte, and the same schedule.
//   node whatif.mjs CORECAST PAGE.html PROFILE PLATFORM SCENARIO...
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [corecast, page, profile, platform, ...scenarios] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync('whatif.');
await build({ entryPoints: [join(here, '../src/engine.ts')], bundle: true, format: 'esm', platform: 'node', outfile: join(folder, 'engine.mjs'), logLevel: 'error' });
const { compile, Engine } = await import(pathToFileURL(join(folder, 'engine.mjs')));

const PARTS = ['sequential', 'processing', 'imbalance', 'limited', 'overhead', 'contention', 'transfer', 'idle'];
let failed = 0, count = 0;
function ok(good, what, more = '') {
  count++;
  if (!good) failed++;
  console.log(`${good ? 'ok' : 'not ok'} ${count} - ${what}${good || !more ? '' : `\n# ${more}`}`);
}

const data = JSON.parse(readFileSync(page, 'utf8').match(/<script[^>]*id="?data"?[^>]*>(.*?)<\/script>/s)[1]);
const mine = data.profiles.find((p) => p.path === profile).whatif;
const engine = await Engine.start(await compile(data.engine), mine);

function native(args) {
  const r = spawnSync(corecast, ['predict', profile, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return { status: r.status, out: r.stdout, err: r.stderr };
}

function firstDifference(a, b) {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return `${a.slice(Math.max(0, i - 60), i + 60)} | ${b.slice(Math.max(0, i - 60), i + 60)}`.replace(/\n/g, ' ');
}

ok(engine.tasks === native(['--tasks', '--json']).out, 'the tasks of the trace', firstDifference(engine.tasks, native(['--tasks', '--json']).out));

const settings = [[], ['overhead_scale=0'], ['overhead_scale=0..3:1'], ['platform.cpi=1.7'], ...mine.memories.slice(0, 1).map((m) => [`memory.${m.name}.read=7.3`, 'overhead_scale=2']), ...(mine.dma.i0 !== undefined ? [['dma.i0=1234', 'dma.alpha=0.37']] : [])];
const cores = [[1, 2, 3, 4], [1, 5, 16, 64]];
// All settings are tried, and all scenarios, if not each with each; FULL: that too.
const cases = [...scenarios.map((x) => [x]), scenarios].flatMap((s, i) => settings.flatMap((set, k) => (process.env.FULL ? ['model', 'off'] : [0, 1].includes((k - i + 12) % settings.length) ? [(i + k) % 3 ? 'model' : 'off'] : []).map((contention) => [s, set, contention])));
let tried = 0;
for (const [s, set, contention] of cases) {
  const n = cores[tried++ % 2];
  const answer = engine.run(mine.platform, { cores: n, at: n[3], sets: set, contention, scenarios: s.map((path) => ({ name: path, text: readFileSync(path, 'utf8') })) });
  const chrome = join(folder, 'chrome.json');
  const want = native(['--platform', platform, '--cores', n.join(), '--contention', contention, '--force', '--json', '--chrome', chrome, ...s.flatMap((x) => ['--scenario', x]), ...set.flatMap((x) => ['--set', x])]);
  const name = `${s.map((x) => basename(x)).join('+')} ${set.join(' ')} ${contention}`;
  if (want.status !== 0) {
    ok(answer.message !== '', `${name}: both refuse it`, want.err);
    continue;
  }
  ok(answer.json === want.out, `${name}: the same to the last digit`, answer.message || firstDifference(answer.json, want.out));
  const events = JSON.parse(readFileSync(chrome, 'utf8')).traceEvents.filter((e) => e.ph === 'X');
  const pieces = Array.from({ length: answer.segments.length / 5 }, (_, i) => answer.segments.subarray(5 * i, 5 * i + 5)).sort((a, b) => a[0] - b[0] || a[3] - b[3] || a[4] - b[4]);
  events.sort((a, b) => a.tid - b.tid || a.ts - b.ts || a.dur - b.dur);
  const unit = events.length ? (events.at(-1).ts + events.at(-1).dur) / pieces.at(-1)[4] : 1; // microseconds of a tick
  const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
  const other = events.findIndex((e, i) => {
    const [row, task, part, start, end] = pieces[i] ?? [];
    return !(e.tid === row + 1 && e.cat === PARTS[part] && e.name === (task < 0 ? PARTS[part] : engine.names[task]) && near(e.ts, start * unit) && near(e.dur, (end - start) * unit));
  });
  ok(events.length > 0 && events.length === pieces.length && other < 0, `${name}: the same schedule`, `${events.length} and ${pieces.length} pieces; piece ${other}: ${JSON.stringify(events[other])} and ${pieces[other]}`);
}

// what is wrong is refused with the same words
const bad = join(folder, 'bad.omp');
for (const text of ['nothing', 'no.such.task = #pragma omp parallel for', '* = #pragma omp parallel for schedule(dynamic,']) {
  writeFileSync(bad, `${text}\n`);
  const answer = engine.run(mine.platform, { cores: [2], at: 2, sets: [], contention: 'model', scenarios: [{ name: 'bad.omp', text: `${text}\n` }] });
  const want = native(['--platform', platform, '--cores', '2', '--scenario', bad]);
  ok(answer.message !== '' && want.err.includes(answer.message.split('\n')[0].replace(/^line \d+: /, '')), `refused alike: ${text}`, `${answer.message} | ${want.err}`);
}
const wrong = engine.run(mine.platform, { cores: [2], at: 2, sets: ['no.such=1'], contention: 'model', scenarios: [{ name: 's.omp', text: readFileSync(scenarios[0], 'utf8') }] });
ok(/no\.such/.test(wrong.message), 'a setting the platform has not is refused', wrong.message);

rmSync(folder, { recursive: true });
console.log(`1..${count}`);
process.exit(failed ? 1 : 0);
