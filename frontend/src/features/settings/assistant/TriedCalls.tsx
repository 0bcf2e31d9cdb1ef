import { Anchor, Text } from '@mantine/core';
import { entry } from '../../../bridge/manifest';
import type { JsonObject } from '../../../bridge/wire';
import { useDomain } from '../../../kit/domain';
import { readValues, useNamesIn } from '../../../kit/records';
import { RowChanges } from '../../../kit/rows/RowChanges';
import { humanize } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { useManifest } from '../../../queries/useManifest';
import { Badge } from '../../../ui/page/Badge';
import classes from './TryOnPast.module.css';
import type { TriedCall } from './tried';

/** The calls of a turn, with the rows that each changed; of those that were recorded the way to the record. */
export function TriedCalls({ calls, recorded }: { calls: readonly TriedCall[]; recorded?: boolean }) {
  if (calls.length === 0) return <Text size="sm">{i18n._('It called nothing.')}</Text>;
  return (
    <ol className={classes.calls}>
      {calls.map((call) => (
        <li key={call.requestId}>
          <Call call={call} recorded={recorded} />
        </li>
      ))}
    </ol>
  );
}

function Call({ call, recorded }: { call: TriedCall; recorded?: boolean }) {
  const { capability, requestId, result, rows = [] } = call;
  const args = (call.arguments ?? {}) as JsonObject;
  const manifest = useManifest();
  const title = entry(manifest, capability)?.title ?? capability;
  const names = useNamesIn({ capability, arguments: args, rows });
  const open = useDomain().useOpenLink();
  return (
    <>
      <div className={classes.call}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        {result !== 'success' && <Badge color="brick">{i18n._('not done')}</Badge>}
        {recorded && open && (
          <Anchor component="button" type="button" size="xs" onClick={() => open(`audit/${requestId}`)}>
            {i18n._('Record')}
          </Anchor>
        )}
      </div>
      {readValues(manifest, capability, args, names).map(({ name, text }) => (
        <Text key={name} size="xs">
          {humanize(name)}: {text}
        </Text>
      ))}
      {rows.length > 0 && <RowChanges rows={rows} names={names} />}
    </>
  );
}
