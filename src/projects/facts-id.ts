/** The anchor of a project's facts. */
export const FACTS_ID = 'oplysninger'
