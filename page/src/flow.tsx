// Which data goes from whom to whom.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Profile, Row, Table, View } from './data';
import { bytes, count, safe, share, short, whole } from './format';
import { Graph } from './graph';
import { recordCommand } from './loops';
import { Matrix } from './matrix';
import { useParam } from './state';
import { around, flowOf, joinedOf, levelsOf, objectsAmong, pieces, type Flow as Streams, type Stream, through } from './streams';
import { Bar, Chart, Choice, column, type Column, Command, DataTable, Missing, Notes, Pick, useProfile } from './ui';

const CHOSEN = 3; // objects among regions until others are chosen
const key = (s: Stream): string => `${s.from}\u0001${s.to}`;

// --- one stream ---

function Frames(props: { p: Profile; s: Stream }): JSX.Element | null {
  const rows = (props.p.table('frames', 'streams')?.rows ?? []).filter((r) => r['from'] === props.s.from && r['to'] === props.s.to);
  if (!rows.length) return null;
  const most = Math.max(...rows.map((r) => r['bytes'] as number));
  return (
    <details>
      <summary>Frames it was written and read in</summary>
      <ul class="reasons">
        {rows.sort((a, b) => b['bytes'] - a['bytes']).slice(0, 30).map((r, i) => (
          <li key={i}><Bar v={r['bytes'] / most} /> written in frame {r['producer_frame'] ?? '?'}, read in frame {r['consumer_frame']}: {bytes(r['bytes'])}</li>
        ))}
      </ul>
    </details>
  );
}

function Channel(props: { p: Profile; s: Stream; level: string }): JSX.Element | null {
  if (props.level !== 'function') return null;
  const v = props.p.view('channel');
  const ends = [v['from'], v['to']];
  if (!v.missing && ends[0] === props.s.from && ends[1] === props.s.to) {
    const suggestion = v['suggestion'] as Row | undefined;
    return <p>The channel it would need: <b>{safe(String(suggestion?.['kind'] ?? 'unknown'))}</b>{typeof suggestion?.['size'] === 'number' ? ` of ${bytes(suggestion['size'])}` : ''}.</p>;
  }
  if (props.s.from.startsWith('<') || props.s.to.startsWith('<')) return null;
  return (
    <details>
      <summary>The channel it would need</summary>
      <p>A recording of this one channel tells order, window and buffer size: <Command text={recordCommand(props.p, `--channel '${props.s.from}:${props.s.to}'`)} /></p>
    </details>
  );
}

function Detail(props: { p: Profile; flow: Streams; s: Stream; level: string; enter: (n: string) => void }): JSX.Element {
  const { p, s, flow } = props;
  const exact = p.view('comm')['fresh_exact'] !== false; // else first reads are a lower bound
  const objects = props.level === 'function' ? through(p, s.from, s.to) : [];
  const sources = (s.row['sources'] as Table | null)?.rows ?? [];
  const fact = (name: string, v: unknown, show: (n: number) => string): JSX.Element => <div><dt>{name}</dt><dd>{typeof v === 'number' ? show(v) : 'unknown'}</dd></div>;
  return (
    <div class="card detail" id="stream-detail" aria-live="polite">
      <h3><Pick name={s.from} onClick={() => props.enter(s.from)} /> → <Pick name={s.to} onClick={() => props.enter(s.to)} /></h3>
      <dl class="facts">
        <div data-tip={`${whole(s.bytes)} bytes: every read counts`}><dt>bytes</dt><dd>{bytes(s.bytes)}</dd></div>
        <div><dt>of all between nodes</dt><dd>{share(s.bytes / (flow.between || 1))}</dd></div>
        {fact('distinct addresses', s.row['unma'], count)}
        {fact('reads', s.row['reads'], count)}
        {fact('fresh bytes', s.row['fresh'], bytes)}
        {typeof s.row['unma'] === 'number' && s.row['unma'] > 0 && <div><dt>each address read</dt><dd>{(s.bytes / s.row['unma']).toFixed(1)} times</dd></div>}
        <div><dt>critical data path</dt><dd>{s.row['critical_fresh'] ? 'yes' : 'no'}</dd></div>
      </dl>
      {typeof s.row['fresh'] === 'number' && <p>An explicit copy would carry {exact ? '' : 'at least '}{bytes(s.row['fresh'])}; the rest of the {bytes(s.bytes)} {exact ? 'is' : 'may be'} the same data read again.</p>}
      {sources.length > 0 && <ul class="reasons">{sources.slice(0, 20).map((r, i) => <li key={i}>{safe(r['call'] ?? '')} <bdi>{safe(r['file'] ?? '')}</bdi> {bytes(r['bytes'])}</li>)}</ul>}
      {objects.length > 0 && (
        <details open>
          <summary>{objects.length} object{objects.length > 1 ? 's' : ''} that the one writes and the other reads</summary>
          <ul class="reasons">{objects.slice(0, 30).map((o) => <li key={o.object}><b><bdi>{safe(o.object).slice(0, 200)}</bdi></b>: {bytes(o.written)} written, {bytes(o.read)} read</li>)}</ul>
        </details>
      )}
      <Frames p={p} s={s} />
      <Channel p={p} s={s} level={props.level} />
    </div>
  );
}

