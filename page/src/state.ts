// All that can be chosen is in the address: #section?key=value. A link to it shows the same again.
import { useEffect, useState } from 'preact/hooks';

export interface Place {
  section: string;
  params: URLSearchParams;
}

export function read(): Place {
  const text = location.hash.replace(/^#/, '');
  const cut = text.indexOf('?');
  return { section: cut < 0 ? text : text.slice(0, cut), params: new URLSearchParams(cut < 0 ? '' : text.slice(cut + 1)) };
}

export function link(section: string, params: Record<string, string | number | null> = {}): string {
  const all = new URLSearchParams();
  const profile = read().params.get('profile');
  if (profile) all.set('profile', profile);
  for (const [k, v] of Object.entries(params)) if (v !== null && v !== '') all.set(k, String(v));
  const text = all.toString();
  return `#${section}${text ? `?${text}` : ''}`;
}

const watchers = new Set<() => void>();
addEventListener('hashchange', () => watchers.forEach((w) => w()));

export function go(hash: string, replace = false): void {
  if (hash === location.hash) return;
  if (replace) {
    history.replaceState(null, '', hash);
    watchers.forEach((w) => w());
  } else {
    location.hash = hash;
  }
}

export function usePlace(): Place {
  const [place, set] = useState(read);
  useEffect(() => {
    const watch = (): void => set(read());
    watchers.add(watch);
    return () => void watchers.delete(watch);
  }, []);
  return place;
}

// One choice of the section that is shown. Changes do not pile up in the history.
export function useParam(name: string, fallback: string): [string, (v: string) => void] {
  const { params } = usePlace();
  const set = (v: string): void => {
    const now = read();
    if (v === fallback) now.params.delete(name);
    else now.params.set(name, v);
    const text = now.params.toString();
    go(`#${now.section}${text ? `?${text}` : ''}`, true);
  };
  return [params.get(name) ?? fallback, set];
}

// Several at once: null is the fallback.
export function useParams(): (changes: Record<string, string | null>) => void {
  return (changes) => {
    const now = read();
    for (const [k, v] of Object.entries(changes)) {
      if (v === null) now.params.delete(k);
      else now.params.set(k, v);
    }
    const text = now.params.toString();
    go(`#${now.section}${text ? `?${text}` : ''}`, true);
  };
}
