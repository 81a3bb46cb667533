import type { Extension } from "./extension.ts";
import { kthreesExtensions } from "./kthrees-extensions.ts";

const initialization = [
  'v1alpha2 .status.initialization minProperties=1 type="object"',
  'v1alpha2 .status.initialization.provisioned type="boolean"',
];

const provisioned =
  "Upstream sets status.ready only. Contract v1beta2 reads status.initialization.provisioned, so we write both.";

/** Kinds of Linode's that stand for one thing each. */
const linodeThings = [
  "LinodeFirewall",
  "LinodeObjectStorageBucket",
  "LinodeObjectStorageKey",
  "LinodePlacementGroup",
  "LinodeVPC",
];

const conditionFacts: readonly string[] = [
  'type="array" x-list-map-keys=["type"] x-list-type="map"',
  '[] type="object"',
  '[].lastTransitionTime* format="date-time" type="string"',
  '[].message* maxLength=32768 type="string"',
  '[].observedGeneration format="int64" minimum=0 type="integer"',
  '[].reason* maxLength=1024 minLength=1 pattern="^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$" type="string"',
  '[].status* enum=["True","False","Unknown"] type="string"',
  '[].type* maxLength=316 pattern="^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$" type="string"',
];

/** Fields of the newer contract in a status of the older one. */
const newerStatus: readonly string[] = [
  'v1beta1 .status.initialization type="object"',
  'v1beta1 .status.initialization.provisioned type="boolean"',
  'v1beta1 .status.v1beta2 type="object"',
  ...conditionFacts.map((fact) => `v1beta1 .status.v1beta2.conditions${fact.startsWith("[]") ? "" : " "}${fact}`),
];

const olderConditions: readonly string[] = [
  ' type="array"',
  '[] type="object"',
  '[].lastTransitionTime* format="date-time" type="string"',
  '[].message maxLength=10240 minLength=1 type="string"',
  '[].reason maxLength=256 minLength=1 type="string"',
  '[].severity maxLength=32 type="string"',
  '[].status* type="string"',
  '[].type* maxLength=256 minLength=1 type="string"',
].map((fact) => `v1beta1 .status.conditions${fact}`);

const newer =
  "Upstream writes the older contract only. Today's conditions and status.initialization.provisioned stand beside it.";

const length = (minimum: number, maximum: number) =>
  `{"message":"metadata.name must have ${minimum} to ${maximum} characters","rule":"size(self.metadata.name) >= ${minimum} && size(self.metadata.name) <= ${maximum}"}`;

const labelRules = [
  `{"message":"metadata.name must begin and end with a letter or digit","rule":"self.metadata.name.matches('^[[:alnum:]]([-_.[:alnum:]]+[[:alnum:]])*$')"}`,
  `{"message":"metadata.name must not contain --, __ or ..","rule":"!self.metadata.name.contains('--') && !self.metadata.name.contains('__') && !self.metadata.name.contains('..')"}`,
];

const named = (rules: readonly string[]): readonly string[] => [
  'v1alpha2  type="object"',
  `v1alpha2  type="object" x-validations=[${rules.join(",")}]`,
];

const names =
  "The name becomes a label at Linode: its limits are rules of the object, seen before anything is created.";

const metadata =
  "Templates of the contract have metadata for what is made from them; upstream's has none. By it machines are asked for bootstrap reports.";

const templateMetadata = (version: string): readonly string[] => [
  `${version} .spec.template.metadata type="object"`,
  `${version} .spec.template.metadata.annotations type="object"`,
  `${version} .spec.template.metadata.annotations{} type="string"`,
  `${version} .spec.template.metadata.labels type="object"`,
  `${version} .spec.template.metadata.labels{} type="string"`,
];

const machineResources = (version: string): readonly string[] => [
  `${version} .status.capacity type="object"`,
  `${version} .status.capacity{} anyOf=[{"type":"integer"},{"type":"string"}] pattern="^(\\\\+|-)?(([0-9]+(\\\\.[0-9]*)?)|(\\\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\\\+|-)?(([0-9]+(\\\\.[0-9]*)?)|(\\\\.[0-9]+))))?$" x-int-or-string=true`,
  `${version} .status.nodeInfo type="object"`,
  `${version} .status.nodeInfo.architecture enum=["amd64"] type="string"`,
  `${version} .status.nodeInfo.operatingSystem enum=["linux"] type="string"`,
];

const configMetadata =
  "Templates of the contract have metadata for what is made from them; upstream's has none. By it configs get annotations of ours.";

