/** The title of the page and of the dialog that ask somebody to prove that it is them. */
export const PROVE_TITLE = 'Bekræft, at det er dig'

/** Fields of the question begin so: beside them it may carry those of the form that was sent. */
export const PROOF_PREFIX = 'proof_'
