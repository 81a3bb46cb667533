import { caCertHashes, createCertificateAuthority } from "@capstan/pki";
import type { KubeObject } from "@capstan/schema";
import { seededRandom } from "@capstan/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { newToken } from "./bootstrap-token.ts";
import { discoveryFile, endpointOf, planDiscovery } from "./discovery.ts";

const cluster = (endpoint?: object): KubeObject => ({
  apiVersion: "v1",
  kind: "Cluster",
  metadata: { name: "c" },
  spec: endpoint === undefined ? {} : { controlPlaneEndpoint: endpoint },
});

const whole = cluster({ host: "192.0.2.10", port: 6443 });

let authority = "";
beforeAll(async () => {
  authority = (await createCertificateAuthority({ now: 0, algorithm: "ECDSA-P256" })).certificate;
});

const plan = (joinConfiguration: Readonly<Record<string, unknown>>, of = whole) =>
  planDiscovery(joinConfiguration, { cluster: of, authority, random: seededRandom(1) });

describe("endpointOf", () => {
  it.each([
    [{ host: "192.0.2.10", port: 6443 }, "192.0.2.10:6443"],
    [{ host: "2001:db8::1", port: 6443 }, "[2001:db8::1]:6443"],
    [{ host: "", port: 6443 }, undefined],
    [{ host: "a" }, undefined],
    [undefined, undefined],
  ])("%j is %s", (endpoint, expected) => expect(endpointOf(cluster(endpoint))).toBe(expected));
});

describe("planDiscovery", () => {
  it("fills in endpoint, pinned hash and a new token", () => {
    const planned = plan({});
    expect(planned).toMatchObject({
      state: "planned",
      patch: {
        discovery: { bootstrapToken: { apiServerEndpoint: "192.0.2.10:6443", caCertHashes: caCertHashes(authority) } },
      },
    });
    const token = planned.state === "planned" ? planned.token : undefined;
    expect(token).toMatch(/^[a-z0-9]{6}\.[a-z0-9]{16}$/);
    expect(JSON.stringify(planned)).not.toContain("unsafeSkipCAVerification");
  });

  it("keeps what is there, and asks for nothing more once complete", () => {
    const bootstrapToken = { apiServerEndpoint: "a:1", caCertHashes: ["sha256:x"], token: "abcdef.0123456789abcdef" };
    expect(plan({ discovery: { bootstrapToken } })).toEqual({
      state: "planned",
      patch: undefined,
      token: bootstrapToken.token,
    });
    expect(plan({ discovery: { bootstrapToken: { unsafeSkipCAVerification: true } } })).not.toMatchObject({
      patch: { discovery: { bootstrapToken: { caCertHashes: expect.anything() as unknown } } },
    });
  });

  it("waits for an endpoint, unless one is given", () => {
    expect(plan({}, cluster()).state).toBe("no-endpoint");
    expect(plan({ discovery: { bootstrapToken: { apiServerEndpoint: "a:1" } } }, cluster()).state).toBe("planned");
  });

  it("makes no token for discovery by file, and completes its kubeconfig", () => {
    const file = {
      kubeConfigPath: "/etc/kubernetes/discovery.conf",
      kubeConfig: { user: { exec: { command: "get-token" } } },
    };
    const planned = plan({ discovery: { file } });
    expect(planned).not.toHaveProperty("token");
    expect(planned).toMatchObject({
      patch: { discovery: { file: { kubeConfig: { cluster: { server: "https://192.0.2.10:6443" } } } } },
    });
    expect(plan({ discovery: { file: { kubeConfigPath: "/x" } } })).toEqual({ state: "planned", patch: undefined });
  });
});

describe("discoveryFile", () => {
  it("is a kubeconfig with one cluster, user and context", () => {
    const kubeConfig = {
      cluster: { server: "https://a", tlsServerName: "b" },
      user: { exec: { command: "get-token" } },
    };
    const file = discoveryFile({ discovery: { file: { kubeConfigPath: "/x", kubeConfig } } });
    expect(file).toMatchObject({ path: "/x", owner: "root:root", permissions: "0640" });
    expect(parse(file?.content ?? "")).toMatchObject({
      clusters: [{ name: "default", cluster: { server: "https://a", "tls-server-name": "b" } }],
      users: [
        {
          user: {
            exec: { apiVersion: "client.authentication.k8s.io/v1", interactiveMode: "Never", command: "get-token" },
          },
        },
      ],
      "current-context": "default",
    });
    expect(discoveryFile({})).toBeUndefined();
  });
});

describe("newToken", () => {
  it("draws from all 36 letters and digits", () => {
    const random = seededRandom(3);
    const tokens = Array.from({ length: 200 }, () => newToken(random));
    expect(new Set(tokens).size).toBe(200);
    expect(new Set(tokens.join("").replaceAll(".", "")).size).toBe(36);
  });
});
