import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Chromium without its windows: it draws the same pages in two thirds of the processor time. */
const SHELL = '/usr/bin/chromium-headless-shell'

const PLACES = [
  SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const find = () => PLACES.find((place) => existsSync(place))

/** Returns the browser for the tests: the one named by CHROMIUM, Debian's, which root installs, or an installed one. */
export function findChromium(): string {
  const { CHROMIUM } = process.env
  if (CHROMIUM) return CHROMIUM
  if (!existsSync(SHELL) && process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get')) installDebians()
  const found = find()
  if (!found) throw new Error('The browser tests need Chromium: install it, or set CHROMIUM to its program.')
  return found
}

function installDebians(): void {
  console.log('Installing Debian’s Chromium for the browser tests …')
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  apt('update')
  apt('install', '-y', '--no-install-recommends', 'chromium-headless-shell')
  if (!find()) apt('install', '-y', '--no-install-recommends', 'chromium')
}
