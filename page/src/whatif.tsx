// What if: cores, schedules, costs, memories, hardware blocks, DMA and tiles as controls; the tool's own code says what that gives.
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { addDirective, clauseOf, DIRECTIVES, hasLoop, movesData, scheduleOf, setBuffers, setClause, setSchedule, tasksOf } from './directives';
import type { Profile } from './data';
import { type Answer, compile, Engine, type Request, type TextFile, type WhatifData } from './engine';
import { base, count, safe, share, short } from './format';
import { Legend } from './calls';
import { Lines, linesLegend, type Line } from './lines';
import { recordCommand } from './loops';
import { PARTS, plansOf, Stacks, TONES } from './plan';
import { useParam, useParams } from './state';
import { Chart, Choice, type Column, Command, DataTable, useProfile, useWidth } from './ui';

interface Schedule {
  processors: number;
  time: number;
  time_low: number;
  time_high: number;
  seconds: number | null;
  speedup: number;
  amdahl: number;
  efficiency: number;
  gain: number;
  energy: { total: number } | null;
  stack: Record<string, number>;
  regions: { path: string; directive: string; calls: number; threads: number; time: number }[];
}

interface Prediction {
  clock: string;
  scenarios: { name: string; sequential_time: number; contention_model: string; schedules: Schedule[] }[];
}

interface Task {
  name: string;
  id: number;
  parent: number | null;
  depth: number;
  calls: number;
  cumulative: number;
}

// --- the engine, once for each profile ---

const engines = new Map<Profile, Promise<Engine>>();
let compiled: Promise<WebAssembly.Module> | null = null;

export function engineOf(p: Profile): Promise<Engine> {
  let e = engines.get(p);
  if (!e) {
    compiled ??= compile(p.engine!);
    e = compiled.then((m) => Engine.start(m, p.whatif!));
    engines.set(p, e);
  }
  return e;
}

function useEngine(p: Profile): [Engine | null, string, () => void] {
  const [engine, set] = useState<Engine | null>(null);
  const [failure, fail] = useState('');
  const [round, again] = useState(0);
  useEffect(() => {
    let live = true;
    engineOf(p).then((e) => live && set(e), (e: unknown) => live && fail(String(e)));
    return () => void (live = false);
  }, [p, round]);
  return [engine, failure, () => { engines.delete(p); set(null); again(round + 1); }];
}

// --- what it begins with ---

function begins(p: Profile, data: WhatifData, tasks: Task[]): TextFile[] {
  const list = data.scenarios.map((s) => ({ name: base(s.name), text: s.text }));
  for (const plan of plansOf(p)) if (plan['scenario']) list.push({ name: `plan ${plan['rank']}`, text: plan['scenario'] as string });
  // without any: the iterations of the longest loop
  const whole = tasks[0]?.cumulative ?? 1;
  const loop = tasks.filter((t) => t.calls > 1 && t.depth > 0).sort((a, b) => b.cumulative - a.cumulative)[0];
  if (!list.length) list.push({ name: 'the longest loop', text: loop && loop.cumulative > whole / 20 ? `${loop.name} = #pragma omp parallel for schedule(static)\n` : '# TASK = #pragma omp parallel for\n' });
  return [...list, { name: 'nothing', text: '' }];
}

const POINTS = 16;

// Numbers of processors up to so many: all of a few, else some of them evenly.
function coresUpTo(most: number, at: number): number[] {
  const n = Math.min(most, POINTS);
  const all = new Set<number>([1, most, Math.min(at, most)]);
  for (let i = 1; i <= n; i++) all.add(Math.max(1, Math.round((i * most) / n)));
  return [...all].sort((a, b) => a - b);
}

// --- controls ---

function Slider(props: { label: string; value: number; min: number; max: number; step?: number; show?: (v: number) => string; set: (v: number) => void; tip: string }): JSX.Element {
  return (
    <label class="control" data-tip={props.tip}>
      <span>{props.label}: <b>{(props.show ?? String)(props.value)}</b></span>
      <input type="range" min={props.min} max={props.max} step={props.step ?? 1} value={props.value} onInput={(e) => props.set(e.currentTarget.valueAsNumber)} />
    </label>
  );
}

function Numeric(props: { label: string; value: number; min: number; max?: number; set: (v: number) => void; tip: string }): JSX.Element {
  return (
    <label class="control" data-tip={props.tip}>
      <span>{props.label}</span>
      <input type="number" min={props.min} max={props.max} step="any" value={props.value} onInput={(e) => Number.isFinite(e.currentTarget.valueAsNumber) && props.set(Math.max(props.min, e.currentTarget.valueAsNumber))} />
    </label>
  );
}

