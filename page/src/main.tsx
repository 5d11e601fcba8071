import { render, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { readPage, type Page } from './data';
import { base, short } from './format';
import { go, link, read, usePlace } from './state';
import { Choice, Current, Tooltip } from './ui';
import { Calls } from './calls';
import { Differences } from './differences';
import { Flow } from './flow';
import { Functions } from './functions';
import { Glossary } from './glossary';
import { Loops } from './loops';
import { Memory } from './memory';
import { Plan } from './plan';
import { Contention } from './contention';
import { Start } from './start';
import { Time } from './time';
import { Whatif } from './whatif';

interface Section {
  id: string;
  title: string;
  what: string;
  views: string[]; // of the tool, that are shown here
  body: () => JSX.Element;
  needs?: string; // only with this result
}

const SECTIONS: Section[] = [
  { id: 'start', title: 'Start', what: 'The run in a few sentences', views: ['summary'], body: Start },
  { id: 'calls', title: 'Calls', what: 'Where instructions go', views: ['calltree'], body: Calls },
  { id: 'loops', title: 'Loops and source', what: 'What could run in parallel, and what stops the rest', views: ['loops', 'lines'], body: Loops },
  { id: 'plan', title: 'Plan', what: 'Which loops to share out, and what that gives', views: [], body: Plan },
  { id: 'whatif', title: 'What if', what: 'Other cores, schedules, costs and hardware, predicted here', views: [], body: Whatif },
  { id: 'flow', title: 'Data flow', what: 'Who reads what whom wrote', views: ['comm', 'channel'], body: Flow },
  { id: 'functions', title: 'Functions', what: 'What each executes, computes and accesses', views: ['functions', 'intensity', 'classes', 'amdahl'], body: Functions },
  { id: 'memory', title: 'Memory', what: 'Data objects and who touches them', views: ['objects'], body: Memory },
  { id: 'time', title: 'Time', what: 'Frames, phases and bytes over time', views: ['bandwidth', 'frames'], body: Time },
  { id: 'contention', title: 'Contention', what: 'What cores lose to each other in a simulation', views: [], body: Contention, needs: 'contention' },
  { id: 'differences', title: 'Differences', what: 'What changed since the first profile', views: ['compare'], body: Differences, needs: 'compare' },
  { id: 'glossary', title: 'Glossary', what: 'Every figure, its unit and its meaning', views: [], body: Glossary },
];

function nameOf(p: Page['profiles'][number]): string {
  return `${base((p.view('summary')['program'] as string) ?? '') || 'profile'} (${short(base(p.path), 40)})`;
}

function useTheme(): [string, () => void] {
  const [theme, set] = useState('');
  const dark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  useEffect(() => {
    if (theme) document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return [dark ? 'dark' : 'light', () => set(dark ? 'light' : 'dark')];
}

// Paper shows every section.
function usePrinting(): boolean {
  const [printing, set] = useState(false);
  useEffect(() => {
    const on = (): void => set(true), off = (): void => set(false);
    addEventListener('beforeprint', on);
    addEventListener('afterprint', off);
    return () => {
      removeEventListener('beforeprint', on);
      removeEventListener('afterprint', off);
    };
  }, []);
  return printing;
}

function App(props: { page: Page }): JSX.Element {
  const { page } = props;
  const place = usePlace();
  const printing = usePrinting();
  const [theme, toggle] = useTheme();
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const index = Math.min(page.profiles.length - 1, Math.max(0, Number(place.params.get('profile') ?? '0') || 0));
  const profile = page.profiles[index]!;
  const sections = SECTIONS.filter((s) => !s.needs || profile.has(s.needs));
  const section = sections.find((s) => s.id === place.section) ?? sections[0]!;
  useEffect(() => {
    document.title = `${section.id === 'start' ? '' : `${section.title} · `}${nameOf(profile)} · Corecast`;
    if (!first.current) {
      scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
    first.current = false;
  }, [section, profile]);
  return (
    <Current.Provider value={{ profile, printing }}>
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); main.current?.focus(); }}>Skip to the content</a>
      <header>
        <a class="brand" href={link('start')}><span aria-hidden="true">◧</span> Corecast</a>
        {page.profiles.length > 1 ? (
          <Choice label="Profile" value={String(index)} set={(v) => go(`#${section.id}${v === '0' ? '' : `?profile=${v}`}`)} options={page.profiles.map((p, i) => [String(i), nameOf(p)])} />
        ) : (
          <span class="profile"><bdi>{nameOf(profile)}</bdi></span>
        )}
        <button class="quiet theme" onClick={toggle} aria-label={theme === 'dark' ? 'light colours' : 'dark colours'}>{theme === 'dark' ? '☀' : '☾'}</button>
      </header>
      <nav aria-label="sections">
        <ul>
          {sections.map((s) => (
            <li key={s.id}><a href={link(s.id)} aria-current={s === section ? 'page' : undefined} title={s.what}>{s.title}</a></li>
          ))}
        </ul>
      </nav>
      <main ref={main} tabIndex={-1} id="main">
        {(printing ? sections : [section]).map((s) => (
          <section key={`${s.id} ${index}`} aria-labelledby={`title-${s.id}`} id={`section-${s.id}`}>
            <h2 id={`title-${s.id}`}>{s.title} <small>{s.what}</small></h2>
            <s.body />
          </section>
        ))}
      </main>
      <footer>Written by corecast {page.tool}. This file is complete: it loads nothing and sends nothing.{!page.withSources && ' Source text was left out.'}</footer>
      <Tooltip />
    </Current.Provider>
  );
}

const page = readPage();
if (!read().section && page.open) {
  const at = SECTIONS.find((s) => s.views.includes(page.open!));
  const profile = at?.needs ? page.profiles.findIndex((p) => p.has(at.needs!)) : 0;
  if (at && at.id !== 'start') history.replaceState(null, '', `#${at.id}${profile > 0 ? `?profile=${profile}` : ''}`);
}
const root = document.getElementById('app')!;
root.textContent = '';
render(<App page={page} />, root);
performance.mark('drawn');
