import { seesSharedFoldersOnly, type Role } from '../../rights.ts'

/** 'Overblik 2025'; 'Papirer 2025' for investors and advisers, who have it as a spreadsheet alone. */
export const overviewTitle = (role: Role, year: number) =>
  `${seesSharedFoldersOnly(role) ? 'Papirer' : 'Overblik'} ${year}`
