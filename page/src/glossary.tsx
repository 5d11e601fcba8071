// Every figure on the page, its unit and what it means.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Table, type Col, type Row } from './data';
import { isNumber } from './format';
import { define, unitOf } from './terms';
import { type Column, DataTable, useProfile } from './ui';

const VIEWS = ['functions', 'calltree', 'comm', 'amdahl', 'bandwidth', 'classes', 'frames', 'lines', 'loops', 'intensity', 'objects', 'channel', 'explore', 'contention'];

export function termsOf(p: ReturnType<typeof useProfile>): Row[] {
  const rows: Row[] = [];
  const add = (view: string, table: string, cols: Col[]): void => {
    for (const c of cols) {
      if (isNumber(c) || c.meaning) rows.push({ view, table, figure: c.key, unit: unitOf(c), meaning: define(c) });
      if (c.cols) add(view, `${table}.${c.key}`, c.cols);
    }
  };
  for (const v of VIEWS) for (const [k, t] of Object.entries(p.view(v))) if (t instanceof Table) add(v, k, t.cols);
  return rows;
}

export function Glossary(): JSX.Element {
  const p = useProfile();
  const rows = useMemo(() => termsOf(p), [p]);
  const text = (key: string, meaning: string): Column => ({ key, title: key, col: { key, type: 'text', meaning }, value: (r) => r[key], wide: key === 'meaning' });
  return (
    <>
      <p>Time is counted in instructions of the recorded run. Unknown is shown as –, never as 0. The same figures come from <code>corecast report --json</code> under these names.</p>
      <DataTable id="terms" label="figures" rows={rows} height={640} cols={[text('view', 'the view of corecast report'), text('table', 'the table in its JSON'), text('figure', 'the name in JSON and CSV'), text('unit', 'what it is counted in'), text('meaning', 'what it says')]} />
    </>
  );
}
