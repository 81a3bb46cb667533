import assert from "node:assert/strict";
import { isCapstanError } from "@capstan/contract";
import type { ObjectStore } from "@capstan/contract/v1";
import { pointerTo } from "@capstan/kit/delivery";
import type { ObjectStoreSubject } from "./object-store-subject.ts";
import type { SuiteTools } from "./suite-tools.ts";
import { defineCases } from "./suite-tools.ts";

type Case = (subject: ObjectStoreSubject) => Promise<void>;

const minute = { expiresInSeconds: 60 };
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** Bytes of every value, which no text encoding leaves as they are. */
const binary = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 167 + (index >> 8)) % 256);

const fetched = async (url: string): Promise<Uint8Array> => {
  const answer = await fetch(url);
  const body = new Uint8Array(await answer.arrayBuffer());
  assert.equal(answer.status, 200, `the signed URL answers ${answer.status}`);
  return body;
};

const refused = async (url: string, what: string): Promise<void> => {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  assert.ok(answer.status >= 400 && answer.status < 500, `${what} answers ${answer.status}`);
};

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    assert.ok(isCapstanError(error), `${String(error)} is not a CapstanError`);
    return error.code;
  }
  return assert.fail("it should have failed");
};

const failsWith = async (work: Promise<unknown>, ...codes: readonly string[]): Promise<void> => {
  const code = await codeOf(work);
  assert.ok(codes.map((name) => `objectstore.${name}`).includes(code), `${code} is none of ${codes.join(", ")}`);
};

/** A scenario of the subject; a case that needs one the subject lacks has to be skipped with a reason. */
const need = <T>(scenario: T | undefined): T => {
  if (scenario !== undefined) return scenario;
  return assert.fail("the subject cannot arrange this; skip the case with a reason");
};

const withQuery = (url: string, change: (query: URLSearchParams) => void): string => {
  const changed = new URL(url);
  change(changed.searchParams);
  return changed.href;
};

/** The signature is the longest value of the query. */
const withOtherSignature = (url: string): string =>
  withQuery(url, (query) => {
    const [name, value] = [...query].toSorted(([, left], [, right]) => right.length - left.length)[0] ?? ["", ""];
    const middle = Math.floor(value.length / 2);
    query.set(name, value.slice(0, middle) + (value[middle] === "a" ? "b" : "a") + value.slice(middle + 1));
  });

const withOtherKey = (url: string): string => {
  const changed = new URL(url);
  changed.pathname = `${changed.pathname}x`;
  return changed.href;
};

const roundTrip = async (store: ObjectStore, key: string, bytes: Uint8Array): Promise<void> => {
  const stored = await store.put(key, bytes, {
    contentType: "application/octet-stream",
    metadata: { "capstan-test": "1" },
  });
  assert.equal(stored.size, bytes.length);
  const { url } = await store.signGet(key, minute);
  assert.deepEqual(await fetched(url), bytes);
};

const keepsBytes: Case = async (subject) => {
  const store = await subject.open();
  await failsWith(store.put("empty", new Uint8Array()), "invalid_argument");
  const bodies = { one: text("x"), medium: binary(16_384), large: binary(1_048_576), words: text("größe ✓\r\n") };
  for (const [key, bytes] of Object.entries(bodies)) await roundTrip(store, key, bytes);
};

const overwrites: Case = async (subject) => {
  const store = await subject.open();
  await store.put("same", text("first, and longer"));
  await roundTrip(store, "same", text("second"));
};

const refusesUnsigned: Case = async (subject) => {
  const store = await subject.open();
  await store.put("k", text("x"));
  const { url } = await store.signGet("k", minute);
  await refused(
    withQuery(url, (query) => [...query.keys()].forEach((name) => query.delete(name))),
    "a GET without query",
  );
};

