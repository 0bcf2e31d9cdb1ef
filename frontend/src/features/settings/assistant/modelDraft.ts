import type { Request, Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { presetBy, presetOf } from './presets';

type Known = Response<'settings.get'>['model'];
type Values = Request<'settings.set'>['values'];

/** Who answers when no model does. */
export const BUILT_IN = 'builtin';

/** The texts of a model's settings that are kept with it. */
const kept = ['endpoint', 'model', 'inputPrice', 'outputPrice', 'priceCurrency'] as const;

/** A model as it is edited. */
export type ModelDraft = Record<(typeof kept)[number], string> & {
  preset: string;
  /** How many tokens it reads, as typed; empty: its endpoint is asked. */
  context: string;
  /** The typed key; empty: unchanged. */
  key: string;
};

const empty = { endpoint: '', model: '', key: '', inputPrice: '', outputPrice: '', priceCurrency: '', context: '' };

/** The settings as a draft. */
export function draftOfModel(known: Known): ModelDraft {
  if (!known) return { ...empty, preset: BUILT_IN };
  const texts = Object.fromEntries(kept.map((name) => [name, known[name] ?? '']));
  return {
    ...empty,
    ...texts,
    context: known.context ? String(known.context) : '',
    preset: presetOf(known.endpoint).id,
  };
}

/** The draft of a preset that was chosen; what is set comes back when its own is. */
export function draftOfPreset(known: Known, id: string): ModelDraft {
  if (known && presetOf(known.endpoint).id === id) return draftOfModel(known);
  if (id === BUILT_IN) return { ...empty, preset: id };
  const { endpoint, model } = presetBy(id);
  return { ...empty, preset: id, endpoint, model };
}

/** The changed values; address and model go together, since another model begins without prices. */
export function valuesOf(known: Known, draft: ModelDraft): Values {
  if (draft.preset === BUILT_IN) return known ? { endpoint: '' } : {};
  const before = draftOfModel(known);
  const now = Object.fromEntries(kept.map((name) => [name, draft[name].trim()])) as Record<
    (typeof kept)[number],
    string
  >;
  const another = now.endpoint !== before.endpoint || now.model !== before.model;
  const values: Values = another ? { endpoint: now.endpoint, model: now.model } : {};
  for (const name of ['inputPrice', 'outputPrice', 'priceCurrency'] as const) {
    if (now[name] !== (another ? '' : before[name])) values[name] = now[name];
  }
  const context = Number(draft.context);
  if (context !== (another ? 0 : (known?.context ?? 0))) values.context = context;
  return draft.key === '' ? values : { ...values, key: draft.key };
}

type Report = Response<'settings.testModel'>;

/** What a test found that is kept with the model it was of. */
export function findingsOf({
  works,
  tools,
  parallelCalls,
  streaming,
  thinks,
  context,
  assumed,
}: Report): Pick<Values, 'abilities' | 'context'> {
  if (!works) return {};
  const abilities = Object.entries({ tools, parallelCalls, streaming, thinks }).flatMap(([name, has]) =>
    has ? [name as 'tools' | 'parallelCalls' | 'streaming' | 'thinks'] : [],
  );
  return { abilities, ...(context && !assumed ? { context } : {}) };
}

/** The missing value of a draft, in a sentence. */
export function lackingIn({ preset, endpoint, model }: ModelDraft): string | undefined {
  const whole = preset === BUILT_IN || (endpoint.trim() !== '' && model.trim() !== '');
  return whole ? undefined : i18n._('Fill in address and model.');
}

/** Why a model cannot be tested yet; without its name the endpoint lists what it has. */
export function untestable({ endpoint, key }: ModelDraft): string | undefined {
  if (endpoint.trim() === '') return i18n._('Fill in the address.');
  return key ? i18n._('Save the key first: it is only used from where it is kept.') : undefined;
}
