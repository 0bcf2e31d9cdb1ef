import type { Response } from '../../bus/client';

type Report = Response<'settings.testModel'>;

/** One thing a model was found to be able to do, or not. */
export interface Finding {
  good: boolean;
  text: string;
}

/** What a test came to, in one sentence. */
export function verdict({ works, tools, problem }: Report): Finding {
  if (works && tools) return { good: true, text: 'This model can work here.' };
  return { good: false, text: problem ?? 'This model cannot work here.' };
}

/** What was tried, one by one; nothing of a model that did not answer at all. */
export function findings(report: Report, model: string): Finding[] {
  if (!report.works) return listing(report, model);
  return [
    ...listing(report, model),
    report.tools
      ? { good: true, text: 'It does what it is asked to, through tools.' }
      : { good: false, text: 'It only talks: it called no tool, so it can do nothing here.' },
    report.streaming
      ? { good: true, text: 'Its answer comes piece by piece, so you see it at once.' }
      : { good: false, text: 'Its answer comes as a whole, so you wait for all of it.' },
    report.parallelCalls
      ? { good: true, text: 'It looks several things up at once.' }
      : { good: false, text: 'It looks things up one after the other, which takes longer.' },
    { good: report.latencyMs < 10_000, text: `The whole answer took ${seconds(report.latencyMs)}.` },
  ];
}

function listing({ models, listed }: Report, model: string): Finding[] {
  if (listed) return [{ good: true, text: `The endpoint has ${model}.` }];
  if (models.length === 0) return [];
  return [{ good: false, text: `The endpoint does not list ${model}. It has ${models.length}: choose one above.` }];
}

function seconds(ms: number): string {
  return ms < 950 ? 'less than a second' : `${Math.round(ms / 1000).toLocaleString()} s`;
}
