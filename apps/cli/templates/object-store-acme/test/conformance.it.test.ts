import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { objectStoreConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { acmeObjectStores, type AcmeObjectStoreOptions } from "../src/index.ts";
import { createAcmeStoreSimulator, type AcmeStoreSimulator } from "../src/sim.ts";

const tools = { afterAll, beforeAll, describe, it };

let simulator: AcmeStoreSimulator;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  simulator = await createAcmeStoreSimulator({ clock: systemClock, random: cryptoRandom, buckets: ["data"] });
  await simulator.start();
});
afterAll(async () => {
  for (const close of closing) close();
  await simulator.stop();
});

/** The store, with other settings than those that work. */
const open = (change: Readonly<Record<string, string>> = {}, options: Partial<AcmeObjectStoreOptions> = {}) => {
  const { key, store } = simulator;
  const stores = acmeObjectStores({ clock: systemClock, random: cryptoRandom, ...options });
  return stores.open({ bucket: "data", endpoint: store.url, ...key, ...change });
};

/** The address of a server that answers as the test says. */
const serverThat = async (answers: RequestListener): Promise<string> => {
  const server = createServer((request, response) => request.resume().on("end", () => answers(request, response)));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

objectStoreConformance(tools, {
  open: async () => open(),
  secrets: ["simulated-secret-of-the-store", "wrong-secret-value"],
  expiryParameter: "expires",
  openWithClockOffset: async (offsetMs) =>
    open({}, { clock: { ...systemClock, now: () => systemClock.now() + offsetMs } }),
  openMissingBucket: async () => open({ bucket: "missing-bucket" }),
  openWithWrongCredentials: async () => open({ secret: "wrong-secret-value" }),
  openWithoutHead: async () =>
    open({
      endpoint: await serverThat(({ method }, response) => response.writeHead(method === "HEAD" ? 403 : 204).end()),
    }),
  openUnreachable: async () => open({ endpoint: "http://127.0.0.1:1" }, { attempts: 1 }),
  openHanging: async () => {
    const endpoint = await serverThat(() => undefined);
    return { store: open({ endpoint }, { attempts: 1, timeoutMs: 200 }), hurry: async () => undefined };
  },
  openFailingFirst: async (times) => {
    let count = 0;
    return open({
      endpoint: await serverThat((_, response) => response.writeHead((count += 1) <= times ? 503 : 200).end()),
    });
  },
  versionsLeft: async (key) => (Object.hasOwn(simulator.account.buckets["data"] ?? {}, key) ? 1 : 0),
});
