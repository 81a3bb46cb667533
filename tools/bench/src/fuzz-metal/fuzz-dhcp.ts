import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { Random } from "@capstan/contract";
import { below, mutate, pick } from "./mutate.ts";
import { machines, relay, server, type Fuzzed, type Scene } from "./scene.ts";

const [xidAt, yiaddrAt, giaddrAt, macAt, cookieAt, optionsAt] = [4, 16, 24, 28, 236, 240];
const addressBytes = (address: string): readonly number[] => address.split(".").map(Number);
const macBytes = (mac: string): Buffer => Buffer.from(mac.replaceAll(":", ""), "hex");

/** A request as clients send it: of a kind, for a machine or a stranger, with options of PXE. */
const request = (random: Random): Buffer => {
  const bytes = Buffer.alloc(optionsAt);
  bytes.set([1, 1, 6, 0]);
  macBytes(pick(random, [...machines.map(({ mac }) => mac), "52:54:00:00:09:99"])).copy(bytes, macAt);
  bytes.writeUInt32BE(0x63_82_53_63, cookieAt);
  const options = [
    [53, 1, pick(random, [1, 3, 3, 4, 7, 8, below(random, 256)])],
    [50, 4, ...addressBytes(pick(random, [machines[0]!.address, machines[1]!.address, "10.0.0.1"]))],
    [54, 4, ...addressBytes(pick(random, [server, relay]))],
    [60, 9, ...Buffer.from(pick(random, ["PXEClient", "HTTPClien"]))],
    [93, 2, 0, below(random, 64)],
    [94, 3, 1, 2, 1],
    [77, 4, ...Buffer.from("iPXE")],
    [82, 4, 1, 2, 3, 4],
    [97, 17, ...Buffer.alloc(17)],
  ].filter(() => random.next() < 0.6);
  return Buffer.concat([bytes, Buffer.from([...options.flat(), 255])]);
};

/** Nothing but the relay is answered: replies stay on this computer. */
const addressed = (bytes: Buffer, xid: number): Buffer => {
  if (bytes.length >= giaddrAt + 4) {
    bytes.set(addressBytes(relay), giaddrAt);
    bytes.writeUInt32BE(xid, xidAt);
  }
  return bytes;
};

const whatIsWrong = (reply: Buffer, sent: ReadonlyMap<number, Buffer>): string | undefined => {
  const asked = sent.get(reply.readUInt32BE(xidAt));
  if (asked === undefined) return "a reply to nothing that was sent";
  const mac = reply.subarray(macAt, macAt + 6);
  if (!mac.equals(asked.subarray(macAt, macAt + 6))) return "a reply to another machine than the one that asked";
  const machine = machines.find((each) => macBytes(each.mac).equals(mac));
  if (machine === undefined) return "a reply to a machine without Hardware";
  const offered = reply.subarray(yiaddrAt, yiaddrAt + 4).join(".");
  return offered === machine.address || offered === "0.0.0.0" ? undefined : `the address ${offered} of another machine`;
};

/** Datagrams before a request that has to be answered, so that none is lost for want of room. */
const batch = 50;

/** Sends made-up requests; returns how often there was a reply, and what was wrong with it. The service has to answer a right request all the while. */
export const fuzzDhcp = async ({ ports }: Scene, count: number, random: Random): Promise<Fuzzed> => {
  const wrong: string[] = [];
  let served = 0;
  const sent = new Map<number, Buffer>();
  const socket = createSocket("udp4");
  socket.bind({ address: relay, port: ports.relay });
  await once(socket, "listening");
  let awaited: { readonly xid: number; readonly arrived: () => void } | undefined;
  socket.on("message", (reply) => {
    served += 1;
    const problem = reply.length < optionsAt ? "a reply that is too short" : whatIsWrong(reply, sent);
    if (problem !== undefined) wrong.push(`dhcp: ${problem}: ${reply.toString("hex")}`);
    if (awaited !== undefined && reply.length >= optionsAt && reply.readUInt32BE(xidAt) === awaited.xid) {
      awaited.arrived();
    }
  });
  const send = (bytes: Buffer): Promise<void> =>
    new Promise((resolve) => socket.send(bytes, ports.dhcp, server, () => resolve()));
  const isAlive = async (xid: number): Promise<void> => {
    const discover = Buffer.alloc(optionsAt + 4);
    discover.set([1, 1, 6, 0]);
    macBytes(machines[0]!.mac).copy(discover, macAt);
    discover.writeUInt32BE(0x63_82_53_63, cookieAt);
    discover.set([53, 1, 1, 255], optionsAt);
    sent.set(xid, addressed(discover, xid));
    const { promise, resolve } = Promise.withResolvers<void>();
    awaited = { xid, arrived: resolve };
    // A full buffer drops datagrams; then it is sent again.
    const again = setInterval(() => void send(discover), 1000);
    await send(discover);
    await promise;
    clearInterval(again);
    sent.clear();
  };
  for (let index = 0; index < count; index += 1) {
    const bytes = addressed(mutate(random, request(random)), index + 1);
    sent.set(index + 1, bytes);
    await send(bytes);
    if (index % batch === batch - 1 || index === count - 1) await isAlive(0x7000_0000 + index);
  }
  socket.close();
  return { served, wrong };
};
