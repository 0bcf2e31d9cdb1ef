import { Anchor, Text } from '@mantine/core';
import { entry } from '../../bridge/manifest';
import { formatTime } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useEntry, useManifest } from '../../queries/useManifest';
import { decisionText } from '../audit/record';
import { usePersonNames } from '../domain';
import classes from './Activity.module.css';

/** As many records of the assistant are looked through, and as many questions shown. */
const READ = 100;
const SHOWN = 6;

/** What the assistant asked lately, and what it was told, from the audit log; nothing where it asked nothing. */
export function AnsweredQuestions({ onOpenTrace }: { onOpenTrace: (requestId: string) => void }) {
  const manifest = useManifest();
  const enabled = useEntry('audit.search')?.available ?? false;
  const asked = { limit: READ, callerType: 'agent' as const };
  const { data } = useCapability('audit.search', asked, { source: 'Activity', enabled });
  const answered = (data?.records ?? []).filter(({ decision }) => decision?.answer).slice(0, SHOWN);
  const nameOf = usePersonNames(answered.map(({ decision }) => decision?.by));
  if (answered.length === 0) return null;
  return (
    <>
      <Text size="sm" fw={600}>
        {i18n._('Asked and answered')}
      </Text>
      <ul className={classes.asked} aria-label={i18n._('What the assistant asked lately')}>
        {answered.map(({ seq, request_id, capability = '', summary, time, decision }) => (
          <li key={seq}>
            <Anchor component="button" type="button" size="sm" ta="start" onClick={() => onOpenTrace(request_id)}>
              {summary || (entry(manifest, capability)?.title ?? capability)}
            </Anchor>
            <Text size="xs" c="dimmed">
              {formatTime(time)} · {decisionText(decision && { ...decision, by: nameOf(decision.by) })}
            </Text>
          </li>
        ))}
      </ul>
    </>
  );
}
