// What the tests in a browser share: TAP, a browser, and reading back what the page shows.
import puppeteer from 'puppeteer-core';
import { existsSync } from 'node:fs';

// BROWSER=firefox: the same in Firefox, over WebDriver BiDi; FIREFOX tells where it is.
const firefox = process.env.BROWSER === 'firefox';
export const program = firefox ? [process.env.FIREFOX ?? '', '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((p) => existsSync(p)) : ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((p) => existsSync(p));

let n = 0, failed = 0;
export function ok(good, what, detail = '') {
  n++;
  if (!good) failed++;
  console.log(`${good ? 'ok' : 'not ok'} ${n} - ${what}`);
  if (!good && detail !== '') console.log(String(detail).split('\n').slice(0, 12).map((l) => `# ${l.slice(0, 4000)}`).join('\n'));
}
export function is(got, want, what) {
  const a = JSON.stringify(got), b = JSON.stringify(want);
  ok(a === b, what, `got  ${a}\nwant ${b}`);
}
export function done() {
  console.log(`1..${n}`);
  process.exit(failed ? 1 : 0);
}

// A page that notes whatever goes wrong on it, and what would leave it.
export async function open(browser, width = 1280) {
  const page = await browser.newPage();
  page.wrong = [];
  page.asked = [];
  page.on('console', (m) => ['error', 'warn'].includes(m.type()) && page.wrong.push(m.text()));
  page.on('pageerror', (e) => page.wrong.push(e.message));
  page.on('request', (r) => !/^(file|data|blob):/.test(r.url()) && page.asked.push(r.url()));
  page.on('dialog', (d) => (page.wrong.push(`dialog: ${d.message()}`), void d.dismiss()));
  await page.setViewport({ width, height: 900 });
  await page.evaluateOnNewDocument(() => {
    window.copied = [];
    window.saved = [];
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (t) => void window.copied.push(t) } });
    URL.createObjectURL = (b) => (window.saved.push(b), 'blob:none');
    HTMLAnchorElement.prototype.click = function () {};
  });
  return page;
}

export function launch() {
  if (firefox) return puppeteer.launch({ browser: 'firefox', executablePath: program, headless: true });
  return puppeteer.launch({ executablePath: program, headless: true, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
}

// Light or dark, screen or print, as the system would say; Firefox cannot be told over BiDi: there the page's own button says it, and it stays on the screen.
export async function theme(page, which) {
  if (firefox) await page.evaluate((t) => void (document.documentElement.dataset.theme = t), which);
  else await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: which }]);
}
export const media = (page, type) => (firefox ? Promise.resolve() : page.emulateMediaType(type));

// Until what was asked for is drawn.
export const settle = (page) => page.evaluate(() => new Promise((r) => requestAnimationFrame(() => setTimeout(r, 0))));

export async function at(page, hash) {
  await page.evaluate((h) => {
    location.hash = h;
  }, hash);
  await settle(page);
  await settle(page);
}

export function parseCsv(text) {
  const rows = [];
  let row = [], field = '', quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') (field += '"'), i++;
      else if (c === '"') quoted = false;
      else field += c;
    } else if (c === '"') quoted = true;
    else if (c === ',') row.push(field), (field = '');
    else if (c === '\n') row.push(field), rows.push(row), (row = []), (field = '');
    else field += c;
  }
  const [head, ...body] = rows;
  return body.map((r) => Object.fromEntries(head.map((k, i) => [k, r[i]])));
}

// The rows of a table as it copies them.
export async function csv(page, id) {
  await page.evaluate((i) => {
    window.copied = [];
    document.querySelector(`#table-${i} .copy-csv`).dispatchEvent(new MouseEvent('click', { bubbles: true }));
  }, id);
  await settle(page);
  return parseCsv(await page.evaluate(() => window.copied[0]));
}

// Where the time of a test went.
let since = Date.now();
export function lap(what) {
  if (process.env.LAPS) console.log(`# ${what}: ${Date.now() - since} ms`);
  since = Date.now();
}