function CriticalPath(props: { view: View }): JSX.Element | null {
  const fresh = props.view['critical_path_fresh'], all = props.view['critical_path'];
  const names = Array.isArray(fresh) && fresh.length > 1 ? fresh : Array.isArray(all) ? all : [];
  return names.length > 1 ? (
    <p class="where" id="critical" data-tip="The heaviest way of values through the program: what a port has to move.">
      Critical data path: {names.slice(0, 60).map((n) => short(String(n), 40)).join(' → ')}
    </p>
  ) : null;
}

// --- what is shown ---

// Which objects stand among the regions.
function Objects(props: { all: { name: string; bytes: number }[]; chosen: Set<string>; set: (v: string) => void; frame: string }): JSX.Element {
  const flip = (name: string, on: boolean): void => {
    const next = new Set(props.chosen);
    if (on) next.add(name);
    else next.delete(name);
    props.set([...next].join('\u0001'));
  };
  return (
    <>
      <fieldset class="choose" id="objects-among">
        <legend>Objects between the regions</legend>
        {props.all.slice(0, 40).map((o) => (
          <label key={o.name} data-tip={`${safe(o.name).slice(0, 300)}: ${bytes(o.bytes)} written and read`}>
            <input type="checkbox" checked={props.chosen.has(o.name)} onChange={(e) => flip(o.name, e.currentTarget.checked)} /> <bdi>{short(o.name, 36)}</bdi>
          </label>
        ))}
      </fieldset>
      {props.frame !== '' && <p class="where">Dashed: through objects, counted over the whole run, by regions that ran in frame {props.frame}. What went through an object in one frame was not recorded.</p>}
    </>
  );
}


function Pieces(props: { streams: Stream[]; all: Stream[] }): JSX.Element {
  const found = useMemo(() => pieces(props.streams.flatMap((s) => [s.from, s.to]), props.streams), [props.streams]);
  const hidden = props.all.length - props.streams.length;
  const left = props.all.slice(props.streams.length).reduce((s, x) => s + x.bytes, 0);
  return (
    <p class={`count ${found.length > 1 ? 'warn' : ''}`} id="pieces" role="status">
      {props.streams.length} of {props.all.length} streams{hidden > 0 ? `; the ${hidden} left out carry ${bytes(left)}` : ''}.
      {found.length > 1 && ` They make ${found.length} pieces that nothing shown joins: ${found.slice(0, 4).map((g) => `${short(g[0]!, 24)}${g.length > 1 ? ` and ${g.length - 1} more` : ''}`).join('; ')}${found.length > 4 ? '; …' : ''}.`}
    </p>
  );
}

function columns(t: Table, between: number, pick: (r: Row) => void): Column[] {
  const has = (k: string): boolean => t.cols.some((c) => c.key === k);
  const cols = [
    column(t, 'from', { show: (r) => <Pick name={r['from']} onClick={() => pick(r)} />, wide: true }),
    column(t, 'to', { wide: true, show: (r) => <bdi>{short(r['to'], 56)}</bdi> }),
    column(t, 'bytes'),
    { key: 'share', title: 'share', col: { key: 'share', type: 'share', meaning: 'of the bytes between different nodes' }, value: (r: Row) => (r['from'] === r['to'] ? null : r['bytes'] / (between || 1)) } as Column,
  ];
  for (const k of ['unma', 'reads', 'fresh', 'critical_fresh']) if (has(k)) cols.push(column(t, k, k === 'critical_fresh' ? { title: 'critical path' } : {}));
  return cols;
}

