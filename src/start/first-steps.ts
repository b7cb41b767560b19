/** The first steps of a new office, in the order in which they are best taken. */
const STEPS = ['office', 'mail', 'folders', 'project', 'person', 'pile'] as const
export type Step = (typeof STEPS)[number]

/** An administrator's decisions: to send no mails, to keep the template of folders, to hide the list. */
export const DECISIONS = ['mail', 'folders', 'hidden'] as const
export type Decision = (typeof DECISIONS)[number]

/** The facts about an office in the database. */
export type NewOffice = {
  decided: string[]
  hasName: boolean
  /** Whether the mail server has taken a test mail. */
  hasMailed: boolean
  hasChangedFolders: boolean
  hasProject: boolean
  /** Whether there is anybody beside the reader. */
  hasPerson: boolean
  hasFile: boolean
}

export type FirstSteps = { steps: { step: Step; isDone: boolean }[]; hasMailServer: boolean }

/** Returns the list of first steps; null if all are done or the list is put away. */
export function listFirstSteps(office: NewOffice, hasMailServer: boolean): FirstSteps | null {
  const isDecided = (decision: Decision) => office.decided.includes(decision)
  const done: Record<Step, boolean> = {
    office: office.hasName,
    mail: office.hasMailed || isDecided('mail'),
    folders: office.hasChangedFolders || isDecided('folders'),
    project: office.hasProject,
    person: office.hasPerson,
    pile: office.hasFile,
  }
  if (isDecided('hidden') || STEPS.every((step) => done[step])) return null
  return { steps: STEPS.map((step) => ({ step, isDone: done[step] })), hasMailServer }
}
