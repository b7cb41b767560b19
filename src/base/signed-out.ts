/**
 * Returns the message for a call that fails because the user is signed out. `press` is the name of the save button, if
 * the user has written something that must not be lost.
 */
export function signedOutText(press?: string): string {
  return `Du er blevet logget ud. ${afterSignIn(press)}`
}

/** Returns the same without its first sentence, for use below a title that says it. */
export function afterSignIn(press?: string): string {
  return press === undefined
    ? 'Log ind i en ny fane, og prøv igen.'
    : `Log ind i en ny fane, og tryk ${press} igen. Det, du har skrevet, er her stadig.`
}
