import { countFiles } from '../projects/folder.ts'
import { REOPEN_DAYS } from '../intake/intake.ts'

/** 'En fil blev ikke gemt. Den slettes 30 dage efter.' */
export const leftText = (files: number) =>
  files === 1
    ? `En fil blev ikke gemt. Den slettes for altid efter ${REOPEN_DAYS} dage, hvis ingen åbner den igen.`
    : `${countFiles(files)} blev ikke gemt. De slettes for altid efter ${REOPEN_DAYS} dage, hvis ingen åbner dem igen.`

/** 'Et lille billede er udeladt.' */
export const picturesText = (pictures: number) =>
  pictures === 1
    ? 'Et lille billede i mailen er udeladt.'
    : `${pictures} små billeder i mailen, for eksempel logoer, er udeladt.`
