import { spawnSync } from 'node:child_process'
import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { chanceOf, type Chance } from '../chance.ts'

/** The correct place of a file; null if nobody can tell from its name and directories, or if it has none. */
export type Truth = { project: string; folder: string } | { person: string } | null
export type DriveFile = { path: Buffer; bytes: Buffer; truth: Truth; isJunk: boolean; changedAt: Date }
export type Drive = {
  files: DriveFile[]
  /** Links and pipes, which are reported but not read. */
  others: number
}

type Office = {
  projects: { number: string; name: string }[]
  people: { number: string; name: string }[]
  folders: string[]
}

/** Makes a network drive with the disorder of real ones: the same for the same seed. */
export async function makeDrive(
  root: string,
  { seed, files: count, office }: { seed: number; files: number; office: Office },
): Promise<Drive> {
  const chance = chanceOf(seed)
  const base = Buffer.from(`${root}/`)
  const files: DriveFile[] = []
  const taken = new Set<string>()
  const made = new Set<string>()
  const places = office.projects.map((project) => ({
    ...project,
    directory: projectDirectory(chance, project),
  }))
  while (files.length < count) {
    if (files.length > 10 && chance.number(25) === 0) {
      const copy = copyOf(chance.of(files))
      const copyKey = copy.path.toString('latin1')
      if (!copy.isJunk && !taken.has(copyKey)) {
        taken.add(copyKey)
        files.push(copy)
        continue
      }
    }
    const { names, truth, isJunk } = nextFile(chance, places, office, files.length)
    const path = Buffer.concat(
      names.flatMap((name, at) => [Buffer.from(at === 0 ? '' : '/'), written(chance, name)]),
    )
    // Directories and files of one name, however it is written.
    const key = path.toString('latin1')
    if (taken.has(key) || made.has(key)) continue
    taken.add(key)
    const twin = chance.number(20) === 0 && files.length > 10 ? chance.of(files) : null
    const isEmpty = chance.number(150) === 0
    const bytes = isEmpty
      ? Buffer.alloc(0)
      : twin && twin.bytes.length > 0
        ? twin.bytes
        : Buffer.from(`%PDF-1.4\nFil ${files.length} af ${seed} ${'x'.repeat(chance.number(2000))}`)
    const changedAt = new Date(
      Date.UTC(2005 + chance.number(20), chance.number(12), 1 + chance.number(28), 9, 30),
    )
    files.push({ path, bytes, truth: isEmpty ? null : truth, isJunk: isJunk || isEmpty, changedAt })
    const directory = path.subarray(0, Math.max(0, path.lastIndexOf('/')))
    for (let at = directory.indexOf('/'); at >= 0; at = directory.indexOf('/', at + 1))
      made.add(directory.toString('latin1', 0, at))
    made.add(directory.toString('latin1'))
  }
  const directories = new Set(
    files.map(({ path }) => path.toString('latin1', 0, Math.max(0, path.lastIndexOf('/')))),
  )
  for (const directory of directories)
    await mkdir(Buffer.concat([base, Buffer.from(directory, 'latin1')]), { recursive: true })
  for (const { path, bytes, changedAt } of files) {
    const whole = Buffer.concat([base, path])
    await writeFile(whole, bytes)
    await utimes(whole, changedAt, changedAt)
  }
  // A circle, a link out of the drive, and a pipe that nobody writes to.
  await symlink('.', `${root}/Rundt og rundt`)
  await symlink('/etc/passwd', `${root}/Genvej.pdf`)
  const hasPipe = spawnSync('mkfifo', [`${root}/Rør (1024).pdf`]).status === 0
  return { files, others: hasPipe ? 3 : 2 }
}

/** Somebody has copied a file in its own directory. */
function copyOf(file: DriveFile): DriveFile {
  const at = file.path.lastIndexOf('/') + 1
  const path = Buffer.concat([file.path.subarray(0, at), Buffer.from('Kopi af '), file.path.subarray(at)])
  return { ...file, path }
}

type Place = { number: string; name: string; directory: string }

const bare = (name: string) => name.replace(/^K\/S /, '')

function projectDirectory(chance: Chance, { number, name }: Office['projects'][number]): string {
  const own = bare(name)
  return chance.of([
    `${number} ${own}`,
    `${number} ${own}`,
    number,
    `${number} - ${own}`,
    `${own} (${number})`,
    `K-S ${own}`,
    `${number} ${own.split(' ')[0]!}`,
    `${number}  ${own.toUpperCase()}`,
    `Projekt ${number}`,
    `${number} ${typingError(chance, own)}`,
    own.split(' ')[0]!,
  ])
}

const JUNK = [
  'Thumbs.db',
  'desktop.ini',
  '.DS_Store',
  '~$rsrapport.docx',
  'Genvej til mappe.lnk',
  '._Budget.pdf',
  'download.tmp',
]

