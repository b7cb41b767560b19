/** Limits a run: acts with one of the words in their name, and whether the largest sizes are measured. */
export type Asked = { words: string[]; isLarge: boolean }
