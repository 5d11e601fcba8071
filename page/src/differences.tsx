// What changed between the first profile of the page and this one: `corecast compare`, kind by kind.
import type { JSX } from 'preact';
import { Table, type Col, type Row } from './data';
import { base, figure, place, safe, short } from './format';
import { useParam } from './state';
import { Legend } from './calls';
import { Chart, Choice, column, type Column, DataTable, Missing, Notes, Part, useProfile, useWidth } from './ui';

const KINDS = ['functions', 'loops', 'regions', 'streams', 'flows', 'objects', 'classes', 'tasks'];
const BARS = 24;

// The figures of a kind: the first has the columns a, b and change, the others NAME.a, NAME.b and NAME.change.
function figures(t: Table): { name: string; a: string; b: string; change: string }[] {
  const more = t.cols.filter((c) => c.key.endsWith('.change')).map((c) => c.key.slice(0, -'.change'.length));
  return [{ name: t.col('change').title ?? 'figure', a: 'a', b: 'b', change: 'change' }, ...more.map((n) => ({ name: n, a: `${n}.a`, b: `${n}.b`, change: `${n}.change` }))];
}

function delta(r: Row, f: { a: string; b: string }): number {
  return ((r[f.b] as number | null) ?? 0) - ((r[f.a] as number | null) ?? 0);
}

function change(v: unknown): string {
  return typeof v === 'number' ? `${v < 0 ? '−' : '+'}${(100 * Math.abs(v)).toFixed(1)}\u00a0%` : '';
}

// Less to the left, more to the right, one scale.
function Bars(props: { rows: Row[]; of: { name: string; a: string; b: string; change: string }; col: Col }): JSX.Element {
  const [box, width] = useWidth();
  const left = width < 500 ? 110 : 240;
  const most = Math.max(1e-9, ...props.rows.map((r) => Math.abs(delta(r, props.of))));
  const middle = left + (width - left) / 2;
  const half = Math.max(10, (width - left) / 2 - 8);
  const signed = (v: number): string => `${v < 0 ? '−' : '+'}${figure(Math.abs(v), props.col)}`;
  return (
    <div ref={box}>
      <svg width={width} height={props.rows.length * 24 + 4} role="img" aria-label={`Change of ${safe(props.of.name)}, what changed most first`}>
        <line x1={middle} x2={middle} y1={0} y2={props.rows.length * 24} class="rule" stroke="currentColor" stroke-opacity={0.4} />
        {props.rows.map((r, i) => {
          const d = delta(r, props.of);
          const w = Math.max(1, (Math.abs(d) / most) * half);
          const inside = w > half - 90;
          return (
            <g key={i} class="difference">
              <text x={left - 6} y={i * 24 + 16} text-anchor="end" class="axis">{short(r['name'], Math.floor(left / 7))}</text>
              <rect x={d < 0 ? middle - w : middle} y={i * 24 + 3} width={w} height={18} class={`fill-${d < 0 ? 'v-parallel' : 'v-sequential'}`} data-tip={`${safe(r['name']).slice(0, 300)}: ${figure(r[props.of.a], props.col)} → ${figure(r[props.of.b], props.col)} ${change(r[props.of.change])}`} />
              <text x={d < 0 ? (inside ? middle + 4 : middle - w - 4) : inside ? middle - 4 : middle + w + 4} y={i * 24 + 16} text-anchor={(d < 0) === inside ? 'start' : 'end'} class="axis">{signed(d)}</text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

function columns(t: Table): Column[] {
  const rest = figures(t).slice(1);
  return [
    column(t, 'name'),
    column(t, 'a', { title: 'before' }),
    column(t, 'b', { title: 'after' }),
    column(t, 'change', { show: (r) => change(r['change']) }),
    ...rest.map((f) => column(t, f.change, { title: f.name, show: (r) => change(r[f.change]) })),
    column(t, 'share', { show: (r) => <Part v={r['share'] ?? 0} /> }),
    column(t, 'note', { title: 'note', value: (r) => r['note'] ?? (r['b'] === null ? 'gone' : r['a'] === null ? 'new' : null) }),
    column(t, 'was', { title: 'was called' }),
    column(t, 'file', { title: 'where', show: (r) => place(r['file'], r['line']) }),
  ];
}

export function Differences(): JSX.Element {
  const view = useProfile().view('compare');
  const [kind, setKind] = useParam('kind', 'functions');
  const [of, setOf] = useParam('figure', '0');
  if (view.missing) return <Missing what="Differences:" view={view} />;
  const tables = KINDS.filter((k) => view[k] instanceof Table && (view[k] as Table).length > 0);
  const kinds = view['kinds'] instanceof Table ? view['kinds'] : null;
  const run = view['total'] instanceof Table ? view['total'] : null;
  const shown = tables.includes(kind) ? kind : tables[0];
  const t = shown ? (view[shown] as Table) : null;
  const choices = t ? figures(t) : [];
  const f = choices[Number(of)] ?? choices[0];
  const bars = t && f ? t.rows.filter((r) => delta(r, f) !== 0).sort((x, y) => Math.abs(delta(y, f)) - Math.abs(delta(x, f))).slice(0, BARS) : [];
  return (
    <>
      <Notes view={view} />
      <p class="lead">
        From <bdi>{safe(base((view['a'] as string) ?? ''))}</bdi> to <bdi>{safe(base((view['b'] as string) ?? ''))}</bdi>:{' '}
        {view['identical'] ? 'every figure is the same.' : (kinds?.rows ?? []).filter((r) => r['differ'] || r['only_a'] || r['only_b']).map((r) => `${r['differ']} ${r['kind']} differ${r['only_a'] ? `, ${r['only_a']} are gone` : ''}${r['only_b'] ? `, ${r['only_b']} are new` : ''}`).join('; ') + '.'}
      </p>
      {run && <DataTable id="run" label="the whole run" rows={run.rows} cols={columns(run).filter((c) => !['share', 'was', 'file'].includes(c.key))} height={120} />}
      {kinds && <DataTable id="kinds" label="how many differ" rows={kinds.rows} cols={kinds.cols.filter((c) => c.title !== undefined).map((c) => column(kinds, c.key))} height={240} />}
      {t && f && (
        <>
          <Chart
            id="differences"
            title={`Change of ${f.name} of ${shown}`}
            tip="what the second recording has more, or less, than the first; what is in one of them only counts whole"
            controls={
              <>
                <Choice label="Of" value={shown!} set={setKind} options={tables.map((k) => [k, k])} />
                {choices.length > 1 && <Choice label="Figure" value={String(choices.indexOf(f))} set={setOf} options={choices.map((c, i) => [String(i), c.name])} />}
              </>
            }
            below={<Legend items={bars.length ? [['v-parallel', 'less than before'], ['v-sequential', 'more than before']] : []} />}
          >
            {bars.length ? <Bars rows={bars} of={f} col={t.col(f.a)} /> : <p>No {f.name} changed.</p>}
          </Chart>
          <DataTable id={`differences-${shown}`} label={shown!} rows={t.rows} cols={columns(t)} cut={t.cut} />
        </>
      )}
    </>
  );
}
