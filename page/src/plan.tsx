// What to share out, and what that gives: plans of explore, predictions of scenarios.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Table, type Profile, type Row, type View } from './data';
import { tone } from './colors';
import { base, count, place, safe, share, short } from './format';
import { Legend } from './calls';
import { type Line, Lines, linesLegend } from './lines';
import { recordCommand } from './loops';
import { link, useParam } from './state';
import { Chart, Choice, column, type Column, Command, DataTable, Missing, useProfile, useWidth } from './ui';

export function plansOf(p: Profile): Row[] {
  return p.has('explore') ? (p.table('explore', 'plans')?.rows ?? []) : [];
}

export interface Point {
  x: number;
  y: number;
  low?: number;
  high?: number;
}

export const speedups = (plan: Row): Point[] => ((plan['speedup'] as Table | null)?.rows ?? []).map((r) => ({ x: r['processors'], y: r['speedup'], low: r['low'] ?? undefined, high: r['high'] ?? undefined }));

// --- plans ---

function Directives(props: { p: Profile; plan: Row }): JSX.Element {
  const loops = props.p.table('loops', 'loops')?.rows ?? [];
  const rows = (props.plan['directives'] as Table | null)?.rows ?? [];
  return (
    <ul class="reasons directives">
      {rows.map((d, i) => {
        const at = loops.findIndex((l) => l['id'] === d['loop']);
        return (
          <li key={i}>
            {at >= 0 ? <a href={link('loops', { loop: at })}>{place(d['file'], d['line']) || safe(d['loop'] ?? '')}</a> : place(d['file'], d['line'])}: <Command text={d['pragma'] ?? ''} />{' '}
            {typeof d['saves'] === 'number' ? `saves ${share(d['saves'])} of the run` : ''}
          </li>
        );
      })}
    </ul>
  );
}

function PlanDetail(props: { p: Profile; plan: Row }): JSX.Element {
  const { plan } = props;
  return (
    <div class="card detail" id="plan-detail">
      <h3>Plan {plan['rank']}</h3>
      <p>Risk: {safe(plan['risk'] ?? 'unknown')}.</p>
      <Directives p={props.p} plan={plan} />
      {typeof plan['verified.ok'] === 'boolean' && <p>{plan['verified.ok'] ? 'It was built and run: same output.' : `It failed when it was tried: ${safe(plan['verified.reason'] ?? '')}`}</p>}
      {plan['patch'] && (
        <details>
          <summary>The difference, for patch -p1</summary>
          <pre class="patch" tabIndex={0}>{(plan['patch'] as string).split('\n').map((l, i) => <span key={i} class={l.startsWith('+') ? 'plus' : l.startsWith('-') ? 'minus' : ''}>{`${safe(l)}\n`}</span>)}</pre>
        </details>
      )}
    </div>
  );
}

function Plans(props: { p: Profile; view: View }): JSX.Element {
  const { p, view } = props;
  const plans = plansOf(p);
  const [chosen, choose] = useParam('plan', '1');
  const plan = plans.find((x) => String(x['rank']) === chosen) ?? plans[0];
  const rejected = p.table('explore', 'rejected');
  const lines = useMemo((): Line[] => plans.slice(0, 6).map((x, i) => ({ name: `plan ${x['rank']}`, tone: tone(i), points: speedups(x) })), [p]);
  if (!plan) return <Missing what="Plans:" view={{ missing: 'no directive was found to be worth its cost on this platform', notes: [] }} />;
  return (
    <>
      <Chart id="plans" title={`Predicted speed-up of the plans found, on ${short(String(view['platform'] ?? ''), 40)}`} tip="Overheads and contention of the platform are counted; the range is what is left open by measured spreads. The dotted line is one for each processor." controls={plans.length > 1 ? <Choice label="Plan" value={String(plan['rank'])} set={choose} options={plans.map((x) => [String(x['rank']), `plan ${x['rank']}: ${((x['directives'] as Table | null)?.rows ?? []).length} directives`])} /> : null} below={<Legend items={[...linesLegend(lines), ['dash-reference', 'one for each processor']]} />}>
        <Lines lines={lines} x="processors" y="times as fast" label="speed-up over processors" reference />
      </Chart>
      <PlanDetail p={p} plan={plan} />
      {rejected && rejected.length > 0 && <DataTable id="rejected" label="loops that are in no plan" cols={['loop', 'function', 'share', 'verdict', 'reason'].map((k): Column => column(rejected, k, { wide: k === 'reason' }))} rows={rejected.rows} sort="-share" />}
    </>
  );
}

// --- predictions ---

export const PARTS = ['sequential', 'processing', 'imbalance', 'limited', 'overhead', 'contention', 'transfer', 'idle'];
export const TONES = ['cat0', 'cat2', 'cat8', 'cat4', 'cat1', 'cat3', 'cat9', 'cat7'];

