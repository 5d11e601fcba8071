// Calls or regions over time as boxes, callees below their callers, and the data between them as arrows below.
import type { JSX } from 'preact';
import type { ScaleLinear } from 'd3-scale';
import type { Profile, Row } from './data';
import { hash, tone } from './colors';
import { bytes, count, safe, short } from './format';

export type Tones = Map<string, string>; // of names that have one already

export const ROW = 20;
const GAP = 16, LANE = 15;

export interface Box {
  name: string;
  thread: number;
  depth: number;
  start: number;
  end: number;
}

export interface Arrow {
  from: Box | null; // null: what `special` names
  to: Box | null;
  special: string | null;
  bytes: number;
  when: string; // "frame 3 to frame 4", or nothing
}

export interface Spans {
  boxes: Box[];
  arrows: Arrow[]; // heaviest first
  threads: number;
}

const boxesOf = (p: Profile, view: string): Box[] =>
  (p.table(view, 'boxes')?.rows ?? []).map((r) => ({ name: r['name'], thread: r['thread'], depth: r['depth'], start: r['start'], end: r['start'] + r['length'] }));

// Where streams between frames are known, from the producer's box in its frame to the consumer's in its own.
function framed(p: Profile, boxes: Box[]): Arrow[] | null {
  const frames = p.table('frames', 'frames')?.rows ?? [], streams = p.table('frames', 'streams')?.rows ?? [];
  if (p.view('timeline_regions')['one_clock'] !== true || p.view('frames')['by'] !== 'region' || !streams.length) return null;
  const at = new Map<string, Box>();
  for (const b of boxes) {
    let lo = 0, hi = frames.length - 1; // the last frame that had begun
    while (lo < hi) {
      const mid = (lo + hi + 1) >> 1;
      if (frames[mid]!['start'] <= b.start) lo = mid;
      else hi = mid - 1;
    }
    const key = `${frames[lo]?.['index']} ${b.name}`, have = at.get(key);
    if (!have || b.end - b.start > have.end - have.start) at.set(key, b);
  }
  const arrows: Arrow[] = [];
  for (const r of streams) {
    const from = at.get(`${r['producer_frame']} ${r['from']}`), to = at.get(`${r['consumer_frame']} ${r['to']}`);
    if (from && to && from !== to) arrows.push({ from, to, special: null, bytes: r['bytes'], when: `written in frame ${r['producer_frame']}, read in frame ${r['consumer_frame']}` });
  }
  return arrows.sort((a, b) => b.bytes - a.bytes);
}

export function spansOf(p: Profile, view: string): Spans {
  const boxes = boxesOf(p, view);
  const told = (p.table(view, 'arrows')?.rows ?? []).map((r: Row): Arrow => ({ from: r['from'] === null ? null : boxes[r['from']]!, to: r['to'] === null ? null : boxes[r['to']]!, special: r['special'], bytes: r['bytes'], when: '' }));
  return { boxes, arrows: (view === 'timeline_regions' && framed(p, boxes)) || told, threads: Math.max(1, ...boxes.map((b) => b.thread)) };
}

// The arrows that have an end in what is shown.
export function arrowsIn(s: Spans, from: number, to: number, most: number): Arrow[] {
  const inside = (b: Box | null): boolean => b !== null && b.end > from && b.start < to;
  const out: Arrow[] = [];
  for (const a of s.arrows) {
    if (out.length >= most) break;
    if (inside(a.from) || inside(a.to)) out.push(a);
  }
  return out;
}

interface Lane {
  thread: number;
  top: number;
}

export function lanesOf(s: Spans, from: number, to: number): { lanes: Lane[]; high: number } {
  const lanes: Lane[] = [];
  let y = 0;
  for (let t = 1; t <= s.threads; t++) {
    const deepest = s.boxes.reduce((d, b) => (b.thread === t && b.end > from && b.start < to ? Math.max(d, b.depth + 1) : d), 0);
    if (!deepest) continue;
    if (s.threads > 1) y += LANE;
    lanes.push({ thread: t, top: y });
    y += deepest * ROW + 4;
  }
  return { lanes, high: y };
}

const STEP = 15;
export const arrowsHigh = (n: number): number => (n ? GAP + n * STEP : 0);

