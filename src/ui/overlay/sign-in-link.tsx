import { urls } from '../../urls.ts'

/** The link of the modal that says so, beside the message, which stays after the modal is closed. */
export function SignInLink() {
  return (
    <a href={urls.login} target="_blank" rel="noopener" className="font-medium underline underline-offset-2">
      Log ind i en ny fane
    </a>
  )
}
