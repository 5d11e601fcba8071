// Producers down, consumers across: readable where a graph of as many nodes is not.
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { bytes, safe, short } from './format';
import type { Flow, Stream } from './streams';
import { useWidth } from './ui';

const STEPS = 7;

// Nodes so that data flows right and down where it can: by where the weight of their neighbours lies, from the order given.
function arrange(names: string[], streams: Stream[]): string[] {
  const out = new Map<string, number>(), into = new Map<string, number>();
  for (const s of streams) {
    out.set(s.from, (out.get(s.from) ?? 0) + s.bytes);
    into.set(s.to, (into.get(s.to) ?? 0) + s.bytes);
  }
  const lean = (n: string): number => {
    const o = out.get(n) ?? 0, i = into.get(n) ?? 0;
    return o + i ? (i - o) / (o + i) : 0;
  };
  return [...names].sort((a, b) => lean(a) - lean(b) || ((out.get(b) ?? 0) + (into.get(b) ?? 0)) - ((out.get(a) ?? 0) + (into.get(a) ?? 0)));
}

export function Matrix(props: { flow: Flow; streams: Stream[]; sort: string; chosen: Stream | null; pick: (s: Stream) => void }): JSX.Element {
  const { flow, streams } = props;
  const [box, width] = useWidth();
  const [at, setAt] = useState<[number, number] | null>(null);
  const names = useMemo(() => {
    const used = new Set(streams.flatMap((s) => [s.from, s.to]));
    const list = flow.nodes.map((n) => n.name).filter((n) => used.has(n));
    return props.sort === 'flow' ? arrange(list, streams) : props.sort === 'name' ? [...list].sort() : list;
  }, [flow, streams, props.sort]);
  const n = names.length;
  const margin = n <= 70 ? (width < 500 ? 84 : 150) : 16;
  const size = Math.max(n <= 70 ? Math.min(22, (width - margin - 8) / n) : 0, Math.min((width - margin - 8) / n, 760 / n), 0.6);
  const cells = useMemo(() => {
    const index = new Map(names.map((x, i) => [x, i]));
    const top = Math.log(Math.max(2, streams[0]?.bytes ?? 2));
    const low = Math.log(Math.max(1, streams[streams.length - 1]?.bytes ?? 1));
    const paths: string[] = Array<string>(STEPS).fill('');
    const found = new Map<number, Stream>();
    const faint = n > 70 ? 2 : 0; // small cells need a colour that can be seen
    const pad = size > 6 ? 0.5 : 0;
    const side = Math.max(1, Math.round((size - 2 * pad) * 10) / 10);
    const at = names.map((_, i) => Math.round((margin + i * size + pad) * 10) / 10);
    const shape = `h${side}v${side}h-${side}z`;
    for (const s of streams) {
      const r = index.get(s.from)!, c = index.get(s.to)!;
      const step = top > low ? Math.min(STEPS - 1, faint + Math.floor(((Math.log(Math.max(1, s.bytes)) - low) / (top - low)) * (STEPS - faint))) : STEPS - 1;
      paths[step] += `M${at[c]} ${at[r]}${shape}`;
      found.set(r * n + c, s);
    }
    return { paths, found };
  }, [names, streams, size, margin]);
  const here = at ? cells.found.get(at[0] * n + at[1]) ?? null : null;
  const inside = (e: MouseEvent): [number, number] | null => {
    const r = (e.currentTarget as Element).getBoundingClientRect();
    const c = Math.floor((e.clientX - r.left - margin) / size), w = Math.floor((e.clientY - r.top - margin) / size);
    return c >= 0 && w >= 0 && c < n && w < n ? [w, c] : null;
  };
  const keys = (e: KeyboardEvent): void => {
    const [r, c] = at ?? [0, 0];
    const move: Record<string, [number, number]> = { ArrowUp: [r - 1, c], ArrowDown: [r + 1, c], ArrowLeft: [r, c - 1], ArrowRight: [r, c + 1] };
    const to = move[e.key];
    if (to) {
      e.preventDefault();
      setAt([Math.max(0, Math.min(n - 1, to[0])), Math.max(0, Math.min(n - 1, to[1]))]);
    } else if (e.key === 'Enter' && here) props.pick(here);
  };
  const whole = margin + n * size + 2;
  const chosen = props.chosen ? [names.indexOf(props.chosen.from), names.indexOf(props.chosen.to)] : null;
  return (
    <div ref={box} class="overflow">
      <svg width={whole} height={whole} class="matrix" role="application" aria-label={`Matrix of ${n} nodes: producers down, consumers across. Arrow keys move, Enter chooses.`} tabindex={0} onKeyDown={keys} onMouseMove={(e) => setAt(inside(e))} onMouseLeave={() => setAt(null)} onClick={(e) => { const p = inside(e); const s = p && cells.found.get(p[0] * n + p[1]); if (s) props.pick(s); }}>
        <rect x={margin} y={margin} width={n * size} height={n * size} class="matrix-ground" />
        <path d={`M${margin} ${margin}L${margin + n * size} ${margin + n * size}`} class="diagonal" />
        {cells.paths.map((d, i) => d && <path key={i} d={d} class={`fill-heat${i}`} />)}
        {at && <path d={`M${margin} ${margin + (at[0] + 0.5) * size}H${whole}M${margin + (at[1] + 0.5) * size} ${margin}V${whole}`} class="cross" />}
        {chosen && chosen[0]! >= 0 && <rect x={margin + chosen[1]! * size - 1} y={margin + chosen[0]! * size - 1} width={size + 2} height={size + 2} class="mark" />}
        {n <= 70 &&
          names.map((name, i) => (
            <g key={name} class="axis">
              <text x={margin - 5} y={margin + (i + 0.5) * size + 4} text-anchor="end">{short(name, Math.floor((margin - 8) / 6.6))}</text>
              <text transform={`translate(${margin + (i + 0.5) * size + 4} ${margin - 5}) rotate(-90)`}>{short(name, Math.floor((margin - 8) / 6.6))}</text>
            </g>
          ))}
        {n > 70 && <text x={margin} y={11} class="axis">consumers →</text>}
      </svg>
      <p class="readout" role="status">
        {at ? `${safe(names[at[0]] ?? '').slice(0, 120)} → ${safe(names[at[1]] ?? '').slice(0, 120)}: ${here ? bytes(here.bytes) : 'nothing shown'}` : 'Rows write, columns read; the stronger the colour, the more. Point at a cell.'}
      </p>
    </div>
  );
}
