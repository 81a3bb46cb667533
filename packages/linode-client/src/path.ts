/** A path below the API version. */
export interface ApiPath {
  /** Escaped, without a leading slash. */
  readonly text: string;
  /** The same with every value replaced by `{}`: what calls of one kind have in common. */
  readonly family: string;
}

/** A segment of a path that stands for a value. */
const place = /(?<=^|\/)[:$][^/]+/g;

/** Puts values into a path; every one is one escaped segment, so `private/1` becomes `private%2F1`. */
export const pathOf = (path: string, values: readonly (string | number)[] = []): ApiPath => {
  const left = [...values];
  return {
    text: path.replaceAll(place, () => encodeURIComponent(left.shift() ?? "")),
    family: path.replaceAll(place, "{}"),
  };
};
