// What cores lose to each other, from the trace of a simulation.
import type { JSX } from 'preact';
import { Table, type Row } from './data';
import { count, place, safe, share, short } from './format';
import { heat, tone } from './colors';
import { Legend } from './calls';
import { Scaling } from './scaling';
import { useParam } from './state';
import { Chart, Choice, column, DataTable, Missing, Notes, Part, useProfile, useWidth } from './ui';

function Causes(props: { causes: [string, number][] }): JSX.Element {
  const [box, width] = useWidth();
  const most = Math.max(1, ...props.causes.map(([, v]) => v));
  return (
    <div ref={box}>
      <svg width={width} height={props.causes.length * 28 + 4} role="img" aria-label="cycles lost by cause">
        {props.causes.map(([name, v], i) => (
          <g key={name}>
            <text x={4} y={i * 28 + 18} class="axis">{safe(name)}</text>
            <rect x={170} y={i * 28 + 4} width={Math.max(1, ((width - 270) * v) / most)} height={20} class={`fill-${tone(i)}`} data-tip={`${safe(name)}: ${count(v)} cycles`} />
            <text x={176 + ((width - 270) * v) / most} y={i * 28 + 18} class="axis">{count(v)}</text>
          </g>
        ))}
      </svg>
    </div>
  );
}

// How many cores are lost to what, at each time: what is lost in a stretch, over its length.
function Timeline(props: { rows: Row[]; names: string[]; end: number }): JSX.Element {
  const [box, width] = useWidth();
  const high = 220, left = 46, foot = 36;
  const begin = props.rows.map((r) => r['cycle'] as number), length = begin.length > 1 ? begin[1]! - begin[0]! : Math.max(1, props.end);
  const causes = props.rows.map((r) => (r['causes'] ?? {}) as Record<string, number>);
  const cores = (i: number, name: string): number => (causes[i]![name] ?? 0) / length;
  const most = Math.max(1, ...causes.map((_, i) => props.names.reduce((sum, n) => sum + cores(i, n), 0)));
  const x = (cycle: number): number => left + (cycle / (length * begin.length)) * (width - left - 8), y = (v: number): number => (v / most) * (high - foot - 12);
  const below = begin.map(() => 0);
  return (
    <div ref={box}>
      <svg width={width} height={high} role="img" aria-label="cores lost over time, by cause">
        {[0, 0.5, 1].map((v) => <g key={v} class="axis"><path d={`M${left} ${high - foot - y(v * most)}H${width - 8}`} class="grid" /><text x={left - 6} y={high - foot - y(v * most) + 4} text-anchor="end">{Number((v * most).toPrecision(2))}</text></g>)}
        {props.names.map((name, k) => {
          const d = begin.map((cycle, i) => {
            const h = y(cores(i, name)), top = high - foot - below[i]! - h;
            below[i]! += h;
            return h > 0.05 ? `M${x(cycle).toFixed(1)} ${top.toFixed(1)}H${x(cycle + length).toFixed(1)}v${h.toFixed(1)}H${x(cycle).toFixed(1)}z` : '';
          }).join('');
          return d && <path key={name} d={d} class={`fill-${tone(k)}`} data-tip={`${safe(name)}: ${count(causes.reduce((sum, c) => sum + (c[name] ?? 0), 0))} cycles of cores in all`} />;
        })}
        {[0, 0.5, 1].map((v) => <text key={v} x={x(v * length * begin.length)} y={high - foot + 15} text-anchor={v === 0 ? 'start' : v === 1 ? 'end' : 'middle'} class="axis">{count(v * length * begin.length)}</text>)}
        <text x={(left + width) / 2} y={high - 4} text-anchor="middle" class="axis">cycle</text>
        <text x={left + 4} y={12} class="axis halo">cores lost</text>
      </svg>
    </div>
  );
}

// The lines that cost most, and which cores pay for them, or at which node of the memory they are at home.
const UNKNOWN = 'unknown';

