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
    /^objects in namespace team-a may not use the manager's Linode token; .*--default-credentials-namespaces$/,
  );
  expect(() => connect(undefined, teamA, "dns")).toThrow(/team-a/);
  expect(connect(undefined, teamB)).toBeDefined();
  expect(connect(secret, teamA)).toBeDefined();
  expect(connect(secret, teamA, "dns")).toBeDefined();
  expect(connections({ token: "t" })(undefined, teamA)).toBeDefined();
  expect(() => connections({ defaultCredentials: { namespaces: [] } })(undefined, teamA)).toThrow(/no Linode token/);
});

it.each(["not a url", "http://", "https://a b", "file:///etc/passwd", "unix:///run/x.sock"])(
  "refuses %j as LINODE_URL in words",
  (url) => {
    const data = { apiToken: "eA==", LINODE_URL: Buffer.from(url).toString("base64") };
    const wrong = credentialsIn({ apiVersion: "v1", kind: "Secret", metadata: { name: "linode" }, data });
    expect(() => connections({})(wrong, teamA)).toThrow(
      /^LINODE_URL, in the Secret of credentialsRef, is ".*", which is not a URL of HTTP; /,
    );
    expect(() => connections({ token: "t", endpoint: url })(undefined, teamA)).toThrow(
      /^LINODE_URL is ".*", which is not a URL of HTTP; /,
    );
  },
);
