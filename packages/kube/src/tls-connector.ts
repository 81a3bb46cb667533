import type { LookupFunction } from "node:net";
import { createSecureContext, type TLSSocket } from "node:tls";
import { buildConnector } from "undici";
import type { TlsMaterial } from "./access.ts";

/** Options of `tls.connect` for a server with this material, and of a `ProxyAgent` for what lies behind its proxy. */
export const tlsOptions = (tls: TlsMaterial) => ({
  ...(tls.ca === undefined ? {} : { ca: tls.ca }),
  ...(tls.clientCertificate === undefined ? {} : { cert: tls.clientCertificate }),
  ...(tls.clientKey === undefined ? {} : { key: tls.clientKey.reveal() }),
  ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
  ...(tls.skipVerify === true ? { rejectUnauthorized: false } : {}),
});

export interface ConnectorOptions {
  /** For opening a connection, in milliseconds. */
  readonly timeout: number;
  readonly keepAlive: boolean;
  /** In milliseconds. */
  readonly keepAliveInitialDelay: number;
  /** Default: the resolver of the system. */
  readonly lookup?: LookupFunction;
}

/**
 * Opens connections to one server. They share what is read of the PEM texts, and the last session that the server gave: one that it
 * still knows spares both sides the certificates and signatures of a handshake. Sessions are never shared with other credentials: each
 * material has a connector of its own.
 */
export const tlsConnector = (tls: TlsMaterial, options: ConnectorOptions): buildConnector.connector => {
  const { ca, cert, key, ...rest } = tlsOptions(tls);
  const secureContext = createSecureContext({ ca, cert, key });
  // undici's own store holds sessions weakly: without this reference, one that is not in use is collected.
  const latest: Buffer[] = [];
  const connect = buildConnector({ ...rest, ...options, secureContext, allowH2: false, maxCachedSessions: 1 });
  return (target, done) => {
    const socket = connect(target, done) as unknown as TLSSocket;
    socket.on("session", (session: Buffer) => (latest[0] = session));
    return socket;
  };
};
