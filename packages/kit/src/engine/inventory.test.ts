import { CapstanError, silentLogger } from "@capstan/contract";
import { fakeClock } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { SharedInventory } from "./inventory.ts";

interface Server {
  readonly tag: string;
  readonly state: string;
}

const setUp = (options: { readonly listMs?: number; readonly keyed?: boolean } = {}) => {
  const clock = fakeClock();
  const servers = new Map<string, Server>();
  const lists: number[] = [];
  const woken: string[] = [];
  const removed: string[] = [];
  let failing: Error | undefined;
  let refusing = false;
  let swept = 0;
  const inventory = new SharedInventory<string, Server>({
    list: async ({ call }) => {
      const seen = [...servers.values()];
      await clock.sleep(options.listMs ?? 0, call);
      if (failing !== undefined) throw failing;
      return seen;
    },
    tagsOf: (server) => (options.keyed === true ? { owner: server.tag, "": "" } : [server.tag]),
    // The cloud gives a server its id when it runs.
    providerIDOf: ({ state, tag }) => (state === "running" ? `server://${tag}` : undefined),
    isFree: ({ state }) => state === "free",
    pollMs: 10_000,
    settledPollMs: 300_000,
    clock,
    log: silentLogger,
    enqueue: (request) => woken.push(request.name),
    onList: () => lists.push(clock.now()),
    onSwept: () => void (swept += 1),
    removeLate: async ({ api, item }) => {
      if (refusing) throw new Error("busy");
      removed.push(`${api} ${item.tag}`);
      servers.delete(item.tag);
    },
  });
  const { signal } = new AbortController();
  const find = (name: string, after?: number, providerID?: string, api = "api") =>
    inventory.find(
      { scope: "account", api },
      { uid: name, tag: name, providerID, request: { namespace: "n", name } },
      { signal, ...(after === undefined ? {} : { after }) },
    );
  /** Lets virtual time pass until the promise settles. */
  const over = async <T>(promise: Promise<T>): Promise<T> => {
    let ended = false;
    promise.then(
      () => (ended = true),
      () => (ended = true),
    );
    await clock.advanceUntil(() => ended, { stepMs: 100 });
    return promise;
  };
  const put = (name: string, state = "booting") => servers.set(name, { tag: name, state });
  const fail = (value: boolean | Error) => {
    failing = value === true ? new Error("down") : value || undefined;
  };
  const refuse = (value: boolean) => void (refusing = value);
  const sweeps = () => ({ removed, swept });
  return { clock, servers, lists, woken, inventory, find, over, put, fail, refuse, sweeps };
};

describe("freshness", () => {
  it("answers from a list that is already there, and again from one that began later", async () => {
    const { find, inventory, lists, over, put } = setUp();
    put("a");
    expect(await over(find("a"))).toMatchObject({ tag: "a" });
    expect(await over(find("a"))).toMatchObject({ tag: "a" });
    expect(lists).toHaveLength(1);
    const began = inventory.now();
    expect(await over(find("b", began))).toBeUndefined();
    expect(lists).toHaveLength(2);
  });

  it("finds by its provider id what has another tag, once it has an id", async () => {
    const { find, inventory, over, put } = setUp();
    put("a");
    put("b");
    expect(await over(find("moved", 0, "server://a"))).toBeUndefined();
    put("a", "running");
    expect(await over(find("moved", inventory.now(), "server://a"))).toMatchObject({ tag: "a" });
  });

  it("does not believe a list that began before the machine's own write", async () => {
    const { find, inventory, over, put } = setUp({ listMs: 500 });
    expect(await over(find("a"))).toBeUndefined();
    const early = find("b", inventory.now());
    put("a");
    inventory.wrote("a");
    expect(await over(find("a"))).toMatchObject({ tag: "a" });
    await over(early);
  });

  it("does not take a running list for an answer to a later question", async () => {
    const { clock, find, inventory, lists, over, put } = setUp({ listMs: 500 });
    const first = find("a");
    await clock.settle();
    put("b");
    const second = find("b", inventory.now());
    expect(await over(first)).toBeUndefined();
    expect(await over(second)).toMatchObject({ tag: "b" });
    expect(lists).toHaveLength(2);
  });
});

