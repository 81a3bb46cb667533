import type { Parse } from "./field.ts";
import { integer, parts, text } from "./field.ts";

/** Where the API server of a workload cluster answers. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

interface PartialEndpoint {
  readonly host?: string;
  readonly port?: number;
}

const partial = parts<PartialEndpoint>({ host: text, port: integer }, []);

/** An endpoint counts only when it is whole: a host that is not empty and a port from 1 to 65535. */
export const isValidEndpoint = (endpoint: PartialEndpoint | undefined): endpoint is Endpoint =>
  endpoint?.host !== undefined &&
  endpoint.host !== "" &&
  endpoint.port !== undefined &&
  endpoint.port >= 1 &&
  endpoint.port <= 65_535;

/** `host:port`, IPv6 hosts in brackets. */
export const formatEndpoint = ({ host, port }: Endpoint): string =>
  host.includes(":") && !host.startsWith("[") ? `[${host}]:${port}` : `${host}:${port}`;

/** Reads the endpoint object as it stands, whole or not. */
export const parseEndpoint: Parse<PartialEndpoint> = partial;
