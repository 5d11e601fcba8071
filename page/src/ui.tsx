// The pieces every section is made of.
import type { ComponentChildren, JSX } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { createContext } from 'preact';
import type { Col, Profile, Row, Table, View } from './data';
import { exactly, figure, isNumber, safe, share, short } from './format';
import { useParam } from './state';
import { define, unitOf } from './terms';
import { download, svgText } from './svg';

export const Current = createContext<{ profile: Profile; printing: boolean }>(null!);
export const useProfile = (): Profile => useContext(Current).profile;

// --- what a figure means ---

export function tipOf(col: Col, title?: string): string {
  const unit = unitOf(col);
  return `${safe(title ?? col.title ?? col.key)}: ${define(col)}${unit ? ` [${unit}]` : ''}`;
}

// A figure in a sentence: what it is, and exactly how much, for those who point at it or tab to it.
export function Fig(props: { v: number | null | undefined; col: Col; title?: string }): JSX.Element {
  const { v, col } = props;
  return (
    <b class="fig" tabIndex={0} data-tip={`${exactly(v, col)}\n${tipOf(col, props.title)}`}>
      {figure(v, col)}
    </b>
  );
}

export function Tooltip(): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const show = (e: Event): void => {
      const at = (e.target as Element).closest?.('[data-tip]');
      const div = box.current!;
      if (!at) {
        div.hidden = true;
        return;
      }
      div.textContent = at.getAttribute('data-tip');
      div.hidden = false;
      const r = at.getBoundingClientRect();
      const pointer = e instanceof MouseEvent ? e.clientX : r.left + r.width / 2;
      const w = div.offsetWidth, h = div.offsetHeight;
      div.style.left = `${Math.max(6, Math.min(pointer - w / 2, innerWidth - w - 6))}px`;
      div.style.top = `${r.top > h + 10 ? r.top - h - 8 : Math.min(r.bottom + 8, innerHeight - h - 6)}px`;
    };
    const hide = (e: Event): void => {
      if (!(e instanceof KeyboardEvent) || e.key === 'Escape') box.current!.hidden = true;
    };
    document.addEventListener('mouseover', show);
    document.addEventListener('focusin', show);
    document.addEventListener('keydown', hide);
    addEventListener('scroll', hide, true);
    return () => {
      document.removeEventListener('mouseover', show);
      document.removeEventListener('focusin', show);
      document.removeEventListener('keydown', hide);
      removeEventListener('scroll', hide, true);
    };
  }, []);
  return <div ref={box} class="tooltip" role="tooltip" hidden />;
}

// --- controls ---

