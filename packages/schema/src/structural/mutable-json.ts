/** A JSON object as parsed: every key is an own property, `__proto__` included. */
export type MutableJson = Record<string, unknown>;

/** Sets an own member, also when the key is `__proto__`. */
export const setMember = (object: MutableJson, key: string, value: unknown): void => {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
};
