/** The password of everybody in the demo. */
export const DEMO_PASSWORD = 'ringbind-demo'
