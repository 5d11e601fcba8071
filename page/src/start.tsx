// The story, and the run in figures.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Col, Row } from './data';
import { Table } from './data';
import { VERDICTS } from './colors';
import { base, place, safe, share, short } from './format';
import { story, type Part } from './story';
import { link } from './state';
import { Command, Fig, useProfile } from './ui';

function Piece(props: { part: Part }): JSX.Element {
  const { part } = props;
  if (typeof part === 'string') return <>{part}</>;
  if ('name' in part) return <code class="name"><bdi>{short(part.name, 60)}</bdi></code>;
  if ('command' in part) return <Command text={part.command} />;
  return <Fig v={part.v} col={part.col} title={part.title} />;
}

const FIGURES: [string, Col][] = [
  ['instructions', { key: 'instructions', type: 'count', unit: 'instructions', meaning: 'executed by all threads' }],
  ['functions', { key: 'functions', type: 'int', meaning: 'functions that ran' }],
  ['threads', { key: 'threads', type: 'int', meaning: 'threads that ran' }],
  ['bytes_read', { key: 'bytes_read', type: 'bytes', meaning: 'read by the program’s own instructions' }],
  ['bytes_written', { key: 'bytes_written', type: 'bytes', meaning: 'written by the program’s own instructions' }],
  ['edges', { key: 'edges', type: 'int', meaning: 'streams of data between functions', title: 'streams' }],
  ['regions', { key: 'regions', type: 'int', meaning: 'regions the program marked' }],
  ['frames', { key: 'frames', type: 'int', meaning: 'frames the program marked' }],
];

function Problems(props: { rows: Row[] }): JSX.Element | null {
  return props.rows.length ? (
    <ul class="notes">
      {props.rows.slice(0, 20).map((r, i) => <li key={i}>warning: {place(r['file'], r['line'])} {safe(r['text'] ?? '')} {r['count'] > 1 ? `(${r['count']} times)` : ''}</li>)}
    </ul>
  ) : null;
}

// The run as one bar: what its outermost loops could do.
function Strip(): JSX.Element | null {
  const p = useProfile();
  const t = p.table('loops', 'loops');
  if (!t || !t.length) return null;
  const outer = t.rows.map((r, i) => ({ r, i })).filter(({ i }) => (t.parents?.[i] ?? -1) < 0).sort((a, b) => b.r['share'] - a.r['share']);
  const rest = Math.max(0, 1 - outer.reduce((s, { r }) => s + r['share'], 0));
  return (
    <div class="strip" role="list" aria-label="outermost loops by their share of the run">
      {outer.filter(({ r }) => r['share'] >= 0.002).map(({ r, i }) => {
        const v = VERDICTS[r['verdict'] as string] ?? VERDICTS['unknown']!;
        return (
          <span role="listitem" key={i} style={{ flexGrow: r['share'] }}>
            <a href={link('loops', { loop: i })} class={`bg-${v.tone} on-${v.tone}`} data-tip={`${safe(r['id'])} in ${safe(r['function'] ?? '')}: ${share(r['share'])}, ${r['verdict']}\n${safe(r['sentence'] ?? '')}`} aria-label={`${v.mark} ${safe(r['id'])}: ${share(r['share'])}, ${r['verdict']}`}>
              {r['share'] > 0.06 ? `${v.mark} ${safe(r['id'])}` : ''}
            </a>
          </span>
        );
      })}
      <span role="listitem" style={{ flexGrow: rest }}><i class="bg-plain on-plain" data-tip={`no loop: ${share(rest)}`}>{rest > 0.08 ? 'no loop' : ''}</i></span>
    </div>
  );
}

export function Start(): JSX.Element {
  const p = useProfile();
  const s = p.view('summary');
  const sentences = useMemo(() => story(p), [p]);
  const args = ((s['arguments'] as string[] | undefined) ?? []).map((a) => safe(String(a))).join(' ');
  return (
    <>
      {s['complete'] === false && <p class="warn banner">Incomplete: {safe(String(s['reason'] ?? 'the run was cut short'))}. Figures are up to its last snapshot.</p>}
      <p class="lead">
        <code data-tip={safe(String(s['program'] ?? '')).slice(0, 600)} tabIndex={0}><bdi>{base(String(s['program'] ?? '')) || 'unknown program'} {args.slice(0, 400)}</bdi></code>
        <span> recorded with {safe(String(s['engine'] ?? 'an unknown engine'))}{s['isa'] ? ` on ${safe(String(s['isa']))}` : ''}</span>
      </p>
      <ol class="story" id="story">
        {sentences.map((x) => (
          <li key={x.id} data-id={x.id}>
            <h3>{x.title}</h3>
            <p>
              {x.parts.map((part, i) => <Piece key={i} part={part} />)}{' '}
              <a href={x.href} class="proof" aria-label={`${x.proof}: proof of “${x.title}”`}>{x.proof} →</a>
            </p>
          </li>
        ))}
        {!sentences.length && <li><p>This profile holds the time stamps of marks, no calls and no data. Look at it with <code>corecast predict</code>, or record with another engine.</p></li>}
      </ol>
      <Strip />
      <dl class="tiles" id="figures">
        {FIGURES.filter(([k]) => typeof s[k] === 'number' && (s[k] !== 0 || (k !== 'regions' && k !== 'frames'))).map(([k, c]) => (
          <div key={k}><dt>{c.title ?? k.replace('_', ' ')}</dt><dd data-key={k}><Fig v={s[k] as number} col={c} title={c.title ?? k.replace('_', ' ')} /></dd></div>
        ))}
      </dl>
      <Problems rows={s['problems'] instanceof Table ? s['problems'].rows : []} />
    </>
  );
}
