// What figures mean that the tool's columns do not define by themselves.
import type { Col } from './data';

const TERMS: Record<string, string> = {
  instructions: 'instructions executed',
  exclusive: 'instructions it executed itself, what it calls left out',
  inclusive: 'instructions of it and of all it called',
  calls: 'how often it was called',
  cores: 'how many processors work on it',
  name: 'name of the function, region, thread or object',
  function: 'the function',
  file: 'source file',
  line: 'line of the source file',
  bytes: 'bytes read that another wrote; every read counts',
  bytes_read: 'bytes read from memory',
  bytes_written: 'bytes written to memory',
  reads: 'read operations',
  writes: 'write operations',
  unma: 'distinct byte addresses the data went through',
  fresh: 'bytes whose value was read for the first time: what an explicit copy would have to carry',
  from: 'who wrote the data last',
  to: 'who read the data',
  share: 'part of the whole run',
  time_share: 'part of the instructions of the run',
  limit: 'how many times as fast the run would be if it cost nothing (Amdahl)',
  cumulative: 'the same if all above it cost nothing, too',
  invocations: 'how often the loop was entered',
  iterations: 'iterations in all',
  verdict: 'whether iterations could run at once',
  size: 'bytes of one',
  count: 'how many there were',
  peak: 'most bytes alive at a time',
  kind: 'what it is',
  type: 'its type in the program',
  active: 'slices of time in which it moved data',
  average: 'bytes an instruction, over the slices in which it was active',
  read: 'bytes read',
  written: 'bytes written',
  critical: 'whether it is on the critical data path',
  depth: 'how many loops it runs in',
  float: 'floating-point instructions',
  branch: 'branches',
  s_int: 'simple integer instructions',
  m_int: 'integer multiplications',
  specific: 'divisions, square roots, ciphers',
  address: 'address computations',
  memory: 'instructions that access memory',
  intensity: 'instructions that compute for each that accesses memory',
  rank: 'its place among the plans, the best first',
  processors: 'how many share the work',
  low: 'the least that the measured spreads leave open',
  high: 'the most that the measured spreads leave open',
  energy: 'what the platform uses for the run',
  lines: 'lines to be written',
  seconds: 'time that was measured',
  tid: 'number of the thread in the system',
  stack_read: 'bytes read from the stack of a thread',
  stack_written: 'bytes written to the stack of a thread',
  index: 'its number, from 0 on',
  start: 'when it began, in instructions of the run',
  length: 'how long it took, in instructions',
  first: 'when it was touched first, in instructions of the run',
  last: 'the last of them, counted alike',
  operands: 'operands of the instructions executed',
  memory_operands: 'operands in memory',
  max: 'the most of one',
  min: 'the least of one',
  mean: 'the average of one',
  deviation: 'standard deviation',
  memory_instructions: 'instructions that access memory',
  stack_instructions: 'instructions that access the stack',
  other_instructions: 'instructions that access heap or global data',
  stack_reads: 'reads of the stack',
  stack_writes: 'writes to the stack',
  stack_bytes_read: 'bytes read from the stack',
  stack_bytes_written: 'bytes written to the stack',
  id: 'its number in the profile',
  freed: 'how many of its blocks were freed',
  total: 'bytes of all its blocks together',
  live: 'bytes still there at the end',
  unma_read: 'distinct byte addresses that were read',
  unma_written: 'distinct byte addresses that were written',
  producer_frame: 'the frame the data was written in',
  consumer_frame: 'the frame the data was read in',
  time: 'time of the run in the unit of the clock',
  speedup: 'sequential time divided by this time',
};

const UNITS: Record<string, string> = {
  instructions: 'instructions', exclusive: 'instructions', inclusive: 'instructions', calls: 'calls', reads: 'reads', writes: 'writes', unma: 'addresses', unma_read: 'addresses', unma_written: 'addresses',
  iterations: 'iterations', invocations: 'times', active: 'slices', mean: 'instructions', min: 'instructions', max: 'instructions', s_int: 'instructions', m_int: 'instructions', float: 'instructions',
  specific: 'instructions', branch: 'instructions', address: 'instructions', memory: 'instructions', stack_reads: 'reads', stack_writes: 'writes', limit: 'times as fast', cumulative: 'times as fast',
  operands: 'operands', memory_operands: 'operands', memory_instructions: 'instructions', stack_instructions: 'instructions', other_instructions: 'instructions', start: 'instructions', length: 'instructions', count: 'pieces', freed: 'blocks',
};

const lastOf = (key: string): string => key.slice(key.lastIndexOf('.') + 1);

export function unitOf(col: Col): string {
  if (col.unit) return col.unit;
  if (col.type === 'bytes') return 'bytes';
  if (col.type === 'share') return '1 is all';
  return UNITS[col.key] ?? UNITS[lastOf(col.key)] ?? '';
}

export function define(col: Col): string {
  const last = lastOf(col.key);
  return col.meaning ?? TERMS[col.key] ?? TERMS[last] ?? (col.title && col.title !== col.key ? col.title : col.key.replace(/[_.]/g, ' '));
}
