/** The address of the HTTP proxy that requests to an address go through; `undefined`: none. */
export type ProxyFor = (url: string) => string | undefined;
