/** How many codes a person gets. */
export const RECOVERY_CODES = 10

/** No letters or digits that look alike. */
export const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
export const CODE_LENGTH = 16

const OURS = new RegExp(`^[${LETTERS}]{${CODE_LENGTH}}$`)

/** 'ABCD efgh-jkmn pqrs' becomes 'abcdefghjkmnpqrs', as it is compared. Null if it cannot be one of ours. */
export function cleanRecoveryCode(typed: string): string | null {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '')
  return OURS.test(code) ? code : null
}

/** 'abcdefghjkmnpqrs' is shown as 'abcd-efgh-jkmn-pqrs'. */
export const shownRecoveryCode = (code: string) => code.replaceAll(/(.{4})(?=.)/g, '$1-')
