import type { BootRequest } from "../boot/boot-request.ts";

/** Where a program of a machine connects to on this computer, and what the server there has to be called. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** Set where the host stands for a name of the machine's network. */
  readonly serverName: string | undefined;
}

/** Returns the endpoint behind an `https` address, as a machine sees it. */
export const endpointOf = (url: URL, { resolve }: Pick<BootRequest, "resolve">): Endpoint => {
  const named = url.hostname.replace(/^\[|\]$/g, "");
  const host = resolve?.(named);
  const port = Number(url.port) || 443;
  return { host: host ?? named, port, serverName: host === undefined ? undefined : named };
};

/** The address by which an endpoint is asked. */
export const urlOf = ({ host, port }: Endpoint): string => `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
