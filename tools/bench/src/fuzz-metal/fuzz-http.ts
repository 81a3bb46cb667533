import { connect } from "node:net";
import type { Random } from "@capstan/contract";
import { mutate, pick } from "./mutate.ts";
import { machines, server, type Fuzzed, type Scene } from "./scene.ts";

const paths = [
  "/2009-04-04/user-data",
  "/2009-04-04/meta-data/",
  "/2009-04-04/meta-data/hostname",
  "/nocloud/user-data",
  "/nocloud/meta-data",
  "/nocloud/network-config",
  "/metadata",
  "/auto.ipxe",
  "/tootles/instanceID/i-a/2009-04-04/user-data",
  ...machines.map(({ mac }) => `/ipxe/script/${mac}/auto.ipxe`),
  "/ipxe/script/52%3A54%3A00%3A00%3A09%3A01/auto.ipxe",
  "/../../etc/passwd",
];

const request = (random: Random): Buffer => {
  const other = pick(random, machines).address;
  const headers = [`X-Forwarded-For: ${other}`, `X-Real-IP: ${other}`, `Forwarded: for=${other}`, "Range: bytes=0-1"];
  const chosen = headers.filter(() => random.next() < 0.4);
  const method = pick(random, ["GET", "GET", "GET", "HEAD", "POST", "PUT", "OPTIONS"]);
  const head = [`${method} ${pick(random, paths)} HTTP/1.1`, "Host: x", "Connection: close", ...chosen];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n`);
};

/** Sends everything on a connection of its own; resolves to the answer. */
const answerTo = (bytes: Buffer, from: string, port: number): Promise<string> =>
  new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect({ host: server, port, localAddress: from }, () => socket.end(bytes));
    socket.on("data", (part) => parts.push(part));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(Buffer.concat(parts).toString("latin1")));
  });

/** Sends made-up requests from machines; returns how often one got its data, and what was wrong. */
export const fuzzHttp = async ({ ports }: Scene, count: number, random: Random): Promise<Fuzzed> => {
  const wrong: string[] = [];
  let served = 0;
  for (let index = 0; index < count; index += 1) {
    const machine = pick(random, machines);
    const bytes = mutate(random, request(random));
    const answer = await answerTo(bytes, machine.address, ports.http);
    if (answer.includes(machine.secret)) served += 1;
    const shown = `${JSON.stringify(bytes.toString("latin1"))}: ${JSON.stringify(answer.slice(0, 500))}`;
    if (answer.startsWith("HTTP/1.1 500 ")) wrong.push(`http: a mistake of the server: ${shown}`);
    if (machines.some((each) => each !== machine && answer.includes(each.secret))) {
      wrong.push(`http: data of another machine, for ${machine.name}: ${shown}`);
    }
  }
  return { served, wrong };
};
