// The pictures of docs/guide/page.md.   node shots.mjs CANNY.html DECODER.html RADIX.html FOLDER
// CANNY is the page of the demo (make demo), DECODER that of examples/decoder recorded with --loops dependences --tasks loops --objects and written with --platform cortex-a-quad,
// RADIX that of examples/threaded/radix with --trace of simulations on 1, 2 and 4 cores of mips-smp.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { launch, open, settle } from './lib.mjs';

const [canny, decoder, radix, folder] = process.argv.slice(2);
const loops = (file) => JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(readFileSync(file, 'utf8'))[1]).profiles[0].views.loops.loops;
const verdict = (t) => t.cols.findIndex((c) => c.key === 'verdict');
const strings = (file) => JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(readFileSync(file, 'utf8'))[1]).strings;
const table = loops(decoder), names = strings(decoder);
const stopped = table.rows.findIndex((r) => names[r[verdict(table)]] === 'sequential');
const browser = await launch();
for (const [name, file, hash, width, height, theme] of [
  ['start', decoder, 'start', 1180, 900, 'light'],
  ['calls', canny, 'calls', 1180, 620, 'light'],
  ['loops', decoder, `loops?loop=${stopped}`, 1180, 1330, 'dark'],
  ['plan', decoder, 'plan', 1180, 720, 'light'],
  ['whatif', canny, 'whatif?cores=16&overhead=2.5', 1180, 1240, 'light'],
  ['flow', canny, 'flow', 1180, 980, 'light'],
  ['matrix', decoder, 'flow?look=matrix', 1180, 980, 'light'],
  ['memory', decoder, 'memory', 1180, 660, 'light'],
  ['time', decoder, 'time?zoom=10000000-11000000', 1180, 860, 'dark'],
  ['objects', decoder, 'flow?by=joined', 1180, 800, 'light'],
  ['scaling', radix, 'contention', 1180, 900, 'light'],
  ['phone', canny, 'start', 375, 800, 'light'],
]) {
  const page = await open(browser, width);
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
  await page.goto(`${pathToFileURL(file).href}#${hash}`);
  await settle(page);
  if (name === 'whatif') await page.waitForSelector('#whatif-answer');
  await settle(page);
  await page.screenshot({ path: `${folder}/${name}.webp`, type: 'webp', quality: 82 });
  await page.close();
}
await browser.close();
