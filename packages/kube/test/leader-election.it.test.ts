import { type FakeClock, fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { connect, createClient, electLeader, type Leadership } from "../src/index.ts";
import { type JsonHandler, jsonServer } from "./json-server.ts";

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface StoredLease {
  readonly metadata: { readonly resourceVersion: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** One Lease with optimistic locking. By user agent: `down` get nothing done, what `unheard` write is done, but they do not learn it. */
class LeaseStore {
  lease: StoredLease | undefined;
  readonly down = new Set<string>();
  readonly unheard = new Set<string>();
  #version = 1;

  readonly handle: JsonHandler = ({ method, headers, body }) => {
    if (this.down.has(headers["user-agent"] ?? "")) return { code: 500 };
    if (method === "GET") return this.lease === undefined ? { code: 404 } : { code: 200, body: this.lease };
    const wanted = JSON.parse(body) as StoredLease;
    const current = this.lease?.metadata.resourceVersion;
    if (method === "POST" && this.lease !== undefined) return { code: 409, body: { reason: "AlreadyExists" } };
    if (method === "PUT" && wanted.metadata.resourceVersion !== current) {
      return { code: 409, body: { reason: "Conflict" } };
    }
    this.lease = { ...wanted, metadata: { ...wanted.metadata, resourceVersion: String(this.#version++) } };
    return this.unheard.has(headers["user-agent"] ?? "") ? { code: 500 } : { code: 200, body: this.lease };
  };
}

interface Candidate {
  leadership: Leadership | undefined;
  lostWith: string | undefined;
  /** Whom it waits for, as it was told. */
  waitsFor: string | undefined;
  readonly stop: AbortController;
}

const setup = async () => {
  const store = new LeaseStore();
  const server = await jsonServer(store.handle);
  closing.push(() => server.stop());
  const clock = fakeClock();
  /** `own`: the candidate's own clock, for another host or a process that stands still. */
  const run = (identity: string, own: FakeClock = clock): Candidate => {
    const connection = connect({ url: server.url, clock: own, userAgent: identity });
    closing.push(() => connection.close());
    const candidate: Candidate = {
      leadership: undefined,
      lostWith: undefined,
      waitsFor: undefined,
      stop: new AbortController(),
    };
    closing.push(() => candidate.stop.abort());
    closing.push(async () => candidate.leadership?.release());
    const client = createClient(connection);
    const options = {
      client,
      clock: own,
      random: seededRandom(identity.length),
      namespace: "default",
      name: "capstan",
      identity,
      onWaiting: (holder: string | undefined) => {
        candidate.waitsFor = holder;
      },
    };
    const lead = async (): Promise<void> => {
      candidate.leadership = await electLeader(options, { signal: candidate.stop.signal });
      candidate.lostWith = (await candidate.leadership.lost).code;
    };
    lead().catch((error: unknown) => {
      candidate.lostWith = String(error);
    });
    return candidate;
  };
  return { store, clock, run };
};

const leads = (clock: FakeClock, candidate: Candidate) =>
  clock.advanceUntil(() => candidate.leadership !== undefined, { maxMs: 60_000 });

it("lets one candidate lead, keeps the other waiting, and hands over at once on release", async () => {
  const { store, clock, run } = await setup();
  const first = run("one");
  await leads(clock, first);
  const second = run("two");
  const enough = clock.now() + 60_000;
  await clock.advanceUntil(() => clock.now() >= enough);
  expect(second.leadership).toBeUndefined();
  expect([first.waitsFor, second.waitsFor]).toEqual([undefined, "one"]);
  expect(store.lease?.spec).toMatchObject({ holderIdentity: "one", leaseDurationSeconds: 15, leaseTransitions: 0 });
  expect(store.lease?.spec["renewTime"]).toMatch(/^2026-01-01T00:0\d:\d\d\.\d{6}Z$/);
  const released = clock.now();
  await first.leadership?.release();
  await leads(clock, second);
  expect(clock.now() - released).toBeLessThan(5_000);
  expect(store.lease?.spec).toMatchObject({ holderIdentity: "two", leaseTransitions: 1 });
  expect(first.lostWith).toBeUndefined();
});

it("hands over at once on release, although the answer to its last renewal was lost", async () => {
  const { store, clock, run } = await setup();
  const first = run("one");
  await leads(clock, first);
  const second = run("two");
  store.unheard.add("one");
  const { resourceVersion } = store.lease?.metadata ?? {};
  await clock.advanceUntil(() => store.lease?.metadata.resourceVersion !== resourceVersion);
  store.unheard.clear();
  const released = clock.now();
  await first.leadership?.release();
  expect(store.lease?.spec).not.toHaveProperty("holderIdentity");
  await leads(clock, second);
  expect(clock.now() - released).toBeLessThan(5_000);
});

it("takes nothing from its successor when it is released late", async () => {
  const { store, clock, run } = await setup();
  const own = fakeClock();
  const first = run("one", own);
  await leads(own, first);
  const second = run("two");
  await leads(clock, second);
  await first.leadership?.release();
  expect(store.lease?.spec).toMatchObject({ holderIdentity: "two" });
});

it("takes over from a leader that cannot renew, after that one has given up", async () => {
  const { store, clock, run } = await setup();
  const first = run("one");
  await leads(clock, first);
  const second = run("two");
  const { resourceVersion } = store.lease?.metadata ?? {};
  await clock.advanceUntil(() => store.lease?.metadata.resourceVersion !== resourceVersion);
  // Between two renewals.
  await clock.advance(1_000);
  store.down.add("one");
  const cut = clock.now();
  await clock.advanceUntil(() => first.lostWith !== undefined, { maxMs: 60_000 });
  expect(first.lostWith).toBe("kube.leadership_lost");
  expect(second.leadership).toBeUndefined();
  expect(clock.now() - cut).toBeLessThanOrEqual(10_500);
  await leads(clock, second);
  expect(clock.now() - cut).toBeGreaterThan(12_000);
  expect(clock.now() - cut).toBeLessThan(20_000);
});

it("takes over from a leader that was killed once its lease has run out, however wrong the clocks are", async () => {
  const { clock, run } = await setup();
  const dying = fakeClock({ now: clock.now() + 3_600_000 });
  const first = run("one", dying);
  await leads(dying, first);
  const second = run("two");
  // The dead process's time stands still from here on.
  const killedAt = clock.now();
  await leads(clock, second);
  expect(clock.now() - killedAt).toBeGreaterThanOrEqual(15_000);
  expect(clock.now() - killedAt).toBeLessThan(20_000);
});

it("knows when a process wakes up late that its lease is not sure any more", async () => {
  const { clock, run } = await setup();
  const sleeping = fakeClock({ now: clock.now() - 86_400_000 });
  const first = run("one", sleeping);
  await leads(sleeping, first);
  expect(first.leadership?.valid).toBe(true);
  const second = run("two");
  await leads(clock, second);
  await sleeping.advance(20_000);
  expect(first.leadership?.valid).toBe(false);
  await sleeping.advanceUntil(() => first.lostWith !== undefined, { maxMs: 3_000 });
  expect(first.lostWith).toBe("kube.leadership_lost");
  expect(second.leadership?.valid).toBe(true);
});

it("stops waiting when told to", async () => {
  const { clock, run } = await setup();
  const first = run("one");
  await leads(clock, first);
  const second = run("two");
  await clock.advance(3_000);
  second.stop.abort(new Error("enough"));
  await clock.advanceUntil(() => second.lostWith !== undefined);
  expect(second.lostWith).toBe("Error: enough");
});
