import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

/*
 * With DESKHAND_URLS the flows run against the application itself: real Go, real
 * bindings, real events; each worker has one of its own. Without it they run against
 * the built page with an application in memory behind it, which is enough to work on
 * the page.
 */
const url = process.env.DESKHAND_URLS;
const preview = 'http://127.0.0.1:4173';

// Debian's shell without windows opens a page in a sixth of the time.
const chromium = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync);

/*
 * Flows that are left out unless they are asked for: pictures for the documentation
 * change files in docs/, figures take a while, and @tickets is of another application.
 * What is tagged @long belongs to `make check`; a file that is named is run whole.
 */
const asked = process.argv.join(' ');
const long = process.env.DESKHAND_FLOWS === 'all' || /\.spec\b/.test(asked);
const leftOut = ['@screenshot', '@figures', '@tickets', '@long'].filter(
  (tag) => !asked.includes(tag) && !(tag === '@long' && long),
);

export default defineConfig({
  testDir: 'e2e',
  grepInvert: leftOut.map((tag) => new RegExp(tag)),
  outputDir: 'test-results',
  workers: Number(process.env.DESKHAND_WORKERS ?? 1),
  // A flow that fails once is a defect of the flow or of the page. Only where all of them run, it runs once more, and
  // flows.sh names it.
  retries: Number(process.env.DESKHAND_RETRIES ?? 0),
  // Both only cut off what hangs: a flow waits for what the page says, however busy the machine is.
  timeout: process.env.DESKHAND_LOOK ? 1_200_000 : 300_000, // a surface is looked at in many ways
  expect: { timeout: 60_000 },
  reporter: [['list']],
  webServer: url
    ? undefined
    : {
        command: 'npx vite preview --host 127.0.0.1 --port 4173 --strictPort',
        url: preview,
        reuseExistingServer: false,
      },
  use: {
    baseURL: preview,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    actionTimeout: 60_000, // as an expectation: what never comes is told where it was waited for
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? chromium,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
