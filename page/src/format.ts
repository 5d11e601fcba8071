// Figures as people read them: the same shapes as the tool's text.
import type { Col } from './data';
import { unitOf } from './terms';

const decimals = (v: number): number => (v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2);

function scaled(v: number, base: number, names: string[], exact: number): string {
  let a = Math.abs(v);
  if (a < exact) return Number.isInteger(v) ? String(v) : v.toFixed(decimals(a));
  let i = 0;
  while (a >= base * 0.9995 && i < names.length - 1) {
    a /= base;
    i++;
  }
  return `${v < 0 ? '-' : ''}${a.toFixed(decimals(a))} ${names[i]}`.trim();
}

export const count = (v: number): string => scaled(v, 1000, ['', 'k', 'M', 'G', 'T', 'P', 'E'], 10000);
export const bytes = (v: number): string => (Math.abs(v) < 1024 ? `${Math.round(v)} B` : scaled(v, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'], 0));
export const whole = (v: number): string => String(Math.round(v)).replace(/\B(?=(\d{3})+$)/g, '\u202f');

// What is not all is never shown as all.
export function share(v: number, digits = 1): string {
  const text = (100 * v).toFixed(digits);
  if (v < 1 && Number(text) >= 100) return `almost 100\u00a0%`;
  if (v > 0 && Number(text) === 0) return `<\u202f${(10 ** -digits).toFixed(digits)}\u00a0%`;
  return `${text}\u00a0%`;
}

// Names are data: marks that turn text around, and what cannot be seen, are shown for what they are.
export function safe(name: string): string {
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// What a C++ name is made with goes first when it is too long: std::map<…>::find() says more than std::map<std::__cxx11::ba…
function plainer(name: string, most: number): string {
  let s = name;
  for (const [inner, mark, shown] of [[/(\w)<[^<>]*>/g, '\u0001', '<…>'], [/(\w|\u0001)\([^()]*\)/g, '\u0002', '()']] as const) {
    for (let i = 0; i < 40 && s.length > most - 12; i++) {
      const next = s.replace(inner, `$1${mark}`);
      if (next === s) break;
      s = next;
    }
    s = s.replaceAll(mark, shown);
  }
  return s;
}

export function short(name: string, most: number): string {
  let s = safe(name);
  if (s.length > most && s.length < 5000) s = plainer(s, most);
  return s.length <= most ? s : most < 2 ? '' : `${s.slice(0, Math.ceil(most * 0.65) - 1)}…${s.slice(s.length - Math.floor(most * 0.35))}`;
}

export const base = (path: string | null): string => (path ? safe(path.slice(path.lastIndexOf('/') + 1)) : '');

export function place(file: string | null, line: number | null): string {
  return file ? (line ? `${base(file)}:${line}` : base(file)) : '';
}

export function figure(v: unknown, col: Col): string {
  if (v === null || v === undefined) return '–';
  if (typeof v === 'boolean') return v ? 'yes' : 'no';
  if (typeof v === 'string') return safe(v);
  if (typeof v !== 'number') return Array.isArray(v) ? v.map((x) => figure(x, { key: '', type: 'text' })).join(', ') : '';
  switch (col.type) {
    case 'bytes':
      return bytes(v);
    case 'count':
      return count(v);
    case 'int':
      return whole(v);
    case 'share':
      return share(v, col.digits ?? 1);
    default:
      return Number.isInteger(v) && !col.digits ? whole(v) : v.toFixed(col.digits ?? 2);
  }
}

// The exact value and its unit, for those who point at a figure.
export function exactly(v: unknown, col: Col): string {
  if (typeof v !== 'number') return '';
  const unit = unitOf(col);
  return `${Number.isInteger(v) ? whole(v) : String(v)}${unit ? ` ${unit}` : ''}`;
}

export const isNumber = (col: Col): boolean => ['int', 'count', 'bytes', 'number', 'share'].includes(col.type);
