import { Text, UnstyledButton } from '@mantine/core';
import { IconLock, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import type { Response } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { useSession, useSignIn } from '../../shop/session';
import { Empty, Problem } from '../../ui/page/Note';
import { PageWithoutApp } from '../../ui/window/PageWithoutApp';
import { EnterPin } from './EnterPin';
import classes from './SignIn.module.css';

type Person = Response<'session.get'>['people'][number];

/** The sign-in. Nothing else of the shop is shown. The person it is locked for is asked first. */
export function SignIn() {
  const session = useSession();
  const people = session?.people ?? [];
  const [chosen, setChosen] = useState<Person | 'anybody'>();
  const signIn = useSignIn();
  const choose = (person: Person) => {
    signIn.reset();
    if (person.needsPin) setChosen(person);
    else signIn.run({ staffId: person.id });
  };
  const awaited = chosen ?? people.find(({ name, needsPin }) => needsPin && name === session?.lockedFor);
  const person = awaited === 'anybody' ? undefined : awaited;
  return (
    <PageWithoutApp title={session?.shop?.name ?? 'Deskhand'}>
      {session?.lockedFor !== undefined && (
        <Text c="dimmed">{i18n._('Locked. {name} was at the desk.', { name: session.lockedFor })}</Text>
      )}
      {person ? (
        <EnterPin
          key={person.id}
          name={person.name}
          pending={signIn.isPending}
          error={signIn.error}
          onEnter={(pin) => signIn.run({ staffId: person.id, pin })}
          onBack={() => {
            signIn.reset();
            setChosen('anybody');
          }}
        />
      ) : (
        <>
          <Text c="dimmed">{i18n._('Who is at the desk?')}</Text>
          {signIn.error && <Problem message={signIn.error.message} hint={signIn.error.recoveryHint} />}
          {people.length === 0 && (
            <Empty title={i18n._('Nobody can sign in here')}>
              {i18n._('An owner sets a PIN at the computer of the shop.')}
            </Empty>
          )}
          {people.length > 0 && (
            <ul className={classes.people} aria-label={i18n._('People')}>
              {people.map((person, index) => (
                <li key={person.id}>
                  <UnstyledButton
                    className={classes.person}
                    autoFocus={index === 0}
                    disabled={signIn.isPending}
                    onClick={() => choose(person)}
                  >
                    {person.needsPin ? <IconLock size={16} aria-hidden /> : <IconUser size={16} aria-hidden />}
                    <Text fw={500}>{person.name}</Text>
                    {person.needsPin && (
                      <Text size="xs" c="dimmed" ml="auto">
                        {i18n._('PIN')}
                      </Text>
                    )}
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </PageWithoutApp>
  );
}
