import { Button, Switch, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useRefusal } from '../../../queries/useManifest';
import { usePages } from '../../../queries/usePages';
import { ActionButton } from '../../../ui/form/ActionButton';
import { Loading } from '../../../ui/page/Loading';
import { Empty, Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';
import page from '../../../ui/page/Page.module.css';
import { GrantRow } from './GrantRow';
import { NewGrant } from './NewGrant';

const listing = {
  source: 'Settings',
  rowsOf: (page: Response<'grant.list'>) => page.grants,
  keyOf: ({ id }: { id: string }) => id,
  ahead: 0, // more are shown when they are asked for
};

/** The grants of the assistant: bounds, use and end of each. */
export function Grants() {
  const [giving, setGiving] = useState(false);
  const [over, setOver] = useState(false);
  const { list, items: all, isSuccess, error, refetch } = usePages('grant.list', {}, listing);
  useEffect(() => list.show(0, all.length - 1), [list, all.length]);
  const refused = useRefusal('grant.create');
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
      {!isSuccess && !error && <Loading label={i18n._('Reading the grants')} />}
      {isSuccess && shown.length === 0 && (
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
      {list.goesOn && (
        <Button variant="default" loading={list.busy} onClick={list.more}>
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
