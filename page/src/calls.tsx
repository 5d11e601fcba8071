// Where instructions go: the call tree as an icicle and as a table.
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { Profile, Row } from './data';
import { CLASSES, hash, heat, tone } from './colors';
import { count, safe, share, short } from './format';
import { useParam } from './state';
import { callersTree, callTree, path, threadName, threads, type Call } from './tree';
import { Chart, Choice, type Column, DataTable, Missing, Notes, Part, Pick, Search, useProfile, useWidth } from './ui';

const HIGH = 24;

// --- colours ---

interface Paint {
  of: (c: Call) => string;
  legend: [string, string][];
}

function byFunction(p: Profile, view: string): Map<string, Row> {
  const found = new Map<string, Row>();
  for (const r of p.table(view, 'functions')?.rows ?? []) found.set(r['name'], r);
  return found;
}

function paintBy(p: Profile, how: string, total: number): Paint {
  if (how === 'memory') {
    const rows = byFunction(p, 'intensity');
    return {
      of: (c) => {
        const v = rows.get(c.name)?.['mar'];
        return typeof v === 'number' ? heat(v * 2) : 'plain';
      },
      legend: [['heat0', 'no memory access'], ['heat3', 'a quarter'], ['heat6', 'half of its instructions or more'], ['plain', 'unknown']],
    };
  }
  if (how === 'class') {
    const rows = byFunction(p, 'classes');
    return {
      of: (c) => {
        const r = rows.get(c.name);
        if (!r) return 'plain';
        let best = -1, most = 0;
        CLASSES.forEach(([key], i) => {
          const v = (r[`profile.${key}`] as number | null) ?? 0;
          if (key !== 's_int' && key !== 'branch' && v * 3 > most) (most = v * 3), (best = i);
          else if (v > most) (most = v), (best = i);
        });
        return best < 0 ? 'plain' : tone(best);
      },
      legend: CLASSES.map(([, what], i) => [tone(i), what] as [string, string]),
    };
  }
  if (how === 'name') return { of: (c) => tone(hash(c.name)), legend: [] };
  return {
    of: (c) => heat(Math.sqrt(c.exclusive / (total || 1))),
    legend: [['heat0', 'little of its own'], ['heat3', share(0.25, 0)], ['heat6', `${share(0.75, 0)} of all instructions are its own`]],
  };
}

// --- the icicle ---

function describe(c: Call, total: number): string {
  return `${safe(c.name).slice(0, 300)}\ntotal ${share(c.inclusive / total)} (${count(c.inclusive)} instructions)\nself ${share(c.exclusive / total)} (${count(c.exclusive)})\ncalls ${count(c.calls)}`;
}

// Calls too narrow to draw, those of one caller as one box.
interface Rest {
  depth: number;
  x: number;
  w: number;
  n: number;
  inclusive: number;
}

function shown(calls: Call[], zoom: Call, width: number): { boxes: { c: Call; x: number; w: number }[]; rests: Rest[] } {
  const scale = width / (zoom.inclusive || 1);
  const out: { c: Call; x: number; w: number }[] = [];
  for (let up = zoom.parent; up; up = up.parent) out.push({ c: up, x: 0, w: width });
  const end = zoom.start + zoom.inclusive;
  const rests = new Map<Call, Rest>();
  let skip = -1; // the depth of a box too narrow to draw: what is below it is narrower still
  for (let i = zoom.id; i < calls.length; i++) {
    const c = calls[i]!;
    if (i > zoom.id && c.depth <= zoom.depth) break;
    if (skip >= 0 && c.depth > skip) continue;
    skip = -1;
    const x = (c.start - zoom.start) * scale, w = c.inclusive * scale;
    if (w < 1 || c.start > end) {
      skip = c.depth;
      const rest = c.parent && rests.get(c.parent);
      if (rest) (rest.w += w), (rest.n += 1), (rest.inclusive += c.inclusive);
      else if (c.parent) rests.set(c.parent, { depth: c.depth, x, w, n: 1, inclusive: c.inclusive });
      continue;
    }
    out.push({ c, x, w });
    if (out.length >= 3000) break;
  }
  return { boxes: out, rests: [...rests.values()].filter((r) => r.w >= 2) };
}

