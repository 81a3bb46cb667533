import { azureBlobObjectStores } from "@capstan/object-store-azure-blob";
import { fakeClock, startHiddenServer } from "@capstan/testing";
import { expect, it } from "vitest";

it("reaches a store by the proxy on the way to it, and trusts the Secret's certificate", async () => {
  await using hidden = await startHiddenServer((request, response) => {
    const said = { "content-length": "3", "x-ms-request-id": "1", "x-ms-meta-path": request.url };
    response.writeHead(200, said).end();
  });
  const { url: endpoint, ca, proxy } = hidden;
  const proxyFor = (url: string): string | undefined => (url === endpoint ? proxy.url : undefined);
  const store = azureBlobObjectStores({ clock: fakeClock(), maxAttempts: 1, proxyFor }).open({
    container: "data",
    account: "acme1",
    accountKey: "a2V5",
    endpoint,
    "ca.crt": ca,
  });
  expect(await store.head("k")).toMatchObject({ metadata: { path: "/data/k" } });
  expect(proxy.asked).toEqual(["hidden.test:443"]);
});
