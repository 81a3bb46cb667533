/** A path below the API version. */
export interface ApiPath {
  /** Escaped, without a leading slash. */
  readonly text: string;
  /** The same with every value replaced by `{}`: what calls of one kind have in common. */
  readonly family: string;
}

/** Builds a path from a template; every value is one escaped segment, so `private/1` becomes `private%2F1`. */
export const path = (parts: TemplateStringsArray, ...values: readonly (string | number)[]): ApiPath => ({
  text: String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value))),
  family: parts.join("{}"),
});
