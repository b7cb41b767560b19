/** How long we wait for a client, and how much of the server one client may take: decision 0020. */
export type Patience = {
  /** From the connection to the end of a request's headers. */
  headersMs: number
  /** For the whole body of an ordinary form; a larger form gets longer. */
  bodyMs: number
  /** The least speed of a file: after `graceMs`, at least `leastBytes` in every `windowMs`. */
  upload: { graceMs: number; windowMs: number; leastBytes: number }
  /** How long a client may take no byte of its answer. */
  readerMs: number
  /** How long and how much of a refused body we read, so that its sender hears the answer. */
  refusedMs: number
  refusedBytes: number
  /** Connections in all, and per network. */
  connections: { all: number; each: number }
  /** Running requests per person, and per network of strangers: behind a proxy they all share the same connections. */
  requestsEach: number
  /** Bytes of bodies in memory at a time. */
  heldBytes: { all: number; each: number }
  /** Requests answered at a time per person, or network of strangers; the others wait. */
  answeringEach: number
  /** Pages that listen for changes: in all, per network, and per person. At most half of the connections. */
  streams: { all: number; network: number; each: number }
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
  // Fewer than the database's connections, even for a person who asks both signed in and as a stranger.
  answeringEach: 4,
  streams: { all: 1000, network: 100, each: 20 },
}

/** Returns the limits of one of several processes, which share the connections. */
export function shareOf(patience: Patience, processes: number): Patience {
  const part = (number: number) => Math.ceil(number / processes)
  const { connections, heldBytes, requestsEach, streams } = patience
  return {
    ...patience,
    connections: { all: part(connections.all), each: part(connections.each) },
    requestsEach: part(requestsEach),
    heldBytes: { all: part(heldBytes.all), each: heldBytes.each },
    streams: { ...streams, all: part(streams.all), network: part(streams.network) },
  }
}
