import { formatMoney } from '../../base/money.ts'
import { COLUMNS } from '../company/company.ts'
import { PartName } from './sheet-cell.tsx'
import { useOfSheet, useSheet } from './use-sheet.ts'
import { PARTS } from './sums.ts'

/** The sums below the amounts, and the investor's part of them. */
export function SumsRow() {
  const { sheet, mayEdit } = useSheet()
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
        {mayEdit && <Empty />}
      </tr>
    </tfoot>
  )
}

const Empty = () => <td className="sheet-sum sheet-sum-empty">{'\u00a0'}</td>

/** Returns how wide the amount columns must be to show the longest amount, in characters. */
export function widthOf(longest: number): 'narrow' | 'wide' | 'wider' | 'widest' {
  if (longest <= 11) return 'narrow'
  if (longest <= 13) return 'wide'
  return longest <= 16 ? 'wider' : 'widest'
}
