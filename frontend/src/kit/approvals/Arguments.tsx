import type { CardArgument } from '../../door/approval';
import { humanize } from '../../language/format';
import classes from './Approvals.module.css';
import { byStep, originText } from './cards';

interface ArgumentsProps {
  list: readonly CardArgument[];
  names: Readonly<Record<string, string>>;
  /** The person chose them: where they came from is known. */
  own?: boolean;
}

/** Every value that will be used, with where it came from; none is folded away. */
export function Arguments({ list, names, own }: ArgumentsProps) {
  if (list.length === 0) return null;
  return (
    <dl className={classes.arguments}>
      {list.map(({ pointer, label, text, value, origin }) => (
        <div key={pointer} className={classes.argument}>
          <dt>{label}</dt>
          <dd>{(typeof value === 'string' && names[value]) || text || JSON.stringify(value)}</dd>
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

/** The steps of a plan in their order, each with its own values. */
export function Steps({ steps, list, names }: Omit<ArgumentsProps, 'own'> & { steps: readonly string[] }) {
  const values = byStep(list);
  return (
    <>
      <ol className={classes.steps}>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a plan have an order and never change
          <li key={index}>
            {step}
            <Arguments
              names={names}
              list={(values.get(index) ?? []).map((arg) => ({ ...arg, label: humanize(arg.label) }))}
            />
          </li>
        ))}
      </ol>
      <Arguments list={values.get(-1) ?? []} names={names} />
    </>
  );
}
