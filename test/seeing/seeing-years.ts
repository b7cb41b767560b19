/** The years that the files of a random office are of. */
export const YEARS = [2024, 2025]

/** Every fourth file has no period, the others one of two years. */
export const yearOfFile = (file: number) => (file % 4 === 3 ? null : YEARS[file % 2]!)