describe("sharing", () => {
  it("answers 200 machines that ask at once with one list", async () => {
    const { find, inventory, lists, over } = setUp();
    const began = inventory.now();
    await over(Promise.all(Array.from({ length: 200 }, (_, index) => find(`m${index}`, began))));
    expect(lists).toHaveLength(1);
  });

  it("lists at most twice a second, however many machines write and ask", async () => {
    const { clock, find, inventory, lists, over, put } = setUp({ listMs: 100 });
    const startedAt = clock.now();
    const machine = async (index: number): Promise<void> => {
      await clock.sleep(index * 37);
      expect(await find(`m${index}`, inventory.now())).toBeUndefined();
      put(`m${index}`);
      inventory.wrote(`m${index}`);
      expect(await find(`m${index}`)).toBeDefined();
    };
    await over(Promise.all(Array.from({ length: 200 }, (_, index) => machine(index))));
    const seconds = (clock.now() - startedAt) / 1000;
    expect(lists.length).toBeLessThanOrEqual(Math.ceil(2 * seconds) + 1);
  });

  it("lets one caller give up without ending the list for the others", async () => {
    const { clock, find, inventory, over, put } = setUp({ listMs: 500 });
    put("a");
    const caller = new AbortController();
    const given = inventory.find(
      { scope: "account", api: "api" },
      { uid: "x", tag: "x", request: { namespace: "n", name: "x" } },
      { signal: caller.signal },
    );
    const other = find("a");
    await clock.settle();
    caller.abort(new Error("enough"));
    await expect(given).rejects.toThrow("enough");
    expect(await over(other)).toMatchObject({ tag: "a" });
  });
});

describe("polling", () => {
  it("wakes only machines whose item changed, often while one is pending, rarely when all are settled", async () => {
    const { clock, find, inventory, lists, over, put, woken } = setUp();
    for (const name of ["a", "b"]) put(name);
    await over(Promise.all([find("a"), find("b")]));
    inventory.settle("a", false);
    inventory.settle("b", true);
    put("a", "running");
    await clock.advance(10_000);
    expect(woken).toEqual(["a"]);
    expect(lists).toHaveLength(2);
    inventory.settle("a", true);
    await clock.advance(10_000);
    const before = lists.length;
    await clock.advance(290_000);
    expect(lists.length - before).toBeLessThanOrEqual(1);
    put("b", "stopped");
    await clock.advance(300_000);
    expect(woken).toEqual(["a", "b"]);
  });

  it("looks soon after a write and wakes the writer even if nothing changed", async () => {
    const { clock, find, inventory, over, put, woken } = setUp();
    put("a");
    await over(find("a"));
    inventory.wrote("a");
    await clock.advance(1500);
    expect(woken).toEqual(["a"]);
  });

  it("tries again after a failing list, and tells those who wait for it", async () => {
    const { clock, fail, find, inventory, over, put, woken } = setUp();
    put("a");
    await over(find("a"));
    inventory.settle("a", false);
    fail(true);
    const asked = find("b", inventory.now());
    await expect(over(asked)).rejects.toThrow("down");
    fail(false);
    put("a", "running");
    await clock.advance(20_000);
    expect(woken).toContain("a");
  });

  it("wakes everybody at the first list that fails, who then do not believe the one before", async () => {
    const { clock, fail, find, inventory, lists, over, put, woken } = setUp();
    for (const name of ["a", "b"]) put(name);
    await over(Promise.all([find("a"), find("b")]));
    for (const name of ["a", "b"]) inventory.settle(name, true);
    fail(true);
    await clock.advance(300_000);
    expect(woken).toEqual(["a", "b"]);
    await expect(over(find("a"))).rejects.toThrow("down");
    const before = lists.length;
    await expect(over(find("b"))).rejects.toThrow("down");
    expect(lists.length, "answered by the list that failed just now").toBe(before);
    await clock.advance(600_000);
    expect(woken).toEqual(["a", "b"]);
    fail(false);
    await clock.advance(300_000);
    expect(woken).toEqual(["a", "b", "a", "b"]);
  });

  it("takes a list that failed after a long time for no chance", async () => {
    const { clock, fail, find, lists, over, put } = setUp({ listMs: 30_000 });
    put("a");
    await over(find("a"));
    fail(true);
    await clock.advance(45_000);
    expect(lists).toHaveLength(2);
    await expect(over(find("a"))).rejects.toThrow("down");
    expect(lists).toHaveLength(2);
  });

  it("waits as long as the cloud asks, believes what was seen until then, and asks at once with another api", async () => {
    const { clock, fail, find, inventory, lists, over, put, woken } = setUp();
    put("a");
    await over(find("a"));
    inventory.settle("a", false);
    fail(
      new CapstanError({ code: "x.busy", reason: "Busy", message: "slower", retry: { kind: "after", ms: 120_000 } }),
    );
    await clock.advance(10_000);
    expect(woken).toEqual([]);
    const before = lists.length;
    expect(await over(find("a"))).toMatchObject({ tag: "a" });
    await expect(over(find("b", inventory.now()))).rejects.toThrow("slower");
    inventory.wrote("a");
    await clock.advance(100_000);
    expect(lists.length).toBe(before);
    fail(false);
    expect(await over(find("a", inventory.now(), undefined, "other"))).toMatchObject({ tag: "a" });
    expect(lists.length).toBe(before + 1);
  });

  it("lists less and less often while lists fail", async () => {
    const { clock, fail, find, inventory, lists, over, put } = setUp();
    put("a");
    await over(find("a"));
    inventory.settle("a", false);
    fail(true);
    await clock.advance(1_000_000);
    expect(lists.length).toBeLessThan(12);
    fail(false);
    await clock.advance(300_000);
    const before = lists.length;
    await clock.advance(60_000);
    expect(lists.length - before).toBeGreaterThanOrEqual(5);
  });

  it("stops listing when nobody is left", async () => {
    const { clock, find, inventory, lists, over, put } = setUp();
    put("a");
    await over(find("a"));
    inventory.settle("a", false);
    inventory.forget("a");
    await clock.advance(60_000);
    expect(lists).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });
});

