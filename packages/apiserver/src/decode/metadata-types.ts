type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === "string";
const isInteger: Check = (value) => Number.isInteger(value);
const isObject: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isStringMap: Check = (value) => isObject(value) && Object.values(value as object).every(isString);
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** Types of the members of `metadata`, as a wrong one is refused before anything else is looked at. */
const memberTypes: Readonly<Record<string, Check>> = {
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
  finalizers: isListOf(isString),
  ownerReferences: isListOf(isObject),
  managedFields: isListOf(isObject),
};

export const isMetadataMember = (name: string): boolean => Object.hasOwn(memberTypes, name);

/** The name of the first member of the wrong type; `undefined` when all are right. */
export const wrongMetadataMember = (metadata: Readonly<Record<string, unknown>>): string | undefined =>
  Object.entries(metadata).find(([name, value]) => isMetadataMember(name) && memberTypes[name]?.(value) === false)?.[0];
