/**
 * Said wherever a call fails because nobody is signed in any more. `press` is the button that saves: with it, something
 * was written that must not be lost.
 */
export function signedOutText(press?: string): string {
  return `Du er blevet logget ud. ${afterSignIn(press)}`
}

/** The same without its first sentence, below a title that says it. */
export function afterSignIn(press?: string): string {
  return press === undefined
    ? 'Log ind i en ny fane, og prøv igen.'
    : `Log ind i en ny fane, og tryk ${press} igen. Det, du har skrevet, er her stadig.`
}
