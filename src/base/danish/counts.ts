/** 2000 becomes '2.000'. */
export const formatCount = (count: number) => String(count).replace(/\B(?=(?:\d{3})+$)/g, '.')