interface Scenario {
  name: string;
  rows: Row[];
}

function scenarios(view: View): Scenario[] {
  const all = view['scenarios'];
  const list: unknown[] = Array.isArray(all) ? all : all instanceof Table ? all.rows : [];
  return list.map((s) => {
    const o = s as Row;
    const t = o['schedules'];
    return { name: String(o['name'] ?? ''), rows: t instanceof Table ? t.rows : Array.isArray(t) ? (t as Row[]) : [] };
  });
}

const part = (r: Row, name: string): number => (r[`stack.${name}`] ?? (r['stack'] as Row | undefined)?.[name] ?? 0) as number;

export function Stacks(props: { rows: Row[]; clock: string }): JSX.Element {
  const [box, width] = useWidth();
  const high = 260, left = 66, foot = 36;
  const most = Math.max(1, ...props.rows.map((r) => r['time'] as number));
  const slot = (width - left - 8) / Math.max(1, props.rows.length);
  return (
    <div ref={box}>
      <svg width={width} height={high} role="img" aria-label="what the time on each number of processors is spent on">
        {[0, 0.5, 1].map((v) => <g key={v} class="axis"><path d={`M${left} ${high - foot - v * (high - foot - 12)}H${width}`} class="grid" /><text x={left - 6} y={high - foot - v * (high - foot - 12) + 4} text-anchor="end">{count(v * most)}</text></g>)}
        {props.rows.map((r, i) => {
          let at = high - foot;
          return (
            <g key={i}>
              {PARTS.map((name, k) => {
                const v = part(r, name), h = (v / most) * (high - foot - 12);
                at -= h;
                return h > 0.2 && <rect key={name} x={left + slot * (i + 0.15)} y={at} width={slot * 0.7} height={h} class={`fill-${TONES[k]}`} data-tip={`${r['processors']} processors: ${name} ${count(v)} ${props.clock}, ${share(v / r['time'])}`} />;
              })}
              <text x={left + slot * (i + 0.5)} y={high - foot + 15} text-anchor="middle" class="axis">{r['processors']}</text>
            </g>
          );
        })}
        <text x={(left + width) / 2} y={high - 4} text-anchor="middle" class="axis">processors</text>
      </svg>
    </div>
  );
}

function Predictions(props: { view: View }): JSX.Element {
  const all = useMemo(() => scenarios(props.view), [props.view]);
  const [chosen, choose] = useParam('scenario', '0');
  const one = all[Number(chosen)] ?? all[0];
  const clock = String(props.view['clock'] ?? '');
  const lines: Line[] = all.flatMap((s, i) => [
    { name: s.name, tone: tone(i), points: s.rows.map((r) => ({ x: r['processors'], y: r['speedup'] })) },
    { name: `${s.name}: Amdahl's bound`, tone: tone(i), dashed: true, points: s.rows.map((r) => ({ x: r['processors'], y: r['amdahl'] })) },
  ]);
  return (
    <>
      <Chart id="predict" title="Predicted speed-up of the scenarios" tip="Amdahl's bound is what the parts that are shared out allow, without any overhead." below={<Legend items={linesLegend(lines.map((l) => ({ ...l, name: short(l.name, 60) })))} />}>
        <Lines lines={lines} x="processors" y="times as fast" label="speed-up over processors" />
      </Chart>
      {one && (
        <Chart id="stacks" title={`What the time of ${short(one.name, 40)} is spent on`} tip={`${clock} per processor; the parts add up to the time.`} controls={all.length > 1 ? <Choice label="Scenario" value={String(Math.max(0, all.indexOf(one)))} set={choose} options={all.map((s, i) => [String(i), s.name])} /> : null} below={<Legend items={PARTS.map((name, k) => [TONES[k]!, name])} />}>
          <Stacks rows={one.rows} clock={clock} />
        </Chart>
      )}
    </>
  );
}

export function Plan(): JSX.Element {
  const p = useProfile();
  const explore = p.view('explore');
  const how = `corecast report ${short(base(p.path), 60)} --platform cortex-a-quad --html page.html`;
  return (
    <>
      {!p.has('explore') && (
        <div class="missing">
          <p><b>Plans</b> need a platform: which loops to share out, how, and what that gives on its processors.</p>
          <p><Command text={recordCommand(p, '--loops dependences --tasks loops')} /></p>
          <p><Command text={how} /></p>
          <p><code>corecast platform list</code> names the platforms that ship; <code>corecast characterize</code> measures this machine.</p>
        </div>
      )}
      {p.has('explore') && (explore.missing ? <Missing what="Plans:" view={explore} /> : <Plans p={p} view={explore} />)}
      {p.has('predict') && (p.view('predict').missing ? <Missing what="Predictions:" view={p.view('predict')} /> : <Predictions view={p.view('predict')} />)}
    </>
  );
}
