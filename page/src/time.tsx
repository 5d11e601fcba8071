// The run over time: frames and their regions, phases, and who moves how many bytes, all under one axis.
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { scaleLinear } from 'd3-scale';
import type { Profile, Row, Table } from './data';
import { tone } from './colors';
import { bytes, count, safe, short } from './format';
import { useParam } from './state';
import { Legend } from './calls';
import { arrowsHigh, arrowsIn, lanesOf, SpanArrows, SpanBoxes, spansOf } from './spans';
import { Chart, Choice, column, type Column, DataTable, Missing, Notes, useProfile, useWidth } from './ui';

const LEFT = 8, HIGH = 240;

interface Series {
  name: string;
  values: Float64Array;
}

function seriesOf(functions: Row[], slices: number, what: string): Series[] {
  const all = functions.map((f) => {
    const values = new Float64Array(slices);
    for (const s of (f['slices'] as Table | null)?.rows ?? [])
      if (s['index'] < slices) values[s['index']] = what === 'reads' ? s['read'] : what === 'writes' ? s['written'] : what === 'heap' ? s['read'] + s['written'] - s['stack_read'] - s['stack_written'] : s['read'] + s['written'];
    return { name: f['name'] as string, values };
  });
  return all.slice(0, 12);
}

// Areas on top of each other, over as many columns as can be told apart.
function stacked(series: Series[], from: number, to: number, columns: number): { tops: Float64Array[]; most: number } {
  const sum = new Float64Array(columns);
  const tops = series.map((s) => {
    for (let c = 0; c < columns; c++) {
      const a = Math.floor(from + ((to - from) * c) / columns), b = Math.max(a + 1, Math.floor(from + ((to - from) * (c + 1)) / columns));
      let v = 0;
      for (let i = a; i < b && i < s.values.length; i++) v += s.values[i]!;
      sum[c]! += v / (b - a);
    }
    return sum.slice();
  });
  return { tops, most: Math.max(1, ...sum) };
}

// Steps from left to right along the top and back along what is below; columns of one height are one step.
function areaPath(top: Float64Array, below: Float64Array | null, x: (c: number) => number, y: (v: number) => number): string {
  const n = top.length;
  const ys = (line: Float64Array | null, c: number): string => y(line?.[c] ?? 0).toFixed(1);
  let at = ys(top, 0);
  let d = `M${x(0).toFixed(1)} ${at}`;
  for (let c = 1; c < n; c++) {
    const next = ys(top, c);
    if (next !== at) d += `H${x(c).toFixed(1)}V${(at = next)}`;
  }
  d += `H${x(n).toFixed(1)}V${(at = ys(below, n - 1))}`;
  for (let c = n - 2; c >= 0; c--) {
    const next = ys(below, c);
    if (next !== at) d += `H${x(c + 1).toFixed(1)}V${(at = next)}`;
  }
  return `${d}H${x(0).toFixed(1)}Z`;
}

interface Span {
  x0: number;
  x1: number;
  tone: string;
  label: string;
  tip: string;
}

function Strip(props: { y: number; spans: Span[]; from: number; to: number; width: number; name: string }): JSX.Element {
  const x = scaleLinear([props.from, props.to], [LEFT, props.width - LEFT]);
  return (
    <g>
      <text x={LEFT} y={props.y - 4} class="axis">{props.name}</text>
      {props.spans.filter((s) => s.x1 > props.from && s.x0 < props.to).slice(0, 2000).map((s, i) => {
        const a = Math.max(LEFT, x(s.x0)), b = Math.min(props.width - LEFT, x(s.x1));
        return b - a > 0.2 && (
          <g key={i} data-tip={s.tip}>
            <rect x={a} y={props.y} width={Math.max(0.5, b - a - 0.5)} height={20} class={`fill-${s.tone}`} />
            {b - a > 40 && <text x={a + 4} y={props.y + 14} class={`on-${s.tone}`}>{short(s.label, Math.floor((b - a - 6) / 7))}</text>}
          </g>
        );
      })}
    </g>
  );
}

function frameSpans(frames: Row[]): Span[] {
  return frames.map((f, i) => ({ x0: f['start'], x1: f['start'] + f['length'], tone: i % 2 ? 'heat1' : 'heat2', label: String(f['index']), tip: `frame ${f['index']}: ${count(f['length'])} instructions from ${count(f['start'])} on` }));
}

// What the run is drawn as below the areas: those of these that it has.
function levels(p: Profile): [string, string][] {
  const regions = (p.table('timeline_regions', 'boxes')?.rows ?? []).some((r) => r['depth'] > 0);
  const calls = (p.table('timeline', 'boxes')?.length ?? 0) > 0;
  return [...(regions ? [['regions', 'regions'] as [string, string]] : []), ...(calls ? [['calls', 'calls'] as [string, string]] : []), ['none', 'nothing']];
}

