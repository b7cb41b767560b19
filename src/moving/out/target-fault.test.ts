import { expect, it } from 'vitest'
import { targetFault } from './target-fault.ts'

const fault = (more: object) => targetFault(Object.assign(new Error('as told'), more), '/mnt/usb')

it.each([
  [{ code: 'ENOSPC', syscall: 'write' }, '/mnt/usb is full.'],
  [{ code: 'ENOSPC', syscall: 'mkdir', path: '/mnt/usb/Projekter' }, '/mnt/usb is full.'],
  [{ code: 'ENOENT', syscall: 'open', path: '/mnt/usb/Projekter/a' }, '/mnt/usb is gone'],
  [{ code: 'EIO', syscall: 'fsync' }, '/mnt/usb is gone'],
  [{ code: 'EFBIG', syscall: 'write' }, '/mnt/usb takes no file of this size'],
  [{ code: 'EROFS', syscall: 'open', path: '/mnt/usb/a' }, '/mnt/usb may not be written to'],
])('explains the fault %j as %j', (more, text) => {
  expect(fault(more)).toMatchObject({ message: expect.stringContaining(text) as string })
})

it.each([
  [{ code: 'ENOENT', syscall: 'open', path: '/var/lib/ringbind/files/ab' }],
  [{ code: 'EIO', syscall: 'read' }],
  [{ code: 'ECONNRESET' }],
  [{}],
])('does not explain %j, which is not about the directory', (more) => {
  expect(fault(more)).toMatchObject({ message: 'as told' })
})
