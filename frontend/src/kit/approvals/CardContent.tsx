import type { ApprovalCard, CardArgument, Bill as Content } from '../../bridge/approval';
import { entry } from '../../bridge/manifest';
import type { Json } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { useManifest } from '../../queries/useManifest';
import { boundsText } from '../grants/bounds';
import { RecordLink } from '../RecordLink';
import { useNamedBounds } from '../records';
import classes from './Approvals.module.css';
import { Bill } from './Bill';
import {
  byStep,
  capabilityOfStep,
  isOwn,
  originText,
  REQUEST,
  runsOf,
  sentLines,
  shownBy,
  termsAskedFor,
  usedValues,
} from './cards';

/** The content of a card: the arguments, the steps of a plan, or the terms of a requested grant. */
export function CallContent({ card }: { card: ApprovalCard }) {
  if (card.capability === REQUEST) return <AskedFor card={card} />;
  if (card.steps) return <Steps card={card} steps={card.steps} />;
  return <Itemised bill={card.bills?.[0]} list={card.arguments} own={isOwn(card)} />;
}

/** A grant that the assistant asks for, bound by bound, with its reason. All of it is the assistant's wish. */
function AskedFor({ card }: { card: ApprovalCard }) {
  const { capability, reason, until } = usedValues(card.arguments);
  const title = entry(useManifest(), String(capability))?.title ?? String(capability);
  const terms = termsAskedFor(card);
  const constraints = useNamedBounds(String(capability), terms.constraints);
  const bounds = boundsText({ ...terms, constraints }, until !== undefined); // the sentence has the end it gets
  const lines = [[i18n._('What'), title], ...bounds, [i18n._('Its reason'), String(reason)]];
  return (
    <dl className={classes.arguments}>
      {lines.map(([about, bound]) => (
        <div key={about} className={classes.argument}>
          <dt>{about}</dt>
          <dd>{bound}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ArgumentsProps {
  list: readonly CardArgument[];
  /** The person chose them: where they came from is known. */
  own?: boolean;
}

/** What a call comes to, and every value that the bill does not show. */
function Itemised({ bill, list, own }: ArgumentsProps & { bill: Content | null | undefined }) {
  const { shown, others } = shownBy(bill, list);
  return (
    <>
      {bill && <Bill bill={bill} args={own ? undefined : shown} />}
      <Arguments list={others} own={own} />
    </>
  );
}

/** Every value that will be used, with where it came from; none is folded away. */
function Arguments({ list, own }: ArgumentsProps) {
  if (list.length === 0) return null;
  return (
    <dl className={classes.arguments}>
      {list.map(({ pointer, label, text, value, record, origin }) => (
        <div key={pointer} className={classes.argument} data-pointer={pointer}>
          <dt>{label}</dt>
          <dd>
            <RecordLink record={record}>{text || JSON.stringify(value)}</RecordLink>
          </dd>
          {!own && (
            <dd className={classes.origin} data-guess={origin === 'guess' || undefined}>
              {originText(origin)}
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

/** The steps of a plan in their order, each with its own values. Those that are done for each row are folded. */
function Steps({ card, steps }: { card: ApprovalCard; steps: readonly string[] }) {
  const values = byStep(card.arguments);
  const manifest = useManifest();
  const shown = (index: number, list = values.get(index) ?? []) => (
    <li key={index} value={index + 1}>
      {steps[index]}
      <Itemised bill={card.bills?.[index]} list={list} />
    </li>
  );
  const own = (index: number) => values.get(index)?.filter(({ through }) => through === undefined) ?? [];
  return (
    <>
      <LeftOut left={card.left ?? []} />
      <ol className={classes.steps}>
        {runsOf(card.arguments, steps.length).map(({ first, last }) => {
          if (first === last) return shown(first);
          const name = capabilityOfStep(card.arguments, first);
          const rows = Array.from({ length: last - first + 1 }, (_, n) => first + n);
          return (
            <li key={first} value={first + 1}>
              {i18n._('{count} × {title}', { count: rows.length, title: entry(manifest, name)?.title ?? name })}
              <Arguments list={values.get(first)?.filter(({ through }) => through !== undefined) ?? []} />
              <details className={classes.fold}>
                <summary>{i18n._('{count, plural, one {The row} other {All # rows}}', { count: rows.length })}</summary>
                <ol className={classes.steps}>{rows.map((index) => shown(index, own(index)))}</ol>
              </details>
            </li>
          );
        })}
      </ol>
      <Arguments list={values.get(-1) ?? []} />
    </>
  );
}

/** The records that it is not done with, and why. */
function LeftOut({ left }: { left: NonNullable<ApprovalCard['left']> }) {
  if (left.length === 0) return null;
  return (
    <>
      <h3 className={classes.heading}>
        {i18n._('{count, plural, one {Left out: #} other {Left out: #}}', { count: left.length })}
      </h3>
      <ul className={classes.steps}>
        {left.map(({ name, why }) => (
          <li key={`${name} ${why}`}>
            {name}: {why}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The data that would leave the computer, word for word. */
export function WhatIsSent({ data }: { data: Json }) {
  return (
    <>
      <h3 className={classes.heading}>{i18n._('What is sent')}</h3>
      <dl className={classes.sent}>
        {sentLines(data).map(({ place, label, text }) => (
          <div key={place}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
