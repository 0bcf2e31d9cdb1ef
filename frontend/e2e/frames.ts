import type { Page } from '@playwright/test';

/** The frames of a list, counted. */
export interface Frames {
  frames: number;
  /** Frames in which no row was in view. */
  blank: number;
  /** Frames in which a row was still being read. */
  waiting: number;
}

interface Watching {
  watched?: Frames;
}

/** Watches a list in every frame during an action. */
export async function frameByFrame(page: Page, listId: string, act: () => Promise<void>): Promise<Frames> {
  await page.evaluate((id) => {
    const watched: Frames = { frames: 0, blank: 0, waiting: 0 };
    Object.assign(window, { watched });
    const look = () => {
      if ((window as Watching).watched !== watched) return;
      const list = document.getElementById(id);
      const view = list?.getBoundingClientRect();
      let rows = 0;
      let waiting = 0;
      for (const row of list?.firstElementChild?.children ?? []) {
        const { top, bottom } = row.getBoundingClientRect();
        if (!view || bottom <= view.top || top >= view.bottom) continue;
        if (row.getAttribute('role') === 'row') rows += 1;
        else waiting += 1;
      }
      watched.frames += 1;
      if (rows === 0) watched.blank += 1;
      if (waiting > 0) watched.waiting += 1;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, listId);
  await act();
  return page.evaluate(() => {
    const { watched } = window as Watching;
    (window as Watching).watched = undefined;
    return watched ?? { frames: 0, blank: 0, waiting: 0 };
  });
}
