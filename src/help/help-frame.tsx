import type { ReactNode } from 'react'
import { useFrame } from '../ui/basic/frame.ts'
import { PageFrame } from '../ui/shell/page-frame.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import { urls } from '../urls.ts'

type Props = {
  title: string
  /** Whether this is the list of chapters, which has no parent page in the manual. */
  isFirst?: boolean
  children: ReactNode
}

/** The frame of the manual's pages, with the menu or, for those who are not signed in, without. */
export function HelpFrame({ title, isFirst = false, children }: Props) {
  const { user } = useFrame()
  if (user)
    return (
      <Shell title={title} crumbs={isFirst ? [] : [{ text: 'Hjælp', href: urls.help }]}>
        {children}
      </Shell>
    )
  return (
    <PageFrame width="max-w-[1120px]" helpText="Al hjælp">
      <p className="mb-1 text-muted print:hidden">
        <a href={urls.login} className="underline-offset-2 hover:text-ink hover:underline">
          Til login
        </a>
      </p>
      <h1 className="mb-6 text-title font-semibold wrap-anywhere">{title}</h1>
      {children}
    </PageFrame>
  )
}
