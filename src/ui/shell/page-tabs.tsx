import { tabsFor } from '../../navigation.ts'
import { useFrame } from '../basic/frame.ts'
import { TabLinks } from '../list/tab-links.tsx'
import { WaitingNumber } from './waiting-number.tsx'

/** The pages of the menu's entry, above each of them. */
export function PageTabs() {
  const { user, path } = useFrame()
  const tabs = user ? tabsFor(user, path) : []
  if (tabs.length === 0) return null
  return (
    <TabLinks
      label="Faner"
      tabs={tabs.map(({ waiting, ...tab }) => ({ ...tab, mark: <WaitingNumber of={waiting} /> }))}
      className="-mt-2 mb-6"
    />
  )
}
