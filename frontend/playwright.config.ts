import { defineConfig } from '@playwright/test';

/*
 * With DESKHAND_URLS the flows run against the application itself: real Go, real
 * bindings, real events; each worker has one of its own. Without it they run against the built page with an
 * application in memory behind it, which is enough to work on the page.
 */
const url = process.env.DESKHAND_URLS;
const preview = 'http://127.0.0.1:4173';

const withDialogs = /(catalog|copies|firstrun|import)\.spec\.ts$/;

export default defineConfig({
  testDir: 'e2e',
  // Pictures for the documentation change files that are kept, and figures take a while: only when asked for.
  grepInvert: ['@screenshot', '@figures'].filter((tag) => !process.argv.includes(tag)).map((tag) => new RegExp(tag)),
  outputDir: 'test-results',
  workers: Number(process.env.DESKHAND_WORKERS ?? 1),
  // The file dialog of the system belongs to the display, which has one focus: one flow at a time.
  projects: [
    { name: 'dialogs', testMatch: withDialogs, workers: 1 },
    { name: 'desk', testIgnore: withDialogs },
  ],
  // Whoever builds it elsewhere has a slower machine now and then: what does not pass
  // at the first time is listed as flaky, and is to be mended.
  retries: process.env.CI ? 2 : 0,
  timeout: 30_000,
  expect: { timeout: 8_000 },
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
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
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
