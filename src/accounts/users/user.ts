import type { Role } from '../../rights.ts'

export type User = { id: number; name: string; email: string; role: Role }

export const ROLE_NAMES: Record<Role, string> = {
  administrator: 'Administrator',
  employee: 'Medarbejder',
  auditor: 'Revisor',
  investor: 'Investor',
  adviser: 'Rådgiver',
}
