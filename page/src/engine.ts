// The rooms predict and tile of the tool, compiled to WebAssembly (page/wasm): what they answer here is what corecast answers.

export interface TextFile {
  name: string;
  text: string;
}

export interface WhatifData {
  graph: string; // base64
  depth: number; // tasks below it are part of those around them; 0: all are there
  tasks: number;
  incomplete: boolean;
  platform: string; // name of one of the files
  cores: number;
  clock: string;
  cpi: number;
  counters: string[]; // of the trace: "l2.read", "mem.write"
  data_memory: string | null; // where accesses to mem go
  memories: { name: string; read: number }[];
  dma: { i0?: number; alpha?: number };
  files: TextFile[];
  scenarios: TextFile[];
  missing?: string;
  hint?: string;
}

export interface Request {
  cores: number[];
  at: number;
  sets: string[];
  contention: string;
  scenarios: TextFile[];
  middle?: boolean; // no low and high
}

export interface Answer {
  message: string; // why it failed; '': it did not
  json: string; // as corecast predict --json
  notes: string[];
  segments: Float64Array; // row, name, part, start, end
}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  whatif_alloc(n: number): number;
  whatif_free(p: number): void;
  whatif_file(name: number, text: number): void;
  whatif_new(graph: number, n: number): number;
  whatif_run(w: number, request: number): number;
  whatif_text(w: number, which: number): number;
  whatif_segments(w: number): number;
  whatif_nsegments(w: number): number;
}

const RESULT = 0, TASKS = 1, NAMES = 2, NOTES = 3, MESSAGE = 4; // enum whatif_text

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

export async function compile(base64: string): Promise<WebAssembly.Module> {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

export class Engine {
  readonly tasks: string; // JSON of corecast predict --tasks
  readonly names: string[]; // of tasks, by their number in the schedule
  private constructor(private c: Exports, private handle: number) {
    this.tasks = this.text(c.whatif_text(handle, TASKS));
    this.names = JSON.parse(this.text(c.whatif_text(handle, NAMES))) as string[];
  }
  static async start(module: WebAssembly.Module, data: WhatifData): Promise<Engine> {
    // Nothing of a system is there: whatever is asked of it fails.
    const imports: WebAssembly.Imports = {};
    for (const i of WebAssembly.Module.imports(module)) (imports[i.module] ??= {})[i.name] = () => 52; // ENOSYS
    const c = (await WebAssembly.instantiate(module, imports)).exports as unknown as Exports;
    c._initialize();
    const graph = bytesOf(data.graph), at = c.whatif_alloc(graph.length);
    new Uint8Array(c.memory.buffer).set(graph, at);
    const handle = c.whatif_new(at, graph.length);
    c.whatif_free(at);
    if (!handle) throw new Error('the task graph of this page is damaged');
    const engine = new Engine(c, handle);
    for (const f of data.files) engine.file(f);
    return engine;
  }
  private text(at: number): string {
    const all = new Uint8Array(this.c.memory.buffer), end = all.indexOf(0, at);
    return new TextDecoder().decode(all.subarray(at, end));
  }
  private put(s: string): number {
    const bytes = new TextEncoder().encode(s.replace(/\0/g, '\ufffd')), at = this.c.whatif_alloc(bytes.length + 1);
    new Uint8Array(this.c.memory.buffer).set(bytes, at); // what is behind it is zero
    return at;
  }
  private file(f: TextFile): void {
    const name = this.put(f.name), text = this.put(f.text);
    this.c.whatif_file(name, text);
    this.c.whatif_free(name);
    this.c.whatif_free(text);
  }
  run(platform: string, rq: Request): Answer {
    for (const s of rq.scenarios) this.file(s);
    const line = (s: string): string => s.replace(/\n/g, ' ');
    const lines = [`platform ${platform}`, `cores ${rq.cores.join(',')}`, `at ${rq.at}`, `contention ${rq.contention}`, ...(rq.middle ? ['middle 1'] : []), ...rq.scenarios.map((s) => `scenario ${line(s.name)}`), ...rq.sets.map((s) => `set ${line(s)}`)];
    const request = this.put(lines.join('\n'));
    const failed = this.c.whatif_run(this.handle, request) < 0;
    this.c.whatif_free(request);
    const told = (which: number): string => this.text(this.c.whatif_text(this.handle, which));
    if (failed) return { message: told(MESSAGE), json: '', notes: [], segments: new Float64Array() };
    const first = this.c.whatif_segments(this.handle), n = this.c.whatif_nsegments(this.handle);
    const segments = new Float64Array(this.c.memory.buffer.slice(first, first + n * 40));
    return { message: '', json: told(RESULT), notes: told(NOTES).split('\n').filter(Boolean), segments };
  }
}