function nextFile(
  chance: Chance,
  places: Place[],
  office: Office,
  number: number,
): { names: string[]; truth: Truth; isJunk: boolean } {
  const place = chance.of(places)
  const folder = chance.of(office.folders)
  const year = 2008 + chance.number(17)
  const truth = { project: place.number, folder }
  const kind = chance.number(100)
  const above = chance.of([[], ['Projekter'], ['Aktive'], ['Gammelt drev', 'Projekter']])
  const home = chance.number(8) === 0 ? [place.directory, place.directory] : [place.directory]
  if (kind < 8) return { names: [...above, ...home, chance.of(JUNK)], truth: null, isJunk: true }
  if (kind < 10) return { names: ['$RECYCLE.BIN', 'S-1-5-21', `$R${number}.pdf`], truth: null, isJunk: true }
  if (kind < 14) return { names: ['Blandet', `IMG_${10_000 + number}.jpg`], truth: null, isJunk: false }
  if (kind < 17) {
    const person = chance.of(office.people)
    const names = [...above, 'Investorer', `${person.number} ${person.name}`, `Kontrakt ${number}.pdf`]
    return { names, truth: { person: person.number }, isJunk: false }
  }
  if (kind < 40) {
    const name = `${folder} (${place.number}) ${year} nr ${number}.pdf`
    return {
      names: chance.of([[...above, ...home], ['Post'], []]).concat(copied(chance, name)),
      truth,
      isJunk: false,
    }
  }
  if (kind < 43) {
    // Named for one project, and lying at another: nobody can be sure.
    const other = chance.of(places)
    const name = `${folder} (${other.number}) ${year} nr ${number}.pdf`
    return { names: [...home, name], truth: other.number === place.number ? truth : null, isJunk: false }
  }
  const years = chance.number(2) === 0 ? [String(year)] : []
  const directory = folderDirectory(chance, folder, year)
  const inside = chance.number(6) === 0 ? [`Bilag ${chance.of(['A', 'B', 'C'])}`] : []
  const way = chance.of([
    [...above, ...home, directory, ...years, ...inside],
    [...above, ...home, ...years, directory, ...inside],
    [...above, ...home, directory, directory, ...inside],
  ])
  if (kind < 80)
    return { names: [...way, copied(chance, ownName(chance, folder, year, number))], truth, isJunk: false }
  if (kind < 92)
    return {
      names: [...above, ...home, ...years, copied(chance, `${folder} ${year} nr ${number}.pdf`)],
      truth,
      isJunk: false,
    }
  return { names: [...above, ...home, `scan${number}.pdf`], truth: null, isJunk: false }
}

function folderDirectory(chance: Chance, folder: string, year: number): string {
  return chance.of([
    folder,
    folder,
    folder,
    folder.toUpperCase(),
    folder.toLowerCase(),
    `${folder}er`,
    `0${1 + chance.number(9)} ${folder}`,
    `${folder} ${year}`,
    `${folder}  `,
    typingError(chance, folder),
  ])
}

function ownName(chance: Chance, folder: string, year: number, number: number): string {
  return chance.of([
    `scan${number}.pdf`,
    `${folder} ${year} nr ${number}.pdf`,
    `${folder.toLowerCase()}_${year}_${number}.PDF`,
    `Dokument  ${number}.pdf`,
    `Bilag ${number} endelig version.pdf`,
    `${typingError(chance, folder)} ${year} ${number}.pdf`,
  ])
}

function copied(chance: Chance, name: string): string {
  const stem = name.replace(/\.\w+$/, '')
  const end = name.slice(stem.length)
  const kind = chance.number(24)
  if (kind === 0) return `Kopi af ${name}`
  if (kind === 1) return `${stem} - Kopi${end}`
  if (kind === 2) return `${stem} (2)${end}`
  return name
}

/** Leaves a letter out, doubles one, or swaps two. */
function typingError(chance: Chance, text: string): string {
  const at = 1 + chance.number(Math.max(1, text.length - 2))
  const kind = chance.number(3)
  if (kind === 0) return text.slice(0, at) + text.slice(at + 1)
  if (kind === 1) return text.slice(0, at) + text[at]! + text.slice(at)
  return text.slice(0, at) + (text[at + 1] ?? '') + text[at]! + text.slice(at + 2)
}

/** A name as some computer has written it: composed, decomposed by a Mac, or in the letters of an old Windows. */
function written(chance: Chance, name: string): Buffer {
  const kind = chance.number(30)
  if (kind === 0) return Buffer.from(name.normalize('NFD'))
  if (kind === 1) return Buffer.from(name, 'latin1')
  return Buffer.from(name)
}
