import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface ListenAddress {
  /** Default: every address of the machine. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
}

/** Listens until the signal is aborted, then cuts what is still open. `listening` is told the port. */
export const listenUntil = async (
  server: Server,
  { host, port }: ListenAddress,
  { signal, listening }: { readonly signal: AbortSignal; readonly listening: (port: number) => void },
): Promise<void> => {
  if (signal.aborted) return;
  const failed = once(server, "error").then(([error]) => Promise.reject(error as Error));
  server.listen(port, host);
  await Promise.race([once(server, "listening"), failed]);
  listening((server.address() as AddressInfo).port);
  const closed = once(server, "close");
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  signal.addEventListener("abort", close, { once: true });
  if (signal.aborted) close();
  await Promise.race([closed, failed]);
};
