// Data objects: how large, who touches them, how much.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { hierarchy, treemap } from 'd3-hierarchy';
import type { Row } from './data';
import { hash, heat, tone } from './colors';
import { bytes, count, place, safe, short } from './format';
import { recordCommand } from './loops';
import { useParam } from './state';
import { Legend } from './calls';
import { Bar, Chart, Choice, column, type Column, Command, DataTable, Notes, Part, Pick, useProfile, useWidth } from './ui';

const moved = (o: Row): number => (o['bytes_read'] ?? 0) + (o['bytes_written'] ?? 0);
const SIZES: Record<string, { what: string; of: (o: Row) => number }> = {
  traffic: { what: 'bytes read and written', of: moved },
  size: { what: 'most bytes alive at a time', of: (o) => o['peak'] ?? o['size'] ?? 0 },
  total: { what: 'bytes allocated in all', of: (o) => o['total'] ?? o['size'] ?? 0 },
};

interface Users {
  by: Map<number, Row[]>;
}

function Treemap(props: { objects: Row[]; users: Users; size: string; color: string; chosen: Row | null; pick: (o: Row) => void }): JSX.Element {
  const [box, width] = useWidth();
  const high = width < 500 ? 320 : 420;
  const of = SIZES[props.size]!.of;
  const leaves = useMemo(() => {
    const list = props.objects.filter((o) => of(o) > 0).sort((a, b) => of(b) - of(a)).slice(0, 400);
    const root = hierarchy<{ o?: Row; children?: { o: Row }[] }>({ children: list.map((o) => ({ o })) }).sum((d) => (d.o ? of(d.o) : 0));
    return treemap<{ o?: Row; children?: { o: Row }[] }>().size([width, high]).paddingInner(1.5).round(true)(root).leaves();
  }, [props.objects, props.size, width, high]);
  const most = Math.max(1, ...props.objects.map((o) => moved(o) / Math.max(1, o['peak'] ?? o['size'] ?? 1)));
  const paint = (o: Row): string => {
    if (props.color === 'kind') return tone(['global', 'stack', 'heap'].indexOf(o['kind']) + 1);
    if (props.color === 'reuse') return heat(Math.log1p(moved(o) / Math.max(1, o['peak'] ?? o['size'] ?? 1)) / Math.log1p(most));
    return tone(hash(String(props.users.by.get(o['id'])?.[0]?.['function'] ?? '')));
  };
  return (
    <div ref={box}>
      <svg width={width} height={high} role="group" aria-label={`Objects: area is ${SIZES[props.size]!.what}`}>
        {leaves.map((l, i) => {
          const o = l.data.o;
          if (!o) return null;
          const w = l.x1 - l.x0, h = l.y1 - l.y0;
          const c = paint(o);
          const who = (props.users.by.get(o['id']) ?? []).slice(0, 3).map((a) => short(a['function'], 40)).join(', ');
          const tip = `${safe(o['name'] ?? '').slice(0, 200)} (${o['kind']})\n${bytes(o['peak'] ?? o['size'] ?? 0)} at most, ${bytes(moved(o))} moved\n${who ? `touched by ${who}` : 'touched by nobody'}`;
          return (
            <g key={i} class={`box ${o === props.chosen ? 'here' : ''}`} role="button" tabindex={i < 60 ? 0 : -1} aria-label={tip} data-tip={tip} onClick={() => props.pick(o)} onKeyDown={(e) => e.key === 'Enter' && props.pick(o)}>
              <rect x={l.x0} y={l.y0} width={w} height={h} rx={2} class={`fill-${c}`} />
            </g>
          );
        })}
        <g aria-hidden="true">
          {leaves.map((l, i) => {
            const o = l.data.o;
            const w = l.x1 - l.x0, h = l.y1 - l.y0;
            return o && w > 46 && h > 18 && (
              <g key={i}>
                <text x={l.x0 + 5} y={l.y0 + 15} class={`on-${paint(o)}`}>{short(o['name'] ?? '', Math.floor((w - 8) / 7))}</text>
                {h > 36 && w > 60 && <text x={l.x0 + 5} y={l.y0 + 31} class={`on-${paint(o)} small`}>{bytes(of(o))}</text>}
              </g>
            );
          })}
        </g>
      </svg>
    </div>
  );
}

