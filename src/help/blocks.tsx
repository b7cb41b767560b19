import { useFrame } from '../ui/basic/frame.ts'
import type { Block, Inline, Picture } from './manual.ts'

export type Pictures = Record<string, Picture>

/** Draws a part of the manual. What stands in it never changes, so its place is its key. */
export function Blocks({ blocks, pictures }: { blocks: readonly Block[]; pictures: Pictures }) {
  // oxlint-disable-next-line react/no-array-index-key -- the order never changes
  return blocks.map((block, index) => <OneBlock key={index} block={block} pictures={pictures} />)
}

function OneBlock({ block, pictures }: { block: Block; pictures: Pictures }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <Words parts={block.parts} />
        </p>
      )
    case 'list': {
      const List = block.isNumbered ? 'ol' : 'ul'
      return (
        <List className={`grid gap-2 pl-6 ${block.isNumbered ? 'list-decimal' : 'list-disc'}`}>
          {block.items.map((item, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the order never changes
            <li key={index} className="marker:text-muted">
              <div className="grid gap-2">
                <Blocks blocks={item} pictures={pictures} />
              </div>
            </li>
          ))}
        </List>
      )
    }
    case 'table':
      return <Table head={block.head} rows={block.rows} />
    case 'code':
      return (
        <pre
          translate="no"
          className="rounded-control border border-line bg-sunken px-3 py-2 font-mono text-meta whitespace-pre-wrap wrap-anywhere"
        >
          {block.text}
        </pre>
      )
    default: {
      const picture = pictures[block.name]
      return picture ? <PictureInBoth text={block.text} picture={picture} /> : null
    }
  }
}

function Table({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
  return (
    <table className="w-full border-collapse text-body">
      <thead>
        <tr className="border-b border-line bg-sunken text-left text-muted">
          {head.map((cell, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the order never changes
            <th key={index} scope="col" className="px-3 py-2 font-medium">
              <Words parts={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the order never changes
          <tr key={index} className="border-b border-line align-top">
            {row.map((cell, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- the order never changes
              <td key={place} className="px-3 py-2">
                <Words parts={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/**
 * A picture in both looks. CSS shows the one that fits, also after the look of the page changes; the browser fetches
 * only the shown one.
 */
function PictureInBoth({ text, picture }: { text: string; picture: Picture }) {
  const { light, dark, width, height } = picture
  const shared = { width, height, loading: 'lazy', decoding: 'async' } as const
  const look = 'h-auto max-w-full rounded-card border border-line'
  return (
    <figure className="break-inside-avoid">
      <img {...shared} alt={text} src={light} className={`in-light ${look}`} />
      <img {...shared} alt={text} src={dark} className={`in-dark ${look}`} />
      <figcaption className="mt-1 text-meta text-muted" aria-hidden="true">
        {text}
      </figcaption>
    </figure>
  )
}

function Words({ parts }: { parts: readonly Inline[] }) {
  // oxlint-disable-next-line react/no-array-index-key -- the order never changes
  return parts.map((part, index) => <OnePart key={index} part={part} />)
}

function OnePart({ part }: { part: Inline }) {
  const { path } = useFrame()
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code':
      return (
        <code translate="no" className="rounded-control bg-sunken px-1 font-mono text-body wrap-anywhere">
          {part.text}
        </code>
      )
    case 'strong':
      return (
        <strong className="font-semibold">
          <Words parts={part.parts} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <Words parts={part.parts} />
        </em>
      )
    default:
      return (
        <a
          href={part.href.startsWith(`${path}#`) ? part.href.slice(path.length) : part.href}
          className="text-accent underline underline-offset-2 hover:text-accent-strong"
        >
          <Words parts={part.parts} />
        </a>
      )
  }
}
