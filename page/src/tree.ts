// The tree of calls: as it ran, and turned around.
import type { Profile, Row } from './data';
import { Table } from './data';

export interface Call {
  name: string;
  inclusive: number;
  exclusive: number;
  calls: number;
  parent: Call | null;
  children: Call[];
  depth: number;
  start: number; // where its box begins, in instructions from the left
  id: number;
}

function order(root: Call): Call[] {
  const all: Call[] = [];
  const open: Call[] = [root];
  while (open.length) {
    const c = open.pop()!;
    c.id = all.length;
    all.push(c);
    c.children.sort((a, b) => b.inclusive - a.inclusive);
    let at = c.start;
    for (const child of c.children) {
      child.depth = c.depth + 1;
      child.start = at;
      at += child.inclusive;
    }
    for (let i = c.children.length - 1; i >= 0; i--) open.push(c.children[i]!);
  }
  return all;
}

const call = (name: string, r: Partial<Call>, parent: Call | null): Call => {
  const c = { name, inclusive: 0, exclusive: 0, calls: 0, parent, children: [], depth: 0, start: 0, id: 0, ...r };
  parent?.children.push(c);
  return c;
};

// Numbered as they began; numbers of the system are used again.
export const threadName = (p: Profile, thread: Row): string => `thread ${threads(p).indexOf(thread) + 1} (tid ${thread['tid']})`;

function threadTree(p: Profile, thread: Row, parent: Call | null): Call | null {
  const table = thread['root'];
  if (!(table instanceof Table) || !table.length) return null;
  const made: Call[] = [];
  table.rows.forEach((r, i) => {
    const up = table.parents?.[i] ?? -1;
    const rooted = parent ? threadName(p, thread) : (r['name'] as string);
    made.push(call(up < 0 ? rooted : (r['name'] as string), { inclusive: r['inclusive'], exclusive: r['exclusive'], calls: r['calls'] }, up < 0 ? parent : made[up]!));
  });
  return made[0]!;
}

export function threads(p: Profile): Row[] {
  return p.table('calltree', 'threads')?.rows ?? [];
}

// All calls, those of callers before their callees'. thread: its number from 1 on, '' for all.
export function callTree(p: Profile, thread: string): Call[] {
  const all = threads(p).filter((_, i) => thread === '' || String(i + 1) === thread);
  if (all.length === 1) {
    const root = threadTree(p, all[0]!, null);
    return root ? order(root) : [];
  }
  if (!all.length) return [];
  const root = call('all threads', {}, null);
  for (const t of all) {
    const made = threadTree(p, t, root);
    if (made) root.inclusive += made.inclusive;
  }
  return order(root);
}

// From what is executed up to who called it: each function once, its callers below it.
export function callersTree(calls: Call[]): Call[] {
  const root = call('all functions', {}, null);
  const under = new Map<Call, Map<string, Call>>();
  const down = (at: Call, name: string): Call => {
    let names = under.get(at);
    if (!names) under.set(at, (names = new Map()));
    let c = names.get(name);
    if (!c) names.set(name, (c = call(name, {}, at)));
    return c;
  };
  for (const c of calls) {
    if (!c.exclusive) continue;
    root.inclusive += c.exclusive;
    let at = root;
    for (let up: Call | null = c, depth = 0; up && depth < 40; up = up.parent, depth++) {
      at = down(at, up.name);
      at.inclusive += c.exclusive;
      if (up === c) {
        at.exclusive += c.exclusive;
        at.calls += c.calls;
      }
    }
  }
  return order(root);
}

export function path(c: Call): string[] {
  const names: string[] = [];
  for (let up: Call | null = c; up; up = up.parent) names.unshift(up.name);
  return names;
}