export function SpanBoxes(props: { spans: Spans; lanes: Lane[]; y: number; from: number; to: number; x: ScaleLinear<number, number>; left: number; right: number; tones: Tones }): JSX.Element {
  const { x, left, right } = props;
  const tops = new Map(props.lanes.map((l) => [l.thread, props.y + l.top]));
  return (
    <g>
      {props.spans.threads > 1 && props.lanes.map((l) => <text key={l.thread} x={left} y={props.y + l.top - 3} class="axis">{`thread ${l.thread}`}</text>)}
      {props.spans.boxes.map((b, i) => {
        if (b.end <= props.from || b.start >= props.to) return null;
        const a = Math.max(left, x(b.start)), w = Math.min(right, x(b.end)) - a;
        if (w < 0.3) return null;
        const c = b.name.startsWith('<') ? 'plain' : (props.tones.get(b.name) ?? tone(hash(b.name)));
        const y = tops.get(b.thread)! + b.depth * ROW;
        return (
          <g key={i} class="span" data-tip={`${safe(b.name).slice(0, 300)}\n${count(b.end - b.start)} instructions from ${count(b.start)} on`}>
            <rect x={a} y={y} width={Math.max(0.5, w - 0.5)} height={ROW - 1.5} class={`fill-${c}`} />
            {w > 30 && <text x={a + 4} y={y + 14} class={`on-${c}`}>{short(b.name, Math.floor((w - 6) / 7.3))}</text>}
          </g>
        );
      })}
    </g>
  );
}

// Each at a height of its own, so that no two labels meet; ends outside of what is shown are at its edge.
export function SpanArrows(props: { spans: Spans; arrows: Arrow[]; lanes: Lane[]; y: number; high: number; x: ScaleLinear<number, number>; left: number; right: number; tones: Tones }): JSX.Element {
  const { arrows, x, left, right } = props;
  const most = Math.max(1, ...arrows.map((a) => a.bytes));
  const tops = new Map(props.lanes.map((l) => [l.thread, props.y + l.top]));
  const used = new Map<Box, number>(), ends = new Map<Box, number>();
  for (const a of arrows) for (const b of [a.from, a.to]) if (b) ends.set(b, (ends.get(b) ?? 0) + 1);
  const clamp = (v: number): number => Math.max(left, Math.min(right, v));
  const port = (b: Box | null, otherwise: number): number => {
    if (!b) return otherwise;
    const n = (used.get(b) ?? 0) + 1;
    used.set(b, n);
    const lo = clamp(x(b.start)), hi = clamp(x(b.end));
    return lo + ((hi - lo) * n) / (ends.get(b)! + 1);
  };
  const foot = (b: Box | null, base: number): number => (b && tops.has(b.thread) ? tops.get(b.thread)! + (b.depth + 1) * ROW - 2 : base);
  return (
    <g>
      {arrows.map((a, i) => {
        const base = props.y + props.high + GAP + i * STEP;
        const x1 = port(a.from, left), x2 = port(a.to, right);
        const y1 = foot(a.from, base), y2 = foot(a.to, base);
        const r = Math.min(6, Math.abs(x2 - x1) / 2), turn = x2 > x1 ? r : -r;
        const begin = a.from ? `M${x1.toFixed(1)} ${y1.toFixed(1)}V${base - r}Q${x1.toFixed(1)} ${base} ${(x1 + turn).toFixed(1)} ${base}` : `M${x1.toFixed(1)} ${base}`;
        const end = a.to ? `H${(x2 - turn).toFixed(1)}Q${x2.toFixed(1)} ${base} ${x2.toFixed(1)} ${base - r}V${y2.toFixed(1)}` : `H${x2.toFixed(1)}`;
        const ends = `${safe(a.from?.name ?? a.special ?? '?').slice(0, 120)} → ${safe(a.to?.name ?? a.special ?? '?').slice(0, 120)}`;
        const label = `${bytes(a.bytes)}${a.special ? ` ${a.special}` : ''}`, wide = label.length * 6.6;
        const middle = Math.max(left + wide / 2, Math.min(right - wide / 2, (x1 + x2) / 2));
        return (
          <g key={i} class="flowing" data-tip={`${ends}: ${bytes(a.bytes)}${a.when ? `\n${a.when}` : ''}`}>
            <path d={begin + end} class="grab" />
            <path d={begin + end} class={`wire stroke-${props.tones.get(a.from?.name ?? '') ?? tone(hash(a.from?.name ?? a.special ?? ''))}`} stroke-width={(1 + 3 * Math.sqrt(a.bytes / most)).toFixed(1)} marker-end="url(#flowhead)" />
            <text x={middle} y={base + 4} text-anchor="middle" class="edge-label">{label}</text>
          </g>
        );
      })}
    </g>
  );
}