export function Choice(props: { label: string; value: string; options: [string, string][]; set: (v: string) => void }): JSX.Element {
  return (
    <label class="control">
      <span>{props.label}</span>
      <select value={props.value} onChange={(e) => props.set(e.currentTarget.value)}>
        {props.options.map(([v, text]) => (
          <option value={v} key={v} selected={v === props.value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Search(props: { label: string; value: string; set: (v: string) => void }): JSX.Element {
  return (
    <label class="control">
      <span>{props.label}</span>
      <input type="search" value={props.value} onInput={(e) => props.set(e.currentTarget.value)} spellcheck={false} autocomplete="off" />
    </label>
  );
}

// --- parts of the page ---

export function Missing(props: { what: string; view: View }): JSX.Element {
  return (
    <div class="missing">
      <p>
        <b>{props.what}</b> {safe(props.view.missing ?? '')}.
      </p>
      {props.view.hint && <p>{safe(props.view.hint)}</p>}
    </div>
  );
}

export function Notes(props: { view: View }): JSX.Element | null {
  const said = props.view.notes.filter((n) => /^(note|incomplete|warning)/.test(n.trim()));
  return said.length ? <ul class="notes">{said.map((n) => <li key={n}>{safe(n)}</li>)}</ul> : null;
}

export function Chart(props: { id: string; title: string; tip?: string; children: ComponentChildren; controls?: ComponentChildren; below?: ComponentChildren }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const save = (): void => {
    const svg = box.current!.querySelector('svg');
    const legend = box.current!.parentElement!.querySelectorAll('.legend li');
    if (svg) download(`${props.id}.svg`, 'image/svg+xml', svgText(svg, props.title, [...legend]));
  };
  return (
    <figure class="card" id={`chart-${props.id}`} aria-label={props.title}>
      <figcaption>
        <h3>{props.title}</h3>
        {props.tip && <Hint text={props.tip} />}
        <span class="tools">
          <button class="quiet save-svg" onClick={save} data-tip="Save this chart as an SVG file">
            SVG
          </button>
        </span>
      </figcaption>
      {props.controls && <div class="controls">{props.controls}</div>}
      <div class="chart" ref={box}>
        {props.children}
      </div>
      {props.below}
    </figure>
  );
}

export function Hint(props: { text: string }): JSX.Element {
  return (
    <button class="hint" aria-label={props.text} data-tip={props.text}>
      ?
    </button>
  );
}

export function Command(props: { text: string }): JSX.Element {
  const [done, set] = useState(false);
  return (
    <span class="command">
      <code>{safe(props.text)}</code>
      <button class="quiet" onClick={() => void copy(props.text).then(() => set(true))}>
        {done ? 'copied' : 'copy'}
      </button>
    </span>
  );
}

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

// The width an element has, kept up with: charts are drawn for it.
export function useWidth(fallback = 900): [{ current: HTMLDivElement | null }, number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, set] = useState(fallback);
  useLayoutEffect(() => {
    const measure = (): void => {
      const w = ref.current?.clientWidth;
      if (w) set(w);
    };
    measure();
    const watch = new ResizeObserver(measure);
    if (ref.current) watch.observe(ref.current);
    return () => watch.disconnect();
  }, []);
  return [ref, width];
}

// --- tables ---

export interface Column {
  key: string;
  title: string;
  col: Col;
  value: (r: Row) => unknown;
  show?: (r: Row) => ComponentChildren;
  wide?: boolean;
}

export function column(table: Table, key: string, more: Partial<Column> = {}): Column {
  const col = table.col(key);
  return { key, title: col.title ?? key.replace(/_/g, ' '), col, value: (r) => r[key], ...more };
}

const ROW = 30;
const NAMES = new Set(['name', 'function', 'from', 'to', 'object']); // of things in the program: long ones are shortened

// As the tool writes it: a cell that a spreadsheet would run is told to be text.
function csvField(v: unknown): string {
  if (v === null || v === undefined) return '';
  if (typeof v === 'number' || typeof v === 'boolean') return String(v);
  let s = Array.isArray(v) ? v.join(';') : String(v);
  if (/^[-+=@'\t\r]/.test(s)) s = `'${s}`;
  return /[",\n\r]/.test(s) ? `"${s.replace(/"/g, '""')}"` : s;
}

export function csvOf(cols: Column[], rows: Row[]): string {
  return [cols.map((c) => csvField(c.key)), ...rows.map((r) => cols.map((c) => csvField(c.value(r))))].map((l) => l.join(',')).join('\n') + '\n';
}

function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null || a === undefined) return -1;
  if (b === null || b === undefined) return 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : 1;
}

function arrange(cols: Column[], rows: Row[], filter: string, sort: string): Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const texts = cols.filter((c) => !isNumber(c.col));
  let out = words.length
    ? rows.filter((r) => {
        const all = texts.map((c) => String(c.value(r) ?? '').toLowerCase()).join(' ');
        return words.every((w) => all.includes(w));
      })
    : rows;
  const by = cols.find((c) => c.key === sort.replace(/^-/, ''));
  if (by) {
    const sign = sort.startsWith('-') ? -1 : 1;
    out = out.map((r, i) => ({ r, v: by.value(r), i })).sort((a, b) => sign * compare(a.v, b.v) || a.i - b.i).map((x) => x.r);
  }
  return out;
}

function Head(props: { c: Column; sort: string; set: (v: string) => void }): JSX.Element {
  const { c, sort } = props;
  const down = sort === `-${c.key}`, up = sort === c.key;
  const next = down ? c.key : up ? `-${c.key}` : isNumber(c.col) ? `-${c.key}` : c.key;
  return (
    <th scope="col" class={isNumber(c.col) ? 'n' : ''} aria-sort={down ? 'descending' : up ? 'ascending' : 'none'} data-key={c.key}>
      <button onClick={() => props.set(next)} data-tip={tipOf(c.col, c.title)}>
        {c.title}
        <span aria-hidden="true">{down ? ' ▾' : up ? ' ▴' : ''}</span>
      </button>
    </th>
  );
}

function Cells(props: { cols: Column[]; row: Row }): JSX.Element {
  return (
    <>
      {props.cols.map((c) => {
        const v = c.value(props.row);
        const text = c.show ? c.show(props.row) : typeof v === 'string' && NAMES.has(c.key) ? <bdi>{short(v, 56)}</bdi> : figure(v, c.col);
        const tip = isNumber(c.col) && typeof v === 'number' ? exactly(v, c.col) : typeof v === 'string' && v.length > 24 ? safe(v.slice(0, 600)) : undefined;
        return (
          <td key={c.key} class={isNumber(c.col) ? 'n' : c.wide ? 'wide' : ''} data-tip={tip}>
            {text}
          </td>
        );
      })}
    </>
  );
}

export function DataTable(props: {
  id: string;
  label: string;
  cols: Column[];
  rows: Row[];
  sort?: string;
  pick?: (r: Row) => void;
  picked?: (r: Row) => boolean;
  tree?: boolean; // in the order given until a column is chosen
  cut?: number;
  height?: number;
}): JSX.Element {
  const { printing } = useContext(Current);
  const [sort, setSort] = useParam(`${props.id}.sort`, props.sort ?? '');
  const [filter, setFilter] = useParam(`${props.id}.filter`, '');
  const [top, setTop] = useState(0);
  const [said, say] = useState('');
  const rows = useMemo(() => arrange(props.cols, props.rows, filter, sort), [props.rows, props.cols.map((c) => c.key).join(), filter, sort]);
  const height = props.height ?? 420;
  const seen = Math.ceil(height / ROW) + 8;
  const first = printing ? 0 : Math.max(0, Math.min(Math.floor(top / ROW) - 4, rows.length - seen));
  const last = printing ? Math.min(rows.length, 60) : Math.min(rows.length, first + seen);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
    setTop(0);
  }, [filter, sort]);
  return (
    <div class="card table" id={`table-${props.id}`}>
      <div class="controls">
        <Search label={`Filter ${props.label}`} value={filter} set={setFilter} />
        <span class="count" role="status">
          {rows.length === props.rows.length ? '' : `${rows.length} of `}{props.rows.length === 1 ? '1 row' : `${props.rows.length} rows`}
          {props.cut ? `; ${props.cut} more are only in the profile` : ''}
        </span>
        <span class="tools">
          <button
            class="quiet copy-csv"
            onClick={() => void copy(csvOf(props.cols, rows)).then(() => say('copied'))}
            onBlur={() => say('')}
            data-tip="Copy these rows as CSV, with exact figures"
          >
            {said || 'CSV'}
          </button>
        </span>
      </div>
      <div class="scroll" ref={scroller} style={{ maxHeight: `${height}px` }} tabIndex={0} role="region" aria-label={props.label} onScroll={(e) => setTop(e.currentTarget.scrollTop)}>
        <table aria-rowcount={rows.length + 1}>
          <thead>
            <tr>
              {props.cols.map((c) => (
                <Head key={c.key} c={c} sort={sort} set={setSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {first > 0 && (
              <tr aria-hidden="true" class="space">
                <td colSpan={props.cols.length} style={{ height: `${first * ROW}px` }} />
              </tr>
            )}
            {rows.slice(first, last).map((r, i) => (
              <tr key={first + i} aria-rowindex={first + i + 2} class={`${props.pick ? 'can' : ''} ${props.picked?.(r) ? 'picked' : ''}`} onClick={props.pick && (() => props.pick!(r))}>
                <Cells cols={props.cols} row={r} />
              </tr>
            ))}
            {last < rows.length && !printing && (
              <tr aria-hidden="true" class="space">
                <td colSpan={props.cols.length} style={{ height: `${(rows.length - last) * ROW}px` }} />
              </tr>
            )}
          </tbody>
        </table>
        {printing && last < rows.length && <p>… {rows.length - last} more rows</p>}
      </div>
    </div>
  );
}

// A name that can be chosen with the keyboard, too.
export function Pick(props: { name: string; onClick: () => void; most?: number; tip?: string }): JSX.Element {
  return (
    <button
      class="name"
      onClick={(e) => {
        e.stopPropagation();
        props.onClick();
      }}
      data-tip={props.tip ?? (props.name.length > (props.most ?? 56) ? safe(props.name.slice(0, 600)) : undefined)}
    >
      <bdi>{short(props.name, 56)}</bdi>
    </button>
  );
}

export function Part(props: { v: number; tone?: string }): JSX.Element {
  return (
    <span class="part">
      <Bar {...props} />
      <span>{share(props.v)}</span>
    </span>
  );
}

export function Bar(props: { v: number; tone?: string }): JSX.Element {
  return (
    <span class="bar" aria-hidden="true">
      <span style={{ width: `${Math.max(0, Math.min(1, props.v)) * 100}%` }} class={props.tone ?? ''} />
    </span>
  );
}
