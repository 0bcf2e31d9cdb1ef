import type { Json } from '../../door/wire';
import { i18n } from '../../language/i18n';
import classes from './Approvals.module.css';
import { linesOf } from './sent';

/** What would leave the computer, word for word. */
export function WhatIsSent({ data }: { data: Json }) {
  return (
    <>
      <h3 className={classes.heading}>{i18n._('What is sent')}</h3>
      <dl className={classes.sent}>
        {linesOf(data).map(({ place, label, text }) => (
          <div key={place}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
