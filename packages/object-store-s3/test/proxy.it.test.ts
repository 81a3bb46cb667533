import { s3ObjectStores } from "@capstan/object-store-s3";
import { fakeClock, startHiddenServer } from "@capstan/testing";
import { expect, it } from "vitest";

it("reaches a store by the proxy on the way to it", async () => {
  await using hidden = await startHiddenServer((request, response) => {
    response.writeHead(200, { "content-length": "3", "x-amz-meta-path": request.url }).end();
  });
  const { url: endpoint, ca, proxy } = hidden;
  const proxyFor = (url: string): string | undefined => (url === endpoint ? proxy.url : undefined);
  const store = s3ObjectStores({ clock: fakeClock(), maxAttempts: 1, proxyFor }).open({
    bucket: "data",
    endpoint,
    access: "AK",
    secret: "SK",
    forcePathStyle: "true",
    "ca.crt": ca,
  });
  expect(await store.head("k")).toMatchObject({ metadata: { path: "/data/k" } });
  expect(proxy.asked).toEqual(["hidden.test:443"]);
});
