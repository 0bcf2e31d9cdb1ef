import { expect, type Page } from '@playwright/test';
import { invoke, log, say, test } from './bridge';
import { spread, tell, times } from './painted';

/*
 * A long reply in the conversation. A flow counts how often it is drawn; how long the page's own thread is
 * taken by it is a figure, and nothing is asserted of time:
 *
 *   build/flows.sh build/bin/deskhand-dev chat-figures --grep @figures
 */

const TOKENS = 500;
const END = 'That is all of it.';

/** A reply of as many tokens, as a model formats one: paragraphs, a list, a table. */
function tokens(): string[] {
  const words = 'The order of Ana Ruiz was placed on Monday and is paid; '.split(/(?<= )/);
  const out = ['## Orders\n\n', '| Order ', '| Total |\n', '|---|---:|\n'];
  for (let row = 0; row < 20; row += 1) out.push(`| #W10000${row} `, `| $${row}.00 |\n`);
  out.push('\n');
  while (out.length < TOKENS - 1) {
    out.push(...(out.length % 5 === 0 ? ['\n\n- ', '**', 'bold', '** '] : []), words[out.length % words.length] ?? '');
  }
  return [...out.slice(0, TOKENS - 1), `\n\n${END}`];
}

interface Watched {
  drawn: number;
  /** Milliseconds of each task of the page's thread that took over 50 ms. */
  long: number[];
  stop: () => void;
}

/** Counts from now on how often the conversation changes, and the long tasks. */
const watch = (desk: Page) =>
  desk.evaluate(() => {
    const thread = document.querySelector('[data-conversation] [role="log"]');
    const watched: Watched = { drawn: 0, long: [], stop: () => {} };
    const changes = new MutationObserver(() => {
      watched.drawn += 1;
    });
    const tasks = new PerformanceObserver((list) => watched.long.push(...list.getEntries().map((e) => e.duration)));
    if (thread) changes.observe(thread, { subtree: true, childList: true, characterData: true });
    tasks.observe({ type: 'longtask' });
    watched.stop = () => {
      watched.long.push(...tasks.takeRecords().map((e) => e.duration));
      changes.disconnect();
      tasks.disconnect();
    };
    Object.assign(window, { watched });
  });

const read = (desk: Page) =>
  desk.evaluate(() => {
    const { watched } = window as unknown as { watched: Watched };
    watched.stop();
    return { drawn: watched.drawn, long: watched.long };
  });

/** Has the model give the long reply; what was seen while it came. */
async function reply(desk: Page, pace: number, script: (line: { text: string[]; pace: number }) => void) {
  script({ text: ['Ready.'], pace: 0 });
  await say(desk, 'Are you there?');
  await expect(log(desk)).toContainText('Ready.');
  script({ text: tokens(), pace });
  await watch(desk);
  await say(desk, 'Tell me of all the orders');
  await expect(log(desk)).toContainText(END);
  const seen = await read(desk);
  await desk.getByRole('button', { name: 'New conversation' }).click();
  return seen;
}

test('a reply of 500 tokens is drawn once a frame, not once a token', { tag: '@long' }, async ({ desk, model }) => {
  const { drawn } = await reply(desk, 2, (line) => model.script(line));
  expect(drawn).toBeGreaterThan(2);
  expect(drawn, 'of 500 tokens in a second').toBeLessThan(TOKENS / 2);
  expect(await invoke(desk, 'assistant.status', {})).toMatchObject({ connected: true });
});

/** Milliseconds that the longest task of the page's thread computed, what it waited for a processor left out. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: Traced[] };
  const main = new Set(
    traceEvents.filter(({ args }) => args?.name === 'CrRendererMain').map(({ pid, tid }) => pid + tid),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && main.has(pid + tid));
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000));
}

interface Traced {
  name: string;
  pid: number;
  tid: number;
  tdur?: number;
  args?: { name?: string };
}

test('a reply of 500 tokens takes the page @figures', async ({ desk, model, browser }) => {
  const long: number[] = [];
  const worked: number[] = [];
  let drawn = 0;
  for (let n = 0; n < Math.min(times, 10); n += 1) {
    await browser.startTracing(desk, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] });
    const seen = await reply(desk, 10, (line) => model.script(line));
    worked.push(longestTask(await browser.stopTracing()));
    long.push(...seen.long);
    drawn += seen.drawn;
  }
  tell('Assistant: a reply of 500 tokens', {
    ...{ replies: worked.length, drawn: Math.round(drawn / worked.length) },
    ...{ task: spread(worked), 'tasks over 50 ms with all that waited': long.length },
  });
});
