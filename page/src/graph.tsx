// The data-flow graph in layers: producers above consumers.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import dagre from '@dagrejs/dagre';
import { bytes, safe, short } from './format';
import type { Flow, Stream } from './streams';

interface Drawn {
  width: number;
  height: number;
  nodes: { name: string; x: number; y: number; w: number; h: number; kind: string; label: string }[];
  edges: { s: Stream; d: string; x: number; y: number }[];
}

const SMALLEST = 0.72; // a wide graph is drawn smaller before it has to be scrolled
const LABELLED = 40; // streams whose bytes stand beside their arrow
const SPECIAL = new Set(['input', 'output', 'static', 'unknown', 'runtime', 'outside']);

function curve(points: { x: number; y: number }[]): string {
  const p = points;
  let d = `M${p[0]!.x.toFixed(1)} ${p[0]!.y.toFixed(1)}`;
  for (let i = 1; i < p.length - 1; i++) {
    const mx = (p[i]!.x + p[i + 1]!.x) / 2, my = (p[i]!.y + p[i + 1]!.y) / 2;
    const end = i === p.length - 2 ? p[i + 1]! : { x: mx, y: my };
    d += `Q${p[i]!.x.toFixed(1)} ${p[i]!.y.toFixed(1)} ${end.x.toFixed(1)} ${end.y.toFixed(1)}`;
  }
  if (p.length === 2) d += `L${p[1]!.x.toFixed(1)} ${p[1]!.y.toFixed(1)}`;
  return d;
}

export function layout(flow: Flow, streams: Stream[]): Drawn {
  const g = new dagre.graphlib.Graph();
  g.setGraph({ rankdir: 'TB', nodesep: 22, ranksep: 30, marginx: 12, marginy: 12 });
  g.setDefaultEdgeLabel(() => ({}));
  const few = streams.length <= LABELLED;
  const kinds = new Map(flow.nodes.map((n) => [n.name, n.kind]));
  const ids = new Map<string, string>();
  for (const name of new Set(streams.flatMap((s) => [s.from, s.to]))) {
    const label = short(name, 28);
    ids.set(name, `n${ids.size}`);
    g.setNode(ids.get(name)!, { width: Math.max(54, label.length * 7.2 + 20), height: 30, name, label });
  }
  for (const s of streams) g.setEdge(ids.get(s.from)!, ids.get(s.to)!, few ? { width: bytes(s.bytes).length * 6.4 + 6, height: 14, labelpos: 'c' } : {});
  dagre.layout(g);
  const size = g.graph();
  return {
    width: size.width ?? 0,
    height: size.height ?? 0,
    nodes: g.nodes().map((id) => {
      const n = g.node(id) as unknown as { x: number; y: number; width: number; height: number; name: string; label: string };
      return { name: n.name, label: n.label, x: n.x, y: n.y, w: n.width, h: n.height, kind: kinds.get(n.name) ?? 'function' };
    }),
    edges: streams.map((s) => {
      const e = g.edge(ids.get(s.from)!, ids.get(s.to)!) as { points: { x: number; y: number }[]; x?: number; y?: number };
      const mid = e.points[Math.floor(e.points.length / 2)]!;
      return { s, d: curve(e.points), x: e.x ?? mid.x, y: e.y ?? mid.y };
    }),
  };
}

export function Graph(props: { flow: Flow; streams: Stream[]; chosen: Stream | null; focus: string; pick: (s: Stream) => void; enter: (name: string) => void }): JSX.Element {
  const { flow, streams } = props;
  const drawn = useMemo(() => layout(flow, streams), [flow, streams]);
  const most = streams.find((s) => !s.row['whole'])?.bytes ?? 1;
  const few = streams.length <= LABELLED;
  return (
    <div class="overflow graph">
      <svg viewBox={`0 0 ${drawn.width} ${drawn.height}`} style={{ width: '100%', minWidth: `${Math.round(drawn.width * SMALLEST)}px`, maxWidth: `${Math.round(drawn.width)}px` }} role="group" aria-label={`Data flow: ${drawn.nodes.length} nodes, ${streams.length} streams`}>
        <defs>
          <marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">
            <path d="M0 0.5 8 4 0 7.5z" class="arrowhead" />
          </marker>
        </defs>
        {drawn.edges.map(({ s, d }, i) => {
          const tip = `${safe(s.from).slice(0, 200)} → ${safe(s.to).slice(0, 200)}: ${bytes(s.bytes)}${s.row['whole'] ? ' in the whole run' : ''}`;
          return (
            <g key={i} class={`edge ${s === props.chosen ? 'here' : ''} ${s.row['critical_fresh'] ? 'critical' : ''} ${s.row['whole'] ? 'whole' : ''}`} role="button" tabindex={0} aria-label={tip} data-tip={tip} onClick={() => props.pick(s)} onKeyDown={(e) => e.key === 'Enter' && props.pick(s)}>
              <path d={d} class="grab" />
              <path d={d} class="wire" stroke-width={(s.row['whole'] ? 1.5 : 1 + 7 * Math.sqrt(s.bytes / most)).toFixed(1)} marker-end="url(#head)" />
            </g>
          );
        })}
        {few && drawn.edges.map(({ s, x, y }, i) => (
          <text key={i} x={x} y={y + 4} text-anchor="middle" class="edge-label">{bytes(s.bytes)}</text>
        ))}
        {drawn.nodes.map((n) => (
          <g key={n.name} class={`node ${SPECIAL.has(n.kind) ? 'special' : ''} ${n.kind === 'object' ? 'object' : ''} ${n.name === props.focus ? 'here' : ''}`} role="button" tabindex={0} aria-label={`${safe(n.name).slice(0, 200)}: show its neighbourhood`} data-tip={safe(n.name).slice(0, 400)} onClick={() => props.enter(n.name)} onKeyDown={(e) => e.key === 'Enter' && props.enter(n.name)}>
            <rect x={n.x - n.w / 2} y={n.y - n.h / 2} width={n.w} height={n.h} rx={n.kind === 'object' ? 2 : SPECIAL.has(n.kind) ? 15 : 7} />
          </g>
        ))}
        <g aria-hidden="true">
          {drawn.nodes.map((n) => <text key={n.name} x={n.x} y={n.y + 4.5} text-anchor="middle">{n.label}</text>)}
        </g>
      </svg>
    </div>
  );
}
