import { createRoot } from 'react-dom/client'

// The least work with which React can make a table of inputs.
function Inputs({ rows, columns }: { rows: number; columns: number }) {
  return (
    <table>
      <tbody>
        {Array.from({ length: rows }, (_, row) => (
          <tr key={row}>
            {Array.from({ length: columns }, (_unused, column) => (
              <td key={column}>
                <input aria-label={`${column}, ${row}`} defaultValue={`${row * 1000 + column}`} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const root = createRoot(document.getElementById('app')!)
Object.assign(window, {
  draw: (rows: number, columns: number) => root.render(<Inputs rows={rows} columns={columns} />),
})
