/** What our server means to do otherwise. */
export const schemaExceptions: readonly ((what: string) => boolean)[] = [
  // Every object that it fills in would be refused.
  (what) => what === "defaultIntOrString",
  // Lists pass for strings with a format there, which no program could read.
  (what) => /^\w+ (time|bytes) \[/.test(what),
];
