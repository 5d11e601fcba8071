// What the tool wrote into the page: results whose tables are tables still. README.md describes the form.
import type { WhatifData } from './engine';

export type Type = 'text' | 'int' | 'count' | 'bytes' | 'number' | 'share' | 'bool' | 'list' | 'map' | 'table' | 'record';

export interface Col {
  key: string;
  type: Type;
  title?: string;
  digits?: number;
  unit?: string;
  meaning?: string;
  cols?: Col[];
}

// Keys are the names of the columns, "from.line" included.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Row = Record<string, any>;

interface RawTable {
  cols: Col[];
  rows: unknown[][];
  parents?: number[];
  cut?: number;
}

let strings: string[] = [];

function cell(raw: unknown, col: Col): unknown {
  if (raw === null) return null;
  if (col.type === 'text' && typeof raw === 'number') return strings[raw];
  if (col.type === 'table' || col.type === 'record') return new Table({ ...(raw as RawTable), cols: col.cols ?? [] });
  return value(raw);
}

export class Table {
  readonly cols: Col[];
  readonly parents: number[] | null;
  readonly cut: number; // rows that the page was not given
  private made: Row[] | null = null;
  constructor(private raw: RawTable) {
    this.cols = raw.cols;
    this.parents = raw.parents ?? null;
    this.cut = raw.cut ?? 0;
  }
  get length(): number {
    return this.raw.rows.length;
  }
  get rows(): Row[] {
    if (!this.made)
      this.made = this.raw.rows.map((cells) => {
        const row: Row = {};
        this.cols.forEach((col, i) => (row[col.key] = cell(cells[i], col)));
        return row;
      });
    return this.made;
  }
  col(key: string): Col {
    return this.cols.find((c) => c.key === key) ?? { key, type: 'number' };
  }
}

function value(raw: unknown): unknown {
  if (Array.isArray(raw)) return raw.map(value);
  if (raw === null || typeof raw !== 'object') return raw;
  const o = raw as Record<string, unknown>;
  if (typeof o['$'] === 'number') return strings[o['$'] as number];
  if (o['$table']) return new Table(o as unknown as RawTable);
  if (o['$record']) {
    const t = new Table(o as unknown as RawTable);
    return t.rows[0] ?? null;
  }
  return Object.fromEntries(Object.entries(o).map(([k, v]) => [k, k === '$notes' ? v : value(v)]));
}

// A view, or why there is none.
export interface View {
  missing?: string;
  hint?: string;
  notes: string[];
  [key: string]: unknown;
}

function view(raw: unknown): View {
  const o = raw as Record<string, unknown>;
  if (typeof o['$missing'] === 'string') return { missing: o['$missing'], hint: o['hint'] as string | undefined, notes: [] };
  const made = value(o) as View;
  made.notes = (o['$notes'] as string[]) ?? [];
  return made;
}

export interface Source {
  file: string;
  changed: boolean;
  text: string[] | null; // null: too large
}

export class Profile {
  readonly path: string;
  readonly sources: Map<string, Source>;
  readonly whatif: WhatifData | null;
  private made = new Map<string, View>();
  private views: Record<string, unknown>;
  constructor(raw: Record<string, unknown>, readonly engine: string | null) {
    this.whatif = (raw['whatif'] as WhatifData | undefined) ?? null;
    this.path = raw['path'] as string;
    this.views = raw['views'] as Record<string, unknown>;
    this.sources = new Map();
    for (const s of (raw['sources'] ?? []) as { file: number; changed: boolean; text: string | null }[]) {
      const file = strings[s.file]!;
      this.sources.set(file, { file, changed: s.changed, text: s.text === null ? null : s.text.replace(/\n$/, '').split('\n') });
    }
  }
  has(name: string): boolean {
    return name in this.views;
  }
  view(name: string): View {
    let v = this.made.get(name);
    if (!v) {
      v = name in this.views ? view(this.views[name]) : { missing: 'the profile has none', notes: [] };
      this.made.set(name, v);
    }
    return v;
  }
  table(name: string, key: string): Table | null {
    const t = this.view(name)[key];
    return t instanceof Table ? t : null;
  }
}

export interface Page {
  tool: string;
  open: string | null;
  withSources: boolean;
  profiles: Profile[];
}

export function readPage(): Page {
  const raw = JSON.parse(document.getElementById('data')!.textContent!) as Record<string, unknown>;
  strings = raw['strings'] as string[];
  return {
    tool: raw['tool'] as string,
    open: raw['open'] as string | null,
    withSources: raw['with_sources'] as boolean,
    profiles: (raw['profiles'] as Record<string, unknown>[]).map((p) => new Profile(p, (raw['engine'] as string | undefined) ?? null)),
  };
}
