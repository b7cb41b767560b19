import type { Role } from '../../rights.ts'

export type User = { id: number; name: string; email: string; role: Role }
