import { execFileSync } from 'node:child_process';
import { expect, type Page } from '@playwright/test';

const TRIES = 6;

/** Answers the file dialog that the page has opened, in place of the system: see internal/window/driven.go. */
export async function answerPicker(page: Page, title: string, path: string): Promise<void> {
  const answer = await page.request.post(new URL('/driven/dialog', page.url()).href, {
    form: { title, path },
    timeout: 90_000,
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

/**
 * Answers the file dialog of the system, which is not part of the page: waits for its title and types a path.
 * The path field slides in, drops keys until it is there and gives no sign of that: the path is typed again while
 * the dialog stays open.
 */
export async function answerSystemPicker(page: Page, title: string, path: string): Promise<void> {
  await answerPicker(page, title, '');
  await expect.poll(() => windowsNamed(title).length).not.toBe(0);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const [window] = windowsNamed(title);
    if (!window || !focused(window)) continue;
    press('ctrl+l');
    await pause(400);
    press('ctrl+a');
    execFileSync('xdotool', ['type', '--delay', '25', path]);
    await pause(400);
    press('Return');
    for (let looks = 0; looks < 50 && windowsNamed(title).length > 0; looks += 1) await pause(100);
  }
  if (windowsNamed(title).length === 0) return;
  press('Escape', 'Escape'); // a dialog that stays open keeps the application from ending
  throw new Error(`the dialog "${title}" did not take ${path}`);
}

/** Gives a window the keyboard; false when the window has closed meanwhile. */
function focused(window: string): boolean {
  try {
    execFileSync('xdotool', ['windowfocus', '--sync', window], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

const press = (...keys: string[]) => execFileSync('xdotool', ['key', ...keys]);
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function windowsNamed(title: string): string[] {
  try {
    const found = execFileSync('xdotool', ['search', '--onlyvisible', '--name', `^${title}$`], { stdio: 'pipe' });
    return found.toString().split('\n').filter(Boolean);
  } catch {
    return []; // xdotool fails when there is none
  }
}
