// Functions: what each executes, how much of that is memory access, what it computes, and what the run would gain without it.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { scaleLinear, scaleLog } from 'd3-scale';
import type { Row } from './data';
import { CLASSES, hash, tone } from './colors';
import { bytes, count, place, safe, share, short } from './format';
import { go, link, useParam } from './state';
import { Legend } from './calls';
import { Chart, Choice, column, type Column, DataTable, Missing, Notes, Part, Pick, useProfile, useWidth } from './ui';

// One row a function: the figures of all views that have one for it.
function joined(p: ReturnType<typeof useProfile>): Row[] {
  const total = (p.view('functions')['instructions'] as number) || 1;
  const more = new Map<string, Row>();
  for (const view of ['intensity', 'classes', 'amdahl'])
    for (const r of p.table(view, 'functions')?.rows ?? []) more.set(r['name'], { ...more.get(r['name']), ...r });
  return (p.table('functions', 'functions')?.rows ?? []).map((r) => ({ ...more.get(r['name']), ...r, self: r['exclusive'] / total, total: r['inclusive'] / total }));
}

function Classes(props: { rows: Row[] }): JSX.Element {
  const [box, width] = useWidth();
  const rows = props.rows.filter((r) => typeof r['profile.s_int'] === 'number').slice(0, 16);
  const left = width < 500 ? 96 : 200;
  const scale = Math.max(10, width - left - 8);
  return (
    <div ref={box}>
      <svg width={width} height={rows.length * 24 + 4} role="img" aria-label="Instructions of each function by class">
        {rows.map((r, i) => {
          let x = left;
          return (
            <g key={i}>
              <text x={left - 6} y={i * 24 + 16} text-anchor="end" class="axis">{short(r['name'], Math.floor(left / 7))}</text>
              {CLASSES.map(([key, what], k) => {
                const v = (r[`profile.${key}`] as number | null) ?? 0;
                const w = v * scale;
                const at = x;
                x += w;
                return w > 0.3 && <rect key={key} x={at} y={i * 24 + 2} width={Math.max(0.3, w - 0.5)} height={20} class={`fill-${tone(k)}`} data-tip={`${safe(r['name']).slice(0, 200)}: ${share(v)} ${what} (${count(r[key] ?? 0)} instructions)`} />;
              })}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

const AXES: Record<string, { what: string; key: string; log: boolean; show: (v: number) => string; tip: string }> = {
  mar: { what: 'memory instructions an instruction', key: 'mar', log: false, show: (v) => v.toFixed(2), tip: 'instructions that access memory, of all' },
  nloc_mar: { what: 'the same, heap and global data only', key: 'nloc_mar', log: false, show: (v) => v.toFixed(2), tip: 'what a faster memory would help' },
  intensity: { what: 'computing instructions for each memory access', key: 'intensity', log: true, show: (v) => count(v), tip: 'arithmetic intensity' },
  bytes_per_access: { what: 'bytes a memory instruction', key: 'bytes_per_access', log: false, show: (v) => v.toFixed(1), tip: 'how wide accesses are' },
};

const AXIS = 'share of the instructions';
const DRAWN = 150; // functions that can be pointed at; the others are specks

interface Dot {
  name: string;
  x: number;
  y: number;
  r: number;
}

interface Label {
  text: string;
  x: number;
  y: number;
  w: number;
}

// Names beside their dots, right or left of them, those of most instructions first, as long as none meets another. Dots in one place have one label.
function labelled(dots: Dot[], left: number, right: number): Label[] {
  const title = { text: AXIS, x: left + 4, y: 24, w: AXIS.length * 7.2 };
  const labels: Label[] = [title], done: Dot[] = [];
  for (const d of dots.slice(0, 40)) {
    if (labels.length > 12) break;
    if (done.some((o) => Math.hypot(o.x - d.x, o.y - d.y) < 4)) continue;
    const same = dots.filter((o) => o !== d && Math.hypot(o.x - d.x, o.y - d.y) < 4);
    const text = short(d.name, 18) + (same.length === 1 ? `, ${short(same[0]!.name, 18)}` : same.length > 1 ? ` and ${same.length} more` : '');
    const w = text.length * 7.2, gap = Math.max(d.r, ...same.map((o) => o.r)) + 4;
    const fits = [d.x + gap, d.x - gap - w].find((at) => at >= left && at + w <= right && labels.every((l) => Math.abs(l.y - d.y - 4) > 13 || l.x > at + w || l.x + l.w < at));
    if (fits === undefined) continue;
    labels.push({ text, x: fits, y: d.y + 4, w });
    done.push(d);
  }
  return labels;
}

function Scatter(props: { rows: Row[]; by: string; pick: (r: Row) => void }): JSX.Element {
  const [box, width] = useWidth();
  const axis = AXES[props.by]!;
  const high = 320, left = 56, foot = 40;
  const points = props.rows.filter((r) => typeof r[axis.key] === 'number' && (!axis.log || r[axis.key] > 0) && r['self'] > 0).slice(0, 1500);
  const most = Math.max(...points.map((r) => r[axis.key] as number), axis.log ? 10 : 0.05);
  const x = axis.log ? scaleLog([Math.min(1, ...points.map((r) => r[axis.key] as number)), most * 1.1], [left, width - 16]) : scaleLinear([0, most * 1.05], [left, width - 16]);
  const y = scaleLog([Math.max(1e-5, Math.min(0.01, ...points.map((r) => r['self'] as number))), 1], [high - foot, 12]);
  const traffic = (r: Row): number => (r['bytes_read'] ?? 0) + (r['bytes_written'] ?? 0);
  const widest = Math.max(1, ...points.map(traffic));
  const radius = (r: Row): number => 3 + 14 * Math.sqrt(traffic(r) / widest);
  const dots = points.slice(0, DRAWN).map((r) => ({ name: r['name'] as string, x: x(r[axis.key]), y: y(Math.max(y.domain()[0]!, r['self'])), r: radius(r) }));
  const labels = useMemo(() => labelled(dots, left, width), [props.rows, props.by, width]);
  return (
    <div ref={box}>
      <svg width={width} height={high} role="group" aria-label={`Functions: across, ${axis.what}; up, share of the instructions; area, bytes moved`}>
        {[1, 0.1, 0.01, 0.001, 0.0001].filter((v) => v >= y.domain()[0]!).map((v) => (
          <g key={v} class="axis"><path d={`M${left} ${y(v)}H${width - 12}`} class="grid" /><text x={left - 6} y={y(v) + 4} text-anchor="end">{`${100 * v}\u00a0%`}</text></g>
        ))}
        {(axis.log ? [0.1, 1, 10, 100, 1000, 10000] : x.ticks(Math.max(2, Math.min(6, Math.floor(width / 90))))).filter((v) => v >= x.domain()[0]! && v <= x.domain()[1]!).map((v) => (
          <g key={v} class="axis"><path d={`M${x(v)} 12V${high - foot}`} class="grid" /><text x={x(v)} y={high - foot + 16} text-anchor="middle">{axis.show(v)}</text></g>
        ))}
        <text x={(left + width) / 2} y={high - 6} text-anchor="middle" class="axis">{axis.what}</text>
        {points.length > DRAWN && <path d={points.slice(DRAWN).map((r) => `M${Math.round(x(r[axis.key]))} ${Math.round(y(Math.max(y.domain()[0]!, r['self'])))}h.1`).join('')} class="specks" />}
        {points.slice(0, DRAWN).map((r, i) => {
          const tip = `${safe(r['name']).slice(0, 200)}\n${axis.what}: ${axis.show(r[axis.key])}\n${share(r['self'])} of the instructions\n${bytes(traffic(r))} moved`;
          return <circle key={i} cx={x(r[axis.key])} cy={y(Math.max(y.domain()[0]!, r['self']))} r={radius(r)} class={`dot fill-${tone(hash(r['name']))}`} data-tip={tip} onClick={() => props.pick(r)} />;
        })}
        {labels.map((l, i) => <text key={i} x={l.x} y={l.y} class="axis halo label">{l.text}</text>)}
      </svg>
    </div>
  );
}

export function Functions(): JSX.Element {
  const p = useProfile();
  const [by, setBy] = useParam('axis', 'mar');
  const rows = useMemo(() => joined(p), [p]);
  const t = p.table('functions', 'functions'), i = p.table('intensity', 'functions'), c = p.table('classes', 'functions'), a = p.table('amdahl', 'functions');
  const pick = (r: Row): void => go(link('flow', { focus: r['name'] }));
  const cols = useMemo((): Column[] => {
    if (!t) return [];
    const part = (key: string, title: string, meaning: string): Column => ({ key, title, col: { key, type: 'share', meaning }, value: (r) => r[key], show: (r) => <Part v={r[key]} /> });
    const some = (from: typeof t | null, keys: string[]): Column[] => (from ? keys.map((k) => column(from, k)) : []);
    return [
      column(t, 'name', { wide: true, show: (r) => <Pick name={r['name']} onClick={() => pick(r)} tip="its data flow" /> }),
      part('self', 'self', 'part of the instructions of the run that it executed itself'),
      part('total', 'total', 'the same with all it called'),
      column(t, 'exclusive'),
      column(t, 'inclusive'),
      column(t, 'calls'),
      ...some(i, ['mar', 'nloc_mar', 'flow_ratio', 'bytes_read', 'bytes_written']),
      ...some(c, ['intensity']),
      ...(a ? [column(a, 'limit', { title: 'limit' })] : []),
      column(t, 'file', { title: 'where', value: (r) => r['file'], show: (r) => <bdi>{place(r['file'], r['line']) || place(r['object'], null)}</bdi> }),
      column(t, 'line'),
    ];
  }, [p]);
  const ranked = useMemo(() => [...rows].sort((x, y) => y['self'] - x['self']), [rows]);
  if (!t) return <Missing what="Functions:" view={p.view('functions')} />;
  return (
    <>
      <Notes view={p.view('functions')} />
      {i && (
        <Chart id="intensity" title="How much is memory access" tip="Right: memory-bound. Up: much of the run. Large: many bytes." controls={<Choice label="Across" value={by} set={setBy} options={Object.entries(AXES).map(([k, v]) => [k, v.what])} />}>
          <Scatter rows={ranked} by={by} pick={pick} />
        </Chart>
      )}
      {c && (
        <Chart id="classes" title="What functions compute: instructions by class" tip="Of the instructions that compute; accesses to memory apart." below={<Legend items={CLASSES.map(([, what], k) => [tone(k), what])} />}>
          <Classes rows={ranked} />
        </Chart>
      )}
      <DataTable id="functions" label="functions" cols={cols} rows={rows} sort="-self" cut={t.cut} />
    </>
  );
}
