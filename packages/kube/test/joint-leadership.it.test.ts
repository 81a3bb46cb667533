import { fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { connect, createClient, electJointly, type LeaseMark, type Leadership } from "../src/index.ts";
import { jsonServer } from "./json-server.ts";

interface StoredLease {
  readonly metadata: LeaseMark & { readonly resourceVersion?: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Candidate {
  leadership: Leadership | undefined;
  readonly waitsFor: string[];
}

const setup = async () => {
  const leases = new Map<string, StoredLease>();
  let version = 1;
  const store = (wanted: StoredLease): StoredLease => {
    const stored = { ...wanted, metadata: { ...wanted.metadata, resourceVersion: String(version++) } };
    leases.set(wanted.metadata.name, stored);
    return stored;
  };
  const server = await jsonServer(({ method, path, body }) => {
    const name = /\/leases\/([^/?]+)/.exec(path)?.[1];
    if (method === "GET" && name === undefined) return { code: 200, body: { items: [...leases.values()] } };
    if (method === "GET") return leases.has(name ?? "") ? { code: 200, body: leases.get(name ?? "") } : { code: 404 };
    const wanted = JSON.parse(body) as StoredLease;
    const current = leases.get(wanted.metadata.name);
    if (method === "POST") {
      return current === undefined
        ? { code: 201, body: store(wanted) }
        : { code: 409, body: { reason: "AlreadyExists" } };
    }
    return current?.metadata.resourceVersion === wanted.metadata.resourceVersion
      ? { code: 200, body: store(wanted) }
      : { code: 409, body: { reason: "Conflict" } };
  });
  closing.push(() => server.stop());
  const clock = fakeClock();
  const run = (identity: string, names: readonly string[], isRival?: (lease: LeaseMark) => boolean): Candidate => {
    const connection = connect({ url: server.url, clock, userAgent: identity });
    closing.push(() => connection.close());
    const candidate: Candidate = { leadership: undefined, waitsFor: [] };
    const stop = new AbortController();
    closing.push(() => stop.abort());
    closing.push(async () => candidate.leadership?.release());
    electJointly(
      {
        client: createClient(connection),
        clock,
        random: seededRandom(identity.length),
        namespace: "default",
        identity,
        leases: names.map((name) => ({ name, labels: { of: identity } })),
        ...(isRival && { isRival }),
        onWaiting: (holder, lease) => void candidate.waitsFor.push(`${holder} ${lease}`),
      },
      { signal: stop.signal },
    ).then(
      (leadership) => (candidate.leadership = leadership),
      () => undefined,
    );
    return candidate;
  };
  return { clock, leases, run };
};

it("lets nobody lead who shares some of the work with the leader, in whatever order they name it", async () => {
  const { clock, leases, run } = await setup();
  const old = run("old", ["b", "a"]);
  await clock.advanceUntil(() => old.leadership !== undefined);
  expect(leases.get("a")?.metadata.labels).toEqual({ of: "old" });
  const next = run("next", ["a", "b", "c"]);
  const other = run("other", ["d"]);
  await clock.advanceUntil(() => other.leadership !== undefined);
  await clock.advance(60_000);
  expect(next.leadership).toBeUndefined();
  expect(next.waitsFor).toEqual(["old a"]);
  expect(old.leadership?.valid).toBe(true);
  await old.leadership?.release();
  await clock.advanceUntil(() => next.leadership !== undefined);
  expect(leases.get("c")?.spec).toMatchObject({ holderIdentity: "next" });
});

it("waits for a rival under another Lease, and for a released one until no standby has taken it", async () => {
  const { clock, run } = await setup();
  const isRival = ({ name }: LeaseMark): boolean => name.startsWith("list");
  const old = run("old", ["list-a-b"]);
  await clock.advanceUntil(() => old.leadership !== undefined);
  const standby = run("standby", ["list-a-b"]);
  const next = run("next", ["a", "b"], isRival);
  await clock.advance(40_000);
  expect(next.leadership).toBeUndefined();
  await old.leadership?.release();
  await clock.advanceUntil(() => standby.leadership !== undefined);
  await clock.advance(40_000);
  expect(next.leadership).toBeUndefined();
  await standby.leadership?.release();
  await clock.advance(10_000);
  expect(next.leadership).toBeUndefined();
  await clock.advanceUntil(() => next.leadership !== undefined);
  expect(next.waitsFor).toEqual(["old list-a-b"]);
});

it("lets one of two rivals lead that begin at the same moment", async () => {
  const { clock, run } = await setup();
  const isRival = ({ name }: LeaseMark): boolean => name.startsWith("list");
  const both = [run("one", ["list-a"], isRival), run("another", ["list-b"], isRival)];
  const leaders = () => both.filter(({ leadership }) => leadership !== undefined).length;
  await clock.advanceUntil(() => leaders() > 0, { maxMs: 600_000 });
  await clock.advance(120_000);
  expect(leaders()).toBe(1);
});