// What is left out of the picture, and what its arrows are.
function whatIsDrawn(p: Profile, view: string, all: number, shown: number, apart: boolean): string {
  const least = p.view(view)['threshold'] as number;
  return [
    least > 0 ? `Calls of less than ${count(least)} instructions are not drawn.` : '',
    all > 0 ? `${shown} of ${all} streams have an arrow: from who wrote last to who reads${view === 'timeline' ? ', between the longest calls of both' : ''}.` : '',
    apart ? 'Each thread is drawn over its own instructions, from where it began.' : '',
  ].filter(Boolean).join(' ');
}

const spanColumns = (t: Table): Column[] => ['name', 'thread', 'depth', 'start', 'length'].map((k) => column(t, k));

export function Time(): JSX.Element {
  const p = useProfile();
  const [what, setWhat] = useParam('traffic', 'all');
  const [zoom, setZoom] = useParam('zoom', '');
  const options = useMemo(() => levels(p), [p]);
  const [below, setBelow] = useParam('below', options[0]![0]);
  const [many, setMany] = useParam('arrows', '8');
  const [box, width] = useWidth();
  const drag = useRef<number | null>(null);
  const [mark, setMark] = useState<[number, number] | null>(null);
  const view = p.view('bandwidth');
  const slice = (view['slice'] as number) ?? 1, slices = (view['slices'] as number) ?? 0;
  const table = p.table('bandwidth', 'functions');
  const series = useMemo(() => seriesOf(table?.rows ?? [], slices, what), [table, slices, what]);
  const tones = useMemo(() => new Map(series.map((s, i) => [s.name, tone(i)])), [series]);
  const frames = p.table('frames', 'frames')?.rows ?? [];
  const under = below === 'regions' ? 'timeline_regions' : 'timeline';
  const spans = useMemo(() => (below === 'none' ? { boxes: [], arrows: [], threads: 1 } : spansOf(p, under)), [p, below]);
  const latest = useMemo(() => spans.boxes.reduce((m, b) => Math.max(m, b.end), 0), [spans]);
  const end = Math.max(slices * slice, latest, ...frames.map((f) => f['start'] + f['length']), 1);
  const [from, to] = useMemo(() => {
    const [a, b] = zoom.split('-').map(Number);
    return zoom && a! >= 0 && b! > a! ? [a!, Math.min(b!, end)] : [0, end];
  }, [zoom, end]);
  const phases = p.table('bandwidth', 'phases')?.rows ?? [];
  const boxes = p.table(under, 'boxes');
  if (view.missing && !frames.length && !spans.boxes.length) return <Missing what="Time:" view={view} />;
  const columns = Math.min(Math.max(1, Math.ceil((to - from) / slice)), Math.max(1, Math.floor(width / 2)), 600);
  const { tops, most } = stacked(series, from / slice, to / slice, columns);
  const x = scaleLinear([0, columns], [LEFT, width - LEFT]);
  const y = scaleLinear([0, most], [HIGH, 14]);
  const time = scaleLinear([from, to], [LEFT, width - LEFT]);
  const phaseSpans: Span[] = phases.map((f) => ({ x0: f['first'] * slice, x1: (f['last'] + 1) * slice, tone: `heat${f['kind'] % 4}`, label: String.fromCharCode(65 + (f['kind'] % 26)), tip: `phase ${String.fromCharCode(65 + (f['kind'] % 26))}: ${((f['functions'] as string[] | null) ?? []).map((n) => safe(String(n)).slice(0, 60)).join(', ')}\n${bytes(f['bytes'])}` }));
  const set = (a: number, b: number): void => {
    const lo = Math.max(0, Math.round(a)), hi = Math.min(end, Math.round(b));
    setZoom(hi - lo >= end * 0.999 || hi - lo < 2 ? '' : `${lo}-${hi}`);
  };
  const stripes = [{ name: 'phases', spans: phaseSpans }, { name: 'frames', spans: frameSpans(frames) }].filter((s) => s.spans.length > 0);
  const { lanes, high: spansHigh } = useMemo(() => lanesOf(spans, from, to), [spans, from, to]);
  const arrows = useMemo(() => arrowsIn(spans, from, to, Number(many) || 0), [spans, from, to, many]);
  const spansAt = HIGH + 40 + stripes.length * 42;
  const high = spansAt + spansHigh + arrowsHigh(arrows.length);
  const apart = spans.threads > 1 && p.view(under)['one_clock'] !== true;
  const at = (e: PointerEvent): number => Math.max(from, Math.min(to, time.invert(e.clientX - (e.currentTarget as Element).getBoundingClientRect().left)));
  const keys = (e: KeyboardEvent): void => {
    const w = to - from;
    const moves: Record<string, [number, number]> = { '+': [from + w / 4, to - w / 4], '=': [from + w / 4, to - w / 4], '-': [from - w / 2, to + w / 2], ArrowLeft: [Math.max(0, from - w / 4), Math.max(0, from - w / 4) + w], ArrowRight: [Math.min(end - w, from + w / 4), Math.min(end, to + w / 4)], Home: [0, end] };
    const m = moves[e.key];
    if (m) {
      e.preventDefault();
      set(m[0], m[1]);
    }
  };
  return (
    <>
      <Notes view={view} />
      <Chart
        id="time"
        title="The run over time"
        tip="Time is counted in instructions. Drag over a part to zoom into it; with the keyboard + - and the arrows."
        controls={<>
          <Choice label="Bytes" value={what} set={setWhat} options={[['all', 'read and written'], ['reads', 'read'], ['writes', 'written'], ['heap', 'not on the stack']]} />
          {options.length > 1 && <Choice label="Below" value={below} set={setBelow} options={options} />}
          {spans.arrows.length > 0 && <Choice label="Data between them" value={many} set={setMany} options={[['0', 'no arrows'], ['8', 'the 8 heaviest streams'], ['24', 'the 24 heaviest'], ['60', 'the 60 heaviest']]} />}
          <button onClick={() => set(from + (to - from) / 4, to - (to - from) / 4)}>Zoom in</button>
          <button onClick={() => set(from - (to - from) / 2, to + (to - from) / 2)} disabled={!zoom}>Zoom out</button>
          {zoom && <button onClick={() => setZoom('')}>Whole run</button>}
        </>}
        below={<>
          <Legend items={series.map((s, i) => [tone(i), short(s.name, 40)])} />
          {spans.boxes.length > 0 && <p class="where" id="spans-said">{whatIsDrawn(p, under, spans.arrows.length, arrows.length, apart)}</p>}
        </>}
      >
        <div ref={box}>
          <svg width={width} height={high} role="application" tabindex={0} aria-label={`Bytes an instruction over time, from ${count(from)} to ${count(to)} instructions`} onKeyDown={keys}
            onPointerDown={(e) => { drag.current = at(e); (e.currentTarget as Element).setPointerCapture(e.pointerId); }}
            onPointerMove={(e) => drag.current !== null && setMark([drag.current, at(e)])}
            onPointerUp={(e) => { const a = drag.current, b = at(e); drag.current = null; setMark(null); if (a !== null && Math.abs(time(a) - time(b)) > 4) set(Math.min(a, b), Math.max(a, b)); }}>
            {tops.map((t, i) => <path key={i} d={areaPath(t, i ? tops[i - 1]! : null, x, y)} class={`area fill-${tone(i)}`} data-tip={safe(series[i]!.name).slice(0, 200)} />)}
            {scaleLinear([0, most / slice], [0, 1]).ticks(4).filter((v) => v > 0).map((v, i, all) => <g key={v} class="axis"><path d={`M${LEFT} ${y(v * slice)}H${width - LEFT}`} class="grid" /><text class="halo" x={LEFT + 2} y={y(v * slice) - 3}>{`${v}${i === all.length - 1 ? ' bytes an instruction' : ''}`}</text></g>)}
            {time.ticks(Math.max(2, Math.floor(width / 130))).map((v) => <text key={v} x={time(v)} y={HIGH + 15} text-anchor={time(v) < 40 ? 'start' : time(v) > width - 40 ? 'end' : 'middle'} class="axis">{count(v)}</text>)}
            {stripes.map((s, i) => <Strip key={s.name} name={s.name} y={HIGH + 38 + i * 42} spans={s.spans} from={from} to={to} width={width} />)}
            <defs><marker id="flowhead" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.5 8 4 0 7.5z" class="arrowhead" /></marker></defs>
            <SpanBoxes spans={spans} lanes={lanes} y={spansAt} from={from} to={to} x={time} left={LEFT} right={width - LEFT} tones={tones} />
            <SpanArrows spans={spans} arrows={arrows} lanes={lanes} y={spansAt} high={spansHigh} x={time} left={LEFT} right={width - LEFT} tones={tones} />
            {mark && <rect x={Math.min(time(mark[0]), time(mark[1]))} y={0} width={Math.abs(time(mark[1]) - time(mark[0]))} height={high} class="marked" />}
          </svg>
        </div>
      </Chart>
      {table && <DataTable id="bandwidth" label="functions over time" rows={table.rows} cols={['name', 'bytes', 'read', 'written', 'stack_read', 'stack_written', 'active', 'average', 'peak'].map((k) => column(table, k))} sort="-bytes" cut={table.cut} />}
      {boxes && spans.boxes.length > 0 && <DataTable id="spans" label={below === 'regions' ? 'times in regions' : 'calls over time'} rows={boxes.rows} cols={spanColumns(boxes)} cut={boxes.cut} />}
    </>
  );
}
