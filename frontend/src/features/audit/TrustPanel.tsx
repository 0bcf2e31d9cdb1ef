import { Text } from '@mantine/core';
import { formatDuration } from '../../ui/format';
import classes from './Report.module.css';
import { answersIn, share, type Trust } from './report';

interface TrustPanelProps {
  trust: Trust;
  titleOf: (capability: string) => string;
}

/** How the assistant and people got on: what it asked for, and what they answered. */
export function TrustPanel({ trust, titleOf }: TrustPanelProps) {
  const { calls, risky, asked, grants, medianToDecideMs, byCapability } = trust;
  return (
    <>
      <h2 className={classes.title}>The assistant and you</h2>
      <dl className={classes.numbers}>
        <Figure label="Calls by the assistant" text={calls.toLocaleString()} />
        <Figure label="Of them with a risk" text={risky.toLocaleString()} />
        <Figure label="Asked" text={asked.toLocaleString()} />
        <Figure label="Spared by a grant" text={grants.toLocaleString()} />
        <Figure label="Half decided within" text={asked > 0 ? formatDuration(medianToDecideMs) : '–'} />
      </dl>
      {asked > 0 && (
        <ul className={classes.bars} aria-label="Answers">
          {answersIn(trust).map(({ label, count, tone }) => (
            <li key={label} className={classes.bar}>
              <span>{label}</span>
              <span className={classes.track} aria-hidden>
                <span className={classes.fill} data-tone={tone} style={{ width: `${share(count, asked)}%` }} />
              </span>
              <span className={classes.count}>
                {count.toLocaleString()} · {share(count, asked)} %
              </span>
            </li>
          ))}
        </ul>
      )}
      {byCapability.length > 0 && (
        <Text size="sm" c="dimmed">
          Asked most about:{' '}
          {byCapability
            .map(({ capability }) => titleOf(capability))
            .slice(0, 3)
            .join(', ')}
          .
        </Text>
      )}
    </>
  );
}

function Figure({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{text}</dd>
    </div>
  );
}
