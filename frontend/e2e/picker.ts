import { execFileSync } from 'node:child_process';
import { expect } from '@playwright/test';

/** Answers the file dialog of the system, which is not part of the page: waits for it by its title and types a path. */
export async function answerPicker(title: string, path: string): Promise<void> {
  let window = '';
  await expect
    .poll(() => {
      window = windowsNamed(title)[0] ?? '';
      return window;
    })
    .not.toBe('');
  const press = (...keys: string[]) => execFileSync('xdotool', ['key', ...keys]);
  execFileSync('xdotool', ['windowfocus', '--sync', window]);
  press('ctrl+l');
  await settled(); // the field for the path slides in, and loses what is typed meanwhile
  press('ctrl+a');
  execFileSync('xdotool', ['type', '--delay', '25', path]);
  await settled();
  press('Return');
  try {
    await expect.poll(() => windowsNamed(title).length).toBe(0);
  } catch (thrown) {
    press('Escape', 'Escape'); // a dialog that stays open keeps the application from ending
    throw thrown;
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 400));

function windowsNamed(title: string): string[] {
  try {
    const found = execFileSync('xdotool', ['search', '--onlyvisible', '--name', `^${title}$`], { stdio: 'pipe' });
    return found.toString().split('\n').filter(Boolean);
  } catch {
    return []; // xdotool fails when there is none
  }
}