const refusesTampering: Case = async (subject) => {
  const store = await subject.open();
  await store.put("k", text("x"));
  await store.put("kx", text("other"));
  const { url } = await store.signGet("k", minute);
  await refused(withOtherSignature(url), "another signature");
  await refused(withOtherKey(url), "another key");
  const later = withQuery(url, (query) => {
    const value = query.get(subject.expiryParameter);
    assert.ok(value !== null, `the signed URL has no parameter ${subject.expiryParameter}`);
    query.set(subject.expiryParameter, /^\d+$/.test(value) ? String(Number(value) + 3600) : "2099-01-01T00:00:00Z");
  });
  await refused(later, "another expiry");
};

const expires: Case = async (subject) => {
  const store = await subject.open();
  await store.put("k", text("x"));
  const past = await need(subject.openWithClockOffset?.bind(subject))(-3_600_000);
  const { url } = await past.signGet("k", minute);
  await refused(url, "an expired URL");
};

const looks: Case = async (subject) => {
  const store = await subject.open();
  assert.equal(await store.head("missing"), null);
  await store.put("k", text("four"), { metadata: { "capstan-test": "1" } });
  const head = await store.head("k");
  assert.equal(head?.size, 4);
  assert.equal(head.metadata["capstan-test"], "1");
};

const deletesTwice: Case = async (subject) => {
  const store = await subject.open();
  await store.put("k", text("x"));
  await store.delete("k");
  assert.equal(await store.head("k"), null);
  assert.notEqual((await store.delete("k")).existed, true, "a second deletion finds nothing");
};

const missingBucket: Case = async (subject) => {
  const store = await need(subject.openMissingBucket?.bind(subject))();
  await store.delete("k");
  await failsWith(store.put("k", text("x")), "bucket_not_found");
};

const wrongCredentials: Case = async (subject) => {
  const store = await need(subject.openWithWrongCredentials?.bind(subject))();
  await failsWith(store.put("k", text("x")), "unauthenticated", "forbidden");
};

const deniedLook: Case = async (subject) => {
  const store = await need(subject.openWithoutHead?.bind(subject))();
  await failsWith(store.head("k"), "forbidden");
  await store.delete("k");
};

const unreachable: Case = async (subject) => {
  const store = await need(subject.openUnreachable?.bind(subject))();
  await failsWith(store.put("k", text("x")), "unavailable");
};

const hangs: Case = async (subject) => {
  const hanging = await need(subject.openHanging?.bind(subject))();
  const put = codeOf(hanging.store.put("k", text("x")));
  await hanging.hurry();
  assert.equal(await put, "objectstore.timeout");
};

const cancels: Case = async (subject) => {
  const { store } = await need(subject.openHanging?.bind(subject))();
  const caller = new AbortController();
  const put = store.put("k", text("x"), { signal: caller.signal });
  caller.abort();
  await failsWith(put, "cancelled");
};

const repeats: Case = async (subject) => {
  const store = await need(subject.openFailingFirst?.bind(subject))(1);
  const { attempts, size } = await store.put("k", text("x"));
  assert.equal(size, 1);
  assert.equal(attempts, 2, "who puts something has to know of requests that may still be carried out");
};

const escapesKeys: Case = async (subject) => {
  const store = await subject.open();
  for (const key of ["with space", "plus+plus", "percent%20", "a/b/c", "größe", "quote'()*!&=?#"]) {
    await roundTrip(store, key, text(key));
    assert.ok(await store.head(key), key);
    await store.delete(key);
    assert.equal(await store.head(key), null, key);
  }
};

const boundsExpiry: Case = async (subject) => {
  const store = await subject.open();
  const { maxSignedSeconds } = store.capabilities;
  const seconds = [0, -1, ...(Number.isFinite(maxSignedSeconds) ? [maxSignedSeconds + 1] : [])];
  for (const expiresInSeconds of seconds) {
    await failsWith(
      Promise.resolve().then(() => store.signGet("k", { expiresInSeconds })),
      "invalid_argument",
    );
  }
};

