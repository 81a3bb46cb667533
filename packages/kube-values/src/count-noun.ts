/** A number with its noun: `1 object`, `2 objects`. */
export const countNoun = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
