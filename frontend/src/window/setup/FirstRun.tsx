import { Button, Text } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import type { Request } from '../../bridge/capabilities';
import { enumOf } from '../../bridge/schema';
import { countries } from '../../language/codes';
import { locale } from '../../language/format';
import { i18n, type LanguageChoice, languages } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry, useManifestQuery } from '../../queries/useManifest';
import { forgetPlace } from '../../shop/navigation';
import { notFiscal } from '../../shop/notFiscal';
import type { Field } from '../../ui/form/fields';
import { TextFields } from '../../ui/form/TextFields';
import { Problem } from '../../ui/page/Note';
import { PageWithoutApp } from '../../ui/window/PageWithoutApp';
import { useLasting } from '../../ui/window/useKept';
import { EmptyShop } from './EmptyShop';
import classes from './FirstRun.module.css';
import { ImportShop } from './ImportShop';
import { JoinShop, useJoining } from './JoinShop';
import mark from './mark.svg?inline';
import { type Answering, WhoAnswers } from './WhoAnswers';

const source = { source: 'FirstRun' };
const computer = { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, locale };

/** The beginning, in a folder without a shop: a sample, a shop of one's own, or one on another computer. */
export default function FirstRun() {
  const [chosen, setChosen] = useLasting('first run country', '');
  const setUp = useInvoke('shop.setUp', { ...source, once: true });
  const suggested = useCapability('shop.suggest', chosen ? { ...computer, country: chosen } : computer, source).data;
  const setModel = useInvoke('settings.set', source);
  const [answering, setAnswering] = useState<Answering>();
  const { refetch } = useManifestQuery();
  const joining = useJoining();
  const { error, isPending, variables } = setUp;
  const ofEmpty = variables?.from === 'empty';
  // The page goes when the manifest says that there is a shop. A refusal can mean that another process made it.
  const begin = (choice: Request<'shop.setUp'>) =>
    setUp.mutateAsync(choice).then(
      () => answering && setModel.mutate({ section: 'model', values: answering }),
      () => refetch(),
    );
  // Without a shop there is no page to come back to: the desk opens at the counter.
  useEffect(forgetPlace, []);

  if (joining?.removed) {
    const { removed: host } = joining;
    return (
      <PageWithoutApp title={i18n._('This desk was removed')} above={<Mark />}>
        <Text>
          {i18n._('The owner of the shop at {host} removed this desk. With a new code it joins again.', { host })}
        </Text>
        <JoinShop joining={joining} />
      </PageWithoutApp>
    );
  }
  return (
    <PageWithoutApp wide title={i18n._('Welcome to Deskhand')} above={<Mark />}>
      <Text c="dimmed">{i18n._('There is no shop in this folder yet. Choose how to begin.')}</Text>
      <Place country={chosen || (suggested?.country ?? '')} onChoose={setChosen} />
      <WhoAnswers chosen={answering} onChoose={setAnswering} />
      {error && !ofEmpty && <Problem message={error.message} hint={error.recoveryHint} />}
      <div className={classes.choices}>
        <div className={classes.ready}>
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
              loading={isPending && !ofEmpty}
              disabled={isPending}
              onClick={() => begin({ from: 'sample' })}
            >
              {i18n._('Open the sample shop')}
            </Button>
          </section>
          <ImportShop />
        </div>
        <EmptyShop
          suggested={suggested}
          call={{ ...setUp, error: ofEmpty ? error : null }}
          onBegin={(shop) => begin({ from: 'empty', ...shop })}
        />
        {joining && <JoinShop joining={joining} />}
      </div>
      <Text size="xs" c="dimmed">
        {notFiscal()}
      </Text>
    </PageWithoutApp>
  );
}

/** The language of the window, and the country of the shop. */
function Place({ country, onChoose }: { country: string; onChoose: (country: string) => void }) {
  const entry = useEntry('language.set');
  const setLanguage = useInvoke('language.set', source);
  const offered = enumOf<LanguageChoice>(entry?.input_schema, 'language').join(' ');
  const fields = useMemo((): Field<'language' | 'country'>[] => {
    const known = offered.split(' ').filter(Boolean) as LanguageChoice[];
    const choices = () => known.map((value) => ({ value, label: languages()[value] }));
    return [
      { name: 'language', label: i18n._('Language'), choices, half: true },
      { name: 'country', label: i18n._('Country of the shop'), choices: countries, half: true },
    ];
  }, [offered]);
  const now = { language: typeof entry?.current === 'string' ? entry.current : '', country };
  return (
    <div className={classes.place}>
      <TextFields
        at=""
        fields={fields}
        draft={now}
        onChange={(next) => {
          if (next.language !== now.language) setLanguage.mutate({ language: next.language as LanguageChoice });
          if (next.country !== now.country) onChoose(next.country);
        }}
      />
    </div>
  );
}

/** The sign of the application. */
function Mark() {
  return <img src={mark} alt="" width={44} height={44} />;
}