const neverMixes: Case = async (subject) => {
  const store = await subject.open();
  const bodies = [65, 66].map((value) => new Uint8Array(262_144).fill(value));
  await store.put("k", bodies[0] ?? new Uint8Array());
  const { url } = await store.signGet("k", minute);
  const write = async (body: Uint8Array): Promise<void> => {
    for (let times = 0; times < 10; times += 1) await store.put("k", body);
  };
  let whole = 0;
  const read = async (): Promise<void> => {
    for (let times = 0; times < 20; times += 1) {
      const answer = await fetch(url);
      // A server that breaks off is no trouble: the reader retries.
      const body = await answer.arrayBuffer().catch(() => new ArrayBuffer(0));
      if (answer.status === 200 && body.byteLength > 0) {
        assert.equal(new Set(new Uint8Array(body)).size, 1, "a body of two writers");
        whole += 1;
      }
    }
  };
  await Promise.all([...bodies.map(write), read()]);
  await read();
  assert.ok(whole > 0, "no body could be read");
};

const keepsSecrets: Case = async (subject) => {
  const broken = await need(subject.openWithWrongCredentials?.bind(subject))();
  const errors: unknown[] = [];
  for (const call of [() => broken.put("k", text("x")), () => broken.head("k"), () => broken.delete("k")]) {
    await call().catch((error: unknown) => errors.push(error));
  }
  assert.ok(errors.length > 0, "something fails");
  for (let error of errors) {
    for (; error instanceof Error; error = error.cause) {
      const shown = `${error.message} ${JSON.stringify(error)}`;
      for (const secret of subject.secrets) assert.ok(!shown.includes(secret), "a secret in an error");
      assert.ok(!/[?&](?:X-Amz-Signature|sig|s)=/.test(shown), "a signed URL in an error");
    }
  }
};

const lists: Case = async (subject) => {
  const store = await subject.open();
  const list = need(store.capabilities.list ? store.list?.bind(store) : undefined);
  const keys = Array.from({ length: 1005 }, (_, index) => `page/${String(index).padStart(4, "0")}`);
  for (let start = 0; start < keys.length; start += 50) {
    await Promise.all(keys.slice(start, start + 50).map((key) => store.put(key, text("x"))));
  }
  const found: string[] = [];
  let token: string | undefined;
  do {
    const page = await list("page/", token === undefined ? {} : { token });
    found.push(...page.keys);
    token = page.next;
  } while (token !== undefined);
  assert.deepEqual(found.toSorted(), keys);
};

const purges: Case = async (subject) => {
  const versionsLeft = need(subject.versionsLeft?.bind(subject));
  const store = await subject.open();
  for (const body of ["one", "two"]) await store.put("versioned", text(body));
  await store.delete("versioned");
  assert.equal(await versionsLeft("versioned"), 0);
};

const toleratesSkew: Case = async (subject) => {
  const open = need(subject.openWithClockOffset?.bind(subject));
  for (const offsetMs of [-300_000, 300_000]) {
    const store = await open(offsetMs);
    await store.put("skewed", text("x"));
    const { url } = await store.signGet("skewed", { expiresInSeconds: 900 });
    assert.deepEqual(await fetched(url), text("x"), `with a clock that is off by ${offsetMs} ms`);
  }
};

/** Reads an include file as cloud-init does: lines that are no comment are addresses, taken literally. */
const readByCloudInit: Case = async (subject) => {
  const store = await subject.open();
  const body = text("#cloud-config\nruncmd: []\n");
  await store.put("boot", body);
  const { url } = await store.signGet("boot", minute);
  const pointer = Buffer.from(pointerTo(url, "cloud-config", body)).toString("utf8");
  assert.ok(pointer.startsWith("#include\n") && pointer.endsWith("\n"));
  const addresses = pointer.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  assert.equal(addresses.length, 1);
  assert.deepEqual(await fetched(addresses[0]?.trim() ?? ""), body);
};

const reads: Case = async (subject) => {
  const store = await subject.open();
  const get = need(store.get?.bind(store));
  assert.equal(await get("missing", { maxBytes: 10 }), null);
  const body = binary(1000);
  await store.put("k", body);
  assert.deepEqual(new Uint8Array((await get("k", { maxBytes: 1000 })) ?? []), body);
  await failsWith(get("k", { maxBytes: 999 }), "too_large");
};

