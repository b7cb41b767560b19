/** The years that the files of a random office are of. */
export const YEARS = [2024, 2025]

/** Every fourth file is of no period, the others of one of two years. */
export const yearOfPeriod = (file: number) => (file % 4 === 3 ? null : YEARS[file % 2]!)

/** The year in a file's name; some have none. */
export const yearInName = (file: number) => (file % 8 === 7 ? null : file % 5 === 0 ? 1999 : 2024)

/** A period counts more than a name. */
export const yearOfFile = (file: number) => yearOfPeriod(file) ?? yearInName(file)
