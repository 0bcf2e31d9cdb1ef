import { expect } from '@playwright/test';
import { invoke, log, test } from './bridge';
import { openPage, typeText } from './desk';
import { look } from './look';

test('a day has a budget that is said before it stops anything', { tag: '@long' }, async ({ desk, model }) => {
  try {
    await openPage(desk, 'Settings');
    await desk.getByRole('tab', { name: 'Assistant' }).click();
    const part = desk.getByRole('region', { name: 'What it may cost' });
    const today = (await invoke<{ today: { input?: number; output?: number } }>(desk, 'assistant.usage', {})).today;
    const already = (today.input ?? 0) + (today.output ?? 0);
    await part.getByRole('textbox', { name: 'Tokens a day, at most' }).click();
    await typeText(desk, String(already + 1500));
    await part.getByRole('button', { name: 'Save' }).click();
    await expect(part.getByRole('status')).toHaveText('Saved.');
    await look(desk, 'settings-budget');

    await desk.keyboard.press('Control+J');
    const chat = desk.getByRole('region', { name: 'Conversation' });
    const say = async (text: string) => {
      await chat.getByRole('textbox', { name: 'Message to the assistant' }).click();
      await typeText(desk, text);
      await desk.keyboard.press('Enter');
    };
    // each reply says that it took 1 234 tokens
    model.script({ text: ['Good morning.'] }, { text: ['Here I am.'] });
    await say('good morning');
    await expect(log(desk)).toContainText('budget for today is nearly used up');
    await say('are you there');
    await expect(log(desk)).toContainText('Here I am.');
    await say('and now');
    await expect(log(desk)).toContainText('so the model was not asked');
    await expect(log(desk)).toContainText('under “What it may cost”');
    expect(model.asked).toHaveLength(2);
    await look(desk, 'chat-budget');

    await openPage(desk, 'Audit');
    const row = desk.getByRole('row', { name: /Turn of the assistant/ });
    await expect(row.first()).toBeVisible();
    await row.nth(1).click();
    const step = desk.getByRole('listitem').filter({ hasText: 'Turn of the assistant' });
    await expect(step).toContainText('scripted');
    await expect(step).toContainText('Digest');
    await expect(step).not.toContainText('are you there');
    await look(desk, 'audit-turn');
    await desk.keyboard.press('Escape');
    await desk.getByRole('tab', { name: 'Report' }).click();
    await expect(desk.getByRole('region', { name: 'Report' })).toContainText('Tokens');
    await look(desk, 'audit-turns');
  } finally {
    await invoke(desk, 'assistant.setBudget', {});
  }
});

test('the owner says in words what every model is told', { tag: '@long' }, async ({ desk, model }) => {
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Assistant' }).click();
  const part = desk.getByRole('region', { name: 'Rules of the house' });
  await part.getByRole('textbox', { name: /^Rules/ }).click();
  await typeText(desk, 'Never offer express.');
  await part.getByRole('button', { name: 'Save' }).click();
  await expect(part.getByRole('status')).toHaveText('Saved.');
  await desk.keyboard.press('Control+J');
  const chat = desk.getByRole('region', { name: 'Conversation' });
  await expect(chat).toContainText('Never offer express.');
  await look(desk, 'settings-rules-of-the-house');
  model.script({ text: ['I will not.'] });
  await chat.getByRole('textbox', { name: 'Message to the assistant' }).click();
  await typeText(desk, 'express, please');
  await desk.keyboard.press('Enter');
  await expect(log(desk)).toContainText('I will not.');
  expect(model.asked[0]?.messages[0]?.content).toContain('Never offer express.');
  await invoke(desk, 'assistant.setRules', { text: '' });
});
