import { Secret } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import type { AzureClusterIdentity } from "../api/azure-cluster-identity.v1beta1.ts";
import { identityFinalizer } from "./identities.ts";
import { isAllowed, principalOf } from "./principal.ts";

type Spec = NonNullable<AzureClusterIdentity["spec"]>;

describe("who may use an identity", () => {
  it.each<[string, Spec["allowedNamespaces"], boolean]>([
    ["nobody where nothing is said", undefined, false],
    ["all where nothing is named", {}, true],
    ["those named", { list: ["blue"] }, true],
    ["no others", { list: ["red"] }, false],
    ["those with the labels", { selector: { matchLabels: { team: "a" } } }, true],
    ["nobody with other labels", { selector: { matchLabels: { team: "b" } } }, false],
    ["nobody by an empty selector", { selector: {} }, false],
    ["either", { list: ["red"], selector: { matchLabels: { team: "a" } } }, true],
  ])("%s", (_, allowed, expected) => {
    expect(isAllowed(allowed, "blue", { team: "a" })).toBe(expected);
  });
});

const identity = (spec: Partial<Spec> & Pick<Spec, "type">): AzureClusterIdentity => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: "AzureClusterIdentity",
  metadata: { name: "i", namespace: "ns" },
  spec: { tenantID: "t", clientID: "c", ...spec },
});

const reader = (value: string) => ({
  tokenFile: "/token",
  credentialsOf: async (ref: object) => ({
    fingerprint: JSON.stringify(ref),
    optional: () => new Secret(value),
    required: () => new Secret(value),
    bytes: () => new Secret(new Uint8Array(Buffer.from(value))),
  }),
});

const clientSecret = { name: "s" };
const who = { tenant: "t", client: "c" };

it.each<[Partial<Spec> & Pick<Spec, "type">, object]>([
  [
    { type: "ServicePrincipal", clientSecret },
    { type: "ClientSecret", ...who },
  ],
  [
    { type: "ManualServicePrincipal", clientSecret },
    { type: "ClientSecret", ...who },
  ],
  [
    { type: "ServicePrincipalCertificate", certPath: "/cert.pem" },
    { type: "Certificate", ...who, certificate: { path: "/cert.pem" } },
  ],
  [
    { type: "ServicePrincipalCertificate", clientSecret },
    { type: "Certificate", ...who },
  ],
  [{ type: "WorkloadIdentity" }, { type: "Federated", ...who, tokenFile: "/token" }],
  [{ type: "UserAssignedMSI" }, { type: "Managed", client: "c" }],
  [
    {
      type: "UserAssignedIdentityCredential",
      userAssignedIdentityCredentialsPath: "/msi",
      userAssignedIdentityCredentialsCloudType: "usgovernment",
    },
    { type: "IdentityCredential", path: "/msi", environment: "AzureUSGovernmentCloud" },
  ],
])("%j is %j", async (spec, expected) => {
  expect(await principalOf(identity(spec), reader("-----BEGIN CERTIFICATE-----"))).toMatchObject(expected);
});

it.each<[Partial<Spec> & Pick<Spec, "type">, boolean]>([
  [{ type: "ServicePrincipal", clientSecret }, true],
  [{ type: "ServicePrincipalCertificate", clientSecret }, true],
  [{ type: "ServicePrincipalCertificate", certPath: "/cert.pem" }, false],
  [{ type: "WorkloadIdentity" }, false],
  [{ type: "UserAssignedMSI" }, false],
  [{ type: "UserAssignedIdentityCredential", userAssignedIdentityCredentialsPath: "/msi" }, false],
])("%j is for every namespace: %j", async (spec, isForAll) => {
  const given = { ...reader("-----BEGIN CERTIFICATE-----"), defaultCredentials: { namespaces: ["team-b"] } };
  const principal = principalOf(identity(spec), given).then(() => true);
  if (isForAll) expect(await principal).toBe(true);
  else await expect(principal).rejects.toMatchObject({ code: "default_credentials.refused" });
  const namespaces = [identity(spec).metadata.namespace ?? ""];
  expect(await principalOf(identity(spec), { ...given, defaultCredentials: { namespaces } })).toBeDefined();
});

it.each<[Partial<Spec> & Pick<Spec, "type">, RegExp]>([
  [{ type: "ServicePrincipal" }, /spec\.clientSecret\.name is missing/],
  [{ type: "ServicePrincipalCertificate", clientSecret }, /PKCS#12 file cannot be read/],
  [{ type: "UserAssignedIdentityCredential" }, /spec\.userAssignedIdentityCredentialsPath is missing/],
  [
    {
      type: "UserAssignedIdentityCredential",
      userAssignedIdentityCredentialsPath: "/msi",
      userAssignedIdentityCredentialsCloudType: "moon",
    },
    /must be public, china or usgovernment, not moon/,
  ],
])("refuses %j", async (spec, expected) => {
  await expect(principalOf(identity(spec), reader("MIIK"))).rejects.toThrow(expected);
});

it("is kept by a finalizer of upstream's form", () => {
  expect(identityFinalizer({ namespace: "default", name: "demo" })).toBe(
    "azurecluster.infrastructure.cluster.x-k8s.io/9cf0be9bbacdef68854972af79b09a95feb55499e669587c79e7d4c6",
  );
});
