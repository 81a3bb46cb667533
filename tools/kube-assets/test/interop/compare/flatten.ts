/** Takes a value and where it stands. */
export type Put = (path: string, value: unknown) => void;

/** Every value of an object by its path; parts of lists by their type, or else their index. */
export const flatten = (value: unknown, path: string, put: Put): void => {
  if (Array.isArray(value)) {
    if (value.length === 0) put(path, "[]");
    const hasTypes = value.length > 0 && value.every((each) => typeof each === "object" && each?.type !== undefined);
    for (const [index, each] of value.entries()) flatten(each, `${path}[${hasTypes ? each.type : index}]`, put);
  } else if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0) put(path, "{}");
    for (const [name, each] of entries) flatten(each, path === "" ? name : `${path}.${name}`, put);
  } else {
    put(path, value);
  }
};
