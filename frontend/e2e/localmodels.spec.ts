import { expect, type Page } from '@playwright/test';
import { invoke, log, test } from './bridge';
import { openPage, typeText } from './desk';
import { addressOf, kinds, withLocal } from './localServer';
import { look } from './look';

/* From opening the settings to a conversation with a model on this computer: two clicks, and no word typed. */

test.skip(!process.env.DESKHAND_LOCAL_MODELS, 'the places are the real application’s');

const builtIn = (desk: Page) => invoke(desk, 'settings.set', { section: 'model', values: { endpoint: '' } });

/** Counts what is clicked from now on. */
const count = (desk: Page) =>
  desk.evaluate(() => {
    const counted = window as { clicks?: number };
    counted.clicks = 0;
    const add = ({ isTrusted }: Event) => {
      if (isTrusted) counted.clicks = (counted.clicks ?? 0) + 1;
    };
    addEventListener('click', add, true);
  });

for (const [name, kind, model, others] of [
  ['Ollama', kinds.Ollama, 'qwen3:8b', ['Use llama3.1:8b', 'Use qwen3:8b']],
  ['LM Studio', kinds['LM Studio'], 'qwen2.5-7b-instruct', ['Use qwen2.5-7b-instruct']],
  ['llama.cpp', kinds['llama.cpp'], 'qwen3-8b-q4_k_m.gguf', ['Use qwen3-8b-q4_k_m.gguf']],
] as const) {
  test(`a model of ${name} answers after two clicks`, { tag: '@long' }, async ({ desk }) => {
    await builtIn(desk);
    await withLocal(kind, addressOf(name, process.env.DESKHAND_LOCAL_MODELS), async (asked) => {
      try {
        await openPage(desk, 'Settings');
        await count(desk);
        await desk.getByRole('tab', { name: 'Assistant' }).click();
        const here = desk.getByRole('region', { name: 'On this computer' });
        await expect(here.getByRole('button')).toHaveText([...others]);
        await look(desk, 'settings-local-models');
        await here.getByRole('button', { name: `Use ${model}` }).click();
        await expect(desk.getByRole('textbox', { name: 'Message to the assistant' })).toBeFocused();
        await expect(here.getByRole('button', { name: `${model} answers` })).toBeDisabled();
        await typeText(desk, 'What does the Guji cost?');
        await desk.keyboard.press('Enter');
        await expect(log(desk)).toContainText('It is $14.00.');
        expect(await desk.evaluate(() => (window as { clicks?: number }).clicks)).toBe(2);
        expect(asked).toHaveLength(1);
        await look(desk, 'settings-local-answers');
      } finally {
        await builtIn(desk);
      }
    });
  });
}
