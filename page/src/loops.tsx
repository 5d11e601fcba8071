// Which loops could run in parallel, what prevents the others, and where that is in the source.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Profile, Row, Table } from './data';
import { CAN_RUN, VERDICTS } from './colors';
import { base, count, place, safe, share } from './format';
import { useParam } from './state';
import { fileLines, SourceView } from './source';
import { Chart, Choice, column, type Column, Command, DataTable, Missing, Notes, Part, Pick, useProfile, useWidth } from './ui';
import { Legend } from './calls';

export interface Loop {
  row: Row;
  parent: Loop | null;
  children: Loop[];
  depth: number;
}

export function loopTree(p: Profile): Loop[] {
  const t = p.table('loops', 'loops');
  const made: Loop[] = [];
  t?.rows.forEach((row, i) => {
    const up = t.parents?.[i] ?? -1;
    const parent = up >= 0 ? made[up]! : null;
    const loop: Loop = { row, parent, children: [], depth: parent ? parent.depth + 1 : 0 };
    parent?.children.push(loop);
    made.push(loop);
  });
  return made;
}

// Loops that could run in parallel and lie in none that could.
export function outermost(loops: Loop[]): Loop[] {
  const inside = (l: Loop): boolean => {
    for (let up = l.parent; up; up = up.parent) if (CAN_RUN.has(up.row['verdict'])) return true;
    return false;
  };
  return loops.filter((l) => CAN_RUN.has(l.row['verdict']) && !inside(l));
}

