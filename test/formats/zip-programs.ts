import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PROGRAMS = ['unzip', '7z', 'python3']
const PACKAGES = ['unzip', 'p7zip-full', 'python3']

/** Installs the programs that archives are tried with, on a Debian that lacks them. */
function ensurePrograms(): void {
  const missing = () => PROGRAMS.filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing().length > 0 && process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Debian’s unzip, 7z and Python for the tests …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...PACKAGES]])
      spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], { stdio: 'ignore', env })
  }
  if (missing().length > 0) throw new Error(`This test needs ${missing().join(', ')}: install it.`)
}

const LIST = `
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
print(json.dumps({'broken': archive.testzip(), 'names': archive.namelist()}))`

/** Has unzip, 7z and Python read all of an archive. Throws if one of them finds a fault; returns the names. */
export function tryArchive(path: string): string[] {
  ensurePrograms()
  const run = (program: string, args: string[]) =>
    execFileSync(program, args, {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      stdio: 'pipe',
      maxBuffer: 2 ** 30,
    })
  run('unzip', ['-tqq', path])
  run('7z', ['t', '-bd', path])
  const { broken, names } = JSON.parse(run('python3', ['-c', LIST, path])) as {
    broken: string | null
    names: string[]
  }
  if (broken !== null) throw new Error(`Python finds ${broken} broken.`)
  return names
}

/** Unpacks an archive as a person on Linux would. */
export function unpack(path: string, directory: string): void {
  ensurePrograms()
  execFileSync('unzip', ['-q', path, '-d', directory], { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
}
