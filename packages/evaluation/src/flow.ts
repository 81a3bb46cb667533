/** For whom something is evaluated: a namespace, or the user where an object has none. */
export const flowOf = (namespace: string | undefined, user = ""): string =>
  namespace === undefined || namespace === "" ? `user ${user}` : `namespace ${namespace}`;
