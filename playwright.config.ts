import { defineConfig } from '@playwright/test'
import { findChromium, findShell } from './scripts/chromium.ts'
import { address, makerOf, PORTS } from './test/e2e/facts.ts'

/** Playwright's own list, which ours replaces, and two pages that Chromium draws in every new window, for nobody. */
const NOT_OF_THE_BROWSER = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
]

/** Keeps a worker's pages in one process, which remembers the scripts that it has compiled. */
const ONE_PROCESS = ['--process-per-site', '--renderer-process-limit=1', '--disable-site-isolation-trials']

/** A page of a test lives for a second or two: to optimise its scripts costs more than it saves. */
const QUICK_PAGES = '--js-flags=--no-maglev --no-turbofan'

const launchOptions = (executablePath: string, more: string[] = []) => ({
  executablePath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${NOT_OF_THE_BROWSER.join(',')}`,
    ...more,
  ],
})

const IN_DEVELOPMENT = /@development/

/** TESTS=long: all looks of every page in both colour schemes and at all widths, not only its first look. */
const isLong = process.env.TESTS === 'long'
const SHOWS_PDFS = ['hostile-files.spec.ts', 'look.spec.ts', 'search-look.spec.ts']
/** The same pages from source: there React tells of every mismatch, also of attributes. */
const DEVELOPMENT = {
  name: 'development',
  use: { baseURL: address(PORTS.development) },
  testMatch: 'every-page.spec.ts',
  grep: IN_DEVELOPMENT,
}
const ONLY_LONG = isLong ? [] : [/@long/]

export default defineConfig({
  testDir: 'test/e2e',
  fullyParallel: true,
  workers: 2,
  // These only end a hang. A busy machine takes ten times as long as a quiet one.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // A test that needs a second try is named at the end of the run: it has a race, to be mended.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: `test-results/playwright${isLong ? '-long' : ''}.json` }]],
  outputDir: 'test-results/browser',
  use: {
    // Neither the office's time zone nor its language: what is shown must not depend on the browser's.
    timezoneId: 'America/Los_Angeles',
    locale: 'en-US',
    // Each frame of an animation costs processor time; the long tests have them.
    contextOptions: { reducedMotion: isLong ? 'no-preference' : 'reduce' },
    launchOptions: launchOptions(findShell(), [...ONE_PROCESS, QUICK_PAGES]),
  },
  projects: [
    {
      name: 'built',
      use: { baseURL: address(PORTS.office) },
      grepInvert: [IN_DEVELOPMENT, ...ONLY_LONG],
      testIgnore: SHOWS_PDFS,
    },
    {
      name: 'whole-browser',
      use: {
        baseURL: address(PORTS.office),
        launchOptions: launchOptions(findChromium()),
      },
      testMatch: SHOWS_PDFS,
      grepInvert: ONLY_LONG,
    },
    ...(isLong ? [DEVELOPMENT] : []),
  ],
  webServer: {
    command: 'node test/e2e/server.ts',
    url: address(makerOf(PORTS.office)),
    timeout: 600_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
  },
})
