import { startHiddenServer } from "@capstan/testing";
import { expect, it } from "vitest";
import { connections } from "../src/cloud/connections.ts";

it("reaches Linode by the proxy on the way to it", async () => {
  await using linode = await startHiddenServer((request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ id: 7, label: request.url }));
  });
  const { url: endpoint, ca, proxy } = linode;
  const proxyFor = (url: string): string | undefined => (url === endpoint ? proxy.url : undefined);
  const api = connections({ endpoint, ca, token: "t", proxyFor })(undefined, { metadata: {} });
  const call = { signal: AbortSignal.timeout(10_000) };
  expect(await api.getInstance(7, call)).toMatchObject({ id: 7, label: "/v4beta/linode/instances/7" });
  expect(proxy.asked).toEqual(["hidden.test:443"]);
});
