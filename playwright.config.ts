import { defineConfig } from '@playwright/test'

const [port, devPort] = [3180, 3181]
const address = (each: number) => `http://127.0.0.1:${each}`

export default defineConfig({
  testDir: 'test/e2e',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  outputDir: 'test-results/browser',
  use: {
    // Neither the office's time zone nor its language: what is shown must not depend on the browser's.
    timezoneId: 'America/Los_Angeles',
    locale: 'en-US',
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
  projects: [
    { name: 'built', use: { baseURL: address(port) } },
    // React tells of every mismatch only while developing.
    {
      name: 'development',
      use: { baseURL: address(devPort) },
      testMatch: 'every-page.spec.ts',
      grep: /S1\.3/,
    },
  ],
  webServer: [
    { command: 'node demo/demo.ts', url: `${address(port)}/readyz`, env: { PORT: String(port) } },
    {
      command: 'node test/e2e/dev-server.ts',
      url: `${address(devPort)}/readyz`,
      env: { PORT: String(devPort) },
    },
  ].map((server) => ({
    ...server,
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 15_000 },
  })),
})
