import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { i18n } from '../../language/i18n';
import type { Breakdown } from './Boundary';
import classes from './Broken.module.css';
import { copyText } from './copyText';

interface BrokenProps extends Breakdown {
  title: string;
  /** It stands for a whole page: its title is the page's. */
  page?: boolean;
  /** The text: the parts that still work, the data that is safe. */
  children: ReactNode;
  /** Other ways on, as buttons. */
  ways?: ReactNode;
}

/** The face of a part that could not be drawn: what happened, and the ways on. */
export function Broken({ title, page, details, retry, children, ways }: BrokenProps) {
  const text = useRef<HTMLPreElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(details, text.current);
    if (!done) text.current?.closest('details')?.setAttribute('open', '');
    setCopied(done);
  };
  return (
    <section className={classes.broken} role="alert" aria-label={title}>
      <IconAlertTriangle size={22} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <Text component={page ? 'h1' : 'h2'} fw={600} m={0} size="sm">
          {title}
        </Text>
        <Text c="dimmed">{children}</Text>
        <Group gap="xs" mt="sm">
          <Button onClick={retry}>{i18n._('Try again')}</Button>
          {ways}
          <Button variant="default" onClick={copy}>
            {copied ? i18n._('Copied') : i18n._('Copy the details')}
          </Button>
        </Group>
        <details className={classes.details}>
          <summary>{i18n._('Details')}</summary>
          <pre ref={text}>{details}</pre>
        </details>
      </div>
    </section>
  );
}
