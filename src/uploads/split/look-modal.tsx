import { useEffect, useState } from 'react'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { fetchPictures } from './page-pictures.ts'
import type { SplitPage } from './split.ts'

const NAME = 'look-at-page'

export const lookAtPage = (page: number) => modals.open(NAME, page)

type Props = { hashName: string; pages: readonly SplitPage[]; hasPictures: boolean }

/** Shows a page large enough to be read. */
export function LookModal({ hashName, pages, hasPictures }: Props) {
  return (
    <Modal<number> name={NAME} title={(page) => `Side ${page}`}>
      {(page) => (
        <div className="grid gap-4">
          <Picture
            key={page}
            hashName={hashName}
            page={page}
            words={pages[page - 1]!.words}
            isAsked={hasPictures}
          />
          <div className="flex justify-end">
            <CancelButton>Luk</CancelButton>
          </div>
        </div>
      )}
    </Modal>
  )
}

type PictureProps = { hashName: string; page: number; words: string; isAsked: boolean }

function Picture({ hashName, page, words, isAsked }: PictureProps) {
  const [address, setAddress] = useState<string | null | undefined>(isAsked ? undefined : null)
  useEffect(() => {
    if (!isAsked) return undefined
    let isGone = false
    const fetchIt = async () => {
      const found = await fetchPictures(hashName, page, page, 'large')
      if (!isGone) setAddress(found?.[page] ?? null)
    }
    void fetchIt()
    return () => {
      isGone = true
    }
  }, [hashName, page, isAsked])
  if (address) return <img src={address} alt={words} className="w-full border border-line" />
  return (
    <p className="text-muted">{address === undefined ? 'Henter...' : words || 'Siden kan ikke vises.'}</p>
  )
}
