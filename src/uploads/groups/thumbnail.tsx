import { useEffect, useRef, useState } from 'react'
import { useNear } from '../../ui/basic/use-near.ts'
import { splitExtension } from '../../files/names/file-name.ts'
import type { Widget } from '../transport/widget.ts'

/** The largest picture that gets a thumbnail; a larger one may take seconds to decode. */
const MOST_BYTES = 30_000_000

export function hasThumbnail(name: string, { thumbnailTypes }: Widget): boolean {
  const extension = splitExtension(name).extension.slice(1).toLowerCase()
  return thumbnailTypes.includes(extension)
}

/** S9.10: a thumbnail that the browser draws before anything is sent, when the row is nearly in view. */
export function Thumbnail({ file, size }: { file: File; size: number }) {
  const frame = useRef<HTMLSpanElement>(null)
  const isNear = useNear(frame, false)
  const [address, setAddress] = useState<string | null>(null)

  useEffect(() => {
    if (!isNear || file.size > MOST_BYTES) return undefined
    let made: string | null = null
    let isGone = false
    void inTurn(async () => {
      if (isGone) return
      const stamp = await drawStamp(file, size).catch(() => null) // the file is not a picture
      if (!stamp || isGone) return
      made = URL.createObjectURL(stamp)
      setAddress(made)
    })
    return () => {
      isGone = true
      setAddress(null)
      if (made) URL.revokeObjectURL(made)
    }
  }, [isNear, file, size])

  return (
    <span
      ref={frame}
      className="grid size-12 shrink-0 overflow-hidden rounded-control border border-line bg-sunken"
    >
      {address && <img src={address} alt="" width={size} height={size} className="size-full object-cover" />}
    </span>
  )
}

let last: Promise<unknown> = Promise.resolve()

/** Runs one at a time, or a hundred photographs would be decoded at once. */
function inTurn(run: () => Promise<void>): Promise<void> {
  const mine = last.then(run)
  last = mine
  return mine
}

async function drawStamp(file: File, size: number): Promise<Blob | null> {
  const address = URL.createObjectURL(file)
  try {
    const picture = new Image()
    picture.src = address
    await picture.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size })
    // An SVG may have no size.
    const [width, height] = [picture.naturalWidth || size, picture.naturalHeight || size]
    const side = Math.min(width, height)
    canvas
      .getContext('2d')!
      .drawImage(picture, (width - side) / 2, (height - side) / 2, side, side, 0, 0, size, size)
    return await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
  } finally {
    URL.revokeObjectURL(address)
  }
}