// Overheads go from a hundredth to a hundred times; 0 is none at all.
const scaleOf = (at: number): number => (at <= -20 ? 0 : Number((10 ** (at / 10)).toPrecision(2)));
const placeOf = (scale: number): number => (scale <= 0 ? -20 : Math.max(-19, Math.min(20, Math.round(10 * Math.log10(scale)))));

function DirectiveControls(props: { text: string; set: (text: string) => void }): JSX.Element {
  const { text, set } = props;
  const schedule = scheduleOf(text), loop = hasLoop(text);
  const speedup = clauseOf(text, 'speedup'), tile = clauseOf(text, 'tile'), buffers = Number(clauseOf(text, 'buffers')?.[0] ?? 2) || 2;
  const side = (i: number): number => Number(tile?.[i] ?? 64) || 64;
  return (
    <>
      {loop && <Choice label="Schedule" value={schedule.kind} set={(v) => set(setSchedule(text, v, schedule.chunk))} options={[['', 'as OpenMP chooses'], ['static', 'static'], ['dynamic', 'dynamic'], ['guided', 'guided']]} />}
      {loop && <Numeric label="Chunk" value={schedule.chunk} min={0} set={(v) => set(setSchedule(text, schedule.kind || 'static', Math.floor(v)))} tip="iterations handed out at a time; 0: as the schedule does without one" />}
      {speedup && <Slider label="Hardware block" value={Number(speedup[0]) || 1} min={1} max={100} show={(v) => `${v} times as fast`} set={(v) => set(setClause(text, 'speedup', [String(v)]))} tip="how many times as fast the block is as the code whose place it takes" />}
      {movesData(text) && <Choice label="DMA buffers" value={String(buffers)} set={(v) => set(setBuffers(text, Number(v)))} options={[['1', '1: wait for the data'], ['2', '2: work while it moves'], ['3', '3'], ['4', '4']]} />}
      {tile && <Choice label="Tile" value={tile[0] === 'auto' ? 'auto' : 'own'} set={(v) => set(setClause(text, 'tile', v === 'auto' ? ['auto'] : ['64', '8']))} options={[['auto', 'the best one'], ['own', 'of this size']]} />}
      {tile && tile[0] !== 'auto' && <Numeric label="Tile width" value={side(0)} min={1} set={(v) => set(setClause(text, 'tile', [String(Math.floor(v)), String(side(1))]))} tip="pixels" />}
      {tile && tile[0] !== 'auto' && <Numeric label="Tile height" value={side(1)} min={1} set={(v) => set(setClause(text, 'tile', [String(side(0)), String(Math.floor(v))]))} tip="pixels" />}
    </>
  );
}

function Editor(props: { text: string; set: (text: string) => void; tasks: Task[]; message: string }): JSX.Element {
  const names = useMemo(() => {
    const seen = new Map<string, number>();
    for (const t of props.tasks) if (t.parent !== null) seen.set(t.name, (seen.get(t.name) ?? 0) + t.cumulative);
    return [...seen].sort((a, b) => b[1] - a[1]).slice(0, 200);
  }, [props.tasks]);
  const whole = props.tasks[0]?.cumulative || 1;
  const [task, setTask] = useState(names[0]?.[0] ?? '');
  const [kind, setKind] = useState('for');
  return (
    <div class="card" id="directives">
      <label class="control">
        <span>Directives, one a line: TASK = #pragma …</span>
        <textarea class="code" rows={Math.min(12, Math.max(3, props.text.split('\n').length))} value={props.text} spellcheck={false} autocomplete="off" onInput={(e) => props.set(e.currentTarget.value)} aria-invalid={props.message !== ''} aria-describedby="whatif-message" />
      </label>
      <p id="whatif-message" class={props.message ? 'banner' : ''} role="status">{props.message && safe(props.message)}</p>
      {names.length > 0 && (
        <div class="controls">
          <Choice label="Task" value={task} set={setTask} options={names.map(([n, v]) => [n, `${short(n, 40)} (${share(Math.min(1, v / whole))})`])} />
          <Choice label="What to do with it" value={kind} set={setKind} options={DIRECTIVES.map(([id, text]) => [id, text])} />
          <button class="add" onClick={() => props.set(addDirective(props.text, task, kind))}>Add</button>
        </div>
      )}
    </div>
  );
}

