import { lazy, Suspense, useEffect, useMemo, useState, type ComponentType } from 'react'
import { makeLate, whenIdle } from './late.ts'

type FetchPart<Props> = () => Promise<ComponentType<Props>>

/**
 * Makes a component that the server renders and the browser hydrates when it is idle. Until then it behaves as without
 * JavaScript, so it has to work without: links, forms, `details`, popovers.
 */
export function makeLateDrawn<Props extends object>(fetchPart: FetchPart<Props>): ComponentType<Props> {
  return import.meta.env.SSR ? drawAtOnce(fetchPart) : drawLate(fetchPart)
}

const coming: Promise<void>[] = []

/** The server waits for this before it draws: React does not wait. */
export const lateParts = () => Promise.all(coming)

function drawAtOnce<Props extends object>(fetchPart: FetchPart<Props>): ComponentType<Props> {
  let Part: ComponentType<Props>
  coming.push(fetchPart().then((part) => void (Part = part)))
  return (props) => (
    <Suspense fallback={null}>
      <Part {...props} />
    </Suspense>
  )
}

function drawLate<Props extends object>(fetchPart: FetchPart<Props>): ComponentType<Props> {
  const late = makeLate(fetchPart)
  let there: Promise<ComponentType<Props>> | undefined
  /** Never ends if the part cannot be fetched: the server's HTML stays. */
  const whenThere = () =>
    (there ??= new Promise((resolve) => {
      whenIdle(() => void late.loadEarly().then((part) => part && resolve(part)))
    }))
  const Part: ComponentType<Props> = lazy(async () => ({ default: await whenThere() }))

  return function LateDrawn(props: Props) {
    const [atFirst] = useState(props)
    const [isThere, setThere] = useState(false)
    useEffect(() => void whenThere().then(() => setThere(true)), [])
    // React drops the server's HTML if the part has to be rendered again before it has loaded.
    const shown = isThere ? props : atFirst
    return useMemo(
      () => (
        <Suspense fallback={null}>
          <Part {...shown} />
        </Suspense>
      ),
      [shown],
    )
  }
}
