import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FilledForm } from '../../bridge/chat';
import type { ManifestEntry } from '../../bridge/manifest';
import type { JsonObject } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { translateFromGo } from '../../language/translateFromGo';
import { previewKey, useClient } from '../../queries/BusProvider';
import { originText } from '../approvals/cards';
import { untouched } from './filled';
import classes from './Palette.module.css';

interface FilledProps {
  entry: ManifestEntry;
  filled: FilledForm;
  values: JsonObject;
}

/** What the assistant has filled in: each value with its origin until it is touched, and what submitting would do. */
export function Filled({ entry, filled, values }: FilledProps) {
  const client = useClient();
  const grave = entry.side_effect === 'network' || entry.side_effect === 'destructive';
  const { data: sentence } = useQuery({
    queryKey: [...previewKey(entry.name, JSON.stringify(values)), 'sentence'],
    queryFn: async () =>
      (await client.invokeByName(entry.name, values, { source: 'Form', dryRun: true })).summary ?? '',
    enabled: grave,
    gcTime: 0,
    retry: false,
  });
  const marked = untouched(filled, values);
  const titles = (filled.tainted ?? []).map((title) => translateFromGo(title)).join(', ');
  return (
    <section className={classes.filled} aria-label={i18n._('Filled in by the assistant')}>
      <Text size="sm" fw={600}>
        {i18n._('Filled in by the assistant: look at it, then submit it yourself.')}
      </Text>
      {marked.length > 0 && (
        <dl className={classes.filledValues}>
          {marked.map(({ pointer, label, text, origin }) => (
            <div key={pointer}>
              <dt>{label}</dt>
              <dd>{text}</dd>
              <dd>{originText(origin)}</dd>
            </div>
          ))}
        </dl>
      )}
      {titles && <Text size="sm">{i18n._('It has read text of others before: {titles}.', { titles })}</Text>}
      {sentence && (
        <Text size="sm" fw={600}>
          {translateFromGo(sentence)}
        </Text>
      )}
    </section>
  );
}