export function Flow(): JSX.Element {
  const p = useProfile();
  const levels = levelsOf(p);
  const [asked, setLevel] = useParam('by', levels[0]?.[0] ?? 'function');
  const level = levels.some(([k]) => k === asked) ? asked : (levels[0]?.[0] ?? 'function');
  const [frame, setFrame] = useParam('frame', '');
  const [least, setLeast] = useParam('min', '');
  const [focus, setFocus] = useParam('focus', '');
  const [chosen, choose] = useParam('stream', '');
  const [sort, setSort] = useParam('order', 'weight');
  const joined = level === 'joined';
  const [objectsText, setObjects] = useParam('objects', '*');
  const among = useMemo(() => (joined ? objectsAmong(p) : []), [p, joined]);
  const objects = useMemo(() => new Set(objectsText === '*' ? among.slice(0, CHOSEN).map((o) => o.name) : objectsText.split('\u0001').filter(Boolean)), [objectsText, among]);
  const flow = useMemo(() => (joined ? joinedOf(p, objects, frame) : flowOf(p, level, frame)), [p, level, frame, objects]);
  const near = useMemo(() => (focus ? around(flow.streams, focus, 1) : flow.streams), [flow, focus]);
  const [look, setLook] = useParam('look', near.length > 400 && !focus ? 'matrix' : 'graph');
  const limit = look === 'graph' ? 100 : near.length;
  const steps = useMemo(() => thresholds(near), [near]);
  const start = look === 'graph' ? String(Math.min(steps.length - 1, steps.findIndex((n) => n >= Math.min(near.length, 24)))) : String(steps.length - 1);
  const step = Math.max(0, Math.min(steps.length - 1, Number(least === '' ? start : least)));
  const streams = useMemo(() => near.slice(0, Math.min(steps[step] ?? 0, limit)), [near, steps, step, limit]);
  const rows = useRows(flow);
  const view = p.view('comm');
  if (view.missing || !flow.table) return <Missing what="Data flow:" view={view.missing ? view : { missing: 'nothing flows', notes: [] }} />;
  const picked = flow.streams.find((s) => key(s) === chosen) ?? null;
  const pick = (s: Stream): void => choose(key(s));
  const pickRow = (r: Row): void => choose(`${r['from']}\u0001${r['to']}`);
  const enter = (name: string): void => { setFocus(name === focus ? '' : name); setLeast(''); };
  const frames = p.table('frames', 'frames')?.rows ?? [];
  const framesBy = p.view('frames')['by'];
  return (
    <>
      <Notes view={view} />
      <Chart
        id="flow"
        title={`Data flow between ${levels.find(([k]) => k === level)?.[1] ?? level}${frame ? `, read in frame ${frame}` : ''}`}
        tip="A stream are the bytes one reads that another wrote last. Arrows are as wide as their stream is heavy; the critical data path stands out. A click on an arrow tells all of it, a click on a node shows its neighbourhood."
        controls={
          <>
            <Choice label="Look" value={look} set={(v) => { setLook(v); setLeast(''); }} options={[['graph', 'graph'], ['matrix', 'matrix']]} />
            <Choice label="Between" value={level} set={(v) => { setLevel(v); setFocus(''); choose(''); setLeast(''); setFrame(''); }} options={levels} />
            {frames.length > 0 && framesBy === (joined ? 'region' : level) && <Choice label="Frame" value={frame} set={(v) => { setFrame(v); choose(''); setLeast(''); }} options={[['', 'the whole run'], ...frames.slice(0, 500).map((f) => [String(f['index']), `frame ${f['index']}`] as [string, string])]} />}
            {look === 'matrix' && <Choice label="Order" value={sort} set={setSort} options={[['weight', 'by weight'], ['flow', 'producers first'], ['name', 'by name']]} />}
            <label class="control">
              <span>Streams of at least {bytes(streams[streams.length - 1]?.bytes ?? 0)}</span>
              <input id="threshold" type="range" min={0} max={Math.max(0, steps.length - 1)} value={step} onInput={(e) => setLeast(e.currentTarget.value)} aria-valuetext={`${streams.length} streams`} />
            </label>
            {focus && <button onClick={() => enter(focus)}>All, not only around {short(focus, 24)}</button>}
          </>
        }
        below={<>{joined && <Objects all={among} chosen={objects} set={(v) => { setObjects(v); setLeast(''); }} frame={frame} />}<Pieces streams={streams} all={near} />{frame === '' && !joined && <CriticalPath view={p.view(level === 'function' ? 'comm' : `comm_${level}`)} />}</>}
      >
        {streams.length === 0 ? <p class="missing">No data flows between different nodes here.</p> : look === 'graph' ? <Graph flow={flow} streams={streams} chosen={picked} focus={focus} pick={pick} enter={enter} /> : <Matrix flow={flow} streams={streams} sort={sort} chosen={picked} pick={pick} />}
      </Chart>
      {picked && <Detail p={p} flow={flow} s={picked} level={level} enter={enter} />}
      <DataTable id="streams" label="streams" cols={columns(flow.table, flow.between, pickRow)} rows={rows} sort="-bytes" pick={pickRow} picked={(r) => picked !== null && r === picked.row} cut={flow.table.cut} />
    </>
  );
}

function useRows(flow: Streams): Row[] {
  return useMemo(() => [...flow.streams.map((s) => s.row), ...[...flow.selves.values()].map((s) => s.row)], [flow]);
}

// How many streams each step of the slider shows: few at first, then all, streams of equal weight together.
function thresholds(streams: Stream[]): number[] {
  const steps: number[] = [];
  for (let n = 1; n < streams.length; n = Math.max(n + 1, Math.ceil(n * 1.15))) {
    let end = n;
    while (end < streams.length && streams[end]!.bytes === streams[end - 1]!.bytes) end++;
    if (steps[steps.length - 1] !== end) steps.push(end);
  }
  if (streams.length && steps[steps.length - 1] !== streams.length) steps.push(streams.length);
  return steps;
}
