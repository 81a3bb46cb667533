/** Returns whether a field has a value: the API takes `null` for one that is not there. */
export const given = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;
