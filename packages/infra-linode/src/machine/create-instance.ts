import { CapstanError } from "@capstan/contract";
import type { CreateContext, MachineFacts } from "@capstan/kit/machine";
import type { UserData } from "@capstan/contract/v1";
import { userDataRoutes } from "@capstan/kit/delivery";
import type { CreateInstance } from "@capstan/linode-client";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { createLabelled, labelsFor } from "../cloud/labels.ts";
import type { LinodeApi, Call, CatalogueCalls } from "../cloud/linode-api.ts";
import { findSubnet } from "../cloud/subnet.ts";
import { stackScript, stackScriptData, stackScriptLabel } from "../stack-script/stack-script.ts";
import type { InstanceData } from "../stack-script/stack-script.ts";
import { refuseForeign } from "../resource/foreign-ids.ts";
import { stackScriptRoutes } from "../stack-script/stack-script-routes.ts";
import type { LinodeProviderOptions } from "../options.ts";
import { bootSize } from "./disks.ts";
import { refuseForeignSources } from "./foreign-sources.ts";
import { refuseForeignVlans } from "./foreign-vlans.ts";
import { imageOf, instanceBody } from "./instance-body.ts";
import { factsOf } from "./instance-facts.ts";
import { namedPlaces } from "./named-places.ts";
import { requirementsOf } from "./requirements.ts";
import type { requirementUses } from "./requirements.ts";
import { reservedAddress } from "./vlan-address.ts";

/**
 * Returns whether a region has the metadata service, and an image a cloud-init that reads it. What is unknown, as with backups, which have no
 * image, is left to the API to refuse.
 */
const supportsMetadata = async (
  api: CatalogueCalls,
  { image, region }: { readonly image: string | undefined; readonly region: string },
  call: Call,
): Promise<boolean> => {
  const regions = await api.regions(call);
  const capabilities = regions.find(({ id }) => id === region)?.capabilities;
  if (capabilities?.includes("Metadata") === false) return false;
  if (image === undefined) return true;
  return (await api.image(image, call))?.capabilities.includes("cloud-init") !== false;
};

/** The metadata service takes user data below this size, before base64. */
const userDataLimitBytes = 16_384;
/** Characters of an instance's label. */
const maxLabel = 64;

type Context = CreateContext<LinodeMachine, LinodeApi, LinodeCluster, typeof requirementUses>;

type HandOver = Pick<CreateInstance, "metadata" | "stackscript_data" | "stackscript_id">;

/** Gives the bootstrap data to an instance, whatever its label will be. */
const deliver = async (
  { api, bootstrap, call, object: { spec } }: Context,
  labels: readonly string[],
  { gzip = false }: LinodeProviderOptions,
): Promise<(label: string) => HandOver> => {
  const { region, type } = spec;
  const image = imageOf(spec);
  if (await supportsMetadata(api, { image, region }, call)) {
    const { base64 } = await bootstrap.deliver(userDataRoutes({ limitBytes: userDataLimitBytes, gzip }));
    return () => ({ metadata: { user_data: base64 } });
  }
  if (image === undefined) {
    const mend = "set spec.image to an image instead, or spec.region to a region with Metadata";
    const why = `the region ${region} has no metadata service, and StackScripts do not run on restored backups`;
    throw new CapstanError({
      code: "linode.unsupported",
      reason: "Unsupported",
      message: `spec.backupID: ${why}; ${mend}`,
      retry: { kind: "never" },
    });
  }
  const instance = (label: string): InstanceData => ({ label, region, type });
  const longest = labels.toSorted((left, right) => right.length - left.length)[0] ?? "";
  const { bytes }: UserData = await bootstrap.deliver(stackScriptRoutes(instance(longest)));
  const script = { label: stackScriptLabel, description: "user data for cloud-init", script: stackScript };
  const id = await api.stackScript({ ...script, images: ["any/all"] }, call);
  return (label) => ({ stackscript_id: id, stackscript_data: stackScriptData(instance(label), bytes) });
};

/** Makes the instance of a machine, switched off. */
export const createInstance = async (
  context: Context,
  options: LinodeProviderOptions,
): Promise<MachineFacts | undefined> => {
  const { object, identity, api, infraCluster, call, random } = context;
  const { spec } = object;
  const outcome = requirementsOf(context);
  // What there is to wait for was said when it was looked at.
  if ("waiting" in outcome) return undefined;
  const { firewallId, placementGroupId, vpcId } = outcome.needs;
  await refuseForeignSources(context);
  await refuseForeignVlans(context);
  await refuseForeign(context, namedPlaces(object.spec, infraCluster?.spec));
  const slot = await api.reserveCreate(call);
  try {
    const cluster = infraCluster?.spec;
    const subnet =
      vpcId === undefined ? undefined : await findSubnet(api, { vpcId, label: cluster?.network?.subnetName }, call);
    const size = await bootSize(spec, () => api.planDiskSize(spec.type, call));
    const labels = labelsFor(identity, maxLabel);
    const handOver = await deliver(context, labels, options);
    const address = cluster?.network?.useVlan === true ? reservedAddress(object) : undefined;
    const vlan = address === undefined ? undefined : { label: identity.clusterName, address };
    const places = { vlan, subnetId: subnet?.id, firewallId, placementGroupId };
    const body = instanceBody(spec, { identity, bootSize: size, random, ...places });
    const created = await createLabelled(labels, {
      create: (label) => api.createInstance({ ...body, ...handOver(label), label }, call, slot),
      isOurs: async (label) => (await api.findInstance(label, call))?.tags.includes(identity.tag) === true,
    });
    return created === undefined ? undefined : factsOf(created, object);
  } finally {
    slot.release();
  }
};
