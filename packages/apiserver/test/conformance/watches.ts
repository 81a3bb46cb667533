import { expect, it } from "vitest";
import type { OpenWatch, WatchEvent } from "./api.ts";
import { expectCode, expectStatus } from "./expectations.ts";
import { configMap, configMaps, partial, table, widget, widgets } from "./objects.ts";
import type { Section } from "./suite.ts";

const short = ({ type, object }: WatchEvent): string => `${type} ${object.metadata.name ?? ""}`.trim();

const take = async (watch: OpenWatch, count: number): Promise<readonly WatchEvent[]> => {
  const events: WatchEvent[] = [];
  while (events.length < count) {
    events.push(await watch.next());
  }
  return events;
};

const selectOnly = (group: string) => ({ labelSelector: `group=${group}` });

/** Watches. */
export const watches: Section = (suite) => {
  const path = (): string => configMaps(suite().namespace);
  const create = async (name: string, labels: Readonly<Record<string, string>> = {}) => {
    const answer = await suite().api.post(path(), configMap({ name, labels }));
    expectCode(answer, 201);
    return answer.body;
  };

  it.each([{}, { resourceVersion: "0" }])("C13 begins with everything there is: %j", async (query) => {
    const { api } = suite();
    const name = `c13-${Object.keys(query).length}`;
    await create(name, { group: name });
    const watch = await api.watch(path(), { query: { ...query, ...selectOnly(name) } });
    expect(short(await watch.next())).toBe(`ADDED ${name}`);
    await create(`${name}-later`, { group: name });
    expect(short(await watch.next())).toBe(`ADDED ${name}-later`);
    watch.close();
  });

  it("C14 begins after a version", async () => {
    const { api } = suite();
    const first = await create("c14-1", { group: "c14" });
    const { resourceVersion } = (await api.get(path())).body.metadata;
    const fromList = await api.watch(path(), { query: { resourceVersion, ...selectOnly("c14") } });
    const older = await api.watch(path(), {
      query: { resourceVersion: first.metadata.resourceVersion, ...selectOnly("c14") },
    });
    await create("c14-2", { group: "c14" });
    expect(short(await fromList.next())).toBe("ADDED c14-2");
    expect(short(await older.next())).toBe("ADDED c14-2");
    fromList.close();
    older.close();
  });

  it("C15 ends after timeoutSeconds", async () => {
    const { api } = suite();
    const started = performance.now();
    const watch = await api.watch(path(), { query: { timeoutSeconds: 1, ...selectOnly("c15") } });
    expect(await watch.rest()).toEqual([]);
    expect(performance.now() - started).toBeGreaterThan(900);
  });

  it("C16 says when a version is too old", async () => {
    const { api, namespace } = suite();
    const watch = await api.watch(widgets(namespace), { query: { resourceVersion: 1 } });
    const events = await watch.rest();
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } });
  });

  it("C17 streams a list", async () => {
    const { api } = suite();
    await create("c17-1", { group: "c17" });
    await create("c17-2", { group: "c17" });
    const query = {
      sendInitialEvents: true,
      resourceVersionMatch: "NotOlderThan",
      allowWatchBookmarks: true,
      ...selectOnly("c17"),
    };
    const watch = await api.watch(path(), { query });
    const [first, second, end] = await take(watch, 3);
    expect([first, second].map((event) => event && short(event))).toEqual(["ADDED c17-1", "ADDED c17-2"]);
    expect(end).toMatchObject({
      type: "BOOKMARK",
      object: { kind: "ConfigMap", metadata: { annotations: { "k8s.io/initial-events-end": "true" } } },
    });
    expect(Number(end?.object.metadata.resourceVersion)).toBeGreaterThanOrEqual(
      Number(second?.object.metadata.resourceVersion),
    );
    watch.close();
  });

  it("C18 checks the options of streamed lists", async () => {
    const { api } = suite();
    const ask = (query: Readonly<Record<string, string>>) => api.get(path(), { query: { watch: "true", ...query } });
    const refused = [await ask({ sendInitialEvents: "true" }), await ask({ resourceVersionMatch: "NotOlderThan" })];
    for (const answer of refused) {
      expect(answer.code).toBe(422);
      expect(answer.body.details.causes[0].field).toBe("resourceVersionMatch");
    }
  });

  it("C19 follows a label selector", async () => {
    const { api } = suite();
    const watch = await api.watch(path(), { query: { resourceVersion: "0", labelSelector: "c19=in" } });
    await create("c19");
    const label = (value: string | null) => api.mergePatch(`${path()}/c19`, { metadata: { labels: { c19: value } } });
    await label("in");
    await label("out");
    await label("in");
    await api.mergePatch(`${path()}/c19`, { data: { a: "1" } });
    const { body } = await api.get(`${path()}/c19`);
    await api.delete(`${path()}/c19`);
    const events = await take(watch, 5);
    expect(events.map(short)).toEqual(["ADDED c19", "DELETED c19", "ADDED c19", "MODIFIED c19", "DELETED c19"]);
    expect(events[1]?.object.metadata.labels).toEqual({ c19: "in" });
    expect(Number(events[1]?.object.metadata.resourceVersion)).toBeGreaterThan(
      Number(events[0]?.object.metadata.resourceVersion),
    );
    expect(Number(events[4]?.object.metadata.resourceVersion)).toBeGreaterThan(Number(body.metadata.resourceVersion));
    watch.close();
  });

  it("C20 follows a field selector", async () => {
    const { api, namespace } = suite();
    const watch = await api.watch(widgets(namespace), {
      query: { resourceVersion: "0", fieldSelector: "spec.size=L" },
    });
    await api.post(widgets(namespace), widget("c20"));
    await api.mergePatch(`${widgets(namespace)}/c20`, { spec: { size: "L" } });
    await api.mergePatch(`${widgets(namespace)}/c20`, { spec: { size: "S" } });
    expect((await take(watch, 2)).map(short)).toEqual(["ADDED c20", "DELETED c20"]);
    watch.close();
  });

  it("C21 follows one object", async () => {
    const { api } = suite();
    const watch = await api.watch(path(), { query: { resourceVersion: "0", fieldSelector: "metadata.name=c21" } });
    await create("c21-other");
    await create("c21");
    expect(short(await watch.next())).toBe("ADDED c21");
    watch.close();
  });

  it("C24 sends metadata only", async () => {
    const { api } = suite();
    await create("c24", { group: "c24" });
    const watch = await api.watch(path(), { accept: partial, query: selectOnly("c24") });
    const { object } = await watch.next();
    expect(object).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: "c24" } });
    expect(object.data).toBeUndefined();
    watch.close();
  });

  it("sends tables, with columns only once", async () => {
    const { api } = suite();
    await create("ct-1", { group: "ct" });
    await create("ct-2", { group: "ct" });
    const watch = await api.watch(path(), { accept: table, query: selectOnly("ct") });
    const [first, second] = await take(watch, 2);
    expect(first?.object).toMatchObject({ kind: "Table", rows: [{ cells: ["ct-1", 0, expect.any(String)] }] });
    expect(first?.object.columnDefinitions).not.toBeNull();
    expect(second?.object.columnDefinitions).toBeNull();
    watch.close();
  });

  it("C27 gives a deletion its own version", async () => {
    const { api } = suite();
    const { metadata } = await create("c27");
    const watch = await api.watch(path(), {
      query: { resourceVersion: metadata.resourceVersion, fieldSelector: "metadata.name=c27" },
    });
    await api.delete(`${path()}/c27`);
    const { body } = await api.get(path());
    const { type, object } = await watch.next();
    expect(type).toBe("DELETED");
    // Whatever else is written meanwhile counts in the list's version too.
    const version = Number(object.metadata.resourceVersion);
    expect(version).toBeGreaterThan(Number(metadata.resourceVersion));
    expect(version).toBeLessThanOrEqual(Number(body.metadata.resourceVersion));
    watch.close();
  });

  it("C29 refuses a version that is not a number", async () => {
    expectStatus(await suite().api.get(path(), { query: { watch: "true", resourceVersion: "abc" } }), 500);
  });

  it("sends a bookmark before the timeout", async () => {
    const { api } = suite();
    // A real server sends it two seconds before, when the watch has begun by then.
    const query = { timeoutSeconds: 6, allowWatchBookmarks: true, fieldSelector: "metadata.name=nothing" };
    const { resourceVersion } = (await api.get(path())).body.metadata;
    const watch = await api.watch(path(), { query: { ...query, resourceVersion } });
    await create("bookmarked");
    const events = await watch.rest();
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(["BOOKMARK"]));
    expect(Number(events[0]?.object.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(resourceVersion));
  });
};
