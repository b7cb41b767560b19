import { commonPasswords } from './common-passwords.server.ts'
import { passwordFault } from './password.ts'

export function newPasswordFault(
  password: string,
  owner: { email: string; name: string },
  { demo }: { demo: boolean },
): string | null {
  return passwordFault(password, owner, { common: commonPasswords(), isDemo: demo })
}
