/** Types of the members of `metadata`, as a wrong one is refused before anything else is looked at. */
const memberTypes: Readonly<Record<string, (value: unknown) => boolean>> = (() => {
  const isString = (value: unknown): boolean => typeof value === "string";
  const isInteger = (value: unknown): boolean => Number.isInteger(value);
  const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
  const isStringMap = (value: unknown): boolean =>
    isObject(value) && Object.values(value as object).every((member) => typeof member === "string");
  return {
    name: isString,
    generateName: isString,
    namespace: isString,
    uid: isString,
    selfLink: isString,
    resourceVersion: isString,
    creationTimestamp: isString,
    deletionTimestamp: isString,
    generation: isInteger,
    deletionGracePeriodSeconds: isInteger,
    labels: isStringMap,
    annotations: isStringMap,
    finalizers: (value) => Array.isArray(value) && value.every(isString),
    ownerReferences: (value) => Array.isArray(value) && value.every(isObject),
    managedFields: (value) => Array.isArray(value) && value.every(isObject),
  };
})();

export const isMetadataMember = (name: string): boolean => Object.hasOwn(memberTypes, name);

/** The path of the first member of the wrong type; `undefined` when all are right. */
export const wrongMetadataMember = (metadata: Readonly<Record<string, unknown>>): string | undefined =>
  Object.entries(metadata).find(([name, value]) => isMetadataMember(name) && memberTypes[name]?.(value) === false)?.[0];
