import type { ComponentProps } from 'react'
import { useFrame } from '../../ui/basic/frame.ts'
import { Form } from '../../ui/form/form.tsx'

/** An act on a duty or a receipt, which leads back to the page that it is done on. */
export function ActForm({ children, ...form }: ComponentProps<typeof Form>) {
  const { url } = useFrame()
  return (
    <Form kind="secondary" beside={null} {...form}>
      <input type="hidden" name="next" value={url} />
      {children}
    </Form>
  )
}