function Detail(props: { o: Row; users: Row[] }): JSX.Element {
  const { o, users } = props;
  const most = Math.max(1, ...users.map((u) => u['bytes_read'] + u['bytes_written']));
  return (
    <div class="card detail" aria-live="polite">
      <h3><bdi>{safe(o['name'] ?? '').slice(0, 200)}</bdi> <span class="chip">{o['kind']}</span></h3>
      <dl class="facts">
        <div><dt>at most at a time</dt><dd>{bytes(o['peak'] ?? o['size'] ?? 0)}</dd></div>
        <div><dt>blocks</dt><dd>{count(o['count'] ?? 0)}</dd></div>
        <div><dt>read</dt><dd>{bytes(o['bytes_read'] ?? 0)}</dd></div>
        <div><dt>written</dt><dd>{bytes(o['bytes_written'] ?? 0)}</dd></div>
        <div><dt>where</dt><dd>{place(o['file'], o['line']) || '–'}</dd></div>
        <div><dt>freed at the end</dt><dd>{o['leaked'] ? 'no' : 'yes, or not of the heap'}</dd></div>
      </dl>
      <ul class="reasons">
        {users.slice(0, 20).map((u, i) => <li key={i}><Bar v={(u['bytes_read'] + u['bytes_written']) / most} /> <bdi>{safe(u['function']).slice(0, 200)}</bdi>: {bytes(u['bytes_read'])} read, {bytes(u['bytes_written'])} written, {u['unma'] === null ? 'unknown' : count(u['unma'])} addresses</li>)}
      </ul>
    </div>
  );
}

// The functions that touch some object most, by how much.
function mainUsers(users: Users): [string, string][] {
  const sums = new Map<string, number>();
  for (const [first] of users.by.values()) if (first) sums.set(first['function'], (sums.get(first['function']) ?? 0) + first['bytes_read'] + first['bytes_written']);
  return [...sums].sort((a, b) => b[1] - a[1]).slice(0, 8).map(([name]) => [tone(hash(name)), short(name, 40)]);
}

export function Memory(): JSX.Element {
  const p = useProfile();
  const [size, setSize] = useParam('area', 'traffic');
  const [color, setColor] = useParam('color', 'user');
  const [chosen, choose] = useParam('object', '');
  const t = p.table('objects', 'objects');
  const users = useMemo((): Users => {
    const by = new Map<number, Row[]>();
    for (const a of p.table('objects', 'accesses')?.rows ?? []) {
      const list = by.get(a['object']);
      if (list) list.push(a);
      else by.set(a['object'], [a]);
    }
    for (const list of by.values()) list.sort((a, b) => b['bytes_read'] + b['bytes_written'] - a['bytes_read'] - a['bytes_written']);
    return { by };
  }, [p]);
  if (!t)
    return (
      <div class="missing">
        <p><b>Objects:</b> {safe(p.view('objects').missing ?? '')}. This tells which variables and heap blocks the data lies in, and who touches them:</p>
        <p><Command text={recordCommand(p, '--objects')} /></p>
      </div>
    );
  const object = t.rows.find((o) => String(o['id']) === chosen) ?? null;
  const pick = (o: Row): void => choose(String(o['id']));
  const total = t.rows.reduce((s, o) => s + moved(o), 0) || 1;
  const cols: Column[] = [
    column(t, 'name', { wide: true, show: (r) => <Pick name={r['name'] ?? '(no name)'} onClick={() => pick(r)} /> }),
    column(t, 'kind'),
    { key: 'share', title: 'share', col: { key: 'share', type: 'share', meaning: 'of the bytes read and written in all objects' }, value: (r) => moved(r) / total, show: (r) => <Part v={moved(r) / total} /> },
    ...['bytes_read', 'bytes_written', 'size', 'count', 'peak', 'total', 'reads', 'writes', 'leaked', 'type'].map((k) => column(t, k)),
    column(t, 'file', { title: 'where', show: (r) => place(r['file'], r['line']) }),
  ];
  return (
    <>
      <Notes view={p.view('objects')} />
      <Chart
        id="objects"
        title={`Objects: area is ${SIZES[size]?.what ?? ''}`}
        tip="Global variables, heap blocks by allocation site, variables in frames, named memory."
        controls={<>
          <Choice label="Area" value={size} set={setSize} options={Object.entries(SIZES).map(([k, v]) => [k, v.what])} />
          <Choice label="Colour" value={color} set={setColor} options={[['user', 'who touches it most'], ['kind', 'kind'], ['reuse', 'bytes moved for each byte it has']]} />
        </>}
        below={color === 'kind' ? <Legend items={[[tone(1), 'global'], [tone(2), 'stack'], [tone(3), 'heap']]} /> : color === 'reuse' ? <Legend items={[['heat0', 'touched once'], ['heat6', 'touched most often']]} /> : <Legend items={mainUsers(users)} />}
      >
        <Treemap objects={t.rows} users={users} size={size in SIZES ? size : 'traffic'} color={color} chosen={object} pick={pick} />
      </Chart>
      {object && <Detail o={object} users={users.by.get(object['id']) ?? []} />}
      <DataTable id="objects" label="objects" cols={cols} rows={t.rows} sort="-share" pick={pick} picked={(r) => r === object} cut={t.cut} />
    </>
  );
}
