import { Button, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { usePages, useRefusal } from '../../bus/hooks';
import { ActionButton } from '../../ui/ActionButton';
import { Loading } from '../../ui/Loading';
import { Empty, Problem } from '../../ui/Note';
import { Part } from '../../ui/Page';
import page from '../../ui/Page.module.css';
import { GrantRow } from './GrantRow';
import { NewGrant } from './NewGrant';

/** What the assistant need not ask about: within which bounds, how much of it is used, and how it ends. */
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
      title="Allowed without asking"
      actions={
        <ActionButton disabledReason={refused} onClick={() => setGiving(true)}>
          New grant
        </ActionButton>
      }
    >
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!data && !error && <Loading label="Reading the grants" />}
      {data && shown.length === 0 && (
        <Empty title="Nothing is granted">
          The assistant asks each time. A card has “Allow and don’t ask again”; here you can allow something beforehand.
        </Empty>
      )}
      <ul className={page.rows} aria-label="Grants">
        {shown.map((grant) => (
          <GrantRow key={grant.id} grant={grant} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show more
        </Button>
      )}
      {all.some(({ status }) => status !== 'active') && (
        <Switch
          mt="sm"
          size="xs"
          label={<Text size="xs">Show those that are over, too</Text>}
          checked={over}
          onChange={(event) => setOver(event.currentTarget.checked)}
        />
      )}
      {giving && <NewGrant onClose={() => setGiving(false)} />}
    </Part>
  );
}
