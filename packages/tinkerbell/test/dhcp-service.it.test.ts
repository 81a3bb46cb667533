import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { freePort } from "@capstan/testing";
import { ConformanceEnvironment, type RunningManager } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Hardware } from "../src/api.ts";
import { type DhcpPacket, readDhcp, writeDhcp } from "../src/dhcp/packet.ts";
import { createTinkerbellProvider } from "../src/index.ts";
import { fetchedFrom } from "./fetched.ts";

const server = "127.7.2.1";
const relay = "127.7.2.2";
const mac = "52:54:00:00:00:0a";
const strange = "52:54:00:00:00:0b";
const any = "0.0.0.0";
const port = 16_767;

let environment: ConformanceEnvironment;
let running: RunningManager;
let socket: Socket;

beforeAll(async () => {
  environment = await ConformanceEnvironment.start([Hardware]);
  const create = (name: string, dhcp: object) =>
    environment.client.create(Hardware, {
      apiVersion: "tinkerbell.org/v1alpha1",
      kind: "Hardware",
      metadata: { name, namespace: "default" },
      spec: { interfaces: [{ disableDhcp: false, dhcp }] },
    });
  await create("a", { mac, ip: { address: "127.7.2.5" } });
  await create("b", { mac: strange, lease_time: 5_000_000_000 });
  socket = createSocket("udp4");
  socket.bind({ address: relay, port });
  await once(socket, "listening");
  const dhcp = { mode: "reservation", listen: server, port, relayPort: port, clientPort: port } as const;
  running = await environment.runManager({
    providers: [createTinkerbellProvider({ parts: ["dhcp"], services: { address: server, dhcp } })],
  });
});
afterAll(async () => {
  socket.close();
  await running.stop();
  await environment.stop();
});

const discover = (given: Partial<DhcpPacket>): Buffer =>
  writeDhcp({
    op: 1,
    xid: 1,
    secs: 0,
    flags: 0,
    ciaddr: any,
    yiaddr: any,
    siaddr: any,
    giaddr: relay,
    mac,
    file: "",
    options: new Map([[53, Uint8Array.from([1])]]),
    ...given,
  });

const answerTo = async (...packets: readonly Buffer[]): Promise<DhcpPacket | undefined> => {
  const answered = once(socket, "message");
  for (const bytes of packets) socket.send(bytes, port, server);
  const [bytes] = (await answered) as [Buffer];
  return readDhcp(bytes);
};

it("answers machines that have Hardware, through the relay, and nobody else", async () => {
  const others = [Buffer.from("nonsense"), discover({ mac: "52:54:00:00:00:ff", xid: 2 })];
  const offer = await answerTo(...others, discover({ xid: 3 }));
  expect(offer).toMatchObject({ op: 2, xid: 3, yiaddr: "127.7.2.5", siaddr: server });
});

it("answers a machine that renews its address at that address", async () => {
  const own = createSocket("udp4");
  own.bind({ address: "127.7.2.5", port });
  await once(own, "listening");
  const answered = once(own, "message");
  const options = new Map([[53, Uint8Array.from([3])]]);
  socket.send(discover({ xid: 4, giaddr: any, ciaddr: "127.7.2.5", options }), port, server);
  const ack = readDhcp(((await answered) as [Buffer])[0]);
  own.close();
  expect(ack).toMatchObject({ xid: 4, ciaddr: "127.7.2.5", yiaddr: "127.7.2.5" });
  expect([...(ack?.options.get(53) ?? [])]).toEqual([5]);
});

it("refuses a machine that asks for another address, through the relay", async () => {
  const options = new Map([
    [53, Uint8Array.from([3])],
    [50, Uint8Array.from([192, 0, 2, 77])],
  ]);
  const refused = await answerTo(discover({ xid: 8, options }));
  expect(refused).toMatchObject({ xid: 8, yiaddr: any });
  expect([...(refused?.options.get(53) ?? [])]).toEqual([6]);
});

it("as a proxy tells firmware what to boot at a port of its own, where it asked from", async () => {
  const bootPort = 16_768;
  const dhcp = { mode: "proxy", listen: "127.7.2.3", port, bootPort, relayPort: port, clientPort: port } as const;
  const proxy = await environment.runManager({
    providers: [createTinkerbellProvider({ parts: ["dhcp"], services: { address: "127.7.2.3", dhcp } })],
  });
  const options = new Map([
    [53, Uint8Array.from([3])],
    [60, Buffer.from("PXEClient:Arch:00007:UNDI:003001")],
    [93, Uint8Array.from([0, 7])],
    [94, Uint8Array.from([1, 3, 0])],
  ]);
  const firmware = createSocket("udp4");
  firmware.bind({ address: "127.7.2.9", port: 0 });
  await once(firmware, "listening");
  const answered = once(firmware, "message");
  firmware.send(discover({ xid: 9, giaddr: any, ciaddr: "127.7.2.9", options }), bootPort, "127.7.2.3");
  const [bytes, from] = (await answered) as [Buffer, { readonly port: number }];
  expect(from.port).toBe(bootPort);
  expect(readDhcp(bytes)).toMatchObject({ xid: 9, yiaddr: any, file: "/52:54:00:00:00:0a/netboot-not-allowed" });
  firmware.close();
  await proxy.stop();
});

it("as a proxy for all starts the installation system on machines without Hardware, and on no other that may not boot", async () => {
  const httpPort = await freePort();
  const dhcp = { mode: "auto-proxy", listen: server, port: port + 3, relayPort: port, clientPort: port } as const;
  const proxy = await environment.runManager({
    providers: [createTinkerbellProvider({ parts: ["dhcp", "http"], services: { address: server, httpPort, dhcp } })],
  });
  const options = new Map([
    [53, Uint8Array.from([1])],
    [60, Buffer.from("PXEClient:Arch:00000:UNDI:002001")],
    [93, Uint8Array.from([0, 0])],
    [94, Uint8Array.from([1, 2, 1])],
    [77, Buffer.from("Tinkerbell")],
  ]);
  const fileFor = async (of: string, xid: number): Promise<string | undefined> => {
    const answered = once(socket, "message");
    socket.send(discover({ xid, mac: of, options }), port + 3, server);
    return readDhcp(((await answered) as [Buffer])[0])?.file;
  };
  const unknown = "52:54:00:00:00:ee";
  const script = `http://${server}:${httpPort}/ipxe/script/${unknown}/auto.ipxe`;
  expect(await fileFor(unknown, 21)).toBe(script);
  expect(await fileFor(mac, 22)).toBe(`/${mac}/netboot-not-allowed`);
  const fetched = await fetchedFrom(server, script);
  expect(fetched.status).toBe(200);
  expect(fetched.text).toContain(`worker_id=${unknown} hw_addr=${unknown}`);
  const known = await fetchedFrom(server, script.replace(unknown, mac));
  expect(known.status).toBe(404);
  await proxy.stop();
});

it("goes on after a machine whose values no packet can hold", async () => {
  const unheard = [discover({ mac: strange, xid: 5 }), discover({ mac: strange, xid: 6 })];
  expect(await answerTo(...unheard, discover({ xid: 7 }))).toMatchObject({ xid: 7 });
});