export function recordCommand(p: Profile, options: string): string {
  const s = p.view('summary');
  const quote = (w: string): string => (/^[\w./,:=+-]+$/.test(w) ? w : `'${w.replace(/'/g, `'\\''`)}'`);
  const words = [s['program'] as string, ...((s['arguments'] as string[] | undefined) ?? [])].filter((w) => typeof w === 'string').slice(0, 20);
  return `corecast record ${options} -- ${words.map(quote).join(' ')}`;
}

// --- the drawing ---

function LoopMap(props: { loops: Loop[]; chosen: Row | null; pick: (r: Row) => void }): JSX.Element {
  const [box, width] = useWidth();
  const boxes: { l: Loop; x: number; w: number }[] = [];
  const lay = (list: Loop[], x: number): void => {
    let at = x;
    for (const l of [...list].sort((a, b) => b.row['share'] - a.row['share'])) {
      const w = l.row['share'] * width;
      if (w < 1.5 || l.depth > 60) continue;
      boxes.push({ l, x: at, w });
      lay(l.children, at);
      at += w;
    }
  };
  lay(props.loops.filter((l) => !l.parent), 0);
  const deepest = Math.max(0, ...boxes.map((b) => b.l.depth)) + 1;
  return (
    <div ref={box}>
      <svg width={width} height={deepest * 28 + 18} role="group" aria-label="Loops: width is instructions, colour is the verdict, inner loops below">
        <rect x={0} y={0} width={width} height={14} class="fill-plain" />
        <text x={4} y={11} class="axis">the whole run</text>
        {boxes.map(({ l, x, w }, i) => {
          const v = VERDICTS[l.row['verdict'] as string] ?? VERDICTS['unknown']!;
          const tip = `${safe(l.row['id'])} in ${safe(l.row['function'] ?? '')}\n${l.row['verdict']}: ${safe(l.row['sentence'] ?? v.what)}\n${share(l.row['share'])} of the instructions, ${count(l.row['iterations'])} iterations`;
          return (
            <g key={i} class={`box ${l.row === props.chosen ? 'here' : ''}`} role="button" tabindex={0} aria-label={tip} data-tip={tip} onClick={() => props.pick(l.row)} onKeyDown={(e) => (e.key === 'Enter' || e.key === ' ') && (e.preventDefault(), props.pick(l.row))}>
              <rect x={x + 0.5} y={l.depth * 28 + 17} width={Math.max(1, w - 1)} height={26} rx={3} class={`fill-${v.tone}`} />
            </g>
          );
        })}
        <g aria-hidden="true">
          {boxes.filter((b) => b.w > 34).map(({ l, x, w }, i) => {
            const v = VERDICTS[l.row['verdict'] as string] ?? VERDICTS['unknown']!;
            return (
              <text key={i} x={x + 6} y={l.depth * 28 + 34} class={`on-${v.tone}`}>
                {`${v.mark} ${safe(l.row['id'])} ${w > 200 ? safe(l.row['function'] ?? '') : ''}`.slice(0, Math.floor((w - 8) / 7))}
              </text>
            );
          })}
        </g>
      </svg>
    </div>
  );
}

// --- one loop ---

function Verdict(props: { name: string }): JSX.Element {
  const v = VERDICTS[props.name] ?? VERDICTS['unknown']!;
  return <span class={`chip ${v.tone}`} data-tip={v.what}>{v.mark} {props.name}</span>;
}

function list(words: unknown): string {
  return Array.isArray(words) ? words.map((w) => safe(String(w))).join(', ') : '';
}

function Detail(props: { loop: Row }): JSX.Element {
  const l = props.loop;
  const reasons = (l['reasons'] as Table | null)?.rows ?? [];
  const reductions = ((l['clauses.reduction'] as Table | null)?.rows ?? []).map((r) => `${r['operator']}: ${r['variable']}`);
  const clauses = [['private', list(l['clauses.private'])], ['firstprivate', list(l['clauses.firstprivate'])], ['lastprivate', list(l['clauses.lastprivate'])], ['reduction', list(reductions)]].filter(([, v]) => v);
  return (
    <div class="card detail" id="loop-detail" aria-live="polite">
      <h3>
        <Verdict name={l['verdict'] ?? 'unknown'} /> <bdi>{safe(l['id'])}</bdi> in <bdi>{safe(l['function'] ?? '').slice(0, 200)}</bdi>
      </h3>
      <p>{safe(l['sentence'] ?? 'Dependences were not followed in this recording.')}</p>
      {l['pragma'] && (
        <p>
          Put before line {l['line']}: <Command text={l['pragma']} />
        </p>
      )}
      <dl class="facts">
        <div><dt>share of the run</dt><dd>{share(l['share'])}</dd></div>
        <div><dt>entered</dt><dd>{count(l['invocations'])} {l['invocations'] === 1 ? 'time' : 'times'}</dd></div>
        <div><dt>iterations</dt><dd>{count(l['iterations'])}</dd></div>
        <div><dt>instructions an iteration</dt><dd>{count(l['iteration.mean'] ?? 0)} ({count(l['iteration.min'] ?? 0)} to {count(l['iteration.max'] ?? 0)})</dd></div>
        {typeof l['coverage'] === 'number' && <div><dt>iterations followed</dt><dd>{share(l['coverage'], 0)}</dd></div>}
        {clauses.map(([k, v]) => <div key={k}><dt>{k}</dt><dd>{v}</dd></div>)}
      </dl>
      {reasons.length > 0 && (
        <details open={reasons.length <= 8}>
          <summary>{reasons.length} reason{reasons.length > 1 ? 's' : ''}</summary>
          <ul class="reasons">
            {reasons.slice(0, 40).map((r, i) => (
              <li key={i}>
                <b>{r['kind']}</b> <bdi>{safe(r['variable'] ?? '')}</bdi> {r['from.line'] ? `from ${place(r['from.file'], r['from.line'])}` : ''} {r['to.line'] ? `to ${place(r['to.file'], r['to.line'])}` : ''}
                {r['distance'] ? `, ${r['distance']} iteration${r['distance'] > 1 ? 's' : ''} apart` : ''}, {count(r['count'])} times
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

// --- the section ---

function columns(t: Table, pick: (r: Row) => void, depth: Map<Row, number>): Column[] {
  return [
    column(t, 'id', { title: 'loop', wide: true, show: (r) => <span class="tree" style={{ paddingLeft: `${Math.min(depth.get(r) ?? 0, 30) * 14}px` }}><Pick name={r['id']} onClick={() => pick(r)} /></span> }),
    column(t, 'function'),
    column(t, 'share', { show: (r) => <Part v={r['share']} tone={`bg-${VERDICTS[r['verdict'] as string]?.tone}`} /> }),
    column(t, 'verdict', { show: (r) => <Verdict name={r['verdict'] ?? 'unknown'} /> }),
    column(t, 'sentence', { title: 'because', wide: true, col: { ...t.col('sentence'), meaning: 'the reason of the verdict' } }),
    column(t, 'invocations', { title: 'times' }),
    column(t, 'iterations'),
    column(t, 'instructions'),
  ];
}

function NoLoops(props: { p: Profile }): JSX.Element {
  if (!props.p.view('loops').missing) return <div class="missing"><p><b>Loops:</b> they were followed, but none of the program ran.</p></div>;
  return (
    <div class="missing">
      <p><b>Loops:</b> {safe(props.p.view('loops').missing ?? '')}.</p>
      <p>This tells which loops could run in parallel, and what stops the others; the program needs no marks and no recompilation:</p>
      <p><Command text={recordCommand(props.p, '--loops dependences')} /></p>
    </div>
  );
}

export function Loops(): JSX.Element {
  const p = useProfile();
  const [chosen, choose] = useParam('loop', '');
  const [fileChosen, setFile] = useParam('file', '');
  const loops = useMemo(() => loopTree(p), [p]);
  const table = p.table('loops', 'loops');
  const rows = useMemo(() => loops.map((l) => l.row), [loops]);
  const depth = useMemo(() => new Map(loops.map((l) => [l.row, l.depth])), [loops]);
  const index = Number(chosen || '0');
  const loop = rows[index] ?? null;
  const pick = (r: Row): void => {
    choose(String(rows.indexOf(r)));
    setFile('');
  };
  const lines = useMemo(() => fileLines(p), [p]);
  const files = useMemo(
    () => [...p.sources.keys()].map((f) => ({ f, n: [...(lines.get(f)?.values() ?? [])].reduce((s, l) => s + l.instructions, 0) })).sort((a, b) => b.n - a.n).map((x) => x.f),
    [p, lines],
  );
  const file = fileChosen || (loop?.['file'] as string) || files[0] || '';
  return (
    <>
      {!table || !rows.length ? (
        <NoLoops p={p} />
      ) : (
        <>
          <Notes view={p.view('loops')} />
          <Chart id="loops" title="Loops: width is instructions, colour the verdict" tip="Outer loops above the loops they run, through calls. A click shows the loop below." below={<Legend items={Object.entries(VERDICTS).map(([k, v]) => [v.tone, `${v.mark} ${k}: ${v.what}`] as [string, string])} />}>
            <LoopMap loops={loops} chosen={loop} pick={pick} />
          </Chart>
          {loop && <Detail loop={loop} />}
        </>
      )}
      {files.length > 0 && (
        <div class="controls">
          <Choice label="Source file" value={file} set={setFile} options={files.map((f) => [f, base(f)])} />
        </div>
      )}
      {file ? (
        <SourceView file={file} line={loop && loop['file'] === file ? loop['line'] : 0} loop={loop} loops={rows} pick={pick} />
      ) : (
        <Missing what="Source:" view={{ missing: 'no source file could be read when the page was written', hint: 'programs compiled with -g have lines; report --source DIR says where the files are', notes: [] }} />
      )}
      {table && rows.length > 0 && <DataTable id="loops" label="loops" cols={columns(table, pick, depth)} rows={rows} tree pick={pick} picked={(r) => r === loop} cut={table.cut} />}
    </>
  );
}
