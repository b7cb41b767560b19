/** The reasons why a document has no text, as the office reads them. */
export const READING_FAULTS = {
  locked: 'Filen er låst med en adgangskode.',
  damaged: 'Filen er beskadiget.',
  notText: 'Filen indeholder ikke tekst.',
  large: 'Filen er for stor.',
  bomb: 'Filen fylder for meget, når den pakkes ud.',
  slow: 'Det tog for lang tid at læse filen.',
  memory: 'Filen kræver for meget hukommelse.',
  missing: 'Filens indhold mangler på serveren.',
}

export type ReadingFault = keyof typeof READING_FAULTS

/** The statuses that our program ends with. Node itself ends with small numbers, and a shell with larger ones. */
export const FAULT_STATUSES: Partial<Record<ReadingFault, number>> = {
  locked: 41,
  damaged: 42,
  notText: 43,
  bomb: 44,
}

/** A document that cannot be read, and why. */
export class Unreadable extends Error {
  fault: ReadingFault

  constructor(fault: ReadingFault, cause?: unknown) {
    super(READING_FAULTS[fault], { cause })
    this.fault = fault
  }
}
