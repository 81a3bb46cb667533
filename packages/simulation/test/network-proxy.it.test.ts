import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ProxyAgent, request } from "undici";
import { expect, it } from "vitest";
import { NetworkProxy } from "../src/network/network-proxy.ts";

it("leads to what is inside by its name or address, and nowhere else, until it is stopped", async () => {
  const inside = createServer(({ headers }, response) => response.end(`${headers.host} is inside`));
  inside.listen(0, "127.0.0.1");
  await once(inside, "listening");
  const { port } = inside.address() as AddressInfo;
  const way = new NetworkProxy((host) =>
    ["api.acme.internal", "10.0.0.100"].includes(host) ? "127.0.0.1" : undefined,
  );
  await way.start();
  const proxy = way.proxyFor(`https://api.acme.internal:${port}`) ?? expect.fail("no proxy");
  expect(way.proxyFor("https://127.0.0.1:6443")).toBeUndefined();
  expect(way.proxyFor("no address")).toBeUndefined();
  const dispatcher = new ProxyAgent({ uri: proxy, proxyTunnel: true });
  for (const host of ["api.acme.internal", "10.0.0.100"]) {
    const { body } = await request(`http://${host}:${port}`, { dispatcher });
    expect(await body.text()).toBe(`${host}:${port} is inside`);
  }
  await expect(request("http://elsewhere.test", { dispatcher })).rejects.toThrow(/502/);
  expect((await request(proxy)).statusCode).toBe(405);
  await way.stop();
  await expect(request(`http://10.0.0.100:${port}`, { dispatcher })).rejects.toThrow();
  await dispatcher.destroy();
  inside.close();
});
