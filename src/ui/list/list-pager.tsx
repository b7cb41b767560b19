import type { RefObject } from 'react'
import { writeListQuery, type ListQuery } from '../../base/list-query.ts'
import type { PageInfo } from '../../base/pagination.ts'
import { useFrame } from '../basic/frame.ts'
import { Pager } from './pager.tsx'

type Props = {
  list: { info: PageInfo; query: ListQuery; turnTo: (page: number) => void }
  /** The element that is scrolled into view on another page. */
  top: RefObject<HTMLElement | null>
}

/** The pager of a list whose query is in the address. */
export function ListPager({ list: { info, query, turnTo }, top }: Props) {
  const { path } = useFrame()
  return (
    <Pager
      info={info}
      hrefOf={(page) => path + writeListQuery({ ...query, page })}
      onTurn={(page) => {
        turnTo(page)
        top.current?.scrollIntoView()
      }}
    />
  )
}