const noStatus = "Upstream serves /status for a kind that has no status.";

const desired =
  "Upstream takes -1 by a patch, and its controllers delete all Machines for it. No number of replicas is below 0 here.";

const noFewer = (paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) =>
    ["v1beta1", "v1beta2"].flatMap((version) => [
      `${version} ${path} format="int32" type="integer"`,
      `${version} ${path} format="int32" minimum=0 type="integer"`,
    ]),
  );

const topologyReplicas = ["controlPlane", "workers.machineDeployments[]", "workers.machinePools[]"].map(
  (part) => `.spec.topology.${part}.replicas`,
);

const conditionsByType = "One condition per type, as in upstream's other kinds: server-side apply merges them.";

const digest = 'maxLength=71 pattern="^sha256:[0-9a-f]{64}$" type="string"';

/** Component bundles at a path; upstream has none. */
const components = (path: string): readonly string[] =>
  [
    'type="object"',
    '.env maxProperties=64 type="object"',
    '.env{} type="string"',
    '.envFrom maxItems=16 type="array" x-list-type="atomic"',
    '.envFrom[] type="object"',
    '.envFrom[].secretRef* type="object"',
    '.envFrom[].secretRef.name* maxLength=253 minLength=1 type="string"',
    '.image* maxLength=512 minLength=1 type="string"',
    '.signature type="object"',
    '.signature.publicKeys maxItems=8 type="array" x-list-type="atomic"',
    '.signature.publicKeys[] maxLength=4096 type="string"',
    '.signature.required type="boolean"',
  ].map((fact) => `v1beta1 ${path}${fact.startsWith(".") ? "" : " "}${fact}`);

const askedComponents = (spec: string): readonly string[] => [
  ...components(`${spec}.components`),
  `v1beta1 ${spec}.components.delivery enum=["served","pull"] type="string"`,
  `v1beta1 ${spec}.components.digest ${digest}`,
  `v1beta1 ${spec}.componentsBundle maxLength=512 minLength=1 type="string"`,
];

const componentsStatus: readonly string[] = [
  'v1beta1 .status.components type="object"',
  `v1beta1 .status.components.desired ${digest}`,
  `v1beta1 .status.components.installed ${digest}`,
];

const bundles = "Components that are installed on hosts beside their operating system; upstream left them out.";

