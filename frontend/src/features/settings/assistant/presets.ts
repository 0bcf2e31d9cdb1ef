import { i18n } from '../../../language/i18n';

/** Where models are commonly found. */
export interface Preset {
  id: string;
  label: string;
  /** Empty: the person types it. */
  endpoint: string;
  /** A model that can call tools, as a beginning. */
  model: string;
  /** The first step for this preset, in a sentence. */
  hint: string;
  /** It wants a key. */
  key: boolean;
}

const other: Preset = {
  ...{ id: 'other', label: i18n._('Another one'), endpoint: '', model: '', key: true },
  hint: i18n._('Anything that speaks as OpenAI does. The address often ends in /v1.'),
};

/** The endpoints that are known by name; addresses are those their programs come with. */
export const presets: readonly Preset[] = [
  {
    ...{ id: 'openai', label: 'OpenAI', endpoint: 'https://api.openai.com/v1', model: 'gpt-4o-mini', key: true },
    hint: i18n._('Make a key in your account there.'),
  },
  {
    ...{ id: 'ollama', label: 'Ollama', endpoint: 'http://localhost:11434/v1', model: 'llama3.1', key: false },
    hint: i18n._('On this computer. Get the model first: ollama pull llama3.1'),
  },
  {
    ...{ id: 'lmstudio', label: 'LM Studio', endpoint: 'http://localhost:1234/v1', model: '', key: false },
    hint: i18n._('On this computer. Load a model there and start its server.'),
  },
  {
    ...{ id: 'llamacpp', label: 'llama.cpp', endpoint: 'http://localhost:8080/v1', model: '', key: false },
    hint: i18n._('On this computer. Start llama-server with --jinja, without which it calls no tools.'),
  },
  {
    ...{ id: 'openrouter', label: 'OpenRouter', endpoint: 'https://openrouter.ai/api/v1', key: true },
    ...{ model: 'openai/gpt-4o-mini', hint: i18n._('Make a key in your account there.') },
  },
  other,
];

/** The preset an endpoint is of. */
export function presetOf(endpoint: string): Preset {
  return presets.find((preset) => preset.endpoint !== '' && preset.endpoint === endpoint.replace(/\/+$/, '')) ?? other;
}

/** The preset of that name. */
export function presetBy(id: string): Preset {
  return presets.find((preset) => preset.id === id) ?? other;
}
