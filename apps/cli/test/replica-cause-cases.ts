import { KubeadmConfigTemplate } from "@capstan/bootstrap-kubeadm/api";
import { KThreesConfigTemplate, RKE2ConfigTemplate } from "@capstan/bootstrap-rke2-k3s/api";
import { AzureMachineTemplate } from "@capstan/infra-azure/api";
import { LinodeMachineTemplate } from "@capstan/infra-linode/api";
import { ElementalMachineTemplate, TinkerbellMachineTemplate } from "@capstan/infra-metal/api";
import type { Resource } from "@capstan/schema";

/** A template by its kind and name. */
interface Template {
  readonly kind: Resource;
  readonly name: string;
}

export interface Case {
  /** Of the MachineDeployment, and the beginning of the names of its Machines. */
  readonly name: string;
  /** Default: orchid. */
  readonly cluster?: string;
  readonly bootstrap?: Template;
  readonly infrastructure?: Template;
  readonly version?: string;
  /** Templates of this case alone. */
  readonly templates?: string;
  /** What everybody who is asked has to say. */
  readonly says: string;
}

const template = ({ kind, name }: Template, spec: string): string =>
  `apiVersion: ${kind.group}/${kind.version}\nkind: ${kind.kind}\nmetadata: {name: ${name}}\nspec: {template: {spec: ${spec}}}\n`;

/** A template of each kind with which nothing is wrong. */
const plainSpecs: ReadonlyMap<Resource, string> = new Map<Resource, string>([
  [KubeadmConfigTemplate, "{joinConfiguration: {nodeRegistration: {name: a}}}"],
  [RKE2ConfigTemplate, "{agentConfig: {nodeName: a}}"],
  [KThreesConfigTemplate, "{agentConfig: {nodeName: a}}"],
  [LinodeMachineTemplate, "{region: us-ord, type: g6-standard-1}"],
  [AzureMachineTemplate, "{vmSize: Standard_D2s_v3, osDisk: {osType: Linux, diskSizeGB: 64}}"],
  [TinkerbellMachineTemplate, "{bootOptions: {bootMode: netboot}}"],
  [ElementalMachineTemplate, "{selector: {matchLabels: {site: north}}}"],
]);

const plain = (kind: Resource): Template => ({ kind, name: "plain" });

/** Of some kinds, or of all. */
export const plainTemplates = (kinds: readonly Resource[] = [...plainSpecs.keys()]): readonly string[] =>
  kinds.map((kind) => template(plain(kind), plainSpecs.get(kind) ?? "{}"));

const reference = ({ kind, name }: Template) => ({ apiGroup: kind.group, kind: kind.kind, name });

export const deployment = ({
  name,
  cluster = "orchid",
  bootstrap = plain(KubeadmConfigTemplate),
  infrastructure = plain(LinodeMachineTemplate),
  version = "v1.35.4",
}: Case): string =>
  JSON.stringify({
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "MachineDeployment",
    metadata: { name },
    spec: {
      clusterName: cluster,
      replicas: 1,
      selector: { matchLabels: { workers: name } },
      template: {
        metadata: { labels: { workers: name } },
        spec: {
          clusterName: cluster,
          version,
          bootstrap: { configRef: reference(bootstrap) },
          infrastructureRef: reference(infrastructure),
        },
      },
    },
  });

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

const fieldsOf = (kind: Resource): readonly string[] => {
  const { schema } = kind as unknown as { readonly schema: Schema };
  const spec = schema.properties?.["spec"]?.properties?.["template"]?.properties?.["spec"];
  return Object.keys(spec?.properties ?? {});
};

/** What is made from a template of a kind. */
const madeFrom = ({ kind }: Resource): string => kind.replace(/Template$/, "");

/** Objects of a kind that the API server refuses, because of a field each. */
export interface Refused {
  readonly group: string;
  readonly plural: string;
  readonly cases: readonly Case[];
}

/** A case for each field of every template, or for a sample of them: what is made of it is refused because of this field. */
export const refusedFields = (every: number): readonly Refused[] =>
  [...plainSpecs.keys()].map((kind) => ({
    group: kind.group,
    plural: `${madeFrom(kind).toLowerCase()}s`,
    cases: fieldsOf(kind)
      .filter((_, index) => index % every === 0)
      .map((field) => ({
        name: `${madeFrom(kind)}-${field}`.toLowerCase(),
        says: `${field} is not to be had here`,
        ...(kind.group.startsWith("bootstrap") ? { bootstrap: plain(kind) } : { infrastructure: plain(kind) }),
      })),
  }));

/** A case of a template of its own, with the name of the case. */
const own = (name: string, kind: Resource, spec: string, says: string): Case => {
  const which = { kind, name };
  const place = kind.group.startsWith("bootstrap") ? { bootstrap: which } : { infrastructure: which };
  return { name, ...place, templates: template(which, spec), says };
};

export const otherCases: readonly Case[] = [
  own("region", LinodeMachineTemplate, "{region: nowhere, type: g6-standard-1}", "nowhere"),
  own("plan", LinodeMachineTemplate, "{region: us-ord, type: g6-none}", "g6-none"),
  own(
    "image",
    LinodeMachineTemplate,
    "{region: us-ord, type: g6-standard-1, image: linode/none}",
    "correct spec.image",
  ),
  own(
    "firewall",
    LinodeMachineTemplate,
    "{region: us-ord, type: g6-standard-1, firewallRef: {name: nowhere}}",
    "LinodeFirewall",
  ),
  own(
    "vmsize",
    AzureMachineTemplate,
    "{vmSize: Standard_None, osDisk: {osType: Linux, diskSizeGB: 64}}",
    "Standard_None",
  ),
  own(
    "hardware",
    TinkerbellMachineTemplate,
    "{bootOptions: {bootMode: netboot}, hardwareAffinity: {required: [{labelSelector: {matchLabels: {rack: none}}}]}}",
    "Hardware",
  ),
  own("host", ElementalMachineTemplate, "{selector: {matchLabels: {rack: none}}}", "ElementalHost"),
  own(
    "content",
    KubeadmConfigTemplate,
    "{files: [{path: /opt/text, contentFrom: {secret: {name: not-there, key: text}}}], joinConfiguration: {nodeRegistration: {name: a}}}",
    "not-there",
  ),
  { ...own("token-rke2", RKE2ConfigTemplate, "{}", "Secret orchid-token"), version: "v1.34.0+rke2r1" },
  { ...own("token-k3s", KThreesConfigTemplate, "{}", "Secret orchid-token"), version: "v1.34.0+k3s1" },
  own("suffix-rke2", RKE2ConfigTemplate, "{}", "set it to a version with the distribution's suffix"),
  own("suffix-k3s", KThreesConfigTemplate, "{}", "set it to a version with the distribution's suffix"),
  {
    name: "no-template",
    infrastructure: { kind: LinodeMachineTemplate, name: "not-there" },
    says: "LinodeMachineTemplate default/not-there does not exist",
  },
  { name: "skew", cluster: "lily", version: "v1.35.0", says: "do not conform to the kubernetes version skew policy" },
  { name: "no-cluster", cluster: "nowhere", says: "names Cluster default/nowhere, which does not exist" },
  { name: "silent-machine", says: 'failed calling webhook "machines.silent.example"' },
  { name: "silent-config", says: 'failed calling webhook "kubeadmconfigs.silent.example"' },
  { name: "silent-server", says: 'failed calling webhook "linodemachines.silent.example"' },
];
