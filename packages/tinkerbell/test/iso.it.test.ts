import { createSocket } from "node:dgram";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { freePort } from "@capstan/testing";
import { ConformanceEnvironment, type RunningManager } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Hardware } from "../src/api.ts";
import { createTinkerbellProvider } from "../src/index.ts";
import { fetchedFrom } from "./fetched.ts";

const server = "127.7.4.1";
const machine = "127.7.4.5";
const mac = "52:54:00:00:04:0a";
const placeholder = "P".repeat(400);
const image = `start ${placeholder} middle ${placeholder} end`;

let environment: ConformanceEnvironment;
let running: RunningManager;
let images: Server;
let httpPort: number;
let imagesUrl: string;

/** Serves an image with its parts, at `/image.iso` by a redirect, at `/whole.iso` without parts. */
const imageServer = (): Server =>
  createServer(({ headers, method, url = "" }, response) => {
    if (url === "/image.iso") {
      response.writeHead(302, { location: "/real.iso" }).end();
      return;
    }
    const range = url === "/whole.iso" ? null : /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "");
    const body = range === null ? image : image.slice(Number(range[1]), Number(range[2]) + 1);
    response.writeHead(url === "/gone.iso" ? 404 : range === null ? 200 : 206, { "content-length": body.length });
    response.end(method === "HEAD" ? undefined : body);
  });

const hardware = (name: string, own: string, address: string, more: object = {}, spec: object = {}): Hardware => ({
  apiVersion: "tinkerbell.org/v1alpha1",
  kind: "Hardware",
  metadata: { name, namespace: "default" },
  spec: {
    ...spec,
    interfaces: [
      {
        disableDhcp: false,
        dhcp: {
          mac: own,
          hostname: "node-1",
          vlan_id: "16",
          name_servers: ["10.0.0.2", "10.0.0.3"],
          ip: { address, netmask: "255.255.255.0", gateway: "127.7.4.254" },
        },
        ...more,
      },
    ],
  },
});

beforeAll(async () => {
  images = imageServer().listen(0, "127.0.0.1");
  await once(images, "listening");
  imagesUrl = `http://127.0.0.1:${(images.address() as AddressInfo).port}`;
  environment = await ConformanceEnvironment.start([Hardware]);
  const facility = { metadata: { facility: { facility_code: "lab console=ttyS0" } } };
  const named = (path: string) => ({ isoboot: { sourceISO: `${imagesUrl}${path}` } });
  for (const each of [
    hardware("a", mac, machine),
    hardware("b", "52:54:00:00:04:0b", "127.7.4.6", named("/whole.iso"), { ...facility, agentID: "agent-b" }),
    hardware("c", "52:54:00:00:04:0c", "127.7.4.7", named("/gone.iso")),
    hardware("d", "52:54:00:00:04:0d", "127.7.4.8", {}, { agentID: "x".repeat(400) }),
  ]) {
    await environment.client.create(Hardware, each);
  }
  httpPort = await freePort();
  const iso = { isoUrl: `${imagesUrl}/image.iso`, isoPlaceholder: placeholder, isoIpam: true };
  const services = { address: server, httpPort, grpcPort: 42_113, kernelArgs: ["extra=1"], ...iso };
  running = await environment.runManager({ providers: [createTinkerbellProvider({ parts: ["http"], services })] });
});
afterAll(async () => {
  await running.stop();
  await environment.stop();
  images.close();
});

const get = (path: string, options?: Parameters<typeof fetchedFrom>[2]) =>
  fetchedFrom(machine, `http://${server}:${httpPort}${path}`, options);

const own =
  "console=ttyAMA0 console=ttyS0 console=tty0 console=tty1 console=ttyS1 vlan_id=16 hw_addr=52:54:00:00:04:0a " +
  "syslog_host=127.7.4.1 grpc_authority=127.7.4.1:42113 tinkerbell_tls=false worker_id=52:54:00:00:04:0a extra=1 " +
  "ipam=52-54-00-00-04-0a:16:127.7.4.5:255.255.255.0:127.7.4.254:node-1:10.0.0.2,10.0.0.3::";