function Icicle(props: { calls: Call[]; zoom: Call; set: (c: Call) => void; paint: Paint; find: string; total: number; chosen: string }): JSX.Element {
  const [box, width] = useWidth();
  const svg = useRef<SVGSVGElement>(null);
  const { calls, zoom, paint } = props;
  const { boxes, rests } = useMemo(() => shown(calls, zoom, width), [calls, zoom, width]);
  const deepest = Math.max(...boxes.map((b) => b.c.depth), ...rests.map((r) => r.depth)) + 1;
  const find = props.find.toLowerCase();
  const keys = (e: KeyboardEvent, c: Call): void => {
    const near = boxes.filter((b) => b.c.depth === c.depth);
    const at = near.findIndex((b) => b.c === c);
    const to =
      e.key === 'ArrowRight' ? near[at + 1]?.c : e.key === 'ArrowLeft' ? near[at - 1]?.c : e.key === 'ArrowUp' ? c.parent : e.key === 'ArrowDown' ? boxes.find((b) => b.c.parent === c)?.c : undefined;
    if (to) {
      e.preventDefault();
      (svg.current!.querySelector(`[data-id="${to.id}"]`) as SVGGElement | null)?.focus();
    } else if (e.key === 'Enter' || e.key === ' ') {
      e.preventDefault();
      props.set(c);
    }
  };
  return (
    <div ref={box} class="overflow" style={{ maxHeight: '560px' }} tabIndex={-1}>
      <svg ref={svg} width={width} height={deepest * HIGH + 2} role="group" aria-label="Call tree: width is instructions, callees below their callers. Arrow keys move, Enter zooms.">
        {boxes.map(({ c, x, w }) => {
          const hit = find !== '' && c.name.toLowerCase().includes(find);
          return (
            <g
              key={c.id}
              data-id={c.id}
              class={`box ${find && !hit ? 'dim' : ''} ${hit ? 'hit' : ''} ${c === zoom ? 'here' : ''}`}
              role="button"
              tabindex={c === zoom ? 0 : -1}
              aria-label={describe(c, props.total)}
              data-tip={describe(c, props.total)}
              onClick={() => props.set(c === zoom && c.parent ? c.parent : c)}
              onKeyDown={(e) => keys(e, c)}
            >
              <rect x={x + 0.5} y={c.depth * HIGH + 0.5} width={Math.max(0.5, w - 1)} height={HIGH - 1.5} rx={2} class={`fill-${c.depth < zoom.depth ? 'plain' : paint.of(c)}`} />
            </g>
          );
        })}
        {rests.map((r, i) => (
          <rect key={`rest${i}`} x={r.x + 0.5} y={r.depth * HIGH + 0.5} width={r.w - 0.5} height={HIGH - 1.5} rx={2} class="rest" data-tip={`${r.n} calls too short to draw, ${share(r.inclusive / props.total)} together: the table has them`} />
        ))}
        <g aria-hidden="true">
          {rests.filter((r) => r.w > 60).map((r, i) => <text key={i} x={r.x + 5} y={r.depth * HIGH + 16} class="axis">{short(`${r.n} short calls`, Math.floor((r.w - 8) / 7))}</text>)}
          {boxes.filter((b) => b.w > 28).map(({ c, x, w }) => (
            <text key={c.id} x={x + 5} y={c.depth * HIGH + 16} class={`on-${c.depth < zoom.depth ? 'plain' : paint.of(c)}`}>
              {short(c.name, Math.floor((w - 8) / 7))}
            </text>
          ))}
        </g>
      </svg>
    </div>
  );
}

// `line-TONE` and `dash-TONE` are lines, as they are drawn.
export function Legend(props: { items: [string, string][] }): JSX.Element | null {
  return props.items.length ? (
    <ul class="legend">
      {props.items.map(([tone, what]) => (
        <li key={what}>
          {/^(line|dash)-/.test(tone) ? (
            <svg class="sample" width="22" height="12" aria-hidden="true"><path d="M0 6H22" class={`plot stroke-${tone.slice(5)}`} stroke-dasharray={tone.startsWith('dash') ? '5 3' : undefined} /></svg>
          ) : (
            <i class={`bg-${tone}`} aria-hidden="true" />
          )}{' '}
          {what}
        </li>
      ))}
    </ul>
  ) : null;
}

// --- the table ---

