/** The title of the page and of the dialog that ask somebody to prove that it is them. */
export const PROVE_TITLE = 'Bekræft, at det er dig'

/** The proof's own fields begin with this. The question may carry the fields of the sent form beside them. */
export const PROOF_PREFIX = 'proof_'
