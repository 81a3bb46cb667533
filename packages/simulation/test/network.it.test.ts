import { connect, createServer, type Server } from "node:net";
import { freePort, seededRandom } from "@capstan/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type Backend, Balancers } from "../src/network/balancers.ts";
import { claimBlock, hostAddress, type LoopbackBlock } from "../src/network/loopback-block.ts";

const host = "127.0.0.1";

const greeter = async (name: string): Promise<Backend & { readonly server: Server }> => {
  const server = createServer((socket) => socket.end(name));
  const port = await freePort();
  await new Promise<void>((resolve) => {
    server.listen(port, host, resolve);
  });
  return { id: name, host, port, server };
};

const ask = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host, port });
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => resolve("refused"));
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });

describe("a balancer", () => {
  const balancers = new Balancers();
  afterEach(() => balancers.closeAll());

  it("forwards to each in turn, past those that refuse, and knows which do", async () => {
    const [one, two] = [await greeter("one"), await greeter("two")];
    const dead = { id: "dead", host, port: await freePort() };
    const port = await freePort();
    let backends: readonly Backend[] = [];
    await balancers.open({ id: "front", host, port, backends: () => backends });
    expect(await ask(port)).toBe("");
    backends = [one, dead, two];
    expect([await ask(port), await ask(port), await ask(port)].sort()).toEqual(["one", "two", "two"]);
    expect(["one", "dead", "two", "unheard"].map((id) => balancers.health(id))).toEqual([
      "up",
      "down",
      "up",
      "unknown",
    ]);
    await balancers.close("front");
    expect(await ask(port)).toBe("refused");
    await balancers.close("front");
    for (const { server } of [one, two]) server.close();
  });

  it("refuses a port that is taken", async () => {
    const { port, server } = await greeter("taken");
    await expect(balancers.open({ id: "front", host, port, backends: () => [] })).rejects.toMatchObject({
      status: 500,
    });
    server.close();
  });
});

describe("a block of loopback addresses", () => {
  const claimed: LoopbackBlock[] = [];
  afterEach(async () => {
    for (const block of claimed.splice(0)) await block.release();
  });
  const claim = async (wanted: number): Promise<number> => {
    const block = await claimBlock(wanted, seededRandom(7), "acme");
    claimed.push(block);
    return block.block;
  };

  it("belongs to one simulator at a time", async () => {
    const first = await claim(0);
    expect(await claim(0)).not.toBe(first);
    await expect(claim(first)).rejects.toMatchObject({ code: "acme.simulator_addresses" });
    for (const block of claimed.splice(0)) await block.release();
    expect(await claim(first)).toBe(first);
  });

  it.each([
    [1, "127.20.0.2"],
    [253, "127.20.0.254"],
    [254, "127.20.1.1"],
    [508, "127.20.2.1"],
  ])("has host %i at %s", (number, address) => {
    expect(hostAddress(20, number)).toBe(address);
  });
});
