import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import type { MachineStore, ObjectStore } from "@capstan/contract/v1";
import { createLinodeSimulator } from "@capstan/sim-linode";
import { chooseRoute, userDataRoutes } from "@capstan/kit/delivery";
import { azureBlobObjectStores } from "@capstan/object-store-azure-blob";
import { localObjectStores } from "@capstan/object-store-local";
import { s3ObjectStores } from "@capstan/object-store-s3";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { simulation, type SimulatedState } from "@capstan/simulation";
import { blobService, type StorageAccount } from "@capstan/simulation/blob";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bootMachine, buildRoot, unavailable, type BootedMachine } from "./cloud-init-root.ts";

const reason = unavailable();
if (reason !== undefined) console.log(`the real cloud-init is skipped: ${reason}`);

/** Where Linode's metadata service stops. */
const limitBytes = 16_384;
const path = "/opt/payload";
const folder = mkdtempSync(join(tmpdir(), "capstan-deliveries-"));
const closing: (() => Promise<unknown>)[] = [];

const offset = (offsetMs: number) => ({ ...systemClock, now: () => systemClock.now() + offsetMs });

/** A document of exactly so many bytes that writes one file, and what is in that. */
const documentOf = (size: number, packable = false): { readonly document: Buffer; readonly payload: string } => {
  const head = `#cloud-config\nwrite_files:\n  - path: ${path}\n    content: `;
  const room = size - head.length;
  const payload = packable
    ? "x".repeat(room)
    : randomBytes(room)
        .toString("base64url")
        .slice(0, room - 1) + "z";
  return { document: Buffer.from(head + payload), payload };
};

/** What comes into the user-data field of a machine, as a provider has it delivered. */
const deliver = async (document: Uint8Array, options: { readonly store?: ObjectStore; readonly gzip?: boolean }) => {
  const { gzip = false, store: opened } = options;
  const store: MachineStore | undefined = opened && {
    upload: async (bytes) => {
      await opened.put("machine", bytes);
      return opened.signGet("machine", { expiresInSeconds: 900 });
    },
  };
  const data = { bytes: document, format: "cloud-config", secret: undefined };
  const choice = await chooseRoute(userDataRoutes({ limitBytes, gzip }), data, { store });
  return { route: choice.route.name, ...(await choice.route.deliver(choice.data, { store })) };
};

const localStore = async (offsetMs = 0): Promise<ObjectStore> => {
  const stores = localObjectStores({ clock: systemClock, log: silentLogger, folder });
  await stores.server.start();
  closing.push(() => stores.server.stop());
  if (offsetMs === 0) return stores.open({});
  const address = stores.server.url;
  return localObjectStores({ clock: offset(offsetMs), log: silentLogger, folder, address }).open({});
};

const s3Store = async (): Promise<ObjectStore> => {
  const keys = { accessKey: "ACCESS", secretKey: "secret" };
  const seed = { buckets: [{ label: "data", region: "us-ord" }], keys: [keys] };
  const simulator = await createLinodeSimulator({ clock: systemClock, random: cryptoRandom, seed });
  await simulator.start();
  closing.push(() => simulator.stop());
  const endpoint = simulator.objectStorage.url;
  const secret = { bucket: "data", endpoint, access: keys.accessKey, secret: keys.secretKey };
  return s3ObjectStores({ clock: systemClock }).open(secret);
};

const blobStore = async (): Promise<ObjectStore> => {
  const accountKey = Buffer.from("the key of the account").toString("base64");
  const account: StorageAccount = { name: "acme1", keys: [accountKey], containers: { data: [] } };
  const state = { version: 1, empty: () => ({ accounts: [account] }) };
  const cloud = await simulation<SimulatedState & { accounts: StorageAccount[] }>(
    { name: "blob", state },
    { clock: systemClock, random: cryptoRandom },
  );
  const service = blobService({ accounts: () => cloud.state.accounts, cloud });
  const served = cloud.server({}).serve("blob", service);
  await cloud.start();
  closing.push(() => cloud.stop());
  const stores = azureBlobObjectStores({ clock: systemClock });
  return stores.open({ container: "data", endpoint: `${served.url}/acme1`, account: "acme1", accountKey });
};

/** In front of a URL: breaks off or answers 500 so many times, then hands on. */
const flaky = async (
  target: string,
  times: number,
): Promise<{ readonly url: string; readonly asked: () => number }> => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (asked <= times) {
      if (asked % 2 === 1) response.writeHead(500).end();
      else request.socket.destroy();
      return;
    }
    void fetch(target).then(async (answer) => {
      response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/boot?a=1&b=%2F`, asked: () => asked };
};

describe.skipIf(reason !== undefined)("deliveries, executed by the real cloud-init", () => {
  let root: string;
  beforeAll(() => {
    root = buildRoot();
  }, 600_000);
  afterAll(async () => {
    for (const close of closing) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  const boot = (userData: Uint8Array): Promise<BootedMachine> =>
    bootMachine({ root, userData, metadata: { "instance-id": "machine", label: "machine" }, files: [path] });
  const digest = (text = ""): string => createHash("sha256").update(text).digest("hex");
  const boots = async (userData: Uint8Array, payload: string): Promise<void> => {
    const booted = await boot(userData);
    expect(booted.result.v1.errors, booted.log.slice(-2000)).toEqual([]);
    expect(digest(booted.file(path))).toBe(digest(payload));
  };

  it("directly, one byte below the limit", async () => {
    const { document, payload } = documentOf(limitBytes - 1);
    const { bytes, route } = await deliver(document, {});
    expect(route).toBe("direct");
    await boots(bytes, payload);
  });

  it.each([limitBytes, 65_535, 65_536, 1_000_000])("packed, of %i bytes that can be", async (size) => {
    const { document, payload } = documentOf(size, true);
    const { bytes, route } = await deliver(document, { gzip: true });
    expect(route).toBe("gzip");
    await boots(bytes, payload);
  });

  describe.each([
    ["the local store", localStore],
    ["S3", s3Store],
    ["Azure Blob Storage", blobStore],
  ])("by a pointer to %s", (_name, open) => {
    let store: ObjectStore;
    beforeAll(async () => {
      store = await open();
    });

    it.each([limitBytes, 65_535, 65_536, 1_000_000])("%i bytes", async (size) => {
      const { document, payload } = documentOf(size);
      const { bytes, route } = await deliver(document, { store });
      expect(route).toBe("object-store");
      await boots(bytes, payload);
    });
  });

  it("by a pointer that has expired: the machine does not get it, and says why", async () => {
    const { document } = documentOf(limitBytes);
    const { bytes } = await deliver(document, { store: await localStore(-3_600_000) });
    const booted = await boot(bytes);
    expect(booted.file(path)).toBeUndefined();
    expect(booted.log).toMatch(/403/);
  });

  it("by a pointer to a store that answers at the fourth time", async () => {
    const { document, payload } = documentOf(limitBytes);
    const store = await localStore();
    await store.put("flaky", document);
    const front = await flaky((await store.signGet("flaky", { expiresInSeconds: 900 })).url, 3);
    await boots(Buffer.from(`#include\n${front.url}\n`), payload);
    expect(front.asked()).toBe(4);
  });
});
