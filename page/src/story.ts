// The run in six sentences: what the figures of the other sections add up to, each with the way to its proof.
import type { Col, Profile, Row, Table } from './data';
import { CAN_RUN } from './colors';
import { place, safe, short } from './format';
import { type Loop, loopTree, outermost, recordCommand } from './loops';
import { flowOf } from './streams';
import { link } from './state';
import { plansOf, speedups } from './plan';

export type Part = string | { v: number; col: Col; title: string } | { name: string } | { command: string };

export interface Sentence {
  id: string;
  title: string;
  parts: Part[];
  href: string;
  proof: string;
}

const col = (type: Col['type'], meaning: string, unit?: string, digits?: number): Col => ({ key: '', type, meaning, unit, digits });
const fig = (v: number, title: string, c: Col): Part => ({ v, title, col: c });
const part = (v: number, title: string, meaning: string): Part => fig(v, title, col('share', meaning));
const name = (n: string): Part => ({ name: n });
const HERE = 0.01; // loops with less of the run do not matter

function join(items: Part[][]): Part[] {
  return items.flatMap((x, i) => (i === 0 ? x : i === items.length - 1 ? [' and ', ...x] : [', ', ...x]));
}

// --- where the time goes ---

function time(p: Profile): Sentence | null {
  const t = p.table('functions', 'functions');
  const total = p.view('functions')['instructions'] as number;
  if (!t || !t.length || !total) return null;
  const own = [...t.rows].filter((r) => r['name'] !== '<runtime>').sort((a, b) => b['exclusive'] - a['exclusive']);
  const hot = own.slice(0, 3).filter((r) => r['exclusive'] > 0);
  if (!hot.length) return null;
  const libraries = ((t.rows.find((r) => r['name'] === '<runtime>')?.['exclusive'] as number | undefined) ?? 0) / total;
  const few = own.length > 20 && hot[0]!['exclusive'] / total < 0.05;
  const place1 = place(hot[0]!['file'], hot[0]!['line']);
  return {
    id: 'time', title: 'Where the time goes', href: link('calls'), proof: 'call tree',
    parts: [
      'Of ', fig(total, 'instructions', col('count', 'executed by the whole run', 'instructions')), ' instructions, ',
      part(hot[0]!['exclusive'] / total, 'own share', 'instructions it executed itself, of the whole run'), ' run in ', name(hot[0]!['name']), place1 ? ` (${place1})` : '',
      ...(hot.length > 1 ? [', then ', ...join(hot.slice(1).map((r) => [name(r['name']), ' with ', part(r['exclusive'] / total, 'own share', 'instructions it executed itself, of the whole run')]))] : []),
      ...(few ? [': they are spread over ', fig(own.length, 'functions', col('int', 'functions that ran', 'functions')), ' functions'] : []),
      ...(libraries >= 0.1 ? ['; ', part(libraries, 'own share', 'instructions of the run-time libraries, and of what starts and ends the program'), ' are those of run-time libraries, start and end'] : []), '.',
    ],
  };
}

// --- loops ---

const where = (l: Row): Part[] => [name(l['id']), ` in ${short(l['function'] ?? '', 40)}`];
const shareOf = (l: Row): Part => part(l['share'], 'share', 'instructions of the loop and of all it calls, of the whole run');

// Followed, but there was none; counted, but not followed; not asked for.
function noLoops(p: Profile, counted: boolean): Sentence[] {
  if (!p.view('loops').missing && !counted) return [{ id: 'parallel', title: 'What could run in parallel', href: link('functions'), proof: 'functions', parts: ['No loop of the program ran: there are no iterations to share out. What could run beside each other are functions that do not need each other\'s data.'] }];
  return [
    { id: 'parallel', title: 'What could run in parallel', href: link('loops'), proof: 'how', parts: [counted ? 'Loops were counted, but not what their iterations need of each other.' : 'Loops were not followed in this recording.', ' It takes no marks and no recompilation: ', { command: recordCommand(p, '--loops dependences') }, ' tells which could run in parallel, and what stops the others.'] },
  ];
}

function parallel(loops: Loop[], rows: Row[], best: Loop[]): Sentence {
  const matter = rows.filter((r) => r['share'] >= HERE);
  const can = matter.filter((r) => CAN_RUN.has(r['verdict']));
  const top = [...best].filter((l) => l.row['share'] >= HERE).sort((a, b) => b.row['share'] - a.row['share']).slice(0, 3);
  const at = top.length ? loops.indexOf(top[0]!) : 0;
  const counts: Part[] = matter.length === 1 ? ['The one loop with at least 1 % of the instructions could ', can.length ? '' : 'not ', 'run in parallel'] : [
    fig(can.length, 'loops that could run in parallel', col('int', 'verdict parallel, private or reduction', 'loops')), ' of the ',
    fig(matter.length, 'loops that matter', col('int', 'loops with at least 1 % of the instructions', 'loops')), ' loops with at least 1 % of the instructions could run in parallel',
  ];
  return {
    id: 'parallel', title: 'What could run in parallel', href: link('loops', { loop: at }), proof: 'loops',
    parts: top.length && can.length ? [...counts, ': outermost are ', ...join(top.map((l) => [...where(l.row), ' (', shareOf(l.row), ')'])), '.'] : [...counts, '.'],
  };
}

