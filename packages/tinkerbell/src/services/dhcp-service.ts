import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import type { ControllerV1 } from "@capstan/contract/v1";
import { watched } from "@capstan/kit";
import type { Manager } from "@capstan/runtime";
import { Hardware } from "../api/hardware.ts";
import { readDhcp, writeDhcp, type DhcpPacket } from "../dhcp/packet.ts";
import { dhcpReply, type DhcpSettings } from "../dhcp/reply.ts";
import { hardwareIndex, type HardwareIndex } from "../hardware/hardware-index.ts";
import { type DhcpServices, standardPorts, type TinkerbellServices } from "../options.ts";
import { listenFailed } from "./listen-failed.ts";

const name = "tinkerbell-dhcp";
const any = "0.0.0.0";
const broadcast = "255.255.255.255";
const ports = { server: 67, client: 68 } as const;

const settingsOf = (
  services: TinkerbellServices,
  { mode, scriptClasses = ["Tinkerbell"] }: DhcpServices,
): DhcpSettings => {
  const { address, httpPort = standardPorts.http, syslogHost = address } = services;
  return { mode, address, syslogHost, httpUrl: `http://${address}:${httpPort}`, scriptClasses };
};

/** DHCP for machines that have Hardware: their addresses, and what they boot from the network. It reads Hardware and writes nothing. */
export const dhcpService = (services: TinkerbellServices, dhcp: DhcpServices): ControllerV1 => ({
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
        const { listen = any, port = ports.server } = dhcp;
        const socket = createSocket({ type: "udp4", reuseAddr: true });
        socket.on("message", (bytes) => {
          // An empty cache must not say that there is no such machine: the client asks again.
          if (index !== undefined && manager.synced) answer({ bytes, socket, index }, manager, { services, dhcp });
        });
        await bind(socket, { address: listen, port });
        listening.resolve();
        if (!signal.aborted) await once(signal, "abort");
        socket.close();
      },
      started: () => listening.promise,
    });
  },
});

const bind = async (
  socket: Socket,
  { address, port }: { readonly address: string; readonly port: number },
): Promise<void> => {
  const failed = once(socket, "error").then(([error]) => {
    throw listenFailed("DHCP", `${address}:${port}`, error as Error);
  });
  socket.bind({ address, port });
  await Promise.race([once(socket, "listening"), failed]);
  failed.catch(() => undefined);
  socket.setBroadcast(true);
};

interface Received {
  readonly bytes: Buffer;
  readonly socket: Socket;
  readonly index: HardwareIndex;
}

interface Served {
  readonly services: TinkerbellServices;
  readonly dhcp: DhcpServices;
}

const answer = ({ bytes, socket, index }: Received, { log }: Manager, { services, dhcp }: Served): void => {
  const request = readDhcp(bytes);
  if (request === undefined) return;
  const found = index.ofMac(request.mac);
  if ("missing" in found && found.isDoubtful) {
    log.warn("a machine is not served", { mac: request.mac, why: found.missing });
  }
  const own =
    "missing" in found
      ? undefined
      : found.hardware.spec?.interfaces?.find(({ dhcp: each }) => each?.mac?.toLowerCase() === request.mac);
  try {
    const reply = dhcpReply(request, own, settingsOf(services, dhcp));
    if (reply === undefined) return;
    const { address, port } = destination(request, dhcp);
    socket.send(writeDhcp(reply), port, address, (error) => {
      if (error !== null) log.warn("a reply of DHCP was not sent", { mac: request.mac, error });
    });
  } catch (error) {
    // Values of a Hardware that no packet can hold, such as a lease of a thousand years.
    log.warn("a reply of DHCP cannot be written", { mac: request.mac, error });
  }
};

/** The relay, or the client at its address, or everybody, as a client without an address hears nothing else. */
const destination = (
  { ciaddr, giaddr }: DhcpPacket,
  { clientPort = ports.client, relayPort = ports.server }: DhcpServices,
): { readonly address: string; readonly port: number } => {
  if (giaddr !== any) return { address: giaddr, port: relayPort };
  return { address: ciaddr === any ? broadcast : ciaddr, port: clientPort };
};
