// Bundles src/ into a C file: the page before its data, and after it; and the engine of What if.   node build.mjs OUTPUT.c whatif.wasm|WHY-NOT
// The policy in the page names the digests of exactly this script and this style, so that nothing else in it can ever run.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

async function bundle(entry) {
  const made = await build({
    entryPoints: [join(here, 'src', entry)], bundle: true, write: false, minify: true, format: 'iife', target: ['chrome109', 'firefox115'],
    jsx: 'automatic', jsxImportSource: 'preact', charset: 'ascii', legalComments: 'none', logLevel: 'error', absWorkingDir: here,
  });
  return made.outputFiles[0].text.trim();
}

const digest = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function cString(name, text) {
  const escaped = (part) => [...part].map((b) =>
    b === 0x22 ? '\\"' : b === 0x5c ? '\\\\' : b === 0x3f ? '\\?' : b >= 0x20 && b < 0x7f ? String.fromCharCode(b) : '\\' + b.toString(8).padStart(3, '0')).join('');
  const bytes = Buffer.from(text, 'utf8');
  const lines = [];
  for (let i = 0; i < bytes.length; i += 160) lines.push(`    "${escaped(bytes.subarray(i, i + 160))}"`);
  return `const char ${name}[] =\n${lines.join('\n') || '""'};\n`;
}

const script = await bundle('main.tsx');
const style = await bundle('style.css');
if (/<\/script|<!--/i.test(script)) throw new Error('the script would end its own element');
const policy = `default-src 'none'; script-src ${digest(script)} 'wasm-unsafe-eval'; style-src ${digest(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'`;
const shell = readFileSync(join(here, 'src', 'shell.html'), 'utf8').replace('@policy@', () => policy).replace('@style@', () => style).replace('@script@', () => script);
const [head, tail] = shell.split('@data@');
const wasm = process.argv[3].endsWith('.wasm') ? readFileSync(process.argv[3]) : null;
const size = (name) => `const size_t ${name}_size = sizeof ${name} - 1;\n`;
writeFileSync(process.argv[2], '#include <stddef.h>\n#pragma GCC diagnostic ignored "-Woverlength-strings"\n' +
  cString('cc_page_head', head) + size('cc_page_head') + cString('cc_page_tail', tail) + size('cc_page_tail') + 'const char cc_page_missing[] = "";\n' +
  cString('cc_page_engine', wasm ? deflateSync(wasm, { level: 9 }).toString('base64') : '') + cString('cc_page_engine_missing', wasm ? '' : process.argv[3]));
