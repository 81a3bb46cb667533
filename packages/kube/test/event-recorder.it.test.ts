import { fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { connect, createClient, createEventRecorder } from "../src/index.ts";
import { type JsonHandler, jsonServer } from "./json-server.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const setup = async (handler: JsonHandler = ({ body }) => ({ code: 200, body: body === "" ? {} : body })) => {
  const server = await jsonServer(handler);
  closing.push(() => server.stop());
  const clock = fakeClock();
  const connection = connect({ url: server.url, clock });
  closing.push(() => connection.close());
  const client = createClient(connection);
  const recorder = createEventRecorder({ client, clock, random: seededRandom(), component: "machine-controller" });
  const written = () =>
    server.requests.map(({ method, path, body }) => ({ method, path, body: JSON.parse(body) as unknown }));
  return { clock, recorder, written };
};

const machine = {
  apiVersion: "test.capstan.dev/v1",
  kind: "Machine",
  metadata: { namespace: "default", name: "m", uid: "u", resourceVersion: "7" },
};
const started = { type: "Normal", reason: "Started", message: "the server runs" } as const;

it("writes an Event that kubectl describe shows", async () => {
  const { recorder, written } = await setup();
  recorder.event(machine, started);
  await recorder.flush();
  expect(written()).toEqual([
    {
      method: "POST",
      path: "/api/v1/namespaces/default/events",
      body: {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name: expect.stringMatching(/^m\.[0-9a-f]{16}$/) as string, namespace: "default" },
        involvedObject: {
          apiVersion: "test.capstan.dev/v1",
          kind: "Machine",
          namespace: "default",
          name: "m",
          uid: "u",
          resourceVersion: "7",
        },
        type: "Normal",
        reason: "Started",
        message: "the server runs",
        count: 1,
        firstTimestamp: "2026-01-01T00:00:00Z",
        lastTimestamp: "2026-01-01T00:00:00Z",
        source: { component: "machine-controller" },
        reportingComponent: "machine-controller",
        reportingInstance: "machine-controller",
      },
    },
  ]);
});

it("counts repetitions up in the same Event, and begins a new one after a pause", async () => {
  const { recorder, written, clock } = await setup();
  recorder.event(machine, started);
  await recorder.flush();
  await clock.advance(60_000);
  recorder.event(machine, started);
  recorder.event(machine, started);
  await recorder.flush();
  expect(written().map(({ method }) => method)).toEqual(["POST", "PATCH"]);
  expect(written().at(-1)?.body).toEqual({
    count: 3,
    lastTimestamp: "2026-01-01T00:01:00Z",
    message: started.message,
  });
  await clock.advance(601_000);
  recorder.event(machine, started);
  await recorder.flush();
  expect(written().at(-1)).toMatchObject({ method: "POST", body: { count: 1 } });
});

it("writes an Event anew that the server has forgotten", async () => {
  const { recorder, written } = await setup(({ method, body }) =>
    method === "PATCH" ? { code: 404 } : { code: 200, body },
  );
  recorder.event(machine, started);
  await recorder.flush();
  recorder.event(machine, started);
  await recorder.flush();
  expect(written().map(({ method }) => method)).toEqual(["POST", "PATCH", "POST"]);
  expect(written().at(-1)?.body).toMatchObject({ count: 2 });
});

it("combines many messages of one reason, and loses none of the count", async () => {
  const { recorder, written, clock } = await setup();
  for (let index = 0; index < 100; index++) recorder.event(machine, { ...started, message: `made ${index}` });
  recorder.event(machine, { ...started, reason: "Other" });
  await clock.advanceUntil(() => written().length === 12);
  expect(
    written()
      .slice(0, 11)
      .map(({ body }) => (body as { message: string }).message),
  ).toEqual([...Array.from({ length: 10 }, (_, index) => `made ${index}`), started.message]);
  expect(written()[11]?.body).toMatchObject({ message: "(combined from similar events): made 99", count: 90 });
  for (let index = 100; index < 200; index++) recorder.event(machine, { ...started, message: `made ${index}` });
  await recorder.flush();
  expect(written()).toHaveLength(13);
  expect(written()[12]).toMatchObject({
    method: "PATCH",
    body: { message: "(combined from similar events): made 199", count: 190 },
  });
});

it("limits bursts about one object, and survives a server that refuses", async () => {
  const { recorder, written, clock } = await setup(() => ({ code: 403 }));
  for (let index = 0; index < 40; index++) recorder.event(machine, { ...started, reason: `Reason${index}` });
  recorder.event({ ...machine, metadata: { ...machine.metadata, uid: "other" } }, started);
  await recorder.flush();
  expect(written()).toHaveLength(26);
  await clock.advance(300_000);
  recorder.event(machine, { ...started, reason: "Later" });
  recorder.event(machine, { ...started, reason: "TooSoon" });
  await recorder.flush();
  expect(written()).toHaveLength(27);
});

it("writes Events about many objects at once, and those about one in their order", async () => {
  let [waiting, most] = [0, 0];
  const answers: (() => void)[] = [];
  const { recorder, written } = await setup(({ body }) => {
    waiting += 1;
    most = Math.max(most, waiting);
    return new Promise((resolve) => {
      answers.push(() => {
        waiting -= 1;
        resolve({ code: 200, body });
      });
    });
  });
  for (let index = 0; index < 100; index += 1) {
    const about = { ...machine, metadata: { ...machine.metadata, name: `m-${index}`, uid: `u-${index}` } };
    for (const reason of ["First", "Second"]) recorder.event(about, { ...started, reason });
  }
  let over = false;
  const flushed = recorder.flush().then(() => (over = true));
  await expect.poll(() => waiting).toBeGreaterThan(8);
  while (!over) {
    for (const answer of answers.splice(0)) answer();
    await new Promise((resolve) => void setImmediate(resolve));
  }
  await flushed;
  const bodies = written().map(({ body }) => body as { involvedObject: { uid: string }; reason: string });
  expect(bodies).toHaveLength(200);
  expect(most).toBeLessThanOrEqual(16);
  for (const [, events] of Map.groupBy(bodies, ({ involvedObject }) => involvedObject.uid)) {
    expect(events.map(({ reason }) => reason)).toEqual(["First", "Second"]);
  }
});