function stopped(loops: Loop[], rows: Row[]): Sentence {
  const worst = rows.map((r, i) => ({ r, i })).filter(({ r }) => r['share'] >= HERE && !CAN_RUN.has(r['verdict'])).sort((a, b) => b.r['share'] - a.r['share']);
  // The innermost of loops that weigh the same says what is in the way.
  const first = worst.find(({ i }) => !loops[i]!.children.some((c) => !CAN_RUN.has(c.row['verdict']) && c.row['share'] > 0.9 * loops[i]!.row['share'])) ?? worst[0];
  if (!first) return { id: 'stopped', title: 'What stops the others', href: link('loops'), proof: 'loops', parts: ['No loop with at least 1 % of the instructions is held back by a dependence.'] };
  return {
    id: 'stopped', title: 'What stops the others', href: link('loops', { loop: first.i }), proof: 'its source',
    parts: [...where(first.r), ' (', shareOf(first.r), `) is ${first.r['verdict'] ?? 'unknown'}: `, safe(first.r['sentence'] ?? 'dependences were not followed').slice(0, 400), worst.length > 1 ? `; ${worst.length - 1} more are held back.` : '.'],
  };
}

// --- data ---

function data(p: Profile): Sentence | null {
  const flow = flowOf(p, 'function', '');
  // between functions of the program if one is heavy enough: what libraries do with their own data is of little use
  const own = flow.streams.find((s) => !s.from.startsWith('<') && !s.to.startsWith('<'));
  const first = own && own.bytes >= 0.02 * flow.between ? own : flow.streams[0];
  if (!first) return null;
  // Streams that are not on the page may carry anything; where first reads are a lower bound, they may be more.
  const again = flow.streams.reduce((s, x) => s + x.bytes - ((x.row['fresh'] as number | null) ?? x.bytes), 0);
  const whole = flow.streams.every((s) => typeof s.row['fresh'] === 'number') && flow.streams.reduce((s, x) => s + x.bytes, 0) >= flow.between;
  const exact = p.view('comm')['fresh_exact'] !== false;
  return {
    id: 'flow', title: 'What flows', href: link('flow', { stream: `${first.from}\u0001${first.to}` }), proof: 'data flow',
    parts: [
      fig(flow.between, 'bytes between functions', col('bytes', 'bytes read that another function wrote; every read counts', 'bytes')), ' flow between functions',
      ...(flow.between && (whole || (exact && again)) ? [`; ${whole && exact ? '' : whole ? 'at most ' : 'at least '}`, part(again / flow.between, 'read again', 'part of these bytes whose value the reader had read before'), ' of that is the same data read again'] : []),
      first === flow.streams[0] ? '. The heaviest stream, ' : '. The heaviest stream between functions of the program, ', fig(first.bytes, 'bytes', col('bytes', 'every read counts', 'bytes')), ', goes from ', name(first.from), ' to ', name(first.to),
      ...(typeof first.row['unma'] === 'number' ? [' through ', fig(first.row['unma'], 'distinct addresses', col('count', 'byte addresses the stream goes through', 'addresses')), ' addresses'] : []), '.',
    ],
  };
}

// --- the plan ---

const amdahl = (part: number, n: number): number => 1 / (1 - part + part / n);

// Each loop on n cores has at most as many iterations at a time as it has in a round.
export function bound(best: Loop[], n: number): number {
  let left = 1;
  for (const l of best) {
    const trips = l.row['iterations'] / Math.max(1, l.row['invocations']);
    left -= l.row['share'] * (1 - 1 / Math.max(1, Math.min(n, trips)));
  }
  return 1 / Math.max(left, 1e-9);
}

// The best plan that explore found for the platform given.
function found(p: Profile): Sentence | null {
  const best = plansOf(p)[0];
  const points = best ? speedups(best) : [];
  const last = points[points.length - 1];
  if (!best || !last) return null;
  const directives = (best['directives'] as Table | null)?.rows ?? [];
  const predicted = 'of the whole run, with overheads and contention of the platform';
  return {
    id: 'plan', title: 'The best plan found', href: link('plan'), proof: 'plan',
    parts: [
      'With ', fig(directives.length, 'directives', col('int', 'pragmas to be written', 'directives')), directives.length === 1 ? ' directive (' : ' directives (', ...join(directives.slice(0, 3).map((d) => [name(d['loop'] ?? place(d['file'], d['line']))])), directives.length > 3 ? ', …' : '',
      ') it is predicted to be ', fig(last.y, 'predicted speed-up', col('number', predicted, 'times as fast', 2)), ` times as fast on ${last.x} processors of `, name(String(p.view('explore')['platform'] ?? 'the platform')),
      ...(last.low !== undefined && last.high !== undefined && last.high - last.low > 0.005 ? [' (', fig(last.low, 'low', col('number', predicted, 'times as fast', 2)), ' to ', fig(last.high, 'high', col('number', predicted, 'times as fast', 2)), ')'] : []), '.',
    ],
  };
}

