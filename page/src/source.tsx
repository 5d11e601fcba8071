// A source file with what its lines cost, the verdicts of its loops, and the dependences of one loop drawn from line to line.
import type { JSX } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Profile, Row, Table } from './data';
import { VERDICTS } from './colors';
import { base, bytes, count, safe, share } from './format';
import { Current } from './ui';

const HIGH = 20;
const ARCS = 76;

interface Line {
  instructions: number;
  read: number;
  written: number;
}

// Figures of each file's lines.
const linesOf = new WeakMap<Profile, Map<string, Map<number, Line>>>();

export function fileLines(p: Profile): Map<string, Map<number, Line>> {
  let found = linesOf.get(p);
  if (found) return found;
  found = new Map();
  for (const r of p.table('lines', 'lines')?.rows ?? []) {
    if (!r['file'] || !r['line']) continue;
    let file = found.get(r['file']);
    if (!file) found.set(r['file'], (file = new Map()));
    file.set(r['line'], { instructions: r['instructions'], read: r['bytes_read'], written: r['bytes_written'] });
  }
  linesOf.set(p, found);
  return found;
}

export interface Arc {
  from: number;
  to: number;
  kind: string;
  text: string;
}

// The dependences of a loop that lie in this file.
export function arcsOf(loop: Row | null, file: string): Arc[] {
  if (!loop) return [];
  const arcs: Arc[] = [];
  for (const r of (loop['reasons'] as Table | null)?.rows ?? []) {
    if (r['from.file'] !== file || r['to.file'] !== file || !r['from.line'] || !r['to.line']) continue;
    const what = r['kind'] === 'raw' ? 'is read after it was written' : r['kind'] === 'war' ? 'is written after it was read' : r['kind'] === 'waw' ? 'is written again' : `(${r['kind']})`;
    arcs.push({
      from: r['from.line'], to: r['to.line'], kind: r['kind'],
      text: `${safe(r['variable'] ?? 'a value')} ${what}: line ${r['from.line']} then ${r['to.line']}${r['distance'] ? `, ${r['distance']} iteration${r['distance'] > 1 ? 's' : ''} later` : ''}; ${count(r['count'])} times`,
    });
  }
  return arcs.slice(0, 24);
}

function Arcs(props: { arcs: Arc[]; first: number; height: number }): JSX.Element {
  const y = (line: number): number => (line - props.first + 0.5) * HIGH;
  return (
    <svg class="arcs" width={ARCS} height={props.height} aria-label="dependences" role="img">
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
          <path d="M0 0 8 4 0 8z" class="arrowhead" />
        </marker>
      </defs>
      {props.arcs.map((a, i) => {
        const y1 = y(a.from), y2 = y(a.to);
        const out = Math.max(6, ARCS - 22 - ((i * 11) % (ARCS - 26)));
        const d = a.from === a.to ? `M${ARCS - 4} ${y1 - 4} C${out - 18} ${y1 - 12} ${out - 18} ${y1 + 12} ${ARCS - 3} ${y1 + 4}` : `M${ARCS - 4} ${y1} C${out - 14} ${y1} ${out - 14} ${y2} ${ARCS - 3} ${y2}`;
        return <path key={i} d={d} class={`arc arc-${a.kind}`} marker-end="url(#arrow)" data-tip={a.text} />;
      })}
    </svg>
  );
}

export function SourceView(props: { file: string; line: number; loop: Row | null; loops: Row[]; pick: (l: Row) => void }): JSX.Element {
  const { profile: p, printing } = useContext(Current);
  const { file } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const source = p.sources.get(file);
  const figures = useMemo(() => fileLines(p).get(file) ?? new Map<number, Line>(), [p, file]);
  const heads = useMemo(() => {
    const found = new Map<number, Row>();
    for (const l of props.loops) if (l['file'] === file && l['line'] && !found.has(l['line'])) found.set(l['line'], l);
    return found;
  }, [props.loops, file]);
  const arcs = useMemo(() => arcsOf(props.loop, file), [props.loop, file]);
  useEffect(() => {
    // The first dependence is the one the sentence is about.
    const line = arcs.length ? Math.min(arcs[0]!.from, arcs[0]!.to) : props.line;
    if (line > 0 && scroller.current) scroller.current.scrollTop = Math.max(0, (line - 6) * HIGH);
  }, [file, props.line, arcs]);
  if (!source || !source.text)
    return (
      <p class="missing">
        {source ? `${base(file)} is too large for the page.` : `The text of ${base(file) || 'this file'} is not on the page: it could not be read when the page was written. `}
        {!source && (<><code>--source DIR</code> says where source files are.</>)}
      </p>
    );
  const n = source.text.length;
  const most = Math.max(1, ...[...figures.values()].map((f) => f.instructions));
  const total = (p.view('lines')['instructions'] as number) || 1;
  const high = 460, seen = Math.ceil(high / HIGH) + 30;
  const first = printing ? Math.max(0, props.line - 15) : Math.max(0, Math.floor(top / HIGH) - 15);
  const last = Math.min(n, first + (printing ? 60 : seen));
  const involved = new Set(arcs.flatMap((a) => [a.from, a.to]));
  return (
    <div class="source card">
      <div class="controls">
        <h3><bdi>{base(file)}</bdi></h3>
        {source.changed && <span class="warn">changed after the recording: lines may have moved</span>}
        {arcs.length > 0 && <span class="count">{arcs.length} dependence{arcs.length > 1 ? 's' : ''} drawn; point at an arrow</span>}
      </div>
      <div class="scroll code" ref={scroller} style={{ maxHeight: `${high}px` }} tabIndex={0} role="region" aria-label={`source of ${base(file)}`} onScroll={(e) => setTop(e.currentTarget.scrollTop)}>
        <div class="lines" style={{ height: `${printing ? (last - first) * HIGH : n * HIGH}px` }}>
          {arcs.length > 0 && <Arcs arcs={arcs} first={printing ? first + 1 : 1} height={(printing ? last - first : n) * HIGH} />}
          {source.text.slice(first, last).map((text, i) => {
            const line = first + i + 1;
            const f = figures.get(line);
            const loop = heads.get(line);
            const verdict = loop ? VERDICTS[loop['verdict'] as string] ?? VERDICTS['unknown']! : null;
            return (
              <div class={`line ${line === props.line ? 'here' : ''} ${involved.has(line) ? 'involved' : ''}`} key={line} style={{ top: `${(printing ? i : line - 1) * HIGH}px`, paddingLeft: `${arcs.length ? ARCS : 4}px` }}>
                <span class="gutter" data-tip={f ? `line ${line}\n${count(f.instructions)} instructions (${share(f.instructions / total)} of the run)\n${bytes(f.read)} read, ${bytes(f.written)} written` : undefined}>
                  <span class="weight" style={{ width: `${f ? Math.max(2, (f.instructions / most) * 100) : 0}%` }} />
                  <span class="figure">{f ? share(f.instructions / total) : ''}</span>
                </span>
                <span class="bytes">{f && f.read + f.written ? bytes(f.read + f.written) : ''}</span>
                <span class="number">{line}</span>
                {verdict ? (
                  <button class={`verdict ${verdict.tone}`} data-tip={`${loop!['verdict']}: ${safe(loop!['sentence'] ?? verdict.what)}`} onClick={() => props.pick(loop!)} aria-label={`loop at line ${line}: ${loop!['verdict']}`}>
                    {verdict.mark}
                  </button>
                ) : (
                  <span class="verdict" />
                )}
                <code>{safe(text.replace(/\t/g, '        ')).slice(0, 500) || ' '}</code>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