describe("items by key", () => {
  it("are found by key and value", async () => {
    const { find, over, put } = setUp({ keyed: true });
    put("a");
    expect(await over(find("owner=a"))).toMatchObject({ tag: "a" });
    expect(await over(find("a"))).toBeUndefined();
  });
});

describe("free items", () => {
  const names = (items: readonly { readonly tag: string }[]): string => items.map(({ tag }) => tag).join();

  it("are offered to everybody in another order, and to the same one in the same", async () => {
    const { find, inventory, over, put } = setUp();
    for (const name of ["x", "y"]) put(name, "free");
    put("z", "running");
    await over(Promise.all([find("a"), find("b"), find("c")]));
    expect(names(inventory.free("a"))).toBe("x,y");
    expect(names(inventory.free("b"))).toBe("y,x");
    expect(names(inventory.free("a"))).toBe("x,y");
    expect(names(inventory.free("c"))).toBe("x,y");
  });

  it("wake those who found none, once", async () => {
    const { clock, find, inventory, over, put, woken } = setUp();
    await over(Promise.all([find("a"), find("b")]));
    expect(inventory.free("a")).toEqual([]);
    inventory.settle("a", false);
    await clock.advance(30_000);
    expect(woken).toEqual([]);
    put("x", "free");
    await clock.advance(30_000);
    expect(woken).toEqual(["a"]);
  });
});

describe("what appears after its object is gone", () => {
  it("is deleted, of objects that were let go here alone", async () => {
    const { clock, find, inventory, over, put, sweeps } = setUp();
    await over(Promise.all([find("late"), find("moved"), find("stays")]));
    inventory.letGo("late");
    for (const name of ["late", "moved"]) inventory.forget(name);
    inventory.settle("stays", false);
    for (const name of ["late", "moved", "stranger", "stays"]) put(name);
    await clock.advance(20_000);
    expect(sweeps()).toEqual({ removed: ["api late"], swept: 1 });
  });

  it("stays with an object that is there again", async () => {
    const { clock, find, inventory, over, put, sweeps } = setUp();
    await over(find("stays"));
    inventory.letGo("back");
    inventory.holds("back");
    inventory.settle("stays", false);
    put("back");
    await clock.advance(20_000);
    expect(sweeps().removed).toEqual([]);
  });

  it("is tried again with the next list where that fails", async () => {
    const { clock, find, inventory, over, put, refuse, sweeps } = setUp();
    await over(Promise.all([find("late"), find("stays")]));
    inventory.letGo("late");
    inventory.forget("late");
    inventory.settle("stays", false);
    put("late");
    refuse(true);
    await clock.advance(20_000);
    expect(sweeps()).toEqual({ removed: [], swept: 0 });
    refuse(false);
    await clock.advance(20_000);
    expect(sweeps()).toEqual({ removed: ["api late"], swept: 1 });
  });

  it("stays after an hour: nobody knows any more whose it was", async () => {
    const { clock, find, inventory, over, put, sweeps } = setUp();
    await over(find("stays"));
    inventory.letGo("late");
    await clock.advance(3_600_000);
    put("late");
    await clock.advance(600_000);
    expect(sweeps().removed).toEqual([]);
  });
});
