import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { ControllerV1 } from "@capstan/contract/v1";
import { watched } from "@capstan/kit";
import type { Manager } from "@capstan/runtime";
import { Hardware } from "../api/hardware.ts";
import { hardwareIndex, type HardwareIndex } from "../hardware/hardware-index.ts";
import type { BootFolder } from "../netboot/boot-folder.ts";
import { standardPorts, type TinkerbellServices } from "../options.ts";
import { tftpFile } from "../tftp/tftp-files.ts";
import { TftpServer, type TftpServerParts } from "../tftp/tftp-server.ts";
import { listenFailed } from "./listen-failed.ts";

const name = "tinkerbell-tftp";

/** Serves by TFTP what firmware boots first. It reads Hardware and writes nothing. Every replica serves. */
export const tftpService = (services: TinkerbellServices, folder: BootFolder): ControllerV1 => ({
  name,
  permissions: { own: [watched(Hardware)] },
  attach: (manager: Manager) => {
    const listening = Promise.withResolvers<void>();
    let index: HardwareIndex | undefined;
    manager.addRunnable({
      name,
      prepare: () => {
        index = hardwareIndex(manager.cache);
      },
      run: async ({ signal }) => {
        const read: TftpServerParts["read"] = async (path, client) => {
          // An empty cache must not say that there is no such machine.
          if (index === undefined || !manager.synced) return "later";
          return tftpFile(path, client, { folder, hardware: index });
        };
        await serve(manager, services, read, { signal, listening: listening.resolve });
      },
      started: () => listening.promise,
    });
  },
});

const serve = async (
  { clock, log }: Manager,
  { address, listen = address, tftpPort: port = standardPorts.tftp }: TinkerbellServices,
  read: TftpServerParts["read"],
  { listening, signal }: { readonly signal: AbortSignal; readonly listening: () => void },
): Promise<void> => {
  const socket = createSocket(listen.includes(":") ? "udp6" : "udp4");
  const server = new TftpServer({
    clock,
    log,
    read,
    send: (packet, client) =>
      socket.send(packet, client.port, client.address, (error) => {
        if (error !== null) log.debug("a packet of TFTP was not sent", { client: client.address, error });
      }),
  });
  const failed = once(socket, "error").then(([error]) => {
    throw listenFailed("TFTP", `${listen}:${port}`, error as Error);
  });
  failed.catch(() => undefined);
  socket.on("message", (bytes, client) => server.receive(bytes, client));
  socket.bind({ address: listen, port });
  await Promise.race([once(socket, "listening"), failed]);
  listening();
  try {
    if (!signal.aborted) await Promise.race([once(signal, "abort"), failed]);
  } finally {
    server.close();
    socket.close();
  }
};
