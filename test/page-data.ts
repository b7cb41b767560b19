import type { Envelope } from '../src/pages.ts'
import type { Visitor } from './visitor.ts'

/** Returns the data of a page, which its HTML holds for the browser. */
export function pageIn<Props = Record<string, unknown>>(
  html: string,
): Omit<Envelope, 'props'> & { props: Props } {
  const [, json] = /<script[^>]* id="page"[^>]*>(.*?)<\/script>/s.exec(html)!
  return JSON.parse(json!) as Omit<Envelope, 'props'> & { props: Props }
}

export const propsIn = <Props>(html: string): Props => pageIn<Props>(html).props

/** Returns the texts of a page, each on a line. */
export async function textsOf(visitor: Visitor, address: string): Promise<string> {
  const { body } = await visitor.get(address)
  return /<main[\s\S]*<\/main>/
    .exec(body)![0]
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, '\n')
}
