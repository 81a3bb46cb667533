import { readFileSync } from "node:fs";
import { clusterSecretType, Label } from "@capstan/contract";
import { ClusterResource, MachineResource, SecretResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { toBase64 } from "@capstan/kube-values";
import { apiVersionOf, type KubeObject } from "@capstan/schema";

/** One machine that is to boot. */
export interface MachineInput {
  readonly version: string;
  readonly controlPlane?: boolean;
  readonly initialized?: boolean;
  /** Fields of the Cluster's spec in place of those that it has here. */
  readonly cluster?: Readonly<Record<string, unknown>>;
  /** The object that the Cluster refers to. */
  readonly controlPlaneObject?: KubeObject;
  /** Contents of Secrets by name, beside the certificates; bytes begin with `base64:`. */
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** A certificate of an authority, PEM. */
export const certificate: string = readFileSync(new URL("__fixtures__/ca.crt", import.meta.url), "utf8");

const pem = (what: string): string => `-----BEGIN ${what}-----\nAAAA\n-----END ${what}-----\n`;
const pair = (name: string) => ({ "tls.crt": certificate, "tls.key": pem(`${name} PRIVATE KEY`) });

/** What the Secrets of the cluster's certificates hold, by name. */
export const certificates: NonNullable<MachineInput["secrets"]> = {
  "orchid-ca": pair("CA"),
  "orchid-etcd": pair("ETCD"),
  "orchid-proxy": pair("PROXY"),
  "orchid-sa": { "tls.crt": pem("PUBLIC KEY"), "tls.key": pem("PRIVATE KEY") },
};

export const createSecrets = async (
  client: Client,
  namespace: string,
  secrets: NonNullable<MachineInput["secrets"]>,
): Promise<void> => {
  for (const [name, data] of Object.entries(secrets)) {
    const entries = Object.entries(data).map(([key, value]) => {
      const text = value.replace("$certificate", certificate);
      return [key, text.startsWith("base64:") ? text.slice("base64:".length) : toBase64(text)];
    });
    const isClusters = name.startsWith("orchid-");
    const metadata = { namespace, name, ...(isClusters && { labels: { [Label.clusterName]: "orchid" } }) };
    const type = isClusters ? clusterSecretType : "Opaque";
    const object = { apiVersion: "v1", kind: "Secret", metadata, type, data: Object.fromEntries(entries) as unknown };
    await client.create(SecretResource, object);
  }
};

export const clusterOf = (namespace: string, input: MachineInput): KubeObject => ({
  apiVersion: apiVersionOf(ClusterResource),
  kind: "Cluster",
  metadata: { namespace, name: "orchid", uid: "c" },
  spec: {
    controlPlaneEndpoint: { host: "203.0.113.40", port: 6443 },
    clusterNetwork: {
      pods: { cidrBlocks: ["10.40.0.0/16", "fd00:40::/48"] },
      services: { cidrBlocks: ["10.41.0.0/20"] },
      serviceDomain: "orchid.local",
    },
    ...input.cluster,
  },
  status: { initialization: { controlPlaneInitialized: input.initialized === true } },
});

export const machineOf = (namespace: string, input: MachineInput): KubeObject => ({
  apiVersion: apiVersionOf(MachineResource),
  kind: "Machine",
  metadata: {
    namespace,
    name: "m",
    labels: input.controlPlane === true ? { [Label.controlPlane]: "" } : {},
  },
  spec: { version: input.version },
});
