import { fakeClock } from "@capstan/testing";
import { expect, it } from "vitest";
import { azureBlobObjectStores } from "./opener.ts";

const place = { account: "account", container: "data" };
const own: readonly Readonly<Record<string, string>>[] = [
  place,
  { ...place, identity: "managed" },
  { ...place, identity: "workload", tenantId: "t", clientId: "c" },
];

it("acts as the application for Secrets of the namespaces that may have that", () => {
  const stores = azureBlobObjectStores({ clock: fakeClock(), defaultCredentials: { namespaces: ["team-b"] } });
  for (const data of own) {
    expect(() => stores.open(data, { namespace: "team-a" })).toThrow(/--default-credentials-namespaces$/);
    expect(stores.open(data, { namespace: "team-b" })).toBeDefined();
  }
  expect(stores.open({ ...place, accountKey: "a2V5" }, { namespace: "team-a" })).toBeDefined();
  const client = { tenantId: "t", clientId: "c", clientSecret: "s" };
  expect(stores.open({ ...place, ...client }, { namespace: "team-a" })).toBeDefined();
});
