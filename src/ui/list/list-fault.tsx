import { ErrorState } from '../basic/error-state.tsx'

type Props = {
  list: { hasFailed: boolean; refused: string | null; retry: () => void }
  /** Said when it could not be fetched at all. */
  message: string
}

/** Why a list does not show what was asked for. */
export function ListFault({ list: { hasFailed, refused, retry }, message }: Props) {
  if (refused !== null) return <ErrorState message={refused} />
  return hasFailed && <ErrorState message={message} onRetry={retry} />
}