// --- the schedule ---

const MOST_BARS = 4000;

interface Bar {
  row: number;
  name: number;
  part: number;
  start: number;
  end: number;
}

// Pieces too short to be seen run into their neighbour, which shows the part of the longest of them.
function thin(segments: Float64Array, time: number, rows: number): Bar[] {
  const n = segments.length / 5, least = n > MOST_BARS ? (time * rows) / MOST_BARS : 0;
  const bars: Bar[] = [], last: { bar: Bar; longest: number }[] = [];
  for (let i = 0; i < segments.length; i += 5) {
    const row = segments[i]!, name = segments[i + 1]!, part = segments[i + 2]!, start = segments[i + 3]!, end = segments[i + 4]!;
    const open = last[row];
    if (open && open.bar.end - open.bar.start < least && start - open.bar.end < least) {
      if (end - start > open.longest) (open.bar.name = name), (open.bar.part = part), (open.longest = end - start);
      open.bar.end = end;
      continue;
    }
    const bar = { row, name, part, start, end };
    bars.push(bar);
    last[row] = { bar, longest: end - start };
  }
  return bars;
}

// One shape for each part: thousands of bars are drawn as soon as a few. What is under the pointer is told below.
function Gantt(props: { answer: Answer; schedule: Schedule; names: string[]; clock: string }): JSX.Element {
  const [box, width] = useWidth();
  const [said, say] = useState('');
  const { schedule } = props;
  const rows = useMemo(() => { let most = schedule.processors - 1; for (let i = 0; i < props.answer.segments.length; i += 5) most = Math.max(most, props.answer.segments[i]!); return most + 1; }, [props.answer]);
  const bars = useMemo(() => thin(props.answer.segments, schedule.time, rows), [props.answer]);
  const row = Math.max(4, Math.min(26, 520 / rows)), left = 84, foot = 34, scale = (width - left - 8) / Math.max(schedule.time, 1);
  const shapes = useMemo(() => {
    const d = PARTS.map((): string[] => []);
    for (const b of bars) d[b.part]!.push(`M${(left + b.start * scale).toFixed(1)} ${(b.row * row + 1).toFixed(1)}h${Math.max(0.4, (b.end - b.start) * scale - 0.2).toFixed(1)}v${(row - 1.5).toFixed(1)}h-${Math.max(0.4, (b.end - b.start) * scale - 0.2).toFixed(1)}z`);
    return d.map((x) => x.join(''));
  }, [bars, width]);
  const label = (r: number): string => (r < schedule.processors ? `core ${r}` : (r - schedule.processors) % 2 ? 'DMA write' : 'DMA read');
  const point = (e: MouseEvent): void => {
    const r = (e.currentTarget as Element).getBoundingClientRect(), t = (e.clientX - r.left - left) / scale, y = Math.floor((e.clientY - r.top) / row);
    const b = bars.find((x) => x.row === y && x.start <= t && t < x.end);
    say(b ? `${label(b.row)}: ${b.name >= 0 ? safe(short(props.names[b.name] ?? '', 60)) : PARTS[b.part]}, ${PARTS[b.part]}, ${count(b.end - b.start)} ${props.clock} from ${count(b.start)} on` : '');
  };
  return (
    <div ref={box}>
      <svg width={width} height={rows * row + foot} role="img" aria-label={`what each of ${schedule.processors} processors does when`} onMouseMove={point} onMouseLeave={() => say('')}>
        {Array.from({ length: rows }, (_, r) => (row >= 11 || r % Math.ceil(11 / row) === 0) && <text key={r} x={left - 6} y={r * row + row / 2 + 4} text-anchor="end" class="axis">{label(r)}</text>)}
        {shapes.map((d, k) => d && <path key={k} d={d} class={`fill-${TONES[k]}`} />)}
        {[0, 0.5, 1].map((v) => <text key={v} x={left + v * schedule.time * scale} y={rows * row + 15} text-anchor={v === 0 ? 'start' : v === 1 ? 'end' : 'middle'} class="axis">{count(v * schedule.time)}</text>)}
        <text x={(left + width) / 2} y={rows * row + 30} text-anchor="middle" class="axis">{props.clock}</text>
      </svg>
      <p class="readout">{said}</p>
    </div>
  );
}

// --- what comes out ---

