import type { RemoteInfo, Socket } from "node:dgram";
import { once } from "node:events";
import type { ControllerV1 } from "@capstan/contract/v1";
import { watched } from "@capstan/kit";
import type { Manager } from "@capstan/runtime";
import { Hardware } from "../api/hardware.ts";
import { DhcpOption } from "../dhcp/option-values.ts";
import { readDhcp, writeDhcp, type DhcpPacket, DhcpType } from "../dhcp/packet.ts";
import { type DhcpDoor, dhcpReply, type DhcpSettings, type HardwareInterface } from "../dhcp/reply.ts";
import { hardwareIndex, type HardwareIndex } from "../hardware/hardware-index.ts";
import { bootFolder } from "../netboot/boot-folder.ts";
import { hasScript } from "../netboot/patched-binary.ts";
import { type DhcpServices, standardPorts, type TinkerbellServices } from "../options.ts";
import { BroadcastSockets, openSocket } from "./dhcp-sockets.ts";

const name = "tinkerbell-dhcp";
const any = "0.0.0.0";
const broadcast = "255.255.255.255";
const ports = { server: 67, client: 68, boot: 4011 } as const;

/** iPXE without Tinkerbell's script says of itself that it is `iPXE`, so that it would load itself again and again. */
const usualClasses = async (path: string | undefined): Promise<readonly string[]> => {
  if (path === undefined) return ["Tinkerbell"];
  const folder = bootFolder({ path, patch: "" });
  const binaries = await Promise.all(["undionly.kpxe", "ipxe.efi"].map((each) => folder.binary(each)));
  const isPlain = binaries.some((binary) => binary !== undefined && !hasScript(binary));
  return isPlain ? ["Tinkerbell", "iPXE"] : ["Tinkerbell"];
};

const settingsOf = async (
  services: TinkerbellServices,
  { mode, scriptClasses: given }: DhcpServices,
): Promise<DhcpSettings> => {
  const { address, httpPort = standardPorts.http, ipxeFolder, syslogHost = address } = services;
  const scriptClasses = given ?? (await usualClasses(ipxeFolder));
  return { mode, address, syslogHost, httpUrl: `http://${address}:${httpPort}`, scriptClasses };
};

/** Serves DHCP to machines that have Hardware: their addresses, and what they boot. It reads Hardware and writes nothing. */
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
        // An empty cache must not say that there is no such machine: the client asks again.
        const known = () => (manager.synced ? index : undefined);
        const close = await listen(manager, { known, settings: await settingsOf(services, dhcp), dhcp });
        listening.resolve();
        if (!signal.aborted) await once(signal, "abort");
        close();
      },
      started: () => listening.promise,
    });
  },
});

interface Served {
  readonly known: () => HardwareIndex | undefined;
  readonly settings: DhcpSettings;
  readonly dhcp: DhcpServices;
}

const listen = async (manager: Manager, served: Served): Promise<() => void> => {
  const { log } = manager;
  const { listen: address = any, port = ports.server, bootPort = ports.boot, mode } = served.dhcp;
  const receive = (bytes: Buffer): void => {
    const reply = replyTo(bytes, "server", manager, served);
    if (reply === undefined) return;
    const { address: to, port: toPort } = destination(reply.request, reply.packet, served.dhcp);
    if (to === broadcast && broadcasts.isNeeded) void broadcasts.send(reply.bytes, toPort, networkOf(reply));
    else send(socket, reply, { address: to, port: toPort }, manager);
  };
  const broadcasts = new BroadcastSockets({ address, port }, receive, log);
  const socket = await openSocket({ address, port }, receive);
  if (mode === "reservation") {
    return () => {
      broadcasts.close();
      socket.close();
    };
  }
  // Firmware asks a proxy there, from an address that it has by then.
  const boot: Socket = await openSocket({ address, port: bootPort }, (bytes, from) => {
    const reply = replyTo(bytes, "boot", manager, served);
    if (reply !== undefined) send(boot, reply, from, manager);
  }).catch((error: unknown) => {
    socket.close();
    throw error;
  });
  return () => {
    broadcasts.close();
    socket.close();
    boot.close();
  };
};

interface Reply {
  readonly request: DhcpPacket;
  readonly packet: DhcpPacket;
  readonly bytes: Uint8Array;
  /** The address that its Hardware says. */
  readonly reserved: string;
}

const send = (
  socket: Socket,
  { bytes, request }: Reply,
  { address, port }: Pick<RemoteInfo, "address" | "port">,
  { log }: Manager,
): void =>
  socket.send(bytes, port, address, (error) => {
    if (error !== null) log.warn("a reply of DHCP was not sent", { mac: request.mac, error });
  });

/** Returns an interface for a machine without Hardware; `undefined`: it is not served. */
const unknownMachine = (isDoubtful: boolean, { mode }: DhcpSettings): HardwareInterface | undefined =>
  mode === "auto-proxy" && !isDoubtful ? { disableDhcp: false, netboot: { allowPXE: true } } : undefined;

const replyTo = (bytes: Buffer, door: DhcpDoor, { log }: Manager, { known, settings }: Served): Reply | undefined => {
  const index = known();
  const request = readDhcp(bytes);
  if (index === undefined || request === undefined) return undefined;
  const found = index.ofMac(request.mac);
  if ("missing" in found && found.isDoubtful) {
    log.warn("a machine is not served", { mac: request.mac, why: found.missing });
  }
  const own =
    "missing" in found
      ? unknownMachine(found.isDoubtful, settings)
      : found.hardware.spec?.interfaces?.find(({ dhcp: each }) => each?.mac?.toLowerCase() === request.mac);
  try {
    const packet = dhcpReply(request, own, settings, door);
    if (packet === undefined) return undefined;
    return { request, packet, bytes: writeDhcp(packet), reserved: own?.dhcp?.ip?.address ?? "" };
  } catch (error) {
    // Values of a Hardware that no packet can hold, such as a lease of a thousand years.
    log.warn("a reply of DHCP cannot be written", { mac: request.mac, error });
    return undefined;
  }
};

const isRefusal = ({ options }: DhcpPacket): boolean => options.get(DhcpOption.messageType)?.[0] === DhcpType.nak;

/** The network of a client is that of its address; a client that is refused may be anywhere. */
const networkOf = ({ packet, reserved }: Reply): string => (isRefusal(packet) ? "" : reserved);

/** The relay, or the client at its address, or all, as a client without an address hears nothing else. */
const destination = (
  { ciaddr, giaddr }: DhcpPacket,
  reply: DhcpPacket,
  { clientPort = ports.client, relayPort = ports.server }: DhcpServices,
): { readonly address: string; readonly port: number } => {
  if (giaddr !== any) return { address: giaddr, port: relayPort };
  const isReachable = ciaddr !== any && !isRefusal(reply);
  return { address: isReachable ? ciaddr : broadcast, port: clientPort };
};
