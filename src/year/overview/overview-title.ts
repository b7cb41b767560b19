import { seesSharedFoldersOnly, type Role } from '../../rights.ts'

/** 'Overblik 2025'; 'Mine papirer 2025' for investors and advisers. */
export const overviewTitle = (role: Role, year: number) =>
  `${seesSharedFoldersOnly(role) ? 'Mine papirer' : 'Overblik'} ${year}`
