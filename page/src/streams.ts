// Who gives what to whom, at the level chosen.
import type { Profile, Row } from './data';
import { Table } from './data';

export interface Stream {
  from: string;
  to: string;
  bytes: number;
  row: Row;
}

export interface Node {
  name: string;
  kind: string;
  row: Row;
  in: number;
  out: number;
}

export interface Flow {
  nodes: Node[]; // heaviest first
  streams: Stream[]; // between different nodes, heaviest first
  selves: Map<string, Stream>;
  between: number; // bytes of all streams between nodes, those not on the page too
  table: Table | null;
}

export const LEVELS: [string, string, string][] = [
  ['function', 'functions', 'comm'],
  ['context', 'calling contexts', 'comm_context'],
  ['thread', 'threads', 'comm_thread'],
  ['region', 'regions', 'comm_region'],
  ['object', 'functions and objects', 'comm_object'],
  ['joined', 'regions and chosen objects', 'comm_joined'],
];

export function levelsOf(p: Profile): [string, string][] {
  return LEVELS.filter(([, , view]) => p.has(view) && !p.view(view).missing && (p.table(view, 'nodes')?.length ?? 0) > 1).map(([k, what]) => [k, what]);
}

const build = (rows: Row[], nodes: Row[], between: number, table: Table | null): Flow => {
  const all = new Map<string, Node>();
  const node = (name: string): Node => {
    let n = all.get(name);
    if (!n) all.set(name, (n = { name, kind: 'function', row: {}, in: 0, out: 0 }));
    return n;
  };
  for (const r of nodes) {
    const n = node(r['name']);
    n.kind = r['kind'];
    n.row = r;
  }
  const streams: Stream[] = [];
  const selves = new Map<string, Stream>();
  for (const r of rows) {
    const s: Stream = { from: r['from'], to: r['to'], bytes: r['bytes'], row: r };
    if (s.from === s.to) {
      selves.set(s.from, s);
      continue;
    }
    node(s.from).out += s.bytes;
    node(s.to).in += s.bytes;
    streams.push(s);
  }
  streams.sort((a, b) => b.bytes - a.bytes);
  return { nodes: [...all.values()].sort((a, b) => b.in + b.out - a.in - a.out), streams, selves, between, table };
};

const sum = (streams: Stream[]): number => streams.reduce((s, x) => s + x.bytes, 0);

// The objects that may stand among the regions: those that join several first, each kind heaviest first.
export function objectsAmong(p: Profile): { name: string; bytes: number; users: number }[] {
  const kinds = new Set((p.table('comm_joined', 'nodes')?.rows ?? []).filter((n) => n['kind'] === 'object').map((n) => n['name'] as string));
  const all = new Map<string, { bytes: number; users: Set<string> }>();
  for (const r of p.table('comm_joined', 'edges')?.rows ?? [])
    for (const [n, user] of [[r['from'], r['to']], [r['to'], r['from']]] as [string, string][]) {
      if (!kinds.has(n)) continue;
      const o = all.get(n) ?? { bytes: 0, users: new Set<string>() };
      all.set(n, o);
      o.bytes += r['bytes'];
      o.users.add(user);
    }
  return [...all].map(([name, o]) => ({ name, bytes: o.bytes, users: o.users.size })).sort((a, b) => Number(b.users > 1) - Number(a.users > 1) || b.bytes - a.bytes);
}

// Regions, with the objects that are chosen between them. Of one frame the streams between regions are known; what goes through objects is that of the whole run, by those who ran in the frame.
export function joinedOf(p: Profile, chosen: Set<string>, frame: string): Flow {
  const table = p.table('comm_joined', 'edges');
  const nodes = p.table('comm_joined', 'nodes')?.rows ?? [];
  const objects = new Set(nodes.filter((n) => n['kind'] === 'object').map((n) => n['name'] as string));
  const object = (r: Row): string | null => (objects.has(r['from']) ? r['from'] : objects.has(r['to']) ? r['to'] : null);
  const through = (table?.rows ?? []).filter((r) => { const o = object(r); return o !== null && chosen.has(o); });
  const rows = frame === '' ? (table?.rows ?? []).filter((r) => object(r) === null) : flowOf(p, 'region', frame).streams.map((s) => s.row);
  const ran = new Set((p.table('frames', 'frames')?.rows ?? []).filter((f) => String(f['index']) === frame).flatMap((f) => ((f['regions'] as Table | null)?.rows ?? []).map((r) => r['name'] as string)));
  const seen = frame === '' ? through : through.filter((r) => ran.has(objects.has(r['from']) ? r['to'] : r['from'])).map((r) => ({ ...r, whole: true }));
  const flow = build([...rows, ...seen], nodes.filter((n) => n['kind'] !== 'object' || chosen.has(n['name'])), 0, table);
  flow.between = sum(flow.streams);
  return flow;
}

// frame: '' for the whole run, else what was read in it.
export function flowOf(p: Profile, level: string, frame: string): Flow {
  const name = LEVELS.find(([k]) => k === level)?.[2] ?? 'comm';
  const view = p.view(name);
  const edges = p.table(name, 'edges');
  const nodes = p.table(name, 'nodes')?.rows ?? [];
  if (frame !== '') {
    const rows = new Map<string, Row>();
    for (const r of p.table('frames', 'streams')?.rows ?? []) {
      if (String(r['consumer_frame']) !== frame) continue;
      const key = JSON.stringify([r['from'], r['to']]);
      const have = rows.get(key);
      if (have) have['bytes'] += r['bytes'];
      else rows.set(key, { from: r['from'], to: r['to'], bytes: r['bytes'] });
    }
    const flow = build([...rows.values()], [], 0, p.table('frames', 'streams'));
    flow.between = sum(flow.streams);
    return flow;
  }
  return build(edges?.rows ?? [], nodes, (view['bytes_between'] as number) ?? 0, edges);
}

// Parts of the graph that no stream shown joins, the largest first.
export function pieces(names: Iterable<string>, streams: Stream[]): string[][] {
  const up = new Map<string, string>();
  for (const n of names) up.set(n, n);
  const find = (n: string): string => {
    let r = n;
    while (up.get(r) !== r) r = up.get(r)!;
    while (up.get(n) !== r) {
      const next = up.get(n)!;
      up.set(n, r);
      n = next;
    }
    return r;
  };
  for (const s of streams) up.set(find(s.from), find(s.to));
  const groups = new Map<string, string[]>();
  for (const n of up.keys()) {
    const r = find(n);
    const group = groups.get(r);
    if (group) group.push(n);
    else groups.set(r, [n]);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

// Around a node: the streams from and to it, and those of its neighbours for each further step.
export function around(streams: Stream[], name: string, steps: number): Stream[] {
  let near = new Set([name]);
  let found: Stream[] = [];
  for (let i = 0; i < steps; i++) {
    found = streams.filter((s) => near.has(s.from) || near.has(s.to));
    near = new Set(found.flatMap((s) => [s.from, s.to]));
  }
  return found;
}

// The data objects that a stream from one function to another goes through: what the one writes and the other reads.
export function through(p: Profile, from: string, to: string): { object: string; written: number; read: number }[] {
  const edges = p.table('comm_object', 'edges')?.rows ?? [];
  const written = new Map<string, number>();
  for (const r of edges) if (r['from'] === from) written.set(r['to'], r['bytes']);
  return edges
    .filter((r) => r['to'] === to && written.has(r['from']))
    .map((r) => ({ object: r['from'] as string, written: written.get(r['from'])!, read: r['bytes'] as number }))
    .sort((a, b) => b.read - a.read);
}
