import { Button, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { usePages } from '../../../asking/useCapability';
import { useRefusal } from '../../../asking/useManifest';
import { i18n } from '../../../language/i18n';
import { ActionButton } from '../../../ui/form/ActionButton';
import { Loading } from '../../../ui/page/Loading';
import { Empty, Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';
import page from '../../../ui/page/Page.module.css';
import { GrantRow } from './GrantRow';
import { NewGrant } from './NewGrant';

/** The grants of the assistant: bounds, use and end of each. */
export function Grants() {
  const [giving, setGiving] = useState(false);
  const [over, setOver] = useState(false);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePages(
    'grant.list',
    {},
    { source: 'Settings' },
  );
  const refused = useRefusal('grant.create');
  const all = data?.pages.flatMap(({ grants }) => grants) ?? [];
  const shown = over ? all : all.filter(({ status }) => status === 'active');
  return (
    <Part
      title={i18n._('Allowed without asking')}
      actions={
        <ActionButton disabledReason={refused} onClick={() => setGiving(true)}>
          {i18n._('New grant')}
        </ActionButton>
      }
    >
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!data && !error && <Loading label={i18n._('Reading the grants')} />}
      {data && shown.length === 0 && (
        <Empty title={i18n._('Nothing is granted')}>
          {i18n._(
            'The assistant asks each time. A card has “Allow and don’t ask again”; here you can allow something beforehand.',
          )}
        </Empty>
      )}
      <ul className={page.rows} aria-label={i18n._('Grants')}>
        {shown.map((grant) => (
          <GrantRow key={grant.id} grant={grant} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {i18n._('Show more')}
        </Button>
      )}
      {all.some(({ status }) => status !== 'active') && (
        <Switch
          mt="sm"
          size="xs"
          label={<Text size="xs">{i18n._('Show those that are over, too')}</Text>}
          checked={over}
          onChange={(event) => setOver(event.currentTarget.checked)}
        />
      )}
      {giving && <NewGrant onClose={() => setGiving(false)} />}
    </Part>
  );
}
