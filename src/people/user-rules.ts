export const INVESTOR_NEEDS_NUMBER = 'En investor skal have mindst ét nummer.'
export const ADVISER_HAS_NO_PROJECTS = 'En rådgiver har ingen projekter.'
