// What cores lose to each other, from the trace of a simulation.
import type { JSX } from 'preact';
import { Table, type Row } from './data';
import { count, place, safe, share } from './format';
import { tone } from './colors';
import { Legend } from './calls';
import { Chart, column, DataTable, Missing, Notes, Part, useProfile, useWidth } from './ui';

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

export function Contention(): JSX.Element {
  const p = useProfile();
  const view = p.view('contention');
  if (view.missing) return <Missing what="Contention:" view={view} />;
  const causes = Object.entries((view['causes'] as Record<string, unknown> | undefined) ?? {}).filter((c): c is [string, number] => typeof c[1] === 'number').sort((a, b) => b[1] - a[1]);
  const findings = view['findings'] instanceof Table ? view['findings'] : null;
  return (
    <>
      <Notes view={view} />
      <p class="lead">
        {typeof view['lost'] === 'number' ? `${count(view['lost'])} cycles are lost between cores` : 'What is lost between cores is unknown'}
        {typeof view['share'] === 'number' ? `, ${share(view['share'])} of what all cores had.` : '.'} {findings && findings.length === 0 ? 'Nothing is worth naming.' : ''}
      </p>
      {causes.length > 0 && <Chart id="causes" title="Cycles lost, by cause" below={<Legend items={[]} />}><Causes causes={causes} /></Chart>}
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
