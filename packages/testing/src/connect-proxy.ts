import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { createCertificateAuthority, issueCertificate } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";

/** An HTTP proxy on loopback that tunnels every CONNECT to one port of the loopback, whatever name was asked for. */
export interface ConnectProxy extends AsyncDisposable {
  readonly url: string;
  /** `host:port` of every tunnel that was asked for. */
  readonly asked: readonly string[];
}

/** A server under a name that only the proxy in front of it finds. */
export interface HiddenServer extends AsyncDisposable {
  /** Its address, as a client is told. */
  readonly url: string;
  /** PEM: who vouches for it. */
  readonly ca: string;
  readonly proxy: ConnectProxy;
}

const portOf = async (server: Server): Promise<number> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

/**
 * Starts a proxy in front of the server at `port`; any other request than CONNECT is refused with 405. `tls`: certificate and key (PEM)
 * of a proxy that is spoken to by `https`; default `http`.
 */
export const startConnectProxy = async (
  port: number,
  { tls }: { readonly tls?: { readonly cert: string; readonly key: string } | undefined } = {},
): Promise<ConnectProxy> => {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const refuse: RequestListener = (_, response) => response.writeHead(405).end();
  const server = tls === undefined ? createServer(refuse) : createTlsServer(tls, refuse);
  server.on("connect", (request, socket: Socket) => {
    asked.push(request.url ?? "");
    const target = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    for (const end of [socket, target]) {
      sockets.add(end);
      end.on("error", () => end.destroy());
      end.on("close", () => sockets.delete(end));
    }
  });
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${await portOf(server)}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

/** Starts a server with TLS as `hidden.test`, and the proxy that leads there. */
export const startHiddenServer = async (listener: RequestListener): Promise<HiddenServer> => {
  const facts = { now: systemClock.now(), algorithm: "ECDSA-P256" } as const;
  const authority = await createCertificateAuthority({ ...facts, commonName: "hidden" });
  const serving = await issueCertificate(authority, {
    ...facts,
    commonName: "hidden",
    hosts: ["hidden.test"],
    usages: ["server"],
  });
  const server = createTlsServer({ cert: serving.certificate, key: serving.key }, listener);
  const proxy = await startConnectProxy(await portOf(server));
  return {
    url: "https://hidden.test",
    ca: authority.certificate,
    proxy,
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
