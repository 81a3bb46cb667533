const scheme = "acme://";

/** How Machines and Nodes know a server. */
export const providerIDOf = (id: string): string => `${scheme}${id}`;

/** The server of a provider id; `undefined` when there is none, or it is of another cloud. */
export const serverIdOf = (providerID: string | undefined): string | undefined =>
  providerID?.startsWith(scheme) === true ? providerID.slice(scheme.length) : undefined;
