// A chart as a file of its own: what the page's style says of it is written into it, with its title above and its legend below.

const KEPT = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'fill-opacity', 'stroke-opacity', 'font-size', 'font-family', 'font-weight', 'text-anchor', 'dominant-baseline', 'paint-order'];
const NS = 'http://www.w3.org/2000/svg';
const HEAD = 30, LINE = 20, LETTER = 7.3, PAD = 10;

type Attributes = Record<string, string | number>;

function make(name: string, attributes: Attributes, text = ''): SVGElement {
  const el = document.createElementNS(NS, name);
  for (const [k, v] of Object.entries(attributes)) el.setAttribute(k, String(v));
  el.textContent = text;
  return el;
}

function styled(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll('*')];
  const to = [copy, ...copy.querySelectorAll('*')];
  from.forEach((el, i) => {
    const style = getComputedStyle(el);
    const target = to[i]!;
    for (const name of KEPT) {
      const v = style.getPropertyValue(name);
      if (v) target.setAttribute(name, v);
    }
    for (const a of ['class', 'tabindex', 'data-tip', 'style']) target.removeAttribute(a);
  });
  return copy;
}

// One entry: a line as it is drawn, or a box of its colour.
function sample(li: Element, x: number, y: number): SVGElement {
  const line = li.querySelector('path'), box = li.querySelector('i');
  if (line) {
    const s = getComputedStyle(line);
    return make('path', { d: `M${x} ${y - 4}h22`, fill: 'none', stroke: s.stroke, 'stroke-width': 2, ...(line.getAttribute('stroke-dasharray') ? { 'stroke-dasharray': '5 3' } : {}) });
  }
  return make('rect', { x, y: y - 10, width: 12, height: 12, rx: 3, fill: box ? getComputedStyle(box).backgroundColor : 'none' });
}

// In as many lines as it takes; returns where they end.
function legend(out: SVGElement, items: Element[], width: number, top: number, text: Attributes): number {
  let x = PAD, y = top + 16;
  for (const li of items) {
    const what = (li.textContent ?? '').trim(), wide = (li.querySelector('path') ? 28 : 18) + what.length * LETTER + 16;
    if (x > PAD && x + wide > width) (x = PAD), (y += LINE);
    out.append(sample(li, x, y), make('text', { ...text, x: x + (li.querySelector('path') ? 28 : 18), y, 'font-size': '12px' }, what));
    x += wide;
  }
  return items.length ? y + 8 : top;
}

export function svgText(svg: SVGSVGElement, title: string, items: Element[]): string {
  const box = svg.getBoundingClientRect(), width = Math.round(box.width), high = Math.round(box.height);
  const page = getComputedStyle(document.documentElement);
  const text = { 'font-family': 'system-ui, sans-serif', fill: page.getPropertyValue('--ink').trim() || '#000' };
  const out = make('svg', {});
  const copy = styled(svg);
  for (const [k, v] of Object.entries({ x: 0, y: HEAD, width, height: high })) copy.setAttribute(k, String(v));
  out.append(make('rect', { width: '100%', height: '100%', fill: page.getPropertyValue('--ground').trim() || '#fff' }));
  out.append(make('text', { ...text, x: PAD, y: 20, 'font-size': '15px', 'font-weight': 600 }, title), copy);
  const end = legend(out, items, width, HEAD + high, text);
  for (const [k, v] of Object.entries({ width, height: end, viewBox: `0 0 ${width} ${end}` })) out.setAttribute(k, String(v));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(out)}\n`;
}

export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const a = document.createElement('a');
  a.href = url;
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
