import { get } from "node:http";
import type { ConformanceEnvironment, RunningManager } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Hardware } from "../src/api.ts";
import { createTinkerbellProvider } from "../src/index.ts";
import { startEnvironment } from "./world.ts";

const server = "127.7.0.1";
const machine = "127.7.0.5";
const mac = "52:54:00:00:00:0a";

let environment: ConformanceEnvironment;
let running: RunningManager;

const hardware = (name: string, address: string, own: string = mac): Hardware => ({
  apiVersion: "tinkerbell.org/v1alpha1",
  kind: "Hardware",
  metadata: { name, namespace: "default" },
  spec: {
    userData: `data of ${name}`,
    metadata: { instance: { id: `id-${name}`, storage: { disks: [{ device: "/dev/sda", wipe_table: true }] } } },
    interfaces: [{ disableDhcp: false, dhcp: { mac: own, ip: { address } }, netboot: { allowPXE: true } }],
  },
});

beforeAll(async () => {
  environment = await startEnvironment();
  for (const each of [
    hardware("a", machine),
    hardware("twin-1", "127.7.0.9", "52:54:00:00:00:0b"),
    hardware("twin-2", "127.7.0.9", "52:54:00:00:00:0b"),
    hardware("twin-3", "127.7.0.8", "52:54:00:00:00:0b"),
  ]) {
    await environment.client.create(Hardware, each);
  }
  const services = { address: server, trustedProxies: ["127.7.1.0/24"], instanceIdRoute: true };
  running = await environment.runManager({ providers: [createTinkerbellProvider({ services })] });
});
afterAll(async () => {
  await running.stop();
  await environment.stop();
});

interface Asked {
  readonly from?: string;
  readonly forwardedFor?: string;
}

const ask = (path: string, { from = machine, forwardedFor }: Asked = {}): Promise<readonly [number, string]> =>
  new Promise((resolve, reject) => {
    const headers = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor };
    get({ host: server, port: 7080, path, localAddress: from, headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += String(chunk)));
      response.once("end", () => resolve([response.statusCode ?? 0, text]));
    }).once("error", reject);
  });

describe("metadata", () => {
  it("is that of the machine whose address asks, and of no other", async () => {
    expect(await ask("/2009-04-04/user-data")).toEqual([200, "data of a"]);
    expect(await ask("/2009-04-04/")).toEqual([200, "meta-data/\nuser-data"]);
    expect(await ask("/2009-04-04/meta-data/instance-id/")).toEqual([200, "id-a"]);
    expect((await ask("/2009-04-04/user-data", { from: "127.7.0.6" }))[0]).toBe(404);
    expect((await ask("/2009-04-04/user-data", { from: "127.7.0.6", forwardedFor: machine }))[0]).toBe(404);
    expect((await ask("/2021-03-23/meta-data/instance-id"))[0]).toBe(404);
  });

  it("is given by trusted proxies", async () => {
    const proxy = { from: "127.7.1.1" };
    expect(await ask("/2009-04-04/user-data", { ...proxy, forwardedFor: machine })).toEqual([200, "data of a"]);
    expect((await ask("/2009-04-04/user-data", { ...proxy, forwardedFor: "somebody" }))[0]).toBe(400);
  });

  it("is that of the Hardware that counts where two have the address", async () => {
    expect(await ask("/2009-04-04/user-data", { from: "127.7.0.9" })).toEqual([200, "data of twin-1"]);
    const labels = { "v1alpha1.tinkerbell.org/ownerName": "m", "v1alpha1.tinkerbell.org/ownerNamespace": "default" };
    const claim = (wanted: object) =>
      environment.client.patch(
        Hardware,
        { namespace: "default", name: "twin-2" },
        { type: "merge", body: { metadata: { labels: wanted } } },
      );
    await claim(labels);
    await environment.until(
      async () => (await ask("/2009-04-04/user-data", { from: "127.7.0.9" }))[1] === "data of twin-2",
    );
    await claim(Object.fromEntries(Object.keys(labels).map((name) => [name, null])));
    await environment.until(
      async () => (await ask("/2009-04-04/user-data", { from: "127.7.0.9" }))[1] === "data of twin-1",
    );
  });

  it("is refused where other Hardware describes the machine of the one that has the address", async () => {
    const [status, text] = await ask("/2009-04-04/user-data", { from: "127.7.0.8" });
    expect(status).toBe(500);
    expect(text).not.toContain("twin");
  });

  it("is served by instance id where that is switched on", async () => {
    expect(await ask("/tootles/instanceID/id-a/2009-04-04/user-data", { from: "127.7.0.6" })).toEqual([
      200,
      "data of a",
    ]);
    expect((await ask("/tootles/instanceID/nobody/2009-04-04/user-data"))[0]).toBe(404);
    expect((await ask("/tootles/instanceID/%zz/2009-04-04/user-data"))[0]).toBe(404);
  });

  it("tells the action that makes partitions of disks and file systems", async () => {
    const [status, text] = await ask("/metadata");
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      metadata: { instance: { storage: { disks: [{ device: "/dev/sda", wipe_table: true }], filesystems: [] } } },
    });
  });
});

describe("the script for iPXE", () => {
  it.each(["52%3A54%3A00%3A00%3A00%3A0a", "52-54-00-00-00-0A", mac])(
    "is found by the MAC address %s",
    async (segment) => {
      const [status, text] = await ask(`/ipxe/script/${segment}/auto.ipxe`, { from: "127.7.0.6" });
      expect(status).toBe(200);
      expect(text).toContain(`grpc_authority=${server}:42113`);
      expect(text).toContain(`worker_id=${mac}`);
    },
  );

  it("is found by the address of the machine", async () => {
    expect((await ask("/ipxe/script/auto.ipxe"))[1]).toContain(`hw_addr=${mac}`);
    expect((await ask("/ipxe/script/auto.ipxe", { from: "127.7.0.6" }))[0]).toBe(404);
  });

  it("is refused for machines that are not known", async () => {
    expect((await ask("/ipxe/script/52:54:00:00:00:ff/auto.ipxe"))[0]).toBe(404);
    expect((await ask("/ipxe/script/%zz/auto.ipxe"))[0]).toBe(404);
  });
});

it("knows no other paths", async () => {
  expect((await ask("/"))[0]).toBe(404);
});
