import type { AdmissionContextV1, KindWebhooksV1 } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
import { permission } from "@capstan/kit";
import { invalid, type ReadOnce, required, unusedEdits } from "@capstan/kit/admission";
import type { Cause, KubeObject, Resource, SecretReference } from "@capstan/schema";
import { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { LinodeClusterTemplate } from "../api/linode-cluster-template.v1alpha2.ts";
import { LinodeFirewall } from "../api/linode-firewall.v1alpha2.ts";
import { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { LinodeMachineTemplate } from "../api/linode-machine-template.v1alpha2.ts";
import { LinodeObjectStorageBucket } from "../api/linode-object-storage-bucket.v1alpha2.ts";
import { LinodeObjectStorageKey } from "../api/linode-object-storage-key.v1alpha2.ts";
import { LinodePlacementGroup } from "../api/linode-placement-group.v1alpha2.ts";
import { LinodeVPC } from "../api/linode-vpc.v1alpha2.ts";
import type { Connect } from "../cloud/connections.ts";
import type { Call, LinodeApi } from "../cloud/linode-api.ts";
import { namedSecret } from "../cloud/secret-ref.ts";
import { secretKeyOf, templateProblem } from "../storage-key/secret-contents.ts";
import { askLinode, regionCauses } from "./catalogue-checks.ts";
import { clusterCauses } from "./cluster-causes.ts";
import { firewallCauses } from "./firewall-causes.ts";
import { machineCatalogueCauses, machineCauses, machineChangeCauses } from "./machine-causes.ts";
import { vpcCauses } from "./vpc-causes.ts";

const permissions = [permission(SecretResource, ["get"])];

interface WithCredentials extends KubeObject {
  readonly spec: { readonly credentialsRef?: SecretReference };
}

/** Checks of a new object: what can be said at once, and if nothing is wrong with that, what Linode says. */
const checked =
  <O extends WithCredentials>(
    connect: Connect,
    checks: {
      readonly causes: (object: O) => readonly Cause[];
      readonly ask?: (object: O, api: LinodeApi, call: Call) => Promise<readonly Cause[]>;
      readonly onUpdate?: boolean;
      readonly changes?: (object: O, old: O) => readonly Cause[];
    },
  ) =>
  async (object: O, context: AdmissionContextV1<O>): Promise<readonly Cause[]> => {
    if (context.old !== undefined && checks.onUpdate !== true) return checks.changes?.(object, context.old) ?? [];
    const causes = checks.causes(object);
    const { ask } = checks;
    if (causes.length > 0 || ask === undefined || context.old !== undefined) return causes;
    const ref = namedSecret(object.spec.credentialsRef);
    return askLinode({ connect, object, ref }, context, (api, call) => ask(object, api, call));
  };

/** The region of a thing that stands for itself has to have something. */
const inRegion =
  (capability: string | undefined) =>
  async ({ spec }: { readonly spec: { readonly region: string } }, api: LinodeApi, call: Call) =>
    regionCauses("spec.region", spec.region, await api.regions(call), capability);

const bucketCauses = ({ metadata: { name = "" } }: LinodeObjectStorageBucket): readonly Cause[] =>
  /^[a-z0-9](?:[a-z0-9.-]{1,61})[a-z0-9]$/.test(name)
    ? []
    : [invalid("metadata.name", name, "a bucket has 3 to 63 small letters, digits, hyphens and dots")];

const keyCauses = (object: LinodeObjectStorageKey): readonly Cause[] => {
  const { format = object.spec.secretDataFormat ?? {}, type } = object.spec.generatedSecret;
  const field = "spec.generatedSecret.format";
  if (type !== "Opaque" && Object.keys(format).length === 0) {
    return [required(field, `a Secret of type ${type} holds manifests: say them, by key`)];
  }
  const problem = templateProblem(object);
  return problem === undefined ? [] : [invalid(field, Object.keys(format), problem.message)];
};

/** The key's Secret with the name and the place that it has without being told. It cannot change, so one that was stored without stays so. */
const defaultedKey = (
  object: LinodeObjectStorageKey,
  old: LinodeObjectStorageKey | undefined,
): LinodeObjectStorageKey => {
  if (old !== undefined && old.spec.generatedSecret.name === undefined) return object;
  const given = object.spec?.generatedSecret as LinodeObjectStorageKey["spec"]["generatedSecret"] | undefined;
  if (given === undefined) return object;
  const { name, namespace } = secretKeyOf(object);
  if (given.name === name && given.namespace === namespace) return object;
  return { ...object, spec: { ...object.spec, generatedSecret: { ...given, name, namespace } } };
};

/** Field that is immutable once read: everything that a cluster has at Linode is made in one region and cannot move. */
const clusterRegion: ReadOnce<LinodeCluster> = {
  path: "spec.region",
  isRead: ({ status }) => status?.ready === true,
  because: "what the cluster has at Linode stays where it is; another region takes another LinodeCluster",
};

const none = (): readonly Cause[] => [];

/** Defaults and checks of the kinds. What Linode says is asked with the object's own credentials, of new objects only. */
export const linodeWebhooks = (connect: Connect): readonly KindWebhooksV1[] => {
  const of = <O extends WithCredentials>(
    kind: Resource<O>,
    checks: Parameters<typeof checked<O>>[1],
  ): KindWebhooksV1<O> => ({ kind, permissions, validate: checked(connect, checks) });
  const webhooks = [
    {
      ...of<LinodeCluster>(LinodeCluster, { causes: ({ spec }) => clusterCauses(spec), ask: inRegion(undefined) }),
      default: (object: LinodeCluster, { old }: AdmissionContextV1<LinodeCluster>) =>
        unusedEdits(object, old, [clusterRegion]),
    },
    of<LinodeMachine>(LinodeMachine, {
      causes: ({ spec }) => machineCauses(spec),
      ask: ({ spec }, api, call) => machineCatalogueCauses(spec, api, call),
      changes: machineChangeCauses,
    }),
    of<LinodeVPC>(LinodeVPC, { causes: ({ spec }) => vpcCauses(spec), ask: inRegion("VPCs") }),
    of<LinodeFirewall>(LinodeFirewall, { causes: firewallCauses, onUpdate: true }),
    of<LinodePlacementGroup>(LinodePlacementGroup, { causes: none, ask: inRegion("Placement Group") }),
    of<LinodeObjectStorageBucket>(LinodeObjectStorageBucket, { causes: bucketCauses, ask: inRegion("Object Storage") }),
    {
      ...of<LinodeObjectStorageKey>(LinodeObjectStorageKey, { causes: keyCauses, onUpdate: true }),
      default: (object: LinodeObjectStorageKey, { old }: AdmissionContextV1<LinodeObjectStorageKey>) => ({
        object: defaultedKey(object, old),
      }),
    },
    {
      kind: LinodeMachineTemplate,
      validate: ({ spec }: LinodeMachineTemplate, { old }: AdmissionContextV1<LinodeMachineTemplate>) =>
        spec === undefined || old !== undefined ? [] : machineCauses(spec.template.spec, "spec.template.spec"),
    },
    {
      kind: LinodeClusterTemplate,
      validate: ({ spec }: LinodeClusterTemplate, { old }: AdmissionContextV1<LinodeClusterTemplate>) =>
        spec === undefined || old !== undefined ? [] : clusterCauses(spec.template.spec, "spec.template.spec"),
    },
  ];
  return webhooks;
};
