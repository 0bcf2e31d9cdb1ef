import { Button, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useInvoke } from '../../asking/useInvoke';
import { useManifestQuery } from '../../asking/useManifest';
import type { Request } from '../../door/capabilities';
import { i18n } from '../../language/i18n';
import { forgetPlace } from '../../shop/navigation';
import { Problem } from '../../ui/page/Note';
import { Alone } from '../../ui/window/Alone';
import classes from './FirstRun.module.css';
import { ImportShop } from './ImportShop';

/** The beginning, in a folder without a shop: a sample to try everything on, or a shop of one's own. */
export default function FirstRun() {
  const [name, setName] = useState('');
  const setUp = useInvoke('shop.setUp', { source: 'FirstRun', once: true });
  const { refetch } = useManifestQuery();
  const { error, isPending, variables } = setUp;
  // The page goes when the manifest says that there is a shop. A refusal can mean that another process made it.
  const begin = (choice: Request<'shop.setUp'>) => setUp.mutate(choice, { onError: () => refetch() });
  // Without a shop there is no page to come back to: the desk opens at the counter.
  useEffect(forgetPlace, []);
  const makeEmpty = (event: FormEvent) => {
    event.preventDefault();
    begin({ from: 'empty', name: name.trim() || undefined });
  };

  return (
    <Alone wide title={i18n._('Welcome to Deskhand')}>
      <Text c="dimmed">{i18n._('There is no shop in this folder yet. Choose how to begin.')}</Text>
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      <div className={classes.choices}>
        <section className={classes.choice} aria-labelledby="sample-shop">
          <h2 id="sample-shop">{i18n._('Sample shop')}</h2>
          <Text className={classes.about}>
            {i18n._(
              'An invented coffee roastery with products, customers and a year of orders: try everything, break nothing.',
            )}
          </Text>
          <Button
            size="sm"
            autoFocus
            loading={isPending && variables.from === 'sample'}
            disabled={isPending}
            onClick={() => begin({ from: 'sample' })}
          >
            {i18n._('Open the sample shop')}
          </Button>
        </section>
        <section className={classes.choice} aria-labelledby="empty-shop">
          <h2 id="empty-shop">{i18n._('Empty shop')}</h2>
          <Text className={classes.about}>
            {i18n._('Nothing in it but you as the owner. Products and customers are yours to add.')}
          </Text>
          <form className={classes.own} onSubmit={makeEmpty}>
            <TextInput
              size="sm"
              label={i18n._('Name of the shop')}
              placeholder={i18n._('My shop')}
              maxLength={120}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button
              type="submit"
              size="sm"
              variant="default"
              loading={isPending && variables.from === 'empty'}
              disabled={isPending}
            >
              {i18n._('Start with an empty shop')}
            </Button>
          </form>
        </section>
        <ImportShop />
      </div>
    </Alone>
  );
}
