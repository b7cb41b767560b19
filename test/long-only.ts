/** Whether this is `npm run test:long`, which runs each test file that asks this, whole. */
export const isLong = process.env.TESTS === 'long'
