import { useState, type ReactNode } from 'react'
import { makeLate } from '../../ui/overlay/late.ts'
import { useLate } from '../../ui/overlay/use-late.ts'
import type { PictureTrayHandle, PictureTrayProps } from './picture-tray.tsx'
import { isPicture } from './picture.ts'

/** Comes when a picture is chosen: most people send none. */
const pictureTray = makeLate(() => import('./picture-tray.tsx').then((file) => file.PictureTray))

/** Collects pictures for a form that sends only PDFs, and gives it one PDF of them. Other files go straight to the form. */
export function usePictures(
  isOn: boolean,
  add: (files: readonly File[]) => void,
): {
  take: (files: readonly File[]) => void
  tray: ReactNode
  /** Whether pictures wait to become a PDF; says so at their place if they do. */
  remind: () => boolean
} {
  const { Part, ref, call } = useLate<PictureTrayProps, PictureTrayHandle>(pictureTray, false, {
    keepsAll: true,
  })
  const [count, setCount] = useState(0)
  return {
    take(files) {
      const pictures = isOn ? files.filter(isPicture) : []
      const others = files.filter((file) => !pictures.includes(file))
      if (others.length > 0) add(others)
      if (pictures.length > 0) call((tray) => tray.add(pictures))
    },
    tray: Part && <Part ref={ref} onPdf={(file) => add([file])} onCount={setCount} />,
    remind() {
      if (count > 0) call((tray) => tray.remind())
      return count > 0
    },
  }
}
