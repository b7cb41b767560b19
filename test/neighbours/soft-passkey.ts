import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'

type Options = { challenge: string; rpId?: string; rp?: { id?: string } }

/** An authenticator in software: makes one passkey and signs with it. */
export class SoftPasskey {
  readonly id = randomBytes(32)
  counter = 0
  origin: string
  /** Whether it asks for a fingerprint or code. */
  verifies = true
  #private: KeyObject
  #public: KeyObject

  constructor(origin: string) {
    this.origin = origin
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#private = privateKey
    this.#public = publicKey
  }

  /** Answers the question for a new passkey. */
  make({ challenge, rp }: Options): Record<string, unknown> {
    const { x, y } = this.#public.export({ format: 'jwk' })
    const key = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
      Buffer.from(x!, 'base64url'),
      Buffer.from([0x22, 0x58, 0x20]),
      Buffer.from(y!, 'base64url'),
    ])
    const data = Buffer.concat([
      this.#head(rp!.id!, 0x40),
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      key,
    ])
    // CBOR of { fmt: 'none', attStmt: {}, authData }.
    const attestation = Buffer.concat([
      Buffer.from([0xa3, 0x63]),
      Buffer.from('fmt'),
      Buffer.from([0x64]),
      Buffer.from('none'),
      Buffer.from([0x67]),
      Buffer.from('attStmt'),
      Buffer.from([0xa0, 0x68]),
      Buffer.from('authData'),
      Buffer.from([0x58, data.length]),
      data,
    ])
    return this.#answer({
      clientDataJSON: this.#client('webauthn.create', challenge).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** Answers the question for a passkey. */
  use({ challenge, rpId }: Options): Record<string, unknown> {
    this.counter++
    const data = this.#head(rpId!, 0)
    const client = this.#client('webauthn.get', challenge)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return this.#answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: createSign('sha256').update(signed).sign(this.#private).toString('base64url'),
    })
  }

  #answer(response: object): Record<string, unknown> {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #client(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }))
  }

  #head(host: string, flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    return Buffer.concat([
      createHash('sha256').update(host).digest(),
      Buffer.from([flags | 0x01 | (this.verifies ? 0x04 : 0)]),
      counter,
    ])
  }
}
