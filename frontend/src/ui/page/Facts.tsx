import { Text, type TextProps } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import classes from './Facts.module.css';

/** The facts about a thing, each with its label; empty ones are left out. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(
        ([label, value]) =>
          value && (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

/** A number in a list: its digits stand below those of the rows around it. */
export function Figure(props: TextProps & { children: ReactNode }) {
  return <Text {...props} className={classes.figure} />;
}