const col = (key: string, type: Column['col']['type'], title: string, meaning: string, unit?: string): Column => ({ key, title, col: { key, type, title, meaning, unit }, value: (r) => r[key] });
const REGION_COLS = [col('path', 'text', 'region', 'the call path of the region'), col('directive', 'text', 'directive', 'as it was understood; of tiles with the tile that was found'), col('calls', 'int', 'calls', 'how often it was entered'), col('threads', 'number', 'threads', 'threads of the region, on average over its calls'), col('time', 'int', 'time', 'of all calls together, in ticks of the clock of the trace')];

function Sentence(props: { now: Schedule; before: Schedule | undefined; clock: string }): JSX.Element {
  const { now, before } = props;
  const range = count(now.time_low) !== count(now.time_high) ? `, between ${count(now.time_low)} and ${count(now.time_high)}` : '';
  return (
    <p class="lead" id="whatif-answer" role="status">
      On {now.processors} {now.processors === 1 ? 'core' : 'cores'} the run is <b class="fig" data-tip={`${now.speedup} times as fast as in sequence`} tabIndex={0}>{now.speedup.toFixed(2)}</b> times as fast as in sequence: {count(now.time)} {props.clock}{range}
      {now.seconds !== null && `, ${Number(now.seconds.toPrecision(3))} s`}.
      {now.gain !== now.speedup && ` With its hardware blocks it is ${now.gain.toFixed(2)} times as fast as the recorded run.`}
      {before && before.time !== now.time && ` That is ${(before.time / now.time).toFixed(2)} times as fast as what this page began with (${before.speedup.toFixed(2)}).`}
      {now.energy && before?.energy && now.energy.total !== before.energy.total && ` It takes ${(now.energy.total / before.energy.total).toFixed(2)} times the energy.`}
    </p>
  );
}

// Loops that need their order, by what the recording saw.
function forbidden(p: Profile, text: string): string[] {
  const loops = p.table('loops', 'loops')?.rows ?? [];
  const tasks = new Set(tasksOf(setSchedule(text, '', 0)));
  return loops.filter((l) => tasks.has(l['id'] as string) && (l['verdict'] === 'sequential' || l['verdict'] === 'ordered')).map((l) => l['id'] as string);
}

function Results(props: { p: Profile; answer: Answer; now: Prediction; before: Prediction | null; at: number; setAt: (v: number) => void; names: string[]; text: string }): JSX.Element {
  const { now, before } = props;
  const s = now.scenarios[0]!, clock = now.clock;
  const one = s.schedules.find((x) => x.processors === props.at) ?? s.schedules[s.schedules.length - 1]!;
  const then = before?.scenarios[0]?.schedules;
  const points = (list: Schedule[], y: (x: Schedule) => number): { x: number; y: number }[] => list.map((x) => ({ x: x.processors, y: y(x) }));
  const lines: Line[] = [
    { name: 'now', tone: 'cat0', points: s.schedules.map((x) => ({ x: x.processors, y: x.speedup, low: (x.speedup * x.time) / x.time_high, high: (x.speedup * x.time) / x.time_low })) },
    { name: "Amdahl's bound", tone: 'cat7', dashed: true, points: points(s.schedules, (x) => x.amdahl) },
    ...(then && then.some((x, i) => x.speedup !== s.schedules[i]?.speedup) ? [{ name: 'as it began', tone: 'cat1', dashed: true, points: points(then, (x) => x.speedup) }] : []),
  ];
  const stops = forbidden(props.p, props.text);
  return (
    <>
      <Sentence now={one} before={then?.find((x) => x.processors === one.processors)} clock={clock} />
      {stops.length > 0 && <p class="banner">The recording shows that iterations of {stops.map((x) => short(x, 40)).join(', ')} need their order: shared out like this, the program would be wrong.</p>}
      {props.answer.notes.length > 0 && <ul class="notes">{props.answer.notes.map((n) => <li key={n}>{safe(n)}</li>)}</ul>}
      <Chart id="whatif-speedup" title="Speed-up" tip="Against the sequential run, hardware blocks in place. The range comes from the spreads of the platform's figures." below={<Legend items={linesLegend(lines)} />}>
        <Lines lines={lines} x="processors" y="times as fast" label="speed-up over processors" />
      </Chart>
      <Chart id="whatif-stacks" title="What the time is spent on" tip={`${clock} per processor; the parts add up to the time.`} below={<Legend items={PARTS.map((name, k) => [TONES[k]!, name])} />}>
        <Stacks rows={s.schedules} clock={clock} />
      </Chart>
      <Chart id="whatif-schedule" title={`The schedule on ${one.processors} ${one.processors === 1 ? 'core' : 'cores'}`} tip="Each core over time, coloured by what it does; the DMA's channels below." controls={<Choice label="Cores" value={String(one.processors)} set={(v) => props.setAt(Number(v))} options={s.schedules.map((x) => [String(x.processors), String(x.processors)])} />} below={<Legend items={PARTS.map((name, k) => [TONES[k]!, name])} />}>
        <Gantt answer={props.answer} schedule={one} names={props.names} clock={clock} />
      </Chart>
      {one.regions.length > 0 && <DataTable id="whatif-regions" label="regions" cols={REGION_COLS} rows={one.regions} sort="-time" />}
    </>
  );
}

