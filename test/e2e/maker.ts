import type { Role } from '../../src/rights.ts'
import type { NewCompany } from '../make.ts'
import { makerOf, PORTS } from './facts.ts'

/** A project that a test needs. A number instead of file names makes that many files, quickly and without bytes. */
export type ProjectRequest = {
  files?: Record<string, string[] | number>
  /** The bytes of files by name, in base64. Others are beginnings of a PDF. */
  bytes?: Record<string, string>
  name?: string
  cvr?: string
  /** The pages of files by name, as if their bytes had been read: no process reads documents here. */
  texts?: Record<string, string[]>
  extraFolders?: number
  /** Puts all files into the trash. */
  deleted?: boolean
  /** A member from before there were any files. */
  investor?: { name: string; email: string }
  /** Adds an auditor as a member. */
  hasAuditor?: boolean
  /** Makes another investor, with these companies in their report. */
  companies?: NewCompany[]
}
/** A person for one test, whose password no other test uses. */
export type MadeUser = { id: number; name: string; email: string; password: string }
export type MadeProject = {
  id: number
  number: string
  folders: Record<string, number>
  investor?: { id: number; email: string; password: string }
}

/** Makes a project in the office for one test. */
export const makeInOffice = (wanted: ProjectRequest) => ask('/', wanted) as Promise<MadeProject>

/** Lets some bytes say this, page by page. */
export const readInOffice = (bytes: Buffer, pages: string[], port?: number) =>
  ask('/text', { bytes: bytes.toString('base64'), pages }, port)

/** Lets folders of a project expect a paper each year. */
export const expectInOffice = (project: number, folders: string[]) => ask('/expect', { project, folders })

/** Makes a person in the office for one test, an investor by default. */
export const makePersonInOffice = (fields: { name?: string; role?: Role; numbers?: string[] } = {}) =>
  ask('/user', fields) as Promise<MadeUser>

export type WantedIntake = {
  sender: string
  source?: 'mailbox'
  files: string[]
  /** The pages of files by name, as if their bytes had been read. */
  says?: Record<string, string[]>
}

/** Hands files in, as a scanner or a mail does. */
export const handInInOffice = (wanted: WantedIntake) => ask('/hand-in', wanted) as Promise<{ id: number }>

/** Makes a person be asked to prove again who they are, in all their sessions. */
export const ageProofOf = (email: string, port?: number) => ask('/proof', { email }, port)

/** Lets the time of every planned release of an office come. */
export const publishNow = (port: number) => ask('/planned', {}, port) as Promise<{ published: number }>

/** Lets the last day of everything that is lent to a person pass. */
export const passLastDay = (email: string) => ask('/lendings', { email }) as Promise<{ ended: number }>

async function ask(path: string, wanted: object, port = PORTS.office): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${makerOf(port)}${path}`, {
    method: 'POST',
    body: JSON.stringify(wanted),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}
