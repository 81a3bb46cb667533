import { credentialsIn } from "@capstan/kit/machine";
import { expect, it } from "vitest";
import { connections } from "./connections.ts";

const secret = credentialsIn({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { namespace: "team-a", name: "linode" },
  data: { apiToken: Buffer.from("mine").toString("base64") },
});
const teamA = { metadata: { namespace: "team-a" } };
const teamB = { metadata: { namespace: "team-b" } };

it("gives the manager's token to objects of the namespaces that may have it", () => {
  const connect = connections({ token: "t", defaultCredentials: { namespaces: ["team-b"] } });
  expect(() => connect(undefined, teamA)).toThrow(
    /^the manager's Linode token is not for objects in the namespace team-a; .*--default-credentials-namespaces team-a$/,
  );
  expect(() => connect(undefined, teamA, "dns")).toThrow(/team-a/);
  expect(connect(undefined, teamB)).toBeDefined();
  expect(connect(secret, teamA)).toBeDefined();
  expect(connect(secret, teamA, "dns")).toBeDefined();
  expect(connections({ token: "t" })(undefined, teamA)).toBeDefined();
  expect(() => connections({ defaultCredentials: { namespaces: [] } })(undefined, teamA)).toThrow(/there is no token/);
});
