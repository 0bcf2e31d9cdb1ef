import { Text } from '@mantine/core';
import type { Response } from '../../bridge/capabilities';
import { formatCount, formatDuration } from '../../language/format';
import { i18n } from '../../language/i18n';
import classes from './Report.module.css';
import { answersIn, share, type Trust } from './reportLines';

interface TrustPanelProps {
  trust: Trust;
  /** The cost of the turns; undefined while it loads, or if the application does not count it. */
  usage?: Response<'assistant.usage'>;
  titleOf: (capability: string) => string;
}

/** Figures on the assistant's calls, its cards, and the answers to them. */
export function TrustPanel({ trust, usage, titleOf }: TrustPanelProps) {
  const { turns, calls, risky, asked, grants, medianToDecideMs, byCapability } = trust;
  const decided = trust.allowed + trust.edited + trust.declined;
  return (
    <>
      <h2 className={classes.title}>{i18n._('The assistant and you')}</h2>
      <dl className={classes.numbers}>
        <Figure label={i18n._('Turns')} text={formatCount(turns)} />
        {usage && <Figure label={i18n._('Tokens')} text={tokensText(usage.tokens)} />}
        <Figure label={i18n._('Calls by the assistant')} text={formatCount(calls)} />
        <Figure label={i18n._('Of them with a risk')} text={formatCount(risky)} />
        <Figure label={i18n._('Asked')} text={formatCount(asked)} />
        <Figure label={i18n._('Spared by a grant')} text={formatCount(grants)} />
        <Figure label={i18n._('Half decided within')} text={decided > 0 ? formatDuration(medianToDecideMs) : '–'} />
      </dl>
      {asked > 0 && (
        <ul className={classes.bars} aria-label={i18n._('Answers')}>
          {answersIn(trust).map(({ label, count, tone }) => (
            <li key={label} className={classes.bar}>
              <span>{label}</span>
              <span className={classes.track} aria-hidden>
                <span className={classes.fill} data-tone={tone} style={{ width: `${share(count, asked)}%` }} />
              </span>
              <span className={classes.count}>
                {formatCount(count)} · {share(count, asked)} %
              </span>
            </li>
          ))}
        </ul>
      )}
      {byCapability.length > 0 && (
        <Text size="sm" c="dimmed">
          {i18n._('Asked most about: {actions}.', {
            actions: byCapability
              .map(({ capability }) => titleOf(capability))
              .slice(0, 3)
              .join(', '),
          })}
        </Text>
      )}
    </>
  );
}

/** The number of tokens and their cost. */
function tokensText({ input = 0, output = 0, costs = [] }: Response<'assistant.usage'>['tokens']): string {
  return [formatCount(input + output), ...costs.map(({ text }) => text)].join(' · ');
}

function Figure({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{text}</dd>
    </div>
  );
}
