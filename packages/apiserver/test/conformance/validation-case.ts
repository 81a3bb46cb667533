/**
 * A new object and how it is answered: `causes` (`reason field`, reasons without `FieldValue`) of a 422, none when it is accepted, or
 * another code.
 */
export type ValidationCase = readonly [
  title: string,
  api: string,
  plural: string,
  object: object,
  causes: readonly string[] | 400 | 403,
];
