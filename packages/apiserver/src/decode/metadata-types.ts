import { isJsonObject, own } from "@capstan/schema";

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === "string";
const isInteger: Check = (value) => Number.isInteger(value);
const stringMap: Check = (value) => isJsonObject(value) && Object.values(value).every(isString);
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const stringList = isListOf(isString);
const objectList = isListOf(isJsonObject);

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
  labels: stringMap,
  annotations: stringMap,
  finalizers: stringList,
  ownerReferences: objectList,
  managedFields: objectList,
};

/** Returns the value that null stands for inside the member; `undefined` for members that are neither map nor list. */
export const emptyMemberOf = (name: string): object | string | undefined => {
  const check = own(memberTypes, name);
  if (check === stringMap || check === stringList) return "";
  return check === objectList ? {} : undefined;
};

export const isMetadataMember = (name: string): boolean => Object.hasOwn(memberTypes, name);

/** The name of the first member of the wrong type; `undefined` when all are right. */
export const wrongMetadataMember = (metadata: Readonly<Record<string, unknown>>): string | undefined =>
  Object.entries(metadata).find(([name, value]) => isMetadataMember(name) && memberTypes[name]?.(value) === false)?.[0];
