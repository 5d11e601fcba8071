// Lines over numbers of processors, with the range each figure may lie in.
import type { JSX } from 'preact';
import { scaleLinear } from 'd3-scale';
import { useWidth } from './ui';

export interface Line {
  name: string;
  tone: string;
  dashed?: boolean;
  points: { x: number; y: number; low?: number; high?: number }[];
}

// What the lines are: solid and dashed ones look different in the legend, too.
export const linesLegend = (lines: Line[]): [string, string][] => lines.map((l) => [`${l.dashed ? 'dash' : 'line'}-${l.tone}`, l.name]);

export function Lines(props: { lines: Line[]; x: string; y: string; label: string; reference?: boolean }): JSX.Element {
  const [box, width] = useWidth();
  const high = 300, left = 46, foot = 40;
  const all = props.lines.flatMap((l) => l.points);
  const far = Math.max(2, ...all.map((p) => p.x)), top = Math.max(1.2, ...all.map((p) => p.high ?? p.y));
  const x = scaleLinear([1, far], [left, width - 16]), y = scaleLinear([0, top * 1.05], [high - foot, 12]);
  const path = (points: { x: number; y: number }[]): string => points.map((p, i) => `${i ? 'L' : 'M'}${x(p.x).toFixed(1)} ${y(p.y).toFixed(1)}`).join('');
  return (
    <div ref={box}>
      <svg width={width} height={high} role="img" aria-label={props.label}>
        {y.ticks(5).map((v) => <g key={v} class="axis"><path d={`M${left} ${y(v)}H${width - 12}`} class="grid" /><text x={left - 6} y={y(v) + 4} text-anchor="end">{v}</text></g>)}
        {x.ticks(Math.min(8, far)).filter(Number.isInteger).map((v) => <text key={v} x={x(v)} y={high - foot + 16} text-anchor="middle" class="axis">{v}</text>)}
        <text x={(left + width) / 2} y={high - 6} text-anchor="middle" class="axis">{props.x}</text>
        <text x={left + 4} y={14} class="axis">{props.y}</text>
        {props.reference && <path d={path([{ x: 1, y: 1 }, { x: Math.min(far, top), y: Math.min(far, top) }])} class="reference" />}
        {props.lines.map((l) => {
          const known = l.points.filter((p) => p.low !== undefined && p.high !== undefined);
          return known.length > 1 && <path key={`${l.name} range`} d={`${path(known.map((p) => ({ x: p.x, y: p.high! })))}${path([...known].reverse().map((p) => ({ x: p.x, y: p.low! }))).replace('M', 'L')}Z`} class={`fill-${l.tone}`} fill-opacity={0.18} />;
        })}
        {props.lines.map((l) => <path key={l.name} d={path(l.points)} class={`plot stroke-${l.tone}`} stroke-dasharray={l.dashed ? '6 4' : undefined} />)}
        {props.lines.filter((l) => !l.dashed).flatMap((l) => l.points.map((p) => <circle key={`${l.name} ${p.x}`} cx={x(p.x)} cy={y(p.y)} r={4} class={`fill-${l.tone}`} data-tip={`${l.name}\n${p.x} ${props.x}: ${p.y.toFixed(2)}${p.low !== undefined ? ` (${p.low.toFixed(2)} to ${p.high!.toFixed(2)})` : ''}`} />))}
      </svg>
    </div>
  );
}