export const extensions: readonly Extension[] = [
  {
    kind: "Hardware",
    why: "Says where two Hardware describe one machine; upstream's Hardware has no conditions.",
    facts: conditionFacts.map((fact) => `v1alpha1 .status.conditions${fact.startsWith("[]") ? "" : " "}${fact}`),
  },
  {
    kind: "Hardware",
    why: "Records which of several Hardware of one machine counts.",
    facts: ['v1alpha1 .status.machine type="string"'],
  },
  ...["TinkerbellCluster", "TinkerbellMachine"].map((kind) => ({
    kind,
    why: conditionsByType,
    facts: [
      'v1beta1 .status.conditions type="array"',
      'v1beta1 .status.conditions type="array" x-list-map-keys=["type"] x-list-type="map"',
    ],
  })),
  { kind: "Cluster", why: desired, facts: noFewer(topologyReplicas) },
  ...["MachineDeployment", "MachinePool", "MachineSet"].map((kind) => ({
    kind,
    why: desired,
    facts: noFewer([".spec.replicas"]),
  })),
  { kind: "ElementalCluster", why: newer, facts: newerStatus },
  { kind: "ElementalMachine", why: newer, facts: newerStatus },
  {
    kind: "ElementalRegistration",
    why: "Limits how many hosts register by one token.",
    facts: ['v1beta1 .spec.hostLimit format="int32" minimum=0 type="integer"'],
  },
  { kind: "ElementalClusterTemplate", why: metadata, facts: templateMetadata("v1beta1").slice(1) },
  { kind: "ElementalClusterTemplate", why: noStatus, facts: ["v1beta1 subresource status {}"] },
  {
    kind: "ElementalHost",
    why: bundles,
    facts: [
      ...components(".spec.components"),
      'v1beta1 .spec.components.delivery* enum=["served","pull"] type="string"',
      `v1beta1 .spec.components.digest* ${digest}`,
      'v1beta1 .spec.components.kubernetesVersion maxLength=256 type="string"',
      'v1beta1 .spec.components.role* enum=["control-plane","worker"] type="string"',
      ...componentsStatus,
    ],
  },
  { kind: "ElementalMachine", why: bundles, facts: [...askedComponents(".spec"), ...componentsStatus] },
  {
    kind: "ElementalMachine",
    why: "The contract has addresses; upstream's machines have none.",
    facts: [
      'v1beta1 .status.addresses type="array" x-list-type="atomic"',
      'v1beta1 .status.addresses[] type="object"',
      'v1beta1 .status.addresses[].address* maxLength=256 minLength=1 type="string"',
      'v1beta1 .status.addresses[].type* enum=["Hostname","ExternalIP","InternalIP","ExternalDNS","InternalDNS"] type="string"',
    ],
  },
  { kind: "ElementalMachineTemplate", why: metadata, facts: templateMetadata("v1beta1").slice(1) },
  { kind: "ElementalMachineTemplate", why: bundles, facts: askedComponents(".spec.template.spec") },
  { kind: "AzureCluster", why: newer, facts: newerStatus },
  { kind: "AzureMachine", why: newer, facts: newerStatus },
  { kind: "AzureMachinePool", why: newer, facts: newerStatus },
  { kind: "AzureMachinePoolMachine", why: newer, facts: newerStatus },
  {
    kind: "AzureMachineTemplate",
    why: "Upstream's template has no conditions: by them it is seen why there is no configuration of the cloud provider yet.",
    facts: olderConditions,
  },
  {
    kind: "AzureMachinePoolMachine",
    why: "The contract's addresses and zone of a machine, which upstream's kind leaves out.",
    facts: [
      'v1beta1 .status.addresses type="array"',
      'v1beta1 .status.addresses[] type="object"',
      'v1beta1 .status.addresses[].address* type="string"',
      'v1beta1 .status.addresses[].type* type="string"',
      'v1beta1 .status.failureDomain type="string"',
    ],
  },
  {
    kind: "AzureMachine",
    why: "The zone that was chosen is a fact, as in the newer contract; upstream writes it into the spec.",
    facts: ['v1beta1 .status.failureDomain type="string"'],
  },
  { kind: "LinodeCluster", why: provisioned, facts: initialization },
  { kind: "LinodeMachine", why: provisioned, facts: initialization },
  ...linodeThings.map((kind) => ({ kind, why: provisioned, facts: initialization })),
  {
    kind: "LinodeVPC",
    why: names,
    facts: named([
      length(1, 64),
      `{"message":"metadata.name must have letters, digits and hyphens only","rule":"self.metadata.name.matches('^[-[:alnum:]]*$')"}`,
      `{"message":"metadata.name must not contain --","rule":"!self.metadata.name.contains('--')"}`,
    ]),
  },
  { kind: "LinodePlacementGroup", why: names, facts: named([length(1, 64)]) },
  { kind: "LinodeCluster", why: names, facts: named([length(3, 32)]) },
  {
    kind: "LinodeCluster",
    why: "Upstream's column names a field that there is none of, so it is always empty.",
    facts: [".controlPlaneEndpoint.host", ".ControlPlaneEndpoint"].map(
      (path) => `v1alpha2 column {"jsonPath":".spec${path}","name":"Endpoint","priority":1,"type":"string"}`,
    ),
  },
  { kind: "LinodeClusterTemplate", why: names, facts: named([length(3, 26)]) },
  { kind: "LinodeMachine", why: names, facts: named([length(3, 64), ...labelRules]) },
  {
    kind: "LinodeMachineTemplate",
    why: "An autoscaler that begins with no machine has to know what one would have; the contract's fields, which upstream's kind lacks.",
    facts: machineResources("v1alpha2"),
  },
  { kind: "LinodeMachineTemplate", why: metadata, facts: templateMetadata("v1alpha2") },
  { kind: "LinodeMachineTemplate", why: names, facts: named([length(3, 58), ...labelRules]) },
  ...kthreesExtensions,
  { kind: "KThreesConfigTemplate", why: configMetadata, facts: templateMetadata("v1beta2") },
  { kind: "KThreesControlPlaneTemplate", why: noStatus, facts: ["v1beta2 subresource status {}"] },
  { kind: "RKE2ConfigTemplate", why: configMetadata, facts: templateMetadata("v1beta2") },
  {
    kind: "RKE2ConfigTemplate",
    why: noStatus,
    facts: ["v1beta1 subresource status {}", "v1beta2 subresource status {}"],
  },
  {
    kind: "RKE2ControlPlane",
    why: conditionsByType,
    facts: [
      'v1beta2 .status.conditions type="array"',
      'v1beta2 .status.conditions type="array" x-list-map-keys=["type"] x-list-type="map"',
    ],
  },
];
