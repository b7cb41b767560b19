/** What was asked for: acts with one of the words in their name, the largest sizes. */
export type Asked = { words: string[]; isLarge: boolean }
