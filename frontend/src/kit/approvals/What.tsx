import { useManifest } from '../../asking/hooks';
import type { ApprovalCard, GrantTerms } from '../../door/approval';
import { entry } from '../../door/manifest';
import { choiceSaid } from '../../door/schema';
import { i18n } from '../../language/i18n';
import { boundsText } from '../grants/bounds';
import classes from './Approvals.module.css';
import { Arguments, Steps } from './Arguments';
import { isOwn, REQUEST, usedValues } from './cards';

interface WhatProps {
  card: ApprovalCard;
  names: Readonly<Record<string, string>>;
}

/** What a call is made with: value by value, step by step, or the bounds that are asked for. */
export function What({ card, names }: WhatProps) {
  const schema = entry(useManifest(), card.capability)?.input_schema;
  if (card.capability === REQUEST) return <AskedFor card={card} names={names} />;
  if (card.steps) return <Steps steps={card.steps} list={card.arguments} names={names} />;
  const list = card.arguments.map((argument) => {
    const { pointer, value, text } = argument;
    const said = choiceSaid(schema, pointer.slice(1), value);
    return { ...argument, text: said === value ? text : String(said) };
  });
  return <Arguments list={list} names={names} own={isOwn(card)} />;
}

/** A grant that the assistant asks for, bound by bound, with its reason. All of it is the assistant's wish. */
function AskedFor({ card, names }: WhatProps) {
  const { capability, reason, ...terms } = usedValues(card.arguments);
  const title = entry(useManifest(), String(capability))?.title ?? String(capability);
  const bounds = boundsText(terms as GrantTerms, names).filter(
    ([about]) => about !== 'Until' || terms.until !== undefined,
  ); // the sentence has the end it gets
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
