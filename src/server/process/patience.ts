/** How long a client is waited for, and how much of the server one of them may take: decision 0020. */
export type Patience = {
  /** From the connection to the end of a request's headers. */
  headersMs: number
  /** For the whole body of an ordinary form; a larger one has longer. */
  bodyMs: number
  /** A file on its way: after `graceMs` at least `leastBytes` in every `windowMs`. */
  upload: { graceMs: number; windowMs: number; leastBytes: number }
  /** Without taking a byte of its answer. */
  readerMs: number
  /** How long, and how much of a refused body is read, so that its sender hears the answer. */
  refusedMs: number
  refusedBytes: number
  /** Connections in all, and of one network. */
  connections: { all: number; each: number }
  /** Requests under way of one network: behind a proxy all of them come by the same connections. */
  requestsEach: number
  /** Bytes of bodies that are held in memory at a time. */
  heldBytes: { all: number; each: number }
  /** Requests of one person or network that are being answered at a time; the others wait. */
  answeringEach: number
}

export const PATIENCE: Patience = {
  headersMs: 20_000,
  bodyMs: 30_000,
  upload: { graceMs: 30_000, windowMs: 60_000, leastBytes: 60_000 },
  readerMs: 60_000,
  refusedMs: 30_000,
  refusedBytes: 64_000_000,
  connections: { all: 2000, each: 200 },
  requestsEach: 200,
  // One image, or three of the largest forms.
  heldBytes: { all: 128_000_000, each: 12_000_000 },
  // Fewer than there are connections to the database, also for who asks as a stranger and as somebody.
  answeringEach: 4,
}

/** What one of several processes allows, which the connections go to in turns. */
export function shareOf(patience: Patience, processes: number): Patience {
  const part = (number: number) => Math.ceil(number / processes)
  const { connections, heldBytes, requestsEach } = patience
  return {
    ...patience,
    connections: { all: part(connections.all), each: part(connections.each) },
    requestsEach: part(requestsEach),
    heldBytes: { all: part(heldBytes.all), each: heldBytes.each },
  }
}
