import { get } from "node:http";
import { gzipSync } from "node:zlib";
import { SecretResource } from "@capstan/contract/wire";
import type { ConformanceEnvironment, RunningManager } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
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

const bytes = (path: string, from: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    get({ host: server, port: 7080, path, localAddress: from, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("end", () => resolve(Buffer.concat(chunks)));
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

describe("user data in a Secret", () => {
  const annotation = "capstan.dev/user-data-secret";
  const of = { namespace: "default", name: "in-secret" };
  const from = "127.7.0.20";
  const secret = (
    name: string,
    contents: Readonly<Record<string, string | Buffer>>,
    type = "capstan.dev/user-data",
  ) => {
    const data = Object.fromEntries(
      Object.entries(contents).map(([key, value]) => [key, Buffer.from(value).toString("base64")]),
    );
    const metadata = { namespace: "default", name };
    return environment.client.create(SecretResource, { apiVersion: "v1", kind: "Secret", metadata, type, data });
  };
  const asked = async (named: string | null, expected: number): Promise<string> => {
    const body = { metadata: { annotations: { [annotation]: named } } };
    await environment.client.patch(Hardware, of, { type: "merge", body });
    let text = "";
    await environment.until(async () => {
      const [status, found] = await ask("/2009-04-04/user-data", { from });
      text = found;
      return status === expected;
    });
    return text;
  };
  const packed = gzipSync("#cloud-config\n");

  beforeAll(async () => {
    const spec = {
      ...hardware("in-secret", from, "52:54:00:00:00:20").spec,
      userData: "of a user",
      vendorData: "#vendor",
    };
    await environment.client.create(Hardware, { ...hardware("in-secret", from), metadata: of, spec });
    await secret("own", { userData: "keys", hardware: "default/in-secret" });
    await secret("packed", { userData: packed, hardware: "default/in-secret" });
    await secret("of-another", { userData: "keys of another", hardware: "default/a" });
    await secret("untyped", { userData: "keys", hardware: "default/in-secret" }, "Opaque");
  });

  it("is served in place of what the Hardware itself says", async () => {
    expect(await asked(null, 200)).toBe("of a user");
    expect(await asked("default/own", 200)).toBe("keys");
    expect((await ask("/nocloud/user-data", { from }))[1]).toBe("keys");
    expect((await ask("/2009-04-04/user-data/", { from }))[1]).toBe("keys");
  });

  it.each(["default/of-another", "default/untyped", "default/nowhere"])(
    "is not %s, and has to be asked for again",
    async (named) => {
      expect(await asked(named, 503)).not.toContain("keys");
    },
  );

  it("is nothing once it has been used, whatever the Hardware itself says", async () => {
    expect(await asked("default/own", 200)).toBe("keys");
    const body = { metadata: { annotations: { [annotation]: "" } } };
    await environment.client.patch(Hardware, of, { type: "merge", body });
    await environment.until(async () => (await ask("/2009-04-04/user-data", { from }))[1] === "");
    expect((await ask("/2009-04-04/user-data", { from }))[0]).toBe(200);
  });

  it("may be packed, also in the Hardware itself", async () => {
    await asked("default/packed", 200);
    await environment.until(async () => (await bytes("/2009-04-04/user-data", from)).equals(packed));
    const body = { spec: { userData: packed.toString("base64") }, metadata: { annotations: { [annotation]: null } } };
    await environment.client.patch(Hardware, of, { type: "merge", body });
    await environment.until(async () => (await ask("/nocloud/vendor-data", { from }))[1] === "#vendor");
    expect(await bytes("/nocloud/user-data", from)).toEqual(packed);
  });
});

describe("NoCloud", () => {
  it("has metadata, vendor data and the network of the machine that asks", async () => {
    await environment.client.create(Hardware, {
      apiVersion: "tinkerbell.org/v1alpha1",
      kind: "Hardware",
      metadata: { namespace: "default", name: "no-cloud" },
      spec: {
        userData: "#cloud-config\n",
        vendorData: "#cloud-config\nvendor: true\n",
        metadata: { instance: { id: "id-1", hostname: "node-1", ssh_keys: ["ssh-ed25519 A"] } },
        interfaces: [
          {
            disableDhcp: false,
            dhcp: {
              mac: "52:54:00:00:00:21",
              iface_name: "mgmt0",
              domain_name: "rack.example",
              name_servers: ["10.0.0.2"],
              classless_static_routes: [{ destination_descriptor: "10.9.0.0/16", router: "127.7.0.3" }],
              ip: { address: "127.7.0.21", netmask: "255.255.255.0", gateway: "127.7.0.1" },
            },
          },
          { disableDhcp: false, dhcp: { mac: "52:54:00:00:00:22", ip: { address: "2001:DB8:0:0::5" } } },
        ],
      },
    });
    const from = "127.7.0.21";
    await environment.until(async () => (await ask("/nocloud/meta-data", { from }))[0] === 200);
    expect((await ask("/nocloud/meta-data", { from }))[1]).toBe(
      "instance-id: id-1\nlocal-hostname: node-1\npublic-keys:\n- ssh-ed25519 A\n",
    );
    expect((await ask("/nocloud/user-data", { from }))[1]).toBe("#cloud-config\n");
    expect((await ask("/nocloud/vendor-data", { from }))[1]).toBe("#cloud-config\nvendor: true\n");
    expect(parse((await ask("/nocloud/network-config", { from }))[1])).toEqual({
      version: 2,
      ethernets: {
        interface0: {
          match: { macaddress: "52:54:00:00:00:21" },
          "set-name": "mgmt0",
          addresses: ["127.7.0.21/24"],
          routes: [
            { to: "0.0.0.0/0", via: "127.7.0.1" },
            { to: "10.9.0.0/16", via: "127.7.0.3" },
          ],
          nameservers: { addresses: ["10.0.0.2"], search: ["rack.example"] },
        },
        interface1: { match: { macaddress: "52:54:00:00:00:22" }, dhcp4: true },
      },
    });
    expect((await ask("/nocloud/", { from }))[0]).toBe(404);
    expect((await ask("/nocloud/user-data", { from: "127.7.0.6" }))[0]).toBe(404);
  });

  it.each(["2001:db8::5", "2001:DB8:0:0:0:0:0:5", "[2001:db8::5]:40112"])(
    "is found by the address %s that a trusted proxy names",
    async (forwardedFor) => {
      const proxied = { from: "127.7.1.1", forwardedFor };
      expect((await ask("/nocloud/user-data", proxied))[1]).toBe("#cloud-config\n");
    },
  );
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
