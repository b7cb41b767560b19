import { formatMoney } from '../base/money.ts'
import { COLUMNS } from './company.ts'
import { PartName } from './sheet-cell.tsx'
import { useOfSheet, useSheet } from './use-sheet.ts'
import { PARTS } from './sums.ts'

/** Under the amounts: what they come to, and the investor's part of it. */
export function SumsRow() {
  const { sheet } = useSheet()
  const { amounts, parts } = useOfSheet(sheet, 'sums', () => sheet.sums)
  return (
    <tfoot>
      <tr>
        <th scope="row" className="sheet-sum" data-align="left">
          I alt
        </th>
        {COLUMNS.slice(1).map(({ name, text, type }) => {
          if (type !== 'currency') return <Empty key={name} />
          const part = PARTS.find((each) => each.name === name)
          return (
            <td key={name} className="sheet-sum" data-label={text} data-align="right">
              {formatMoney(amounts[name])}
              {part && (
                <span className="sheet-part">
                  <PartName text={part.text} /> {formatMoney(parts[part.name])}
                </span>
              )}
            </td>
          )
        })}
        <Empty />
      </tr>
    </tfoot>
  )
}

const Empty = () => <td className="sheet-sum sheet-sum-empty">{'\u00a0'}</td>

/** How wide the columns of amounts must be, for one of so many letters to be read. */
export function widthOf(longest: number): 'narrow' | 'wide' | 'wider' | 'widest' {
  if (longest <= 11) return 'narrow'
  if (longest <= 13) return 'wide'
  return longest <= 16 ? 'wider' : 'widest'
}
