import { resource } from "@capstan/schema";
import { fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { connect, createCache, createClient } from "../src/index.ts";
import { ScriptedServer, serverCertificate } from "./scripted-server.ts";

const kinds = ["widgets", "gadgets", "gizmos"].map((plural) =>
  resource({ group: "", version: "v1", kind: plural, plural }),
);

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

it("needs one connection per watch and sixteen for all requests, however many there are", async () => {
  const server = await new ScriptedServer({ tls: true }).start();
  closing.push(() => server.stop());
  server.put("a");
  const clock = fakeClock();
  const connection = connect({ url: server.url, ca: serverCertificate, clock });
  closing.push(() => connection.close());
  const cache = createCache({ connection, random: seededRandom() });
  for (const kind of kinds) cache.informer(kind);
  const stop = new AbortController();
  closing.push(() => stop.abort());
  await cache.start({ signal: stop.signal });
  const client = createClient(connection);
  const [widgets] = kinds;
  if (widgets === undefined) throw new Error("no kind");
  const read = async (times: number): Promise<void> => {
    for (let left = times; left > 0; left--) await client.get(widgets, { namespace: "default", name: "a" });
  };
  await Promise.all(Array.from({ length: 50 }, () => read(10)));
  const { handshakes } = server;
  expect(handshakes).toBeLessThanOrEqual(kinds.length + 16);
  await Promise.all(Array.from({ length: 50 }, () => read(190)));
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      client.delete(widgets, { namespace: "default", name: `b${index}` }, { preconditions: { uid: "u" } }),
    ),
  );
  expect(server.requests.length).toBeGreaterThan(10_000);
  expect(server.handshakes).toBe(handshakes);
  expect(server.peakSockets).toBeLessThanOrEqual(kinds.length + 16);
  // A watch that ended cleanly continues over the connection it had.
  server.endWatches();
  await clock.advanceUntil(() => server.watches === kinds.length);
  expect(server.handshakes).toBe(handshakes);
});

it("resumes the session of its other connections, which spares the server the certificates", async () => {
  const server = await new ScriptedServer({ tls: true }).start();
  closing.push(() => server.stop());
  const connection = connect({ url: server.url, ca: serverCertificate, clock: fakeClock() });
  closing.push(() => connection.close());
  await connection.send({ method: "GET", path: "/api/v1/widgets" });
  expect(server).toMatchObject({ handshakes: 1, resumed: 0 });
  await Promise.all(kinds.map(() => connection.open({ method: "GET", path: "/api/v1/widgets?watch=true" })));
  expect(server).toMatchObject({ handshakes: 1 + kinds.length, resumed: kinds.length });
});

it("changes to new connections when the credentials bring another certificate", async () => {
  const server = await new ScriptedServer({ tls: true }).start();
  closing.push(() => server.stop());
  const tls = [{ ca: serverCertificate }, { ca: `${serverCertificate}\n` }];
  let present = 0;
  const credentials = async () => ({ tls: tls[present] ?? {} });
  const clock = fakeClock();
  const connection = connect({ access: { url: server.url, credentials }, clock });
  closing.push(() => connection.close());
  const ask = () => connection.send({ method: "GET", path: "/api/v1/widgets" });
  await ask();
  const before = server.handshakes;
  present = 1;
  await ask();
  expect(server.handshakes).toBe(before + 1);
  expect(server.resumed).toBe(0);
  // The old connection is closed, not kept beside the new one.
  await clock.advanceUntil(() => server.sockets.size === 1);
});

it("closes all connections, and stays closed", async () => {
  const server = await new ScriptedServer().start();
  closing.push(() => server.stop());
  const clock = fakeClock();
  const connection = connect({ url: server.url, clock });
  await connection.send({ method: "GET", path: "/api/v1/widgets" });
  await connection.open({ method: "GET", path: "/api/v1/widgets?watch=true" });
  await connection.close();
  await clock.advanceUntil(() => server.sockets.size === 0);
  await expect(connection.send({ method: "GET", path: "/" })).rejects.toMatchObject({ reason: "ConnectionClosed" });
});

it("refuses a server it cannot verify", async () => {
  const server = await new ScriptedServer({ tls: true }).start();
  closing.push(() => server.stop());
  const connection = connect({ url: server.url, clock: fakeClock() });
  closing.push(() => connection.close());
  const ask = connection.send({ method: "GET", path: "/" });
  await expect(ask).rejects.toMatchObject({
    code: "kube.unavailable",
    details: { cause: "DEPTH_ZERO_SELF_SIGNED_CERT" },
  });
  const trusting = connect({ url: server.url, skipVerify: true, clock: fakeClock() });
  closing.push(() => trusting.close());
  expect((await trusting.send({ method: "GET", path: "/api/v1/widgets" })).status).toBe(200);
});
