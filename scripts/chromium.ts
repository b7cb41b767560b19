import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PROGRAMS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Chromium without its windows and without its PDF viewer draws pages in two thirds of the processor time. */
const SHELL = '/usr/bin/chromium-headless-shell'

const find = () => PROGRAMS.find((program) => existsSync(program))

/** Returns the browser for the tests: the one named by CHROMIUM, or an installed one. As root it installs Debian's. */
export function findChromium(): string {
  const { CHROMIUM } = process.env
  if (CHROMIUM) return CHROMIUM
  const mayInstall = process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (mayInstall && !(find() && existsSync(SHELL))) installDebians()
  const found = find()
  if (!found) throw new Error('The browser tests need Chromium: install it, or set CHROMIUM to its program.')
  return found
}

/** Returns a quicker program for tests that show no PDF, if there is one. */
export function findShell(): string {
  const whole = findChromium()
  return !process.env.CHROMIUM && existsSync(SHELL) ? SHELL : whole
}

function installDebians(): void {
  console.log('Installing Debian’s Chromium for the browser tests …')
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  const install = (name: string) => apt('install', '-y', '--no-install-recommends', name)
  apt('update')
  install('chromium')
  install('chromium-headless-shell') // some releases have none
}
