// How the program scales over the core counts it was simulated on: speed-up stacks, and what stops it.
import type { JSX } from 'preact';
import { Table, type Row, type View } from './data';
import { tone } from './colors';
import { count, place, safe, share } from './format';
import { Legend } from './calls';
import { Chart, column, type Column, DataTable, Missing, useWidth } from './ui';

const parts = (r: Row): [string, number][] => Object.entries((r['parts'] ?? {}) as Record<string, number>);

// Heights are cores: what is not work is speed-up that was lost.
function Bars(props: { rows: Row[]; names: string[] }): JSX.Element {
  const [box, width] = useWidth();
  const high = 280, left = 46, foot = 38;
  const drawn = (r: Row): number => parts(r).reduce((s, [, v]) => s + Math.max(0, v), 0) / ((r['cycles'] as number) || 1);
  const most = Math.max(1, ...props.rows.map((r) => Math.max(r['cores'] as number, drawn(r))));
  const slot = (width - left - 8) / Math.max(1, props.rows.length);
  const y = (v: number): number => (v / most) * (high - foot - 16);
  return (
    <div ref={box}>
      <svg width={width} height={high} role="img" aria-label="speed-up stacks: what the cores' time is spent on, over numbers of cores">
        {[0, 0.5, 1].map((v) => <g key={v} class="axis"><path d={`M${left} ${high - foot - y(v * most)}H${width}`} class="grid" /><text x={left - 6} y={high - foot - y(v * most) + 4} text-anchor="end">{Number((v * most).toPrecision(3))}</text></g>)}
        {props.rows.map((r, i) => {
          let at = high - foot;
          const cycles = (r['cycles'] as number) || 1, all = cycles * (r['cores'] as number);
          return (
            <g key={i}>
              {parts(r).map(([name, v]) => {
                const h = y(Math.max(0, v) / cycles);
                at -= h;
                return h > 0.2 && <rect key={name} x={left + slot * (i + 0.15)} y={at} width={slot * 0.7} height={h} class={`fill-${tone(props.names.indexOf(name))}`} data-tip={`${r['cores']} cores: ${safe(name)} ${count(v)} cycles, ${share(v / all)} of the cores' time`} />;
              })}
              <text x={left + slot * (i + 0.5)} y={high - foot + 15} text-anchor="middle" class="axis">{r['cores']}</text>
            </g>
          );
        })}
        <text x={(left + width) / 2} y={high - 4} text-anchor="middle" class="axis">cores</text>
        <text x={left + 4} y={11} class="axis halo">cores' worth of time</text>
      </svg>
    </div>
  );
}

const verdictOf = (view: View, rows: Row[]): string => {
  const last = rows[rows.length - 1];
  const best = last ? `${Number(last['speedup']).toFixed(2)} times as fast on ${last['cores']} cores` : '';
  if (view['verdict'] === 'scales') return `The program scales: ${best}.`;
  if (view['verdict'] === 'saturates') return `The program saturates at ${view['at']} cores: ${best}.`;
  if (view['verdict'] === 'collapses') return `The program gets slower beyond ${view['at']} cores: ${best}.`;
  return 'The traces do not say what is waited for: there is no speed-up stack.';
};

export function Scaling(props: { view: View }): JSX.Element {
  const { view } = props;
  if (view.missing) return <Missing what="Scaling:" view={view} />;
  const stacks = view['stacks'] instanceof Table ? view['stacks'] : null;
  const lost = view['bottlenecks'] instanceof Table ? view['bottlenecks'] : null;
  const rows = stacks?.rows ?? [];
  const names = [...new Set(rows.flatMap((r) => parts(r).map(([name]) => name)))];
  const cols: Column[] = stacks ? [...['cores', 'cycles', 'speedup', 'efficiency'].map((k) => column(stacks, k)), ...names.map((name): Column => ({ key: name, title: name, col: { key: name, type: 'share', unit: "the cores' time", meaning: 'part of cores times cycles' }, value: (r) => (parts(r).find(([n]) => n === name)?.[1] ?? 0) / ((r['cycles'] * r['cores']) || 1) }))] : [];
  return (
    <>
      <p class="lead" id="scaling-verdict">{verdictOf(view, rows)}</p>
      {rows.length > 0 && (
        <Chart id="scaling" title="Speed-up stacks over numbers of cores" tip="A bar is as high as the cores; its work is the speed-up, the rest what it is lost to. What cores gain by each other (a part below 0 in the table, of larger caches together, say) is not drawn: the bar is higher by as much." below={<Legend items={names.map((n, i) => [tone(i), safe(n)])} />}>
          <Bars rows={rows} names={names} />
        </Chart>
      )}
      {stacks && rows.length > 0 && <DataTable id="stacks" label="numbers of cores" rows={rows} cols={cols} sort="cores" />}
      {lost && lost.length > 0 && <DataTable id="bottlenecks" label="bottlenecks" rows={lost.rows} sort="-lost" cols={[...['part', 'cause', 'function'].map((k) => column(lost, k)), column(lost, 'file', { title: 'where', show: (r: Row) => place(r['file'], r['line']) }), column(lost, 'object'), column(lost, 'lost'), column(lost, 'advice', { wide: true })]} />}
    </>
  );
}
