// Colours by meaning; the values are in style.css, for light and dark.
export const VERDICTS: Record<string, { tone: string; mark: string; what: string }> = {
  parallel: { tone: 'v-parallel', mark: '∥', what: 'iterations do not need each other' },
  private: { tone: 'v-private', mark: '∥', what: 'iterations do not need each other if each thread has variables of its own' },
  reduction: { tone: 'v-reduction', mark: 'Σ', what: 'iterations do not need each other if what threads have is combined at the end' },
  ordered: { tone: 'v-ordered', mark: '⇣', what: 'something holds iterations in order' },
  sequential: { tone: 'v-sequential', mark: '→', what: 'an iteration needs what an earlier one left' },
  unknown: { tone: 'v-unknown', mark: '?', what: 'could not be told' },
};
export const CAN_RUN = new Set(['parallel', 'private', 'reduction']);

export const CLASSES: [string, string][] = [
  ['s_int', 'simple integer'],
  ['m_int', 'integer multiplication'],
  ['float', 'floating point'],
  ['specific', 'specific'],
  ['branch', 'branch'],
  ['address', 'address'],
];

// Twelve categories that differ in light and in dark; names keep their colour.
export const tone = (i: number): string => `cat${i % 12}`;

export function hash(name: string): number {
  let h = 2166136261;
  for (let i = 0; i < name.length && i < 256; i++) h = Math.imul(h ^ name.charCodeAt(i), 16777619);
  return h >>> 0;
}

// Seven steps from little to much.
export const heat = (v: number): string => `heat${Math.max(0, Math.min(6, Math.floor(v * 7)))}`;
