const scheme = "acme://";

/** Returns the id by which Machines and Nodes refer to a server. */
export const providerIDOf = (id: string): string => `${scheme}${id}`;

/** The server of a provider id; `undefined` when there is none, or it is of another cloud. */
export const serverIdOf = (providerID: string | undefined): string | undefined =>
  providerID?.startsWith(scheme) === true ? providerID.slice(scheme.length) : undefined;
