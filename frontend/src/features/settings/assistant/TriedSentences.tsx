import { Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { formatMoment } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { Badge } from '../../../ui/page/Badge';
import { TriedCalls } from './TriedCalls';
import classes from './TryOnPast.module.css';
import { outcomeOf, type TriedSentence } from './tried';

/** Past sentences with what a model that was tried came to; one that is opened shows both side by side. */
export function TriedSentences({ sentences }: { sentences: readonly TriedSentence[] }) {
  const [open, setOpen] = useState<string>();
  return (
    <ul className={classes.sentences} aria-label={i18n._('Tried sentences')}>
      {sentences.map((sentence) => {
        const { turnId, text, at } = sentence;
        const outcome = outcomeOf(sentence);
        return (
          <li key={turnId}>
            <UnstyledButton
              className={classes.sentence}
              aria-expanded={open === turnId}
              onClick={() => setOpen(open === turnId ? undefined : turnId)}
            >
              <Badge color={outcome.color}>{outcome.text}</Badge>
              <Text span size="sm" className={classes.text}>
                {text}
              </Text>
              <Text span size="xs" c="dimmed">
                {formatMoment(at)}
              </Text>
            </UnstyledButton>
            {open === turnId && <Both sentence={sentence} about={outcome.about} />}
          </li>
        );
      })}
    </ul>
  );
}

function Both({ sentence, about }: { sentence: TriedSentence; about: string }) {
  return (
    <div className={classes.both}>
      <Text size="xs" c="dimmed" className={classes.about}>
        {about}
      </Text>
      <section aria-label={i18n._('Then')}>
        <Heading>{i18n._('Then')}</Heading>
        <TriedCalls calls={sentence.recorded} recorded />
      </section>
      <section aria-label={i18n._('This model')}>
        <Heading>{i18n._('This model')}</Heading>
        <TriedCalls calls={sentence.tried} />
        {sentence.said && <Text size="sm">{sentence.said}</Text>}
      </section>
    </div>
  );
}

const Heading = ({ children }: { children: string }) => (
  <Text component="h3" size="xs" fw={600} c="dimmed" mb={4}>
    {children}
  </Text>
);
