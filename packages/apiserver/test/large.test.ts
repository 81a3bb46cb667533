import { silentLogger } from "@capstan/contract";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { connect } from "node:tls";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiServer, ExtensionFactory, ResourceStore } from "../src/index.ts";
import { type Api, createApi } from "./conformance/api.ts";
import { configMaps } from "./conformance/objects.ts";
import { startServer } from "./embedded-server.ts";

const count = 3_500;

/** More than a watcher may lag behind: 21 MB. */
describe("a large collection", () => {
  let server: ApiServer;
  let api: Api;

  beforeAll(async () => {
    const revealed = Promise.withResolvers<ResourceStore>();
    const reveal: ExtensionFactory = ({ store }) => ({ name: "reveal", start: () => revealed.resolve(store) });
    server = await startServer({ extensions: [reveal], clock: systemClock, random: cryptoRandom, log: silentLogger });
    const store = await revealed.promise;
    const data = { text: "x".repeat(6_000) };
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        store.create(
          { group: "", plural: "configmaps" },
          { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `m${index}`, namespace: "default" }, data },
        ),
      ),
    );
    const tokens = { admin: "token-admin", alice: "", bob: "" };
    api = createApi({
      ...server,
      url: server.url,
      caCertificate: server.caCertificate,
      tokens,
      carol: { certificate: "", key: "" },
    });
  });

  afterAll(async () => {
    await api.close();
    await server.stop();
  });

  it("is listed whole and in pages", async () => {
    const { body } = await api.get(configMaps("default"));
    expect(body.items).toHaveLength(count);
    let more = "";
    let seen = 0;
    do {
      const page = await api.get(configMaps("default"), { query: { limit: 2_000, continue: more } });
      seen += page.body.items.length as number;
      more = page.body.metadata.continue ?? "";
    } while (more !== "");
    expect(seen).toBe(count);
    const selected = await api.get(configMaps("default"), { query: { limit: 10, fieldSelector: "metadata.name!=m0" } });
    expect(selected.body.items).toHaveLength(10);
    expect(selected.body.metadata.continue).toBeTypeOf("string");
  });

  it("is streamed whole, with a change made meanwhile behind it", async () => {
    const query = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: true };
    const watch = await api.watch(configMaps("default"), { query });
    await api.mergePatch(`${configMaps("default")}/m5`, { metadata: { labels: { late: "yes" } } });
    for (let index = 0; index < count; index++) {
      expect((await watch.next()).type).toBe("ADDED");
    }
    expect((await watch.next()).type).toBe("BOOKMARK");
    expect(await watch.next()).toMatchObject({ type: "MODIFIED", object: { metadata: { name: "m5" } } });
    watch.close();
  });

  it("waits for a watcher that reads slowly, and serves others meanwhile", async () => {
    const socket = connect({ port: Number(new URL(server.url).port), host: "127.0.0.1", ca: server.caCertificate });
    await once(socket, "secureConnect");
    socket.pause();
    socket.write(
      `GET ${configMaps("default")}?watch=true HTTP/1.1\r\nhost: x\r\nauthorization: Bearer token-admin\r\n\r\n`,
    );
    const { code } = await api.get(`${configMaps("default")}/m1`);
    expect(code).toBe(200);
    const complete = Promise.withResolvers<void>();
    let seen = 0;
    let rest = "";
    socket.on("data", (chunk: Buffer) => {
      const parts = (rest + chunk.toString("latin1")).split('"type":"ADDED"');
      seen += parts.length - 1;
      rest = (parts.at(-1) ?? "").slice(-20);
      if (seen === count) {
        complete.resolve();
      }
    });
    socket.resume();
    await complete.promise;
    socket.destroy();
  });
});