function HotLines(props: { rows: Row[]; by: string }): JSX.Element {
  const [box, width] = useWidth();
  const rows = props.rows.slice(0, 20);
  const nodes = [...new Set(rows.map((r) => r['node'] as number | null))].sort((a, b) => (a ?? 1e9) - (b ?? 1e9));
  const heads = props.by === 'node' ? nodes.map((n) => (n === null ? UNKNOWN : String(n))) : Array.from({ length: Math.max(1, ...rows.map((r) => (r['by_cpu'] as number[]).length)) }, (_, k) => String(k));
  const cells = (r: Row): number[] => (props.by === 'node' ? nodes.map((n) => (n === r['node'] ? (r['cycles'] as number) : 0)) : (r['by_cpu'] as number[]));
  const most = Math.max(1, ...rows.flatMap(cells));
  const what = props.by === 'node' ? 'home node' : 'core';
  const left = Math.min(300, width / 2), cell = Math.max(2, (width - left - 8) / heads.length);
  return (
    <div ref={box}>
      <svg width={width} height={rows.length * 22 + 36} role="img" aria-label={`cycles lost at each line of memory, by ${what}`}>
        {rows.map((r, i) => (
          <g key={i}>
            <text x={left - 6} y={i * 22 + 15} text-anchor="end" class="axis">{short(`${r['object'] ? `${r['object']} ` : ''}${r['address']}`, Math.floor(left / 7.5))}</text>
            {cells(r).map((v, k) => v > 0 && <rect key={k} x={left + k * cell} y={i * 22 + 1} width={Math.max(1, cell - 1)} height={20} class={`fill-${heat(Math.log1p(v) / Math.log1p(most) * 0.999)}`} data-tip={`${safe(String(r['object'] ?? 'not known'))} at ${r['address']}, ${what} ${heads[k]}: ${count(v)} cycles, ${safe(String(r['cause']))}`} />)}
          </g>
        ))}
        {heads.map((h, k) => k % Math.ceil(24 / cell) === 0 && <text key={k} x={left + (k + 0.5) * cell} y={rows.length * 22 + 15} text-anchor="middle" class="axis">{short(h, Math.max(3, Math.floor(cell / 7)))}</text>)}
        <text x={(left + width) / 2} y={rows.length * 22 + 31} text-anchor="middle" class="axis">{what}</text>
      </svg>
    </div>
  );
}

export function Contention(): JSX.Element {
  const p = useProfile();
  const view = p.view('contention');
  const [by, setBy] = useParam('lines', 'core');
  if (view.missing) return <Missing what="Contention:" view={view} />;
  const causes = Object.entries((view['causes'] as Record<string, unknown> | undefined) ?? {}).filter((c): c is [string, number] => typeof c[1] === 'number').sort((a, b) => b[1] - a[1]);
  const findings = view['findings'] instanceof Table ? view['findings'] : null;
  const timeline = view['timeline'] instanceof Table ? view['timeline'].rows : [];
  const lines = view['lines'] instanceof Table ? view['lines'] : null;
  return (
    <>
      {p.has('scaling') && <Scaling view={p.view('scaling')} />}
      <Notes view={view} />
      <p class="lead">{p.has('scaling') && typeof view['cpus'] === 'number' ? `On ${view['cpus']} cores: ` : ''}
        {typeof view['lost'] === 'number' ? `${count(view['lost'])} cycles are lost between cores` : 'What is lost between cores is unknown'}
        {typeof view['share'] === 'number' ? `, ${share(view['share'])} of what all cores had.` : '.'} {findings && findings.length === 0 ? 'Nothing is worth naming.' : ''}
      </p>
      {causes.length > 0 && <Chart id="causes" title="Cycles lost, by cause" tip="Start-up and serial phases are times without work for the other cores: they are shown, but not counted as lost between cores."><Causes causes={causes} /></Chart>}
      {timeline.length > 1 && (
        <Chart id="timeline" title="Cores lost over time, by cause" tip="Height is cores: what is lost in a stretch of time, over its length." below={<Legend items={causes.map(([name], i) => [tone(i), safe(name)])} />}>
          <Timeline rows={timeline} names={causes.map(([name]) => name)} end={Number(view['cycles'] ?? 0)} />
        </Chart>
      )}
      {lines && lines.length > 0 && (
        <Chart id="lines" title={`Lines of memory that cost most, by ${by === 'node' ? 'home node' : 'core'}`} tip="The darker, the more cycles were lost at the line, on a logarithmic scale; the table has all lines. A line's home is the node that accesses to it went to." controls={<Choice label="Across" value={by} set={setBy} options={[['core', 'cores that lose'], ['node', 'home nodes']]} />}>
          <HotLines rows={lines.rows} by={by} />
        </Chart>
      )}
      {lines && lines.length > 0 && <DataTable id="lines" label="lines of memory" rows={lines.rows} cols={['address', 'object', 'cause', 'cycles', 'node'].map((k) => column(lines, k))} sort="-cycles" />}
      {findings && findings.length > 0 && (
        <DataTable
          id="findings"
          label="findings"
          rows={findings.rows}
          cols={[
            column(findings, 'cause'),
            column(findings, 'function'),
            column(findings, 'file', { title: 'where', show: (r: Row) => place(r['file'], r['line']) }),
            column(findings, 'object'),
            column(findings, 'cycles'),
            column(findings, 'share', { show: (r: Row) => <Part v={r['share'] ?? 0} /> }),
            column(findings, 'advice', { wide: true }),
          ]}
        />
      )}
    </>
  );
}