const expected = image.replaceAll(placeholder, own.padEnd(placeholder.length));

describe("an image of a CD", () => {
  it("has the kernel arguments of the machine, in the same length", async () => {
    const { headers, status, text } = await get("/iso/52-54-00-00-04-0a/hook.iso");
    expect([status, text]).toEqual([200, expected]);
    expect(headers).toMatchObject({ "content-length": String(image.length), "accept-ranges": "bytes" });
  });

  it("is sent in parts, wherever they begin and end", async () => {
    for (const [first, last] of [
      [0, 3],
      [6, 6],
      [200, 500],
      [405, 830],
      [800, 900],
    ] as const) {
      const { headers, status, text } = await get("/iso/52-54-00-00-04-0a/hook.iso", {
        headers: { range: `bytes=${first}-${last}` },
      });
      const end = Math.min(last, image.length - 1);
      expect([status, text], `${first}-${last}`).toEqual([206, expected.slice(first, end + 1)]);
      expect(headers["content-range"]).toBe(`bytes ${first}-${end}/${image.length}`);
    }
    const suffix = await get("/iso/52-54-00-00-04-0a/hook.iso", { headers: { range: "bytes=-4" } });
    expect(suffix.text).toBe(" end");
    const beyond = await get("/iso/52-54-00-00-04-0a/hook.iso", { headers: { range: "bytes=9000-" } });
    expect(beyond).toMatchObject({ status: 416, headers: { "content-range": `bytes */${image.length}` } });
  });

  it("is announced to who asks for its head alone", async () => {
    const { headers, status, text } = await get("/iso/52-54-00-00-04-0a/hook.iso", { method: "HEAD" });
    expect([status, text, headers["content-length"]]).toEqual([200, "", String(image.length)]);
  });

  it("is the one that the interface names, also of a server that sends no parts", async () => {
    const whole = await get("/iso/52:54:00:00:04:0b/hook.iso");
    expect(whole.text).toMatch(
      /^start facility=lab console=ttyS0 vlan_id=16 hw_addr=52:54:00:00:04:0b .* worker_id=agent-b /,
    );
    const part = await get("/iso/52:54:00:00:04:0b/hook.iso", { headers: { range: "bytes=300-450" } });
    expect([part.status, part.text]).toEqual([206, whole.text.slice(300, 451)]);
  });

  it.each([
    ["/iso/52-54-00-00-04-0a/hook.img", 404, "only images that end in .iso are served"],
    ["/iso/machine/hook.iso", 400, "the folder of the image is not a MAC address"],
    ["/iso/52-54-00-00-04-ff/hook.iso", 404, "no Hardware has an interface 52:54:00:00:04:ff"],
    ["/iso/52-54-00-00-04-0c/hook.iso", 502, "the server of the image answers 404"],
    ["/iso/52-54-00-00-04-0d/hook.iso", 500, "but the image has room for 400"],
  ])("is refused at %s", async (path, status, message) => {
    const answer = await get(path);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(message)]);
  });
});

it("the log of a machine that installs is taken from its address, and from no other", async () => {
  const port = await freePort();
  const services = { address: server, syslog: true, syslogPort: port };
  const receiver = await environment.runManager({
    providers: [createTinkerbellProvider({ parts: ["syslog"], services })],
  });
  const send = async (from: string, text: string): Promise<void> => {
    const socket = createSocket("udp4");
    socket.bind({ address: from });
    await once(socket, "listening");
    await new Promise((resolve) => socket.send(text, port, server, resolve));
    socket.close();
  };
  await send("127.7.4.99", "<6>agent: of a stranger");
  await send(machine, "nonsense");
  await send(machine, "<3>agent: it failed");
  const fields = { hardware: "default/a", machineSeverity: "error", program: "agent" };
  await expect.poll(() => receiver.warnings).toEqual([`it failed ${JSON.stringify(fields)}`]);
  await receiver.stop();
});
