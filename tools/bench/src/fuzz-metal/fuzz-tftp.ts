import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import type { Random } from "@capstan/contract";
import { below, mutate, pick } from "./mutate.ts";
import { bootFile, machines, server, type Fuzzed, type Scene } from "./scene.ts";

const modes = ["octet", "octet", "netascii", "OCTET", "mail"];
const options = ["blksize", "tsize", "timeout", "windowsize", "multicast"];
const values = ["0", "1", "8", "512", "1468", "65464", "65535", "-1", "x"];

const paths = [
  bootFile.name,
  "../secret.key",
  "secret.key",
  ...machines.flatMap(({ mac }) => [`${mac}/${bootFile.name}`, `pxelinux.cfg/01-${mac.replaceAll(":", "-")}`]),
];

/** A packet as clients send it: mostly a request with options, otherwise an acknowledgement or an error. */
const packet = (random: Random): Buffer => {
  const kind = random.next();
  if (kind < 0.2) return Buffer.from([0, 4, 0, below(random, 4)]);
  if (kind < 0.25) return Buffer.from([0, 5, 0, below(random, 9), 0x78, 0]);
  const chosen = options.filter(() => random.next() < 0.4).flatMap((name) => [name, pick(random, values)]);
  const text = [pick(random, paths), pick(random, modes), ...chosen].map((each) => `${each}\0`).join("");
  return Buffer.concat([Buffer.from([0, random.next() < 0.95 ? 1 : 2]), Buffer.from(text)]);
};

/** Packets before a file that has to be read as it is, so that none is lost for want of room. */
const batch = 20;

const readWhole = async (port: number, from: string): Promise<Buffer> => {
  const socket = createSocket("udp4");
  socket.bind({ address: from, port: 0 });
  await once(socket, "listening");
  const request = Buffer.concat([Buffer.from([0, 1]), Buffer.from(`${bootFile.name}\0octet\0`)]);
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const blocks: Buffer[] = [];
  socket.on("message", (bytes) => {
    const block = bytes.readUInt16BE(2);
    if (bytes.readUInt16BE(0) !== 3) return;
    socket.send(Buffer.from([0, 4, block >> 8, block & 255]), port, server);
    if (block !== blocks.length + 1) return;
    blocks.push(bytes.subarray(4));
    if (bytes.length < 516) resolve(Buffer.concat(blocks));
  });
  // Refused while the address has too many files on their way, and lost in a full buffer: then it is asked for again.
  const again = setInterval(() => {
    if (blocks.length === 0) socket.send(request, port, server);
  }, 200);
  socket.send(request, port, server);
  const content = await promise;
  clearInterval(again);
  socket.close();
  return content;
};

/** Returns why an answer is wrong: nothing but the binary of the folder is sent. */
const whatIsWrong = (bytes: Buffer): string | undefined => {
  const operation = bytes.readUInt16BE(0);
  if (![3, 5, 6].includes(operation)) return `an answer with the operation ${operation}`;
  if (bytes.length > 4 + 1468) return "a block that is too large";
  return bytes.includes("secret") ? "what is not served" : undefined;
};

/** Sends made-up packets; returns how often there was a block of a file, and what was wrong. The service has to send a whole file all the while. */
export const fuzzTftp = async ({ ports }: Scene, count: number, random: Random): Promise<Fuzzed> => {
  const wrong: string[] = [];
  let served = 0;
  let socket: Socket | undefined;
  for (let index = 0; index < count; index += 1) {
    if (index % batch === 0) {
      socket?.close();
      socket = createSocket("udp4");
      // Each batch comes from an address of its own, as one address may only have some files on their way.
      socket.bind({
        address: `127.9.${1 + (Math.floor(index / batch / 250) % 250)}.${1 + (Math.floor(index / batch) % 250)}`,
        port: 0,
      });
      await once(socket, "listening");
      socket.on("message", (bytes) => {
        if (bytes.readUInt16BE(0) === 3) served += 1;
        const problem = whatIsWrong(bytes);
        if (problem !== undefined) wrong.push(`tftp: ${problem}: ${bytes.subarray(0, 100).toString("hex")}`);
      });
    }
    const bytes = mutate(random, packet(random));
    await new Promise<void>((resolve) => socket!.send(bytes, ports.tftp, server, () => resolve()));
    if (index % batch !== batch - 1 && index !== count - 1) continue;
    const content = await readWhole(ports.tftp, machines[0]!.address);
    if (!content.equals(bootFile.content)) wrong.push("tftp: a file was not sent as it is");
  }
  socket?.close();
  return { served, wrong };
};