// What the tool is to be told for the same figures.
function commandOf(p: Profile, data: WhatifData, rq: Request, contention: string): string {
  const platform = data.platform.startsWith('own/') ? base(data.platform).replace(/\.ini$/, '') : data.platform;
  return ['corecast predict', short(base(p.path), 60), `--platform ${platform}`, '--scenario directives.omp', `--cores ${rq.cores.join()}`, `--contention ${contention}`, ...rq.sets.map((s) => `--set ${s}`)].join(' ');
}

const NAME = 'directives.omp';

interface Told {
  answer: Answer;
  told: Prediction | null; // it failed
}

function Controls(props: { p: Profile; data: WhatifData; engine: Engine; broken: () => void }): JSX.Element {
  const { p, data, engine } = props;
  const tasks = useMemo(() => (JSON.parse(engine.tasks) as { rows: Task[] }).rows, [engine]);
  const starts = useMemo(() => begins(p, data, tasks), [engine]);
  const [from] = useParam('from', '0');
  const start = starts[Number(from)] ?? starts[0]!;
  const [text, setText] = useParam('text', start.text);
  const setMany = useParams();
  const [mostText, setMost] = useParam('cores', String(Math.min(64, Math.max(4, data.cores))));
  const most = Math.max(1, Math.min(1024, Math.floor(Number(mostText)) || 1));
  const [atText, setAt] = useParam('at', '');
  const [overheadText, setOverhead] = useParam('overhead', '1');
  const [contention, setContention] = useParam('contention', 'auto');
  const [memory, setMemory] = useParam('memory', ''); // NAME=CYCLES;NAME=CYCLES
  const [dma, setDma] = useParam('dma', '');
  const [cpiText, setCpi] = useParam('cpi', String(data.cpi));
  const [home, setHome] = useParam('data', data.data_memory ?? '');
  const latencies = new Map(memory.split(';').filter(Boolean).map((x) => x.split('=') as [string, string]));
  const costs = new Map(dma.split(';').filter(Boolean).map((x) => x.split('=') as [string, string]));
  const written = (m: Map<string, string>, key: string, v: number, given: number): string => { const c = new Map(m); if (v === given) c.delete(key); else c.set(key, String(v)); return [...c].map(([k, x]) => `${k}=${x}`).join(';'); };
  const overhead = Math.max(0, Number(overheadText)) || 0;
  const at = Math.min(most, Math.floor(Number(atText)) || most);
  const request: Request = {
    cores: coresUpTo(most, at), at, contention, scenarios: [{ name: NAME, text }],
    sets: [...(overhead === 1 ? [] : [`openmp.scale=${overhead}`]), ...(Number(cpiText) === data.cpi ? [] : [`platform.cpi=${cpiText}`]), ...(home === (data.data_memory ?? '') ? [] : [`platform.data_memory=${home}`]), ...[...latencies].map(([k, v]) => `memory.${k}.read=${v}`), ...[...costs].map(([k, v]) => `dma.${k}=${v}`)],
  };
  const key = JSON.stringify(request);
  const good = useRef<Told | null>(null);
  const ask = (rq: Request): Told => {
    try {
      const answer = engine.run(data.platform, rq);
      return { answer, told: answer.message ? null : (JSON.parse(answer.json) as Prediction) };
    } catch (e) {
      queueMicrotask(props.broken);
      return { answer: { message: `it could not be computed: ${String(e)}`, json: '', notes: [], segments: new Float64Array() }, told: null };
    }
  };
  const now = useMemo(() => ask(request), [engine, key]);
  const before = useMemo(() => ask({ cores: request.cores, at: 0, contention: 'auto', sets: [], scenarios: [{ name: NAME, text: start.text }], middle: true }).told, [engine, from, request.cores.join()]);
  if (now.told) good.current = now;
  const shown = good.current;
  const model = shown?.told?.scenarios[0]?.contention_model ?? contention;
  return (
    <>
      {data.depth > 0 && <p class="banner">The run has {count(data.tasks)} tasks: those more than {data.depth} deep are counted as part of the task they ran in. corecast predict has them all.</p>}
      <div class="card">
        <div class="controls">
          <Choice label="Begin with" value={from} set={(v) => setMany({ from: v === '0' ? null : v, text: null })} options={starts.map((s, i) => [String(i), short(s.name, 50)])} />
          <Slider label="Cores up to" value={most} min={1} max={Math.max(64, data.cores)} set={(v) => setMost(String(v))} tip="processors predicted for; a platform has its own number, and beyond it a larger one of its kind is meant" />
          <DirectiveControls text={text} set={setText} />
          <Slider label="Overheads" value={placeOf(overhead)} min={-20} max={20} show={() => `${overhead} times`} set={(v) => setOverhead(String(scaleOf(v)))} tip="all costs of the OpenMP runtime are multiplied by this" />
          <Choice label="Contention" value={contention} set={setContention} options={[['auto', 'measured, or the model'], ['model', 'the model'], ['off', 'none']]} />
          {data.clock === 'instructions' && <Numeric label="Cycles an instruction" value={Number(cpiText)} min={0.01} set={(v) => setCpi(String(v))} tip="the recording counts instructions: how many cycles one takes on average" />}
          {data.counters.some((c) => c.startsWith('mem.')) && data.memories.length > 0 && <Choice label="Data lies in" value={home} set={setHome} options={[...(data.data_memory ? [] : [['', 'not told'] as [string, string]]), ...data.memories.map((m): [string, string] => [m.name, short(m.name, 30)])]} />}
          {data.memories.filter((m) => m.name === home || data.counters.some((c) => c.startsWith(`${m.name}.`))).map((m) => <Numeric key={m.name} label={`Read of ${short(m.name, 20)}`} value={Number(latencies.get(m.name) ?? m.read)} min={0} set={(v) => setMemory(written(latencies, m.name, v, m.read))} tip="cycles that one read of this memory takes a core" />)}
          {movesData(text) && data.dma.i0 !== undefined && <Numeric label="DMA start" value={Number(costs.get('i0') ?? data.dma.i0)} min={0} set={(v) => setDma(written(costs, 'i0', v, data.dma.i0!))} tip="cycles to start a transfer" />}
          {movesData(text) && data.dma.alpha !== undefined && <Numeric label="DMA per byte" value={Number(costs.get('alpha') ?? data.dma.alpha)} min={0} set={(v) => setDma(written(costs, 'alpha', v, data.dma.alpha!))} tip="cycles for each byte of a transfer" />}
        </div>
        <p class="readout">The same from the command line, with the directives below in directives.omp: <Command text={commandOf(p, data, request, model)} /></p>
      </div>
      <Editor text={text} set={setText} tasks={tasks} message={now.answer.message} />
      {shown?.told && <Results p={p} answer={shown.answer} now={shown.told} before={before} at={at} setAt={(v) => setAt(v === most ? '' : String(v))} names={engine.names} text={text} />}
    </>
  );
}

export function Whatif(): JSX.Element {
  const p = useProfile();
  const data = p.whatif;
  if (!data || data.missing)
    return (
      <div class="missing">
        <p><b>What if</b> predicts, on this page, what other cores, schedules, costs and hardware would give. Here it cannot: {safe(data?.missing ?? 'the page has no task graph')}.</p>
        {data?.hint && <p>{safe(data.hint)}</p>}
        <p><Command text={recordCommand(p, '--loops dependences --tasks loops')} /></p>
        <p><Command text={`corecast report ${short(base(p.path), 60)} --platform cortex-a-quad --html page.html`} /></p>
      </div>
    );
  return <Running p={p} data={data} />;
}

function Running(props: { p: Profile; data: WhatifData }): JSX.Element {
  const [engine, failure, broken] = useEngine(props.p);
  if (failure) return <div class="missing"><p><b>What if</b> could not be started: {safe(failure)}.</p></div>;
  if (!engine) return <p class="lead">…</p>;
  return <Controls p={props.p} data={props.data} engine={engine} broken={broken} />;
}
