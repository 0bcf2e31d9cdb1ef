import { Text, UnstyledButton } from '@mantine/core';
import { IconLock, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import type { Response } from '../../bus/client';
import { useSession, useSignIn } from '../../bus/session';
import { Empty, Problem } from '../../ui/Note';
import { EnterPin } from './EnterPin';
import classes from './SignIn.module.css';

type Person = Response<'session.get'>['people'][number];

/** With nobody signed in: who is it? Nothing else of the shop is shown. */
export function SignIn() {
  const session = useSession();
  const [chosen, setChosen] = useState<Person>();
  const signIn = useSignIn();
  const people = session?.people ?? [];
  const choose = (person: Person) => {
    signIn.reset();
    if (person.needsPin) setChosen(person);
    else signIn.run({ staffId: person.id });
  };
  return (
    <main className={classes.page}>
      <h1 className={classes.title}>{session?.shop?.name ?? 'Deskhand'}</h1>
      {chosen ? (
        <EnterPin
          name={chosen.name}
          pending={signIn.isPending}
          error={signIn.error}
          onEnter={(pin) => signIn.run({ staffId: chosen.id, pin })}
          onBack={() => {
            signIn.reset();
            setChosen(undefined);
          }}
        />
      ) : (
        <>
          <Text c="dimmed">Who is at the desk?</Text>
          {signIn.error && <Problem message={signIn.error.message} hint={signIn.error.recoveryHint} />}
          {people.length === 0 && (
            <Empty title="Nobody can sign in here">An owner sets a PIN from the command line.</Empty>
          )}
          {people.length > 0 && (
            <ul className={classes.people} aria-label="People">
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
                        PIN
                      </Text>
                    )}
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </main>
  );
}
