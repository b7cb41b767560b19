import { ErrorState } from '../basic/error-state.tsx'

type Props = {
  list: { hasFailed: boolean; refused: string | null; retry: () => void }
  /** The message if the list could not be fetched at all. */
  message: string
}

/** Says why a list does not show what was asked for. */
export function ListFault({ list: { hasFailed, refused, retry }, message }: Props) {
  if (refused !== null) return <ErrorState message={refused} />
  return hasFailed && <ErrorState message={message} onRetry={retry} />
}