function plan(loops: Loop[], best: Loop[]): Sentence | null {
  const covered = Math.min(1, best.reduce((s, l) => s + l.row['share'], 0));
  if (covered < HERE) return null;
  const top = [...best].sort((a, b) => b.row['share'] - a.row['share'])[0]!;
  const limit = 'a bound from shares and iterations alone: no overheads, no contention';
  const all = amdahl(covered, Infinity);
  return {
    id: 'plan', title: 'What that could give', href: link('loops', { loop: loops.indexOf(top) }), proof: 'loops',
    parts: [
      'With these loops in parallel, which are ', part(covered, 'covered', 'instructions of outermost loops that could run in parallel, of the whole run'), ' of the run, it would be at most ',
      fig(bound(best, 4), 'bound on 4 cores', col('number', limit, 'times as fast', 2)), ' times as fast on 4 cores and ', fig(bound(best, 16), 'bound on 16 cores', col('number', limit, 'times as fast', 2)), ' times on 16',
      ...(Number.isFinite(all) && all < 100 ? ['; no number of cores gives more than ', fig(all, "Amdahl's limit", col('number', 'what the rest of the run leaves', 'times as fast', 2)), ' times'] : []), '.',
    ],
  };
}

// Where what could run in parallel is little, what stops the rest comes first.
function unlock(loops: Loop[], best: Loop[], rows: Row[]): Sentence | null {
  const covered = best.reduce((s, l) => s + l.row['share'], 0);
  const worst = rows.map((r, i) => ({ r, i })).filter(({ r, i }) => !CAN_RUN.has(r['verdict']) && !loops[i]!.parent).sort((a, b) => b.r['share'] - a.r['share'])[0];
  if (!worst || covered >= 0.2 || worst.r['share'] < 2 * covered || worst.r['share'] < 0.1) return null;
  return {
    id: 'next', title: 'What to do next', href: link('loops', { loop: worst.i }), proof: 'the loop',
    parts: ['What could run in parallel as it is, ', part(covered, 'covered', 'instructions of outermost loops that could run in parallel, of the whole run'), ' of the run, is little. Look first at what stops ', ...where(worst.r), ' (', shareOf(worst.r), '): its dependences are listed there.'],
  };
}

function next(p: Profile, loops: Loop[], best: Loop[], rows: Row[]): Sentence {
  const first = unlock(loops, best, rows);
  if (first) return first;
  const ready = [...best].filter((l) => l.row['pragma'] && l.row['share'] >= HERE).sort((a, b) => b.row['share'] - a.row['share'])[0];
  if (ready)
    return {
      id: 'next', title: 'What to do next', href: link('loops', { loop: loops.indexOf(ready) }), proof: 'the loop',
      parts: ['Put ', { command: ready.row['pragma'] }, ' before line ', String(ready.row['line']), ' of ', name(place(ready.row['file'], null)), ', and measure again.'],
    };
  const limit = [...(p.table('amdahl', 'functions')?.rows ?? [])].filter((r) => r['name'] !== '<runtime>')[0];
  const candidate = [...best].sort((a, b) => b.row['share'] - a.row['share'])[0];
  const parts: Part[] = candidate && candidate.row['share'] >= HERE
    ? ['Look at ', ...where(candidate.row), ': nothing recorded stops it from running in parallel; the source was not at hand to say with which pragma.']
    : rows.length
      ? ['Look at what stops the heaviest loop above']
      : p.view('loops').missing
        ? ['Record loops as said above']
        : ['Try a larger input, or one that enters loops'];
  if (!candidate && limit && typeof limit['limit'] === 'number') parts.push('; without ', name(limit['name']), ' the run would be at most ', fig(limit['limit'], "Amdahl's limit", col('number', 'if this function cost nothing', 'times as fast', 2)), ' times as fast');
  if (!candidate) parts.push('.');
  return { id: 'next', title: 'What to do next', href: candidate ? link('loops', { loop: loops.indexOf(candidate) }) : link('functions'), proof: candidate ? 'the loop' : 'functions', parts };
}

export function story(p: Profile): Sentence[] {
  const loops = loopTree(p);
  const rows = loops.map((l) => l.row);
  const told = rows.some((r) => r['verdict'] && (r['verdict'] !== 'unknown' || (r['reasons'] as Table | null)?.length));
  const best = outermost(loops);
  const out = [time(p), ...(rows.length && told ? [parallel(loops, rows, best), stopped(loops, rows)] : noLoops(p, rows.length > 0)), data(p), found(p) ?? (told ? plan(loops, best) : null), next(p, loops, best, told ? rows : [])];
  return out.filter((s): s is Sentence => s !== null);
}
