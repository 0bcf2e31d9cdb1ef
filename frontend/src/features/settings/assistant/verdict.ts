import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { own } from '../../../language/own';

type Report = Response<'settings.testModel'>;

/** One thing a model was found to be able to do, or not. */
export interface Finding {
  good: boolean;
  text: string;
}

/** The result of a test in one sentence. */
export function verdict({ works, tools, problem }: Report): Finding {
  if (works && tools) return { good: true, text: i18n._('This model can work here.') };
  return { good: false, text: problem ?? i18n._('This model cannot work here.') };
}

/** The results of a test one by one; none for a model that did not answer. */
export function findings(report: Report, model: string): Finding[] {
  if (!report.works) return listing(report, model);
  return [
    ...listing(report, model),
    report.tools
      ? { good: true, text: i18n._('It does what it is asked to, through tools.') }
      : { good: false, text: i18n._('It only talks: it called no tool, so it can do nothing here.') },
    report.streaming
      ? { good: true, text: i18n._('Its answer comes piece by piece, so you see it at once.') }
      : { good: false, text: i18n._('Its answer comes as a whole, so you wait for all of it.') },
    report.parallelCalls
      ? { good: true, text: i18n._('It looks several things up at once.') }
      : { good: false, text: i18n._('It looks things up one after the other, which takes longer.') },
    ...reads(report),
    ...(report.thinks
      ? [{ good: true, text: i18n._('It thinks before it answers; what it thinks is left out.') }]
      : []),
    { good: report.latencyMs < 10_000, text: tookText(report.latencyMs) },
  ];
}

/** The least that a conversation of some turns needs. */
const ROOM = 8000;

/** How much it reads at once. */
function reads({ context: tokens, assumed }: Report): Finding[] {
  if (!tokens) return [];
  if (assumed) {
    const text = i18n._('Its server says nothing of how much it reads: {tokens, number} tokens are usual.', { tokens });
    return [{ good: tokens >= ROOM, text }];
  }
  const text =
    tokens >= ROOM
      ? i18n._('It reads {tokens, number} tokens at once.', { tokens })
      : i18n._('It reads {tokens, number} tokens at once, which is little: 8192 or more work better.', { tokens });
  return [{ good: tokens >= ROOM, text }];
}

function listing({ models, listed }: Report, model: string): Finding[] {
  if (listed) return [{ good: true, text: i18n._('The endpoint has {model}.', { model }) }];
  if (models.length === 0) return [];
  const text = i18n._('The endpoint does not list {model}. It has {count, number}: choose one above.', {
    model,
    count: models.length,
  });
  return [{ good: false, text }];
}

/** What an earlier test found, in one line. */
export function profileText(abilities: readonly string[]): string {
  const said: Record<string, string> = {
    tools: i18n._('calls tools'),
    parallelCalls: i18n._('several at once'),
    streaming: i18n._('answers piece by piece'),
    thinks: i18n._('thinks first'),
  };
  return i18n._('Tested before: {abilities}.', {
    abilities: abilities.map((name) => own(said, name) ?? name).join(', ') || i18n._('it only talks'),
  });
}

function tookText(ms: number): string {
  if (ms < 950) return i18n._('The whole answer took less than a second.');
  return i18n._('The whole answer took {seconds, number} s.', { seconds: Math.round(ms / 1000) });
}