function columns(total: number, zoom: (c: Call) => void): Column[] {
  const num = (key: string, title: string, value: (r: Row) => number, unit = 'instructions'): Column => ({ key, title, col: { key, type: 'count', unit }, value });
  return [
    {
      key: 'name', title: 'call', col: { key: 'name', type: 'text' }, value: (r) => r['call'].name, wide: true,
      show: (r) => {
        const c = r['call'] as Call;
        return (
          <span class="tree" style={{ paddingLeft: `${Math.min(c.depth, 30) * 14}px` }}>
            <Pick name={c.name} onClick={() => zoom(c)} />
          </span>
        );
      },
    },
    { key: 'share', title: 'total', col: { key: 'share', type: 'share', meaning: 'part of the instructions of what is shown, with all it called' }, value: (r) => r['call'].inclusive / total,
      show: (r) => <Part v={r['call'].inclusive / total} /> },
    { key: 'self', title: 'self', col: { key: 'self', type: 'share', meaning: 'part of the instructions that are its own' }, value: (r) => r['call'].exclusive / total,
      show: (r) => <Part v={r['call'].exclusive / total} /> },
    num('inclusive', 'total instr', (r) => r['call'].inclusive),
    num('exclusive', 'self instr', (r) => r['call'].exclusive),
    num('calls', 'calls', (r) => r['call'].calls, 'calls'),
  ];
}

export function Calls(): JSX.Element {
  const p = useProfile();
  const [thread, setThread] = useParam('thread', '');
  const [way, setWay] = useParam('way', 'down');
  const [how, setHow] = useParam('color', 'self');
  const [find, setFind] = useParam('find', '');
  const [at, setAt] = useParam('zoom', '');
  const down = useMemo(() => callTree(p, thread), [p, thread]);
  const calls = useMemo(() => (way === 'up' ? callersTree(down) : down), [down, way]);
  const total = calls[0]?.inclusive ?? 0;
  const paint = useMemo(() => paintBy(p, how, total), [p, how, total]);
  const rows = useMemo(() => calls.map((call) => ({ call }) as Row), [calls]);
  const view = p.view('calltree');
  if (view.missing || !calls.length) return <Missing what="Calls:" view={view.missing ? view : { missing: 'none were recorded', notes: [] }} />;
  const zoom = calls[Number(at)] ?? calls[0]!;
  const set = (c: Call): void => setAt(c.id ? String(c.id) : '');
  const hits = find ? calls.filter((c) => c.name.toLowerCase().includes(find.toLowerCase())) : [];
  const all = threads(p);
  return (
    <>
      <Notes view={view} />
      <Chart
        id="calls"
        title={way === 'up' ? 'Functions by their own instructions, callers below' : 'Call tree: width is instructions'}
        tip="Each box is a function called from the one above it, as wide as the instructions it and all it called executed. A click zooms; a click on the zoomed one goes back up."
        controls={
          <>
            <Choice label="Show" value={way} set={(v) => { setWay(v); setAt(''); }} options={[['down', 'inclusive: who calls whom'], ['up', 'self: who is called by whom']]} />
            <Choice label="Colour" value={how} set={setHow} options={[['self', 'own time'], ['memory', 'memory intensity'], ['class', 'instruction class'], ['name', 'function']]} />
            {all.length > 1 && <Choice label="Thread" value={thread} set={(v) => { setThread(v); setAt(''); }} options={[['', 'all threads'], ...all.map((t, i) => [String(i + 1), threadName(p, t)] as [string, string])]} />}
            <Search label="Find" value={find} set={setFind} />
            {find && <span class="count" role="status">{hits.length} found, {share(hits.reduce((s, c) => s + c.exclusive, 0) / (total || 1))} of the instructions are their own</span>}
            {zoom.id > 0 && <button onClick={() => set(calls[0]!)}>Whole tree</button>}
          </>
        }
        below={
          <>
            <Legend items={paint.legend} />
            {zoom.id > 0 && <p class="where">{path(zoom).map((n) => short(n, 40)).join(' › ')}</p>}
          </>
        }
      >
        <Icicle calls={calls} zoom={zoom} set={set} paint={paint} find={find} total={total} chosen={at} />
      </Chart>
      <DataTable id="calls" label="calls" cols={columns(total, set)} rows={rows} tree picked={(r) => r['call'] === zoom && zoom.id > 0} cut={p.table('calltree', 'threads')?.cut ?? 0} />
    </>
  );
}
