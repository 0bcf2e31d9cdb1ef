import { entry } from '../../bridge/manifest';
import type { Names } from '../../bridge/names';
import type { Json, JsonObject } from '../../bridge/wire';
import { humanize } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useManifest } from '../../queries/useManifest';
import { RecordLink } from '../RecordLink';
import { readValues } from '../records';
import classes from './Chat.module.css';

interface ValuesProps {
  of: JsonObject;
  capability: string;
  names: Names;
}

/** The values of a call, each by its label, with names for ids; a record that has a page is a link to it. */
export function Values({ of, capability, names }: ValuesProps) {
  const values = readValues(useManifest(), capability, of, names);
  if (values.length === 0) return null;
  return (
    <dl className={classes.callArguments}>
      {values.map(({ name, text, record }) => (
        <div key={name}>
          <dt>{humanize(name)}</dt>
          <dd>
            <RecordLink record={record}>{text}</RecordLink>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface PlanStepsProps extends Pick<ValuesProps, 'names'> {
  steps: Json | undefined;
}

/** The steps of a plan by their titles, each with its values. */
export function PlanSteps({ steps, names }: PlanStepsProps) {
  const manifest = useManifest();
  const list = Array.isArray(steps) ? steps.filter(isObject) : [];
  return (
    <ol className={classes.planSteps}>
      {list.map(({ $each: each, capability, arguments: values }, index) => {
        const title = entry(manifest, String(capability))?.title ?? humanize(String(capability));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a plan have an order and never change
          <li key={index}>
            {each ? i18n._('{title}, for each row of the list', { title }) : title}
            <Values of={isObject(values) ? values : {}} capability={String(capability)} names={names} />
          </li>
        );
      })}
    </ol>
  );
}