const takesReports: Case = async (subject) => {
  const store = await subject.open();
  const signPut = need(store.signPut?.bind(store));
  const get = need(store.get?.bind(store));
  await store.delete("report");
  const { expiresAt, headers, url } = await signPut("report", minute);
  assert.ok(expiresAt > 0, "the URL says when it expires");
  const put = async (target: string, body: string): Promise<number> => {
    const answer = await fetch(target, { method: "PUT", headers, body });
    await answer.arrayBuffer();
    return answer.status;
  };
  const status = await put(url, "first");
  assert.ok(status >= 200 && status < 300, `the signed PUT answers ${status}`);
  assert.equal(Buffer.from((await get("report", { maxBytes: 100 })) ?? []).toString(), "first");
  for (const expiresInSeconds of [0, -1]) {
    await failsWith(
      Promise.resolve().then(() => signPut("report", { expiresInSeconds })),
      "invalid_argument",
    );
  }
};

const signsPutsOnly: Case = async (subject) => {
  const store = await subject.open();
  await store.put("k", text("x"));
  const { url } = await need(store.signPut?.bind(store))("k", minute);
  await refused(url, "a GET of the URL for a PUT");
};

const writesOnce: Case = async (subject) => {
  const store = await subject.open();
  const { headers, url } = await need(store.signPut?.bind(store))("once", minute);
  const put = async (body: string, sent: Readonly<Record<string, string>>): Promise<number> => {
    const answer = await fetch(url, { method: "PUT", headers: sent, body });
    await answer.arrayBuffer();
    return answer.status;
  };
  await put("first", headers);
  const again = await put("second", headers);
  assert.ok([403, 409, 412].includes(again), `a second PUT answers ${again}`);
  assert.ok((await put("third", {})) >= 400, "a PUT without the headers");
  const kept = await need(store.get?.bind(store))("once", { maxBytes: 100 });
  assert.equal(Buffer.from(kept ?? []).toString(), "first");
};

const cases: Readonly<Record<string, Case>> = {
  "01 keeps the same bytes, of every size and kind": keepsBytes,
  "02 overwrites": overwrites,
  "03 refuses a GET without a signature": refusesUnsigned,
  "04 refuses a changed signature, key or expiry": refusesTampering,
  "05 refuses an expired URL": expires,
  "06 answers null for what is missing": looks,
  "07 deletes twice": deletesTwice,
  "08 deletes in a bucket that does not exist": missingBucket,
  "09 names wrong credentials": wrongCredentials,
  "10 deletes although it may not look": deniedLook,
  "11 is unavailable when nobody listens": unreachable,
  "12 times out when nobody answers": hangs,
  "13 stops when cancelled": cancels,
  "14 tries again after a passing failure": repeats,
  "15 escapes keys": escapesKeys,
  "16 refuses lifetimes out of bounds": boundsExpiry,
  "17 never mixes two writers": neverMixes,
  "18 shows no secret in errors": keepsSecrets,
  "19 lists past a thousand keys": lists,
  "20 leaves no version behind": purges,
  "21 tolerates clocks that are off by five minutes": toleratesSkew,
  "22 is read with the URL as it stands in the pointer": readByCloudInit,
  "23 reads no more than it is asked for": reads,
  "24 takes an object by a signed PUT": takesReports,
  "25 takes it once": writesOnce,
  "26 refuses a GET of the URL for a PUT": signsPutsOnly,
};

/** The suite every object store has to pass, against a real server program. Pass Vitest's functions. */
export const objectStoreConformance = (tools: SuiteTools, subject: ObjectStoreSubject): void =>
  tools.describe("object store conformance", () => {
    const runs = Object.fromEntries(Object.entries(cases).map(([name, test]) => [name, () => test(subject)]));
    defineCases(tools, runs, { timeoutMs: 300_000, ...(subject.skip === undefined ? {} : { skip: subject.skip }) });
  });
