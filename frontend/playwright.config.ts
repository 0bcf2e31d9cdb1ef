import { defineConfig } from '@playwright/test';

/*
 * With DESKHAND_URL the flows run against the application itself: real Go, real
 * bindings, real events. Without it they run against the built page with an
 * application in memory behind it, which is enough to work on the page.
 */
const url = process.env.DESKHAND_URL;
const preview = 'http://127.0.0.1:4173';

export default defineConfig({
  testDir: 'e2e',
  // Pictures for the documentation change files that are kept, and figures take a while: only when asked for.
  grepInvert: ['@screenshot', '@figures'].filter((tag) => !process.argv.includes(tag)).map((tag) => new RegExp(tag)),
  outputDir: 'test-results',
  workers: 1, // one application, one shop
  // Whoever builds it elsewhere has a slower machine now and then: what passes only
  // at the second time is listed as flaky, and is to be mended.
  retries: process.env.CI ? 1 : 0,
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
    baseURL: url ?? preview,
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
