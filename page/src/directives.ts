// Lines of a scenario, "TASK = #pragma ...": what the controls of What if read from them, and write into them. Whether they mean anything is for the engine to say.

const LOOP = /#pragma\s+omp\s+(?!.*\b(?:sections|task|taskloop|target)\b)(?:.*\s)?(?:for|loop)\b/;
const SCHEDULE = /\s*schedule\s*\(\s*(\w+)\s*(?:,\s*(\w+)\s*)?\)/;

const isComment = (line: string): boolean => /^\s*([#!;]|$)/.test(line);
const lines = (text: string, change: (line: string) => string): string => text.split('\n').map((l) => (isComment(l) ? l : change(l))).join('\n');
const first = (text: string, what: RegExp): RegExpExecArray | null => {
  for (const l of text.split('\n')) {
    const found = isComment(l) ? null : what.exec(l);
    if (found) return found;
  }
  return null;
};

export const hasLoop = (text: string): boolean => first(text, LOOP) !== null;

export function scheduleOf(text: string): { kind: string; chunk: number } {
  const found = first(text, SCHEDULE);
  return { kind: found?.[1] ?? '', chunk: Number(found?.[2] ?? 0) || 0 };
}

export function setSchedule(text: string, kind: string, chunk: number): string {
  const clause = kind ? ` schedule(${kind}${chunk > 0 ? `, ${chunk}` : ''})` : '';
  return lines(text, (l) => (LOOP.test(l) ? l.replace(SCHEDULE, '').trimEnd() + clause : l));
}

// The figures of a clause of a directive of ours: speedup(12), buffers(2), tile(64, 8).
export function clauseOf(text: string, name: string): string[] | null {
  const found = first(text, new RegExp(`#pragma\\s+corecast\\b.*\\b${name}\\s*\\(([^)]*)\\)`));
  return found ? found[1]!.split(',').map((s) => s.trim()) : null;
}

export function setClause(text: string, name: string, values: string[]): string {
  return lines(text, (l) => (/#pragma\s+corecast\b/.test(l) ? l.replace(new RegExp(`\\b${name}\\s*\\([^)]*\\)`), `${name}(${values.join(', ')})`) : l));
}

// Buffers may be missing where DMA is: two are the default.
export function setBuffers(text: string, n: number): string {
  return lines(text, (l) => (/#pragma\s+corecast\s+(dma|tile)\b/.test(l) ? `${l.replace(/\s*buffers\s*\([^)]*\)/, '').trimEnd()} buffers(${n})` : l));
}

export const movesData = (text: string): boolean => first(text, /#pragma\s+corecast\s+(dma|tile)\b/) !== null;

export const DIRECTIVES: [string, string, string][] = [
  ['for', 'share the iterations out', '#pragma omp parallel for schedule(static)'],
  ['block', 'give it to a hardware block', '#pragma corecast speedup(10)'],
  ['dma', 'move its data by DMA', '#pragma corecast dma read(1024) write(1024) buffers(2)'],
  ['tile', 'cut its image into tiles', '#pragma corecast tile(auto) image(640, 480) kernel(3) pixel(1)'],
  ['critical', 'one thread at a time', '#pragma omp critical'],
  ['task', 'make it a task', '#pragma omp task'],
  ['parallel', 'open a region around it', '#pragma omp parallel'],
];

export function addDirective(text: string, task: string, id: string): string {
  const pragma = DIRECTIVES.find(([k]) => k === id)?.[2];
  return pragma ? `${text.replace(/\n*$/, '')}${text.trim() ? '\n' : ''}${task} = ${pragma}\n` : text;
}

export const tasksOf = (text: string): string[] => text.split('\n').filter((l) => !isComment(l)).map((l) => l.split('=')[0]!.trim());
