/** A JSON object as parsed: every key is an own property, `__proto__` included. */
export type JsonObject = Record<string, unknown>;

/** The own member `key`, or undefined; never something inherited such as `constructor`. */
export const memberOf = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** Sets an own member, also when the key is `__proto__`. */
export const setMember = (object: JsonObject, key: string, value: unknown): void => {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
};
