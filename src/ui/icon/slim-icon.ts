import type { LucideIcon, LucideProps } from 'lucide-react'
import { createElement, type SVGProps } from 'react'

type Shapes = { node: readonly [tag: string, attributes: Record<string, string>][] }

/** Stands in for lucide's own factory in the build: it draws the same icon with a tenth of the code. */
export function makeSlimIcon({ node }: Shapes): LucideIcon {
  const icon = ({ size = 24, ...more }: LucideProps) =>
    createElement(
      'svg',
      { ...LOOK, width: size, height: size, ...more } satisfies SVGProps<SVGSVGElement>,
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
  return icon as unknown as LucideIcon // which forwards a ref; nobody asks an icon for one
}

const LOOK = {
  xmlns: 'http://www.w3.org/2000/svg',
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
} as const
