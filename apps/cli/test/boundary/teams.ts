import { readFileSync } from "node:fs";
import { join } from "node:path";

const hybrid = readFileSync(join(import.meta.dirname, "../../../../examples/hybrid.yaml"), "utf8");

/** Documents of the hybrid example for another namespace and cluster. `without`: words of documents that are left out. */
const inNamespace = (namespace: string, cluster: string, without: readonly string[]): string =>
  hybrid
    .replaceAll("mosaic", cluster)
    .replaceAll("allowedNamespaces: {}", `allowedNamespaces:\n    list: [${namespace}]`)
    .replaceAll("namespace: default", `namespace: ${namespace}`)
    .replaceAll("10.80.0.0", namespace === "team-a" ? "10.82.0.0" : "10.80.0.0")
    .replaceAll("10.81.0.0", namespace === "team-a" ? "10.83.0.0" : "10.81.0.0")
    .split("\n---\n")
    .filter((document) => !without.some((word) => document.includes(word)))
    .map((document) => document.replace("\nmetadata:\n", `\nmetadata:\n  namespace: ${namespace}\n`))
    .join("\n---\n");

const namespaces = ["team-a", "team-b"].map((name) => `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${name}`);

/** Begins the contents of what no one but team-b may see. */
export const canary = "canary-of-team-b";

const keys = [
  "apiToken clientSecret username password value format key token secret access_key secret_key bucket_name bucket_endpoint",
  "endpoint tls.crt tls.key ca.crt ca privKey credential certificate config.yaml bootstrap infrastructure data theirs x",
]
  .join(" ")
  .split(" ");

const watched = ["Secret", "ConfigMap"].map((kind) => {
  const data = keys.map((key) => `  ${key}: ${canary}-${key}`).join("\n");
  const field = kind === "Secret" ? "stringData" : "data";
  return `apiVersion: v1\nkind: ${kind}\nmetadata:\n  namespace: team-b\n  name: theirs\n${field}:\n${data}`;
});

const bootstrap = `apiVersion: v1\nkind: Secret\nmetadata:\n  namespace: team-a\n  name: boot\nstringData:\n  value: "#cloud-config\\n{}\\n"\n  format: cloud-config`;

const made = (apiVersion: string, kind: string, spec: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  namespace: team-b\n  name: theirs\nspec: ${spec}`;

const credentials = "credentialsRef: {name: theirs-linode}";
const v1alpha2 = "infrastructure.cluster.x-k8s.io/v1alpha2";
const rule = "{action: ACCEPT, label: ssh, ports: '22', protocol: TCP, addresses: {ipv4: [192.0.2.1/32]}}";
const access = "[{bucketName: theirs, permissions: read_only, region: us-ord}]";

/** What stands by itself, one of each kind. */
const things = [
  made(v1alpha2, "LinodeVPC", `{region: us-ord, subnets: [{label: one, ipv4: 10.7.0.0/24}], ${credentials}}`),
  made(v1alpha2, "LinodeFirewall", `{enabled: true, inboundPolicy: DROP, inboundRules: [${rule}], ${credentials}}`),
  made(v1alpha2, "LinodePlacementGroup", `{region: us-ord, ${credentials}}`),
  made(v1alpha2, "LinodeObjectStorageBucket", `{region: us-ord, ${credentials}}`),
  made(v1alpha2, "LinodeObjectStorageKey", `{bucketAccess: ${access}, generatedSecret: {}, ${credentials}}`),
  made(v1alpha2, "AddressSet", `{ipv4: [198.51.100.7/32]}`),
  made("tinkerbell.org/v1alpha1", "Template", `{data: "# ${canary}-template"}`),
];

const machines = ["kind: Machine\n", "kind: MachineDeployment\n"];

/**
 * A cluster in team-b on three infrastructures, what no one may read there, and a control plane in team-a. Without machines there are only the
 * networks of both.
 */
export const teams = ({ withMachines }: { readonly withMachines: boolean }): string =>
  [
    ...namespaces,
    ...watched,
    bootstrap,
    ...things,
    inNamespace("team-b", "theirs", withMachines ? [] : machines.map((word) => `cluster.x-k8s.io/v1beta2\n${word}`)),
    inNamespace("team-a", "ours", [
      "-azure\nspec",
      "-metal\nspec",
      "metal-1",
      "ours-bmc",
      ...(withMachines ? [] : machines),
    ]),
  ].join("\n---\n");
